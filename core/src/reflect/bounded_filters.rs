//! Filters of the engine that can turn a small value into a very large one, with a bound.
//!
//! Fuel counts instructions and a filter is one, so `"%2000000000d"|format(1)` would fill the memory
//! at once. Therefore the size of the result is estimated before the filter runs.

use minijinja::value::{Kwargs, Rest, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, Value as Seen, filters};

use super::template_bounds::MAX_LEN;

/// Items that `batch` and `slice` may fill up to.
const MAX_ITEMS: usize = 1_000_000;

/// The size of a result, estimated from the arguments: bytes, or items.
type Size = fn(&[Seen]) -> usize;

/// Puts them in the place of the engine's own.
pub(super) fn add(engine: &mut Environment<'_>) {
    engine.add_filter("__format", filters::format);
    engine.add_filter("__batch", filters::batch);
    engine.add_filter("__slice", filters::slice);
    engine.add_filter("__replace", filters::replace);
    engine.add_filter("__join", filters::join);
    engine.add_filter("__indent", filters::indent);
    let bounded: [(&str, &str, Size, usize); 6] = [
        ("format", "__format", format_len, MAX_LEN),
        ("batch", "__batch", count, MAX_ITEMS),
        ("slice", "__slice", count, MAX_ITEMS),
        ("replace", "__replace", replace_len, MAX_LEN),
        ("join", "__join", join_len, MAX_LEN),
        ("indent", "__indent", indent_len, MAX_LEN),
    ];
    for (name, own, size, most) in bounded {
        engine.add_filter(name, move |state: &mut State<'_, '_>, args: Rest<ValueOrKwargs>| {
            let args = args.into_values();
            if size(&args) > most {
                let message = "the value would be larger than 256 MiB or a million items";
                return Err(Error::new(ErrorKind::InvalidOperation, message));
            }
            state.apply_filter(own, &args)
        });
    }
}

fn int(value: Option<&Seen>) -> Option<usize> {
    usize::try_from(value?.clone()).ok()
}

fn named(args: &[Seen], name: &str) -> Option<Seen> {
    let named = Kwargs::try_from(args.last()?.clone()).ok()?;
    named.get(name).ok()
}

fn text(args: &[Seen], number: usize) -> &str {
    args.get(number).and_then(Seen::as_str).unwrap_or_default()
}

/// What `batch` and `slice` count to.
fn count(args: &[Seen]) -> usize {
    int(args.get(1)).unwrap_or_default()
}

fn replace_len(args: &[Seen]) -> usize {
    let (value, from, to) = (text(args, 0), text(args, 1), text(args, 2));
    value.len().saturating_add(value.matches(from).count().saturating_mul(to.len()))
}

fn indent_len(args: &[Seen]) -> usize {
    let text = text(args, 0);
    let width = int(args.get(1)).or_else(|| int(named(args, "width").as_ref()));
    let lines = text.split('\n').count();
    text.len().saturating_add(lines.saturating_mul(width.unwrap_or(4)))
}

/// Upper bound for the bytes of a formatted text. Widths and precisions are part of the format, or are
/// numbers among the arguments.
fn format_len(args: &[Seen]) -> usize {
    let Some(text) = args.first().and_then(Seen::as_str) else { return 0 };
    let mut len = text.len();
    let (mut is_open, mut is_name, mut digits) = (false, false, 0_usize);
    for c in text.chars() {
        match c {
            '(' if is_open => is_name = true,
            ')' if is_name => is_name = false,
            _ if is_name => {}
            '%' => is_open = !is_open,
            _ if c.is_alphabetic() => is_open = false,
            _ => {}
        }
        digits = match c.to_digit(10).filter(|_| is_open && !is_name) {
            Some(digit) => digits.saturating_mul(10).saturating_add(digit as usize),
            None => 0,
        };
        len = len.saturating_add(digits);
    }
    let stars = text.matches('*').count();
    for value in args.get(1..).unwrap_or_default() {
        len = len.saturating_add(match int(Some(value)) {
            Some(width) if stars > 0 => width,
            _ => value.as_str().map_or(0, str::len),
        });
    }
    len
}

/// Bytes of the texts of a list and of what stands between them.
fn join_len(args: &[Seen]) -> usize {
    let Some(list) = args.first() else { return 0 };
    let between = args.get(1).cloned().or_else(|| named(args, "d"));
    let between = between.as_ref().and_then(Seen::as_str).map_or(0, str::len);
    if list.kind() == ValueKind::String {
        let text = list.as_str().unwrap_or_default();
        return text.len().saturating_add(text.chars().count().saturating_mul(between));
    }
    let Ok(items) = list.try_iter() else { return 0 };
    let mut len = 0_usize;
    for item in items {
        len = len.saturating_add(item.as_str().map_or(0, str::len)).saturating_add(between);
        if len > MAX_LEN {
            break;
        }
    }
    len
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::template::render;

    fn shown(template: &str) -> Result<String, String> {
        let state = json!({"a": "x\ny", "list": ["p", "q", "r"]});
        let state = state.as_object().expect("an object");
        render(template, state).map_err(|error| format!("{}: {error}", error.code()))
    }

    #[test]
    fn they_do_what_the_own_ones_do() {
        for (template, expected) in [
            ("{{ '%5d|%s'|format(42, 'a') }}", "   42|a"),
            ("{{ '%(n)s'|format(n='a') }}", "a"),
            ("{{ '%% 99999999999 %s 99999999999'|format('a') }}", "% 99999999999 a 99999999999"),
            ("{{ list|batch(2)|list|length }}{{ list|batch(2, '-')|last|last }}", "2-"),
            ("{{ list|slice(2)|list|length }}", "2"),
            ("{{ a|replace('x', 'z') }}", "z\ny"),
            ("{{ list|join }}{{ list|join(', ') }}{{ list|join(d='-') }}", "pqrp, q, rp-q-r"),
            ("{{ [{'k': 1}, {'k': 2}]|join(',', attribute='k') }}", "1,2"),
            (
                "{{ a|indent }}{{ a|indent(2) }}{{ a|indent(width=1, first=true) }}",
                "x\n    yx\n  y x\n y",
            ),
        ] {
            assert_eq!(shown(template).as_deref(), Ok(expected), "{template}");
        }
    }

    #[test]
    fn what_would_fill_the_memory_is_refused() {
        let long = "('y' * 90000000)";
        for template in [
            "{{ '%2000000000d'|format(1) }}".to_owned(),
            "{{ '%*d'|format(2000000000, 1) }}".to_owned(),
            "{{ '%(n)2000000000d'|format(n=1) }}".to_owned(),
            "{{ '%.2000000000f'|format(1.5) }}".to_owned(),
            "{{ list|batch(4000000000, 1) }}".to_owned(),
            "{{ list|slice(4000000000) }}".to_owned(),
            format!("{{{{ 'xxxx'|replace('x', {long}) }}}}"),
            format!("{{{{ [1, 2, 3, 4]|join({long}) }}}}"),
            format!("{{{{ 'abcd'|join({long}) }}}}"),
            "{{ a|indent(2000000000) }}".to_owned(),
            "{{ a|indent(width=2000000000) }}".to_owned(),
        ] {
            let message = shown(&template).expect_err(&template);
            assert!(
                message.starts_with("template_failed") && message.contains("larger"),
                "{message}"
            );
        }
    }
}
