//! Plain scalars of the core schema of YAML 1.2.

use serde_json::Value;

pub(super) fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

pub(super) fn flag(text: &str) -> Option<Value> {
    match text {
        "true" | "True" | "TRUE" => Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => Some(Value::Bool(false)),
        _ => None,
    }
}

/// An integer of 64 bits: decimal without leading zeros, `0x`, `0o` or `0b`, `_` between digits.
pub(super) fn integer(text: &str) -> Option<Value> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let radixes = [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)];
    let prefixed =
        radixes.iter().find_map(|(prefix, radix)| Some((*radix, digits.strip_prefix(prefix)?)));
    let (radix, digits) = prefixed.unwrap_or((10, digits));
    let is_plain = !digits.starts_with('_') && !digits.ends_with('_') && !digits.contains("__");
    let has_zeros = radix == 10 && digits.len() > 1 && digits.starts_with('0');
    // `from_str_radix` would take a second sign.
    if !is_plain || has_zeros || !digits.starts_with(|c: char| c.is_digit(radix)) {
        return None;
    }
    let size = u64::from_str_radix(&digits.replace('_', ""), radix).ok()?;
    if is_negative {
        Some(Value::from(i64::try_from(-i128::from(size)).ok()?))
    } else {
        Some(Value::from(size))
    }
}

/// A float of the core schema, or what is too big for one.
pub(super) fn float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match unsigned {
        ".nan" | ".NaN" | ".NAN" => Some(f64::NAN),
        ".inf" | ".Inf" | ".INF" => Some(f64::INFINITY),
        // Rust would also read `inf` and `nan`, which are words.
        _ if unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') => text.parse().ok(),
        _ => None,
    }
}
