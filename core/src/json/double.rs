//! Doubles from decimal texts, and the shortest texts of doubles.
//!
//! The standard library does the same faster where numbers are long or far from 1, and its code and tables are
//! 17 KB of what people download for `hindscope`. Tests compare both. Where two texts are equally short and
//! near, the even one is written, as in JavaScript; the standard library takes the larger.

use std::fmt;

/// The powers of ten that a double holds exactly.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Integers up to here are doubles: 2⁵³.
const MOST_EXACT: u64 = 1 << 53;

/// Digits that an integer of 64 bits holds, whatever they are.
const FIRST_DIGITS: i32 = 19;

/// The largest power of five in 63 bits.
const MOST_FIVES: u32 = 27;

/// No number halfway between two doubles has more digits than 767, so of those beyond it matters only
/// that there are some.
const MOST_DIGITS: i32 = 800;

/// The exponent of the smallest double, 2⁻¹⁰⁷⁴, and of the last bit of the largest.
const LEAST_UNIT: i32 = -1074;
const MOST_UNIT: i32 = 971;

/// The double nearest to a number in decimal digits, with or without sign, point and exponent, as
/// `str::parse` reads it. Infinite beyond all doubles.
pub(crate) fn read(text: &str) -> Option<f64> {
    let (is_negative, unsigned) = signed(text.as_bytes());
    let size = Decimal::read(unsigned)?.to_double();
    Some(if is_negative { -size } else { size })
}

/// The number that `count` characters write: the digits of `digits`, the last `decimals` of them behind a
/// point. Both the digits and the power of ten are exact as doubles, so one division rounds as [`read`]
/// does; longer ones are left to it.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "at most 15 digits")]
pub(crate) fn of_digits(digits: u64, count: usize, decimals: usize) -> Option<f64> {
    if count - usize::from(decimals > 0) > 15 {
        return None;
    }
    Some(digits as f64 / TENS.get(decimals)?)
}

fn signed(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] | rest => (false, rest),
    }
}

/// A number in decimal digits.
struct Decimal<'a> {
    /// The first digits that count, at most [`FIRST_DIGITS`].
    first: u64,
    /// The power of ten of the last of them.
    exponent: i32,
    /// How many digits count: all from the first that is not zero.
    count: i32,
    /// Whether digits other than zero follow the first ones.
    is_longer: bool,
    /// All digits, and the point.
    text: &'a [u8],
}

impl<'a> Decimal<'a> {
    fn of(first: u64, exponent: i32) -> Self {
        Self { first, exponent, count: FIRST_DIGITS, is_longer: false, text: &[] }
    }

    fn read(text: &'a [u8]) -> Option<Self> {
        let mut found = Self { count: 0, text, ..Self::of(0, 0) };
        let (mut is_number, mut has_point) = (false, false);
        for (at, &byte) in text.iter().enumerate() {
            match byte {
                b'0'..=b'9' => {
                    is_number = true;
                    let digit = u64::from(byte - b'0');
                    found.count += i32::from(found.count > 0 || digit > 0);
                    if found.count <= FIRST_DIGITS {
                        found.first = found.first * 10 + digit;
                        found.exponent -= i32::from(has_point);
                    } else {
                        found.is_longer |= digit > 0;
                        found.exponent += i32::from(!has_point);
                    }
                }
                b'.' if !has_point => has_point = true,
                b'e' | b'E' => {
                    let (mantissa, power) = text.split_at(at);
                    found.text = mantissa;
                    found.exponent = found.exponent.saturating_add(exponent(power.get(1..)?)?);
                    break;
                }
                _ => return None,
            }
        }
        is_number.then_some(found)
    }

    fn to_double(&self) -> f64 {
        let magnitude = self.exponent.saturating_add(self.count.min(FIRST_DIGITS));
        if self.first == 0 || magnitude < -330 {
            return 0.0;
        }
        if magnitude > 330 {
            return f64::INFINITY;
        }
        if !self.is_longer
            && let Some(double) = of_few(self.first, self.exponent)
        {
            return double;
        }
        if !self.is_longer {
            return Big::of(self.first).into_double(self.exponent);
        }
        let digits = self.text.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0');
        let mut digits = digits.skip_while(|digit| *digit == 0).map(u32::from);
        let mut big = Big(Vec::new());
        let taken = self.count.min(MOST_DIGITS);
        let (mut ten, mut chunk) = (1, 0);
        for digit in digits.by_ref().take(taken.unsigned_abs() as usize) {
            (ten, chunk) = (ten * 10, chunk * 10 + digit);
            if ten == 1_000_000_000 {
                big.multiply(ten, chunk);
                (ten, chunk) = (1, 0);
            }
        }
        big.multiply(ten, chunk);
        // A last digit stands for all that may follow.
        big.multiply(10, digits.any(|digit| digit > 0).into());
        big.into_double(self.exponent - (taken + 1 - FIRST_DIGITS))
    }
}

/// An exponent. One that is beyond all doubles stays so.
fn exponent(text: &[u8]) -> Option<i32> {
    let (is_negative, digits) = signed(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let size = digits
        .iter()
        .fold(0_i32, |sum, digit| sum.saturating_mul(10).saturating_add(i32::from(digit - b'0')));
    Some(if is_negative { -size } else { size })
}

/// `digits` × 10^`exponent`, where that is exact in what a processor calculates with.
#[expect(clippy::cast_precision_loss, reason = "at most 2⁵³")]
fn of_few(digits: u64, exponent: i32) -> Option<f64> {
    let power = exponent.unsigned_abs();
    if let Some(ten) = TENS.get(power as usize).filter(|_| digits <= MOST_EXACT) {
        let digits = digits as f64;
        return Some(if exponent < 0 { digits / ten } else { digits * ten });
    }
    if power > MOST_FIVES {
        return None;
    }
    let (digits, fives) = (u128::from(digits), 5_u128.pow(power));
    if exponent >= 0 {
        return Some(nearest(digits * fives, exponent, false));
    }
    let shift = digits.leading_zeros();
    let shifted = digits << shift;
    let is_more = shifted % fives != 0;
    Some(nearest(shifted / fives, exponent - shift.cast_signed(), is_more))
}

/// The double nearest to `number` × 2^`exponent`, or to a little more; of two as near, the even one.
#[expect(clippy::cast_possible_truncation, reason = "shifted to 64 bits")]
fn nearest(number: u128, exponent: i32, is_more: bool) -> f64 {
    let zeros = number.leading_zeros();
    let normal = number << zeros;
    let (top, is_more) = ((normal >> 64) as u64, is_more || normal as u64 != 0);
    let exponent = exponent + 64 - zeros.cast_signed();
    // The power of two of the last bit that a double of this size has.
    let unit = (exponent + 11).max(LEAST_UNIT);
    let cut = (unit - exponent).unsigned_abs();
    let kept = top.checked_shr(cut).unwrap_or(0);
    // What is cut off, as a part of 2⁶⁴; nothing of a number that is smaller than half of the smallest.
    let rest = top.checked_shl(64 - cut.min(64)).unwrap_or(0) * u64::from(cut <= 64);
    let half = 1 << 63;
    let is_up = rest > half || (rest == half && (is_more || kept % 2 == 1));
    if unit > MOST_UNIT {
        return f64::INFINITY;
    }
    // A carry goes on into the exponent, as the format means it.
    f64::from_bits((u64::from((unit - LEAST_UNIT).unsigned_abs()) << 52) + kept + u64::from(is_up))
}

/// An integer of any size: digits of 32 bits, the last first.
struct Big(Vec<u32>);

impl Big {
    #[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
    fn of(number: u64) -> Self {
        Self(vec![number as u32, (number >> 32) as u32])
    }

    /// Multiplies, and adds.
    fn multiply(&mut self, by: u32, plus: u32) {
        let mut carry = u64::from(plus);
        for digit in &mut self.0 {
            let product = u64::from(*digit) * u64::from(by) + carry;
            #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
            let low = product as u32;
            (*digit, carry) = (low, product >> 32);
        }
        if carry > 0 {
            self.0.push(u32::try_from(carry).unwrap_or_default());
        }
    }

    /// Divides, and says whether something is left.
    fn divide(&mut self, by: u32) -> bool {
        let mut rest = 0;
        for digit in self.0.iter_mut().rev() {
            let number = (rest << 32) | u64::from(*digit);
            *digit = u32::try_from(number / u64::from(by)).unwrap_or_default();
            rest = number % u64::from(by);
        }
        rest != 0
    }

    /// Multiplies with a power of five, or divides by it. Whether something is left.
    fn scale(&mut self, power: i32) -> bool {
        /// The largest power of five in 32 bits.
        const MOST: u32 = 13;
        let fives = power.unsigned_abs();
        let factors =
            (0..fives.div_ceil(MOST)).map(|step| 5_u32.pow((fives - step * MOST).min(MOST)));
        if power < 0 {
            return factors.fold(false, |is_more, factor| self.divide(factor) | is_more);
        }
        factors.for_each(|factor| self.multiply(factor, 0));
        false
    }

    /// Multiplies with a power of two.
    fn shift(&mut self, bits: u32) {
        self.multiply(1 << (bits % 32), 0);
        self.0.splice(0..0, (0..bits / 32).map(|_| 0));
    }

    /// Divides by a power of two, and says whether something is left.
    fn unshift(&mut self, bits: u32) -> bool {
        let whole = self.0.len().min(bits as usize / 32);
        let is_more = self.0.drain(..whole).fold(0, |all, digit| all | digit) != 0;
        self.divide(1 << (bits % 32)) | is_more
    }

    /// The double nearest to it × 10^`power`.
    fn into_double(mut self, power: i32) -> f64 {
        // A division by five takes away less than 7/3 binary digits; 66 have to be left.
        let shifted = if power < 0 { power.unsigned_abs() * 7 / 3 + 66 } else { 0 };
        self.shift(shifted);
        let is_more = self.scale(power);
        let (number, below, is_cut) = self.top();
        nearest(number, power + below - shifted.cast_signed(), is_more || is_cut)
    }

    /// The first 97 binary digits at least, the power of two of the last of them, and whether others
    /// follow.
    fn top(&self) -> (u128, i32, bool) {
        let len = self.0.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1);
        let (lower, top) = self.0.get(..len).unwrap_or_default().split_at(len.saturating_sub(4));
        let number = top.iter().rev().fold(0, |sum, digit| (sum << 32) | u128::from(*digit));
        let below = i32::try_from(lower.len() * 32).unwrap_or(i32::MAX);
        (number, below, lower.iter().any(|digit| *digit != 0))
    }
}

/// A double in the fewest decimal digits that read back to it: of several, those nearest to it.
struct Shortest {
    /// The first of them is not zero, and the last is not, unless it is the only one.
    digits: u64,
    /// The power of ten of the last digit.
    exponent: i32,
}

impl Shortest {
    /// Of a double that is finite and above zero.
    fn of(size: f64) -> Self {
        let (digits, exponent) = few(size).unwrap_or_else(|| many(size));
        let mut found = Self { digits, exponent };
        while found.digits > 0 && found.digits.is_multiple_of(10) {
            found = Self { digits: found.digits / 10, exponent: found.exponent + 1 };
        }
        found
    }
}

/// The shortest digits, where there are at most 15 of them and no large power of ten.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 10¹⁵")]
fn few(size: f64) -> Option<(u64, i32)> {
    (0..16).zip(TENS).find_map(|(decimals, ten)| {
        let digits = (size * ten).round();
        #[expect(clippy::float_cmp, reason = "they must read back exactly")]
        let is_same = digits < 1e15 && digits / ten == size;
        is_same.then_some((digits as u64, -decimals))
    })
}

/// The shortest digits of any double: the fewest that lie nearer to it than to its neighbours.
fn many(size: f64) -> (u64, i32) {
    let bits = size.to_bits();
    let (power, fraction) = (bits >> 52, bits & (MOST_EXACT / 2 - 1));
    let number = if power == 0 { fraction } else { fraction + MOST_EXACT / 2 };
    let unit = LEAST_UNIT + i32::try_from(power.saturating_sub(1)).unwrap_or_default();
    // The power of ten of the first digit, or the one before, by a little less than lg 2.
    let twos = unit + number.ilog2().cast_signed();
    let exponent = ((twos * if twos < 0 { 1234 } else { 1233 }) >> 12) - 17;
    // In quarters of the last bit: the double, and halfway to its neighbours. Below a power of two the
    // next one is half as far.
    let is_near = fraction == 0 && power > 1;
    let first = |quarters: u64| first_digits(quarters, unit - 2, exponent);
    let (digits, is_more) = first(number * 4);
    let (least, is_above_least) = first(number * 4 - if is_near { 1 } else { 2 });
    let (most, is_above_most) = first(number * 4 + 2);
    let is_even = number % 2 == 0;
    let reads_back = |digits: u64| {
        (digits > least || (digits == least && !is_above_least && is_even))
            && (digits < most || (digits == most && (is_above_most || is_even)))
    };
    let rounded = (0..19).rev().find_map(|fewer: i32| {
        let ten = 10_u64.pow(fewer.unsigned_abs());
        let (low, rest) = (digits / ten, digits % ten);
        // Halfway, the even one is taken, as in ECMAScript.
        let is_high = rest * 2 > ten || (rest * 2 == ten && (is_more || low % 2 == 1));
        let candidates = if is_high { [low + 1, low] } else { [low, low + 1] };
        let found = candidates.into_iter().find(|candidate| reads_back(candidate * ten));
        found.map(|found| (found, exponent + fewer))
    });
    rounded.unwrap_or((digits, exponent))
}

/// The first digits of `number` × 2^`unit`, 18 or 19 of them, where `exponent` is the power of ten of the last.
/// Whether others follow.
fn first_digits(number: u64, unit: i32, exponent: i32) -> (u64, bool) {
    let mut big = Big::of(number);
    let twos = unit - exponent;
    big.shift(twos.max(0).unsigned_abs());
    let is_more = big.scale(-exponent) | big.unshift(twos.min(0).unsigned_abs());
    (big.0.iter().rev().fold(0, |sum, digit| (sum << 32) | u64::from(*digit)), is_more)
}

/// The shortest digits that read back to a double, without an exponent: `100000000000000000000000` and
/// `0.0000001`. It is how messages show a number.
pub fn shown(x: f64) -> String {
    if !x.is_finite() {
        return if x.is_nan() {
            "NaN"
        } else if x > 0.0 {
            "inf"
        } else {
            "-inf"
        }
        .to_owned();
    }
    let sign = if x.is_sign_negative() { "-" } else { "" };
    if x == 0.0 {
        return format!("{sign}0");
    }
    let Shortest { digits, exponent } = Shortest::of(x.abs());
    let digits = digits.to_string();
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    let decimals = usize::try_from(-exponent).unwrap_or(0);
    match digits.len().checked_sub(decimals) {
        _ if exponent >= 0 => format!("{sign}{digits}{}", zeros(exponent)),
        None | Some(0) => {
            let missing = -exponent - i32::try_from(digits.len()).unwrap_or(0);
            format!("{sign}0.{}{digits}", zeros(missing))
        }
        Some(whole) => {
            let (whole, fraction) = digits.split_at(whole);
            format!("{sign}{whole}.{fraction}")
        }
    }
}

/// A double as messages show it: see [`shown`].
pub(crate) struct Shown(pub(crate) f64);

impl fmt::Display for Shown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&shown(self.0))
    }
}

/// The shortest digits with an exponent, as ECMAScript writes it: `1e+23` and `1e-7`.
pub(crate) fn scientific(x: f64) -> String {
    let sign = if x < 0.0 { "-" } else { "" };
    let Shortest { digits, exponent } = Shortest::of(x.abs());
    let digits = digits.to_string();
    let (first, others) = digits.split_at(1);
    let point = if others.is_empty() { "" } else { "." };
    let power = exponent + i32::try_from(others.len()).unwrap_or(0);
    let plus = if power > 0 { "+" } else { "" };
    format!("{sign}{first}{point}{others}e{plus}{power}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn agrees(text: &str) {
        let expected: Option<f64> = text.parse().ok();
        assert_eq!(read(text).map(f64::to_bits), expected.map(f64::to_bits), "{text}");
    }

    #[track_caller]
    fn writes(x: f64) {
        let (text, expected) = (scientific(x).replace("e+", "e"), format!("{x:e}"));
        if text == expected {
            assert_eq!(shown(x), x.to_string());
        } else {
            // As near as the other one; the standard library takes the larger.
            assert_eq!((text.len(), read(&text)), (expected.len(), Some(x)));
            let digits = text.bytes().take_while(|byte| *byte != b'e').filter(u8::is_ascii_digit);
            assert_eq!(format!("{x:.*e}", digits.count() - 1), text);
        }
        agrees(&x.to_string());
        agrees(&format!("{x:e}"));
        agrees(&format!("{x:.20e}"));
    }

    /// Numbers as chance has them, the same ones in every run.
    fn chance(seed: u64) -> impl Iterator<Item = u64> {
        std::iter::successors(Some(seed), |last| {
            Some(
                last.wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407),
            )
        })
        .map(|state| state ^ (state >> 29))
    }

    #[test]
    fn texts_are_read_as_by_the_standard_library() {
        for text in [
            "0",
            "-0",
            "+1",
            "5.",
            ".5",
            "",
            ".",
            "-",
            "e5",
            "1e",
            "1e+",
            "1e-",
            "1.2.3",
            "1e5.5",
            "0x1",
            "1 ",
            "inf",
            "nan",
            "0e999999999999",
            "1e999999999999",
            "1e-999999999999",
            "1e400",
            "1e-400",
            "9007199254740993",
            "9007199254740992.99999999999999999",
            "18446744073709551616",
            "1.7976931348623157e308",
            "1.7976931348623159e308",
            "179769313486231580793728971405301e276",
            "4.9e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.2250738585072011e-308",
            "2.2250738585072014e-308",
            "0.000000000000000000000000000000000000000000000000000000000001",
        ] {
            if !matches!(text, "inf" | "nan") {
                agrees(text);
            }
        }
        assert_eq!((read("inf"), read("nan")), (None, None));
    }

    /// Halfway between two doubles with all of its digits, and with one more that settles it.
    #[test]
    fn long_texts_are_read_to_the_last_digit() {
        let least = format!("{:.1074}", f64::from_bits(1));
        let digits = least.trim_start_matches("0.").trim_start_matches('0');
        agrees("1.00000000000000011102230246251565404236316680908203125");
        agrees("1.00000000000000033306690738754696212708950042724609375");
        for mantissa in chance(4).map(|bits| bits >> 12 | 1 << 52).take(2_000) {
            // Halves of the last bit of doubles from 2²⁷ to 2²⁸, which is 2⁻²⁵.
            let half = u128::from(2 * mantissa + 1) * 5_u128.pow(26);
            for tail in ["", "0", "1"] {
                agrees(&format!("{half}{tail}e-{}", 26 + tail.len()));
                agrees(&format!("-{half}.{tail}{}e-26", "0".repeat(800)));
            }
        }
        for (digits, power) in
            [("9007199254740993", 0), ("5", -325), (digits, -1074), (digits, -1080)]
        {
            for tail in ["", "0", "1", "000000001"] {
                agrees(&format!("{digits}{tail}e{power}"));
                let zeros = "0".repeat(900);
                agrees(&format!("{digits}.{zeros}{tail}e{power}"));
                agrees(&format!("{zeros}{digits}{zeros}{tail}e{}", power - 900));
            }
        }
        let many = "7".repeat(100_000);
        agrees(&many);
        agrees(&format!("0.{many}"));
        agrees(&format!("{many}e-100000"));
    }

    #[test]
    fn doubles_are_written_as_by_the_standard_library() {
        let edges = [
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::from_bits(1),
            f64::from_bits(2),
            0.1,
            0.3,
            1e15,
            1e16,
            1e17,
            1e21,
            1e22,
            1e23,
            1e-5,
            1e-6,
            1e-7,
            123_456_789_012_345_680.0,
            5e-324,
            9.5,
            0.1 + 0.2,
            5.684_341_886_080_802e-14,
            9_007_199_254_740_993.0,
            2f64.powi(90),
            2f64.powi(-90),
        ];
        for x in edges {
            writes(x);
            writes(-x);
        }
        for power in 0..2046 {
            writes(f64::from_bits(power << 52));
        }
        for x in chance(1).map(f64::from_bits).filter(|x| x.is_finite()).take(20_000) {
            writes(x);
        }
        for (digits, power) in chance(2).zip(chance(3)).take(20_000) {
            agrees(&format!("{digits}e{}", power % 700));
            agrees(&format!("{}e-{}", digits >> (power % 60), power % 340));
            #[expect(clippy::cast_precision_loss, reason = "any number will do")]
            writes((digits >> 12) as f64 / 10f64.powi((power % 18) as i32));
        }
        assert_eq!(shown(f64::NAN), f64::NAN.to_string());
        assert_eq!(shown(f64::NEG_INFINITY), f64::NEG_INFINITY.to_string());
        assert_eq!((shown(0.0), shown(-0.0)), ("0".to_owned(), "-0".to_owned()));
    }
}
