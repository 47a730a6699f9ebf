//! What rules compare of a text that people or models wrote: a few bytes a word, so that no text has to
//! be read twice (docs/spec/rules.md, "Comparing texts").
//!
//! A sketch decides what the whole text would decide. It holds hashes: two different texts are taken for
//! the same once in 2⁶⁴ pairs, and two different sequences of words for the same once in 2³².

use std::collections::BTreeSet;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use crate::text::{is_mark, lower, norm, words};

/// With fewer words, only equal texts are near each other.
const ENOUGH_WORDS: usize = 8;
/// Share of windows of so many words that near texts have in common.
pub(crate) const NEAR: f64 = 0.80;
pub(crate) const NEAR_WORDS: usize = 3;

/// Scripts that are written without spaces between words.
const DENSE: [std::ops::RangeInclusive<u32>; 15] = [
    0x4E00..=0x9FFF,   // Chinese characters
    0x0E00..=0x0EFF,   // Thai, Lao
    0x1000..=0x109F,   // Myanmar
    0x1780..=0x17FF,   // Khmer
    0x1950..=0x19DF,   // Tai Le, New Tai Lue
    0x1A20..=0x1AAF,   // Tai Tham
    0x3005..=0x3007,   // marks that stand for Chinese characters
    0x3040..=0x30FF,   // Hiragana, Katakana
    0x31F0..=0x31FF,   // Katakana
    0x3400..=0x4DBF,   // Chinese characters
    0xAA60..=0xAADF,   // Myanmar, Tai Viet
    0xF900..=0xFAFF,   // Chinese characters
    0xFF66..=0xFF9F,   // Katakana
    0x1B000..=0x1B16F, // Hiragana, Katakana
    0x20000..=0x3FFFF, // Chinese characters
];

fn is_dense(c: char) -> bool {
    let c = u32::from(c);
    c >= 0x0E00 && DENSE.iter().any(|script| script.contains(&c))
}

/// The words of a norm; each pair of neighbouring letters where a script has no spaces.
pub(crate) fn each_word<'a>(norm: &'a str, mut take: impl FnMut(&'a str)) {
    for word in words(norm) {
        if word.is_ascii() {
            take(word);
            continue;
        }
        let mut rest = word;
        while let Some(first) = rest.chars().next() {
            let dense = is_dense(first);
            let end = rest.find(|c| is_dense(c) != dense).unwrap_or(rest.len());
            let (stretch, after) = rest.split_at(end);
            rest = after;
            if !dense || stretch.len() == first.len_utf8() {
                take(stretch);
                continue;
            }
            let seconds = stretch.char_indices().skip(1).map(|(at, c)| at + c.len_utf8());
            let pairs =
                stretch.char_indices().zip(seconds).filter_map(|((a, _), b)| stretch.get(a..b));
            for pair in pairs {
                take(pair);
            }
        }
    }
}

/// What is compared of a text that is not blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sketch {
    /// A hash of the norm, not 0.
    pub(crate) same: u64,
    /// Hashes of its three-word windows, in order, each once; none for a text that is near to nothing
    /// but itself.
    pub(crate) windows: Vec<u32>,
}

impl Sketch {
    /// None for a text without anything to compare.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let norm = norm(text);
        if norm.is_empty() {
            return None;
        }
        let mut windows = Vec::with_capacity(norm.len() / 4);
        let (mut before, mut count) = ([0; NEAR_WORDS - 1], 0);
        each_word(&norm, |word| {
            let [first, second] = before;
            let third = xxh3_64(word.as_bytes());
            count += 1;
            if count >= NEAR_WORDS {
                windows.push(of_window([first, second, third]));
            }
            before = [second, third];
        });
        if count < ENOUGH_WORDS {
            windows.clear();
        }
        Some(Self { same: xxh3_64(norm.as_bytes()).max(1), windows: set(windows) })
    }

    /// `same(a, b)`.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.same == other.same
    }

    /// `near(a, b)`.
    pub(crate) fn is_near(&self, other: &Self) -> bool {
        if !self.has_enough_words() || !other.has_enough_words() {
            return self.is_same(other);
        }
        jaccard(&self.windows, &other.windows) >= NEAR
    }

    /// Whether it can be near a text that it does not equal.
    pub(crate) fn has_enough_words(&self) -> bool {
        !self.windows.is_empty()
    }
}

/// Sketches of a reflection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReflectionSketch {
    /// None if the text is blank.
    pub(crate) text: Option<Sketch>,
    /// Of the lessons and insights that its record lists, each once.
    pub(crate) lessons: Vec<Sketch>,
}

impl ReflectionSketch {
    pub(crate) fn new<'a>(text: &str, declared: impl Iterator<Item = &'a String>) -> Self {
        let mut known = BTreeSet::new();
        let mut lessons: Vec<Sketch> = Vec::new();
        for lesson in declared.filter_map(|text| Sketch::new(text)) {
            if known.insert(lesson.same) {
                lessons.push(lesson);
            }
        }
        Self { text: Sketch::new(text), lessons }
    }
}

/// Distinct words of a norm as hashes, in order.
pub(crate) fn word_set(norm: &str) -> Vec<u32> {
    let mut hashes = Vec::new();
    each_word(norm, |word| hashes.push(half(xxh3_64(word.as_bytes()))));
    set(hashes)
}

fn set(mut hashes: Vec<u32>) -> Vec<u32> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// A word of a text, as [`Sketch::new`] compares it, with its place in the text.
#[derive(Clone, Debug)]
pub(crate) struct PlacedWord {
    pub(crate) place: Range<usize>,
    hash: u64,
}

/// The hash of three neighbouring words; 0 for fewer.
pub(crate) fn window_of(words: &[PlacedWord]) -> u32 {
    match words {
        [first, second, third] => of_window([first.hash, second.hash, third.hash]),
        _ => 0,
    }
}

/// The words of a text that its norm has, each with its place. The norm has lost places, so the text is
/// read from one white space to the next.
pub(crate) fn placed_words(text: &str) -> Vec<PlacedWord> {
    let mut placed = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let piece_at = start;
        start += piece.len();
        let piece = piece.trim_end();
        let lowered = lower(piece);
        // Where letters were joined or split, a word has the place of the whole piece.
        let is_even = lowered.chars().count() == piece.chars().count();
        let mut unmarked = String::with_capacity(lowered.len());
        let mut origins = Vec::with_capacity(lowered.len());
        let mut raw = piece.char_indices();
        for c in lowered.chars() {
            let own = raw.next().filter(|_| is_even).map(|(at, c)| at..at + c.len_utf8());
            if !is_mark(c) {
                unmarked.push(c);
                origins.extend(std::iter::repeat_n(own.unwrap_or(0..piece.len()), c.len_utf8()));
            }
        }
        each_word(&unmarked, |word| {
            let from = word.as_ptr().addr() - unmarked.as_ptr().addr();
            let (first, last) = (origins.get(from), origins.get(from + word.len() - 1));
            if let Some((first, last)) = first.zip(last) {
                let place = piece_at + first.start..piece_at + last.end;
                placed.push(PlacedWord { place, hash: xxh3_64(word.as_bytes()) });
            }
        });
    }
    // The norm drops a label at the begin.
    let mut count = 0;
    each_word(&norm(text), |_| count += 1);
    placed.drain(..placed.len().saturating_sub(count));
    placed
}

/// A hash of three words, of theirs. Odd factors that differ keep the order of the words.
fn of_window([first, second, third]: [u64; NEAR_WORDS]) -> u32 {
    let mixed = first.wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ second.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(21)
        ^ third.wrapping_mul(0x1656_67B1_9E37_79F9).rotate_left(42);
    half((mixed ^ (mixed >> 32)).wrapping_mul(0x9FB2_1C65_1E98_DF25))
}

/// The upper bits.
fn half(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// What two sets have in common, 0..1; two empty sets have nothing. Both are in order, each member
/// once.
#[expect(clippy::cast_precision_loss, reason = "numbers of words")]
pub(crate) fn jaccard(a: &[u32], b: &[u32]) -> f64 {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        shared += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    let all = a.len() + b.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(text: &str) -> Sketch {
        Sketch::new(text).expect("it is not blank")
    }

    #[test]
    fn near_needs_words_and_windows() {
        let a = sketch("one two three four five six seven eight nine ten eleven");
        let last = sketch("one two three four five six seven eight nine ten twelve");
        let middle = sketch("one two three four five other seven eight nine ten eleven");
        assert!(a.is_near(&last), "8 of 10 windows");
        assert!(!a.is_near(&middle), "6 of 12 windows");
        let short = sketch("one two three");
        assert!(short.is_near(&sketch("One two three.")));
        assert!(!short.is_near(&sketch("one two three four")));
        assert!(Sketch::new(" ?! ").is_none());
    }

    #[test]
    fn scripts_without_spaces_are_compared_by_pairs() {
        let words = |text| {
            let mut all = Vec::new();
            each_word(text, |word| all.push(word));
            all
        };
        assert_eq!(words("don't retry the build_2"), ["don", "t", "retry", "the", "build", "2"]);
        assert_eq!(words("先查缓存"), ["先查", "查缓", "缓存"]);
        assert_eq!(words("use 缓 for api接口v2"), ["use", "缓", "for", "api", "接口", "v2"]);
        assert_eq!(words("쓰기 전에"), ["쓰기", "전에"]);
        let before = sketch("先检查缓存里的键是否已经过期,然后再刷新令牌并重试请求。");
        assert!(
            before.is_near(&sketch("先检查缓存里的键是否已经过期,然后再刷新令牌并重试请求吧。"))
        );
        assert!(
            !before
                .is_near(&sketch("请求失败是因为数据库连接超时,下次应该先增加超时时间再试一次。"))
        );
    }

    /// Both readings of a text must find the same words; places must be those of what was read.
    #[test]
    fn placed_words_are_those_that_are_compared() {
        for text in [
            "Attempt #3: I will open drawer 3, take tomato 3, then go to fridge 1 and cool it.",
            "**Don't** retry `the_build`; #2 fails.\r\n\tÜber-Straße caf\u{65}\u{301} İstanbul ΣΑΣ. Again? !",
            "先检查缓存里的键是否已经过期,然后再刷新令牌 use api接口v2 が か\u{3099}っこう",
            "التحقق من المفتاح قبل إعادة المحاولة مرة أخرى في الطلب",
        ] {
            let placed = placed_words(text);
            let windows = set(placed.windows(NEAR_WORDS).map(window_of).collect());
            assert_eq!(windows, sketch(text).windows, "{text}");
            for word in &placed {
                assert!(text.get(word.place.clone()).is_some_and(|it| !it.is_empty()), "{text}");
            }
        }
        let text = "Trial 2: *See* 缓存键";
        let words: Vec<_> = placed_words(text).into_iter().map(|it| &text[it.place]).collect();
        assert_eq!(words, ["See", "缓存", "存键"]);
    }

    /// What the rules say in words, over sets of strings.
    fn is_near_by_text(a: &str, b: &str) -> bool {
        let windows = |text: &str| {
            let mut words = Vec::new();
            each_word(text, |word| words.push(word.to_owned()));
            let windows = words.array_windows::<NEAR_WORDS>().cloned();
            (words.len(), windows.collect::<std::collections::BTreeSet<_>>())
        };
        let (a, b) = (norm(a), norm(b));
        let ((a_words, a_set), (b_words, b_set)) = (windows(&a), windows(&b));
        if a_words < ENOUGH_WORDS || b_words < ENOUGH_WORDS {
            return a == b;
        }
        let shared = a_set.intersection(&b_set).count();
        let all = a_set.union(&b_set).count();
        #[expect(clippy::cast_precision_loss, reason = "numbers of words")]
        let share = shared as f64 / all as f64;
        share >= NEAR
    }

    /// Texts of several scripts, each followed by a copy with a few changes.
    #[test]
    fn sketches_decide_what_texts_decide() {
        const WORDS: &str = "retry The cache é Cafe\u{301} 检查缓存 令牌 データを読む \
            ข้อผิดพลาด 쓰기 don't **v1.2** हिन्दी \u{1F600}";
        let words: Vec<&str> = WORDS.split(' ').collect();
        let mut seed = 11_u64;
        let mut random = |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(seed >> 33).unwrap_or_default() % n
        };
        let mut decided = [0, 0, 0];
        for _ in 0..3_000 {
            let mut parts: Vec<&str> =
                (0..random(40)).map(|_| words[random(words.len())]).collect();
            let text = parts.join(" ");
            for _ in 0..random(4) {
                if let Some(at) = random(parts.len() + 1).checked_sub(1) {
                    parts[at] = words[random(words.len())];
                }
            }
            let other = parts.join(if random(2) == 0 { " " } else { "\n " });
            let (Some(a), Some(b)) = (Sketch::new(&text), Sketch::new(&other)) else { continue };
            assert_eq!(a.is_same(&b), norm(&text) == norm(&other), "{text}\n{other}");
            assert_eq!(a.is_near(&b), is_near_by_text(&text, &other), "{text}\n{other}");
            decided[usize::from(a.is_near(&b)) + usize::from(a.is_same(&b))] += 1;
        }
        assert!(decided.into_iter().all(|n| n > 300), "far, near and same: {decided:?}");
    }

    #[test]
    fn a_reflection_has_each_lesson_once() {
        let lessons = ["Check expiry.", "?", "check expiry", "Name units"].map(str::to_owned);
        let sketch = ReflectionSketch::new(" ", lessons.iter());
        assert_eq!((sketch.text.is_none(), sketch.lessons.len()), (true, 2));
    }
}
