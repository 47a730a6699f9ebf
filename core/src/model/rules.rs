//! What each rule finds, in one or two sentences.

use std::sync::LazyLock;

use super::thresholds::written;

/// A rule a line, sorted: its id, a colon, its sentences, and behind ` | ` its threshold in a few
/// words, if it has one. Names in braces are those of `thresholds.rs`.
const RULES: &str = include_str!("rules.txt");

/// The same, with numbers in the place of names.
static WRITTEN: LazyLock<String> = LazyLock::new(|| filled(RULES));

fn filled(text: &str) -> String {
    let mut parts = text.split(['{', '}']);
    let mut all = parts.next().unwrap_or_default().to_owned();
    while let Some(name) = parts.next() {
        all += &written(name).unwrap_or_default();
        all += parts.next().unwrap_or_default();
    }
    all
}

/// Id, sentences and threshold of each rule.
fn lines() -> impl Iterator<Item = (&'static str, &'static str, Option<&'static str>)> {
    WRITTEN.lines().filter_map(|line| {
        let (id, text) = line.split_once(": ")?;
        let parts = text.split_once(" | ");
        Some(parts.map_or((id, text, None), |(text, threshold)| (id, text, Some(threshold))))
    })
}

/// What a rule finds, in one or two sentences with its thresholds; nothing for ids of no rule.
///
/// The rules of the strict profile are named after the keywords of JSON Schema.
///
/// ```
/// let text = hindscope::rule_text("reflection/short");
/// assert_eq!(text, Some("The text has fewer than 100 characters."));
/// assert_eq!(hindscope::rule_text("no/such-rule"), None);
/// ```
pub fn rule_text(id: &str) -> Option<&'static str> {
    if id.starts_with("strict/") {
        return Some(
            "The record does not match the JSON Schema: the keyword in the rule's id fails.",
        );
    }
    rules().find(|(rule, _)| *rule == id).map(|(_, text)| text)
}

/// Every rule with its text, sorted by id. Rules of the strict profile are left out: there is one
/// for each keyword of JSON Schema.
pub fn rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    lines().map(|(id, text, _)| (id, text))
}

/// The threshold of a rule of insight, in a few words.
pub(crate) fn rule_threshold(id: &str) -> Option<&'static str> {
    lines().find(|(rule, ..)| *rule == id)?.2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_rule_with_a_sentence() {
        assert!(RULES.lines().is_sorted() && RULES.lines().count() > 200);
        assert_eq!(rules().count(), RULES.lines().count());
        for (id, text, threshold) in lines() {
            assert!(id.contains('/') || id == "learning-rate", "{id}");
            assert!(text.len() > 10 && text.ends_with('.'), "{id}: {text}");
            assert!(threshold.is_none_or(|text| !text.ends_with('.')), "{id}: {threshold:?}");
            assert_eq!(rule_text(id), Some(text));
        }
        assert_eq!(rule_text(""), None);
        assert_eq!(rule_text("strict/type"), rule_text("strict/pattern"));
        assert_eq!(rule_threshold("regression/reward"), Some("a fall above 0.1"));
    }

    #[test]
    fn every_name_in_braces_is_a_threshold() {
        let names = RULES.split(['{', '}']).skip(1).step_by(2);
        assert!(names.clone().count() > 50);
        for name in names {
            assert!(written(name).is_some(), "{name}");
        }
    }

    const NUMBERS: [&str; 9] =
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

    /// Numbers that are no thresholds: the rules would be others without them.
    const NO_THRESHOLDS: [&str; 4] = [
        "between two texts",
        "every three iterations",
        "fewer than two rewards",
        "two iterations earlier",
    ];

    #[test]
    fn every_rule_of_insight_takes_its_numbers_from_constants() {
        for rule in crate::insight_rules() {
            let line =
                RULES.lines().find(|line| line.split_once(": ").map(|l| l.0) == Some(rule.id));
            let (_, text) = line.and_then(|line| line.split_once(": ")).expect(rule.id);
            let outside = text.split(['{', '}']).step_by(2).collect::<Vec<_>>().join(" ");
            let outside = NO_THRESHOLDS.iter().fold(outside, |text, own| text.replace(own, ""));
            let outside = outside.to_lowercase();
            let is_number =
                |word: &&str| NUMBERS.contains(word) || word.contains(|c: char| c.is_ascii_digit());
            let words = outside.split(|c: char| !c.is_alphanumeric());
            let bare: Vec<_> = words.filter(is_number).collect();
            assert!(bare.is_empty(), "{}: {bare:?}", rule.id);
        }
        assert!(NO_THRESHOLDS.iter().all(|own| RULES.contains(own)));
    }

    /// What is said of thresholds outside of `rules.txt`.
    #[test]
    fn other_texts_say_the_same_thresholds() {
        let docs = include_str!("../../../docs/spec/rules.md");
        let of_docs = [
            "sets of their {NEAR_WORDS}-word sequences have a Jaccard index of at least {NEAR};",
            "0.6667, are below {CLASS_SHARE}.",
            "successes of at least {SELECTION_REWARD}, else",
            "the last of at least {SELECTION_REWARD} (",
            "of their words, from {REWORDED}, are reworded.",
            "fewer than {ENOUGH_RETRIES} on a side are too few.",
            "The aim is a relative gain of {RETRY_AIM}.",
            "a clear difference is less than {CHANCE} likely by chance.",
            "drawn faint below {ENOUGH_RUNS} runs.",
        ];
        let wit = include_str!("../../../wit/insight.wit");
        let of_wit = [
            " {DIMINISHING_RELATIVE}. diminishing-relative:",
            " {DIMINISHING_POINTS}. diminishing-points:",
            " {DIMINISHING_STEPS}. diminishing-steps:",
            " {SELECTION_REWARD}. selection-threshold:",
        ];
        let rows = [
            include_str!("../insight/retries.rs"),
            include_str!("../insight/comparison.rs"),
            include_str!("../insight/aggregate.rs"),
        ];
        let rows = rows.concat();
        let of_rows = [
            "Whether one side has fewer than {ENOUGH_RETRIES}:",
            "the p-value is less than {CHANCE}.",
            "reaches the stated aim of {RETRY_AIM}.",
            "the mean is over fewer than {ENOUGH_RUNS} of them.",
        ];
        let said: [(&str, &[&str]); 4] =
            [(docs, &of_docs), (wit, &of_wit), (wit, &of_rows), (&rows, &of_rows)];
        for (text, sentences) in said {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for sentence in sentences {
                assert!(text.contains(&filled(sentence)), "not said: {sentence}");
            }
        }
    }
}
