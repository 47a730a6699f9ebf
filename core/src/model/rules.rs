//! What each rule says, in one sentence.

/// A rule a line: its id, a colon, and its sentence with the thresholds that it uses. Sorted.
const RULES: &str = include_str!("rules.txt");

/// What a rule says, in one sentence with its thresholds; nothing for ids that no rule has.
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
        return Some("The record is not valid by the JSON Schema: the keyword in the id fails.");
    }
    rules().find(|(rule, _)| *rule == id).map(|(_, text)| text)
}

/// Every rule with its sentence, by id; those of the strict profile have no end and are left out.
pub fn rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    RULES.lines().filter_map(|line| line.split_once(": "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_rule_with_a_sentence() {
        let lines: Vec<_> = RULES.lines().collect();
        assert!(lines.is_sorted() && lines.len() > 200);
        for line in lines {
            let (id, text) = line.split_once(": ").expect(line);
            assert!(id.contains('/') || id == "learning-rate", "{id}");
            assert!(text.ends_with('.'), "{id}: {text}");
            assert_eq!(rule_text(id), Some(text));
        }
        assert_eq!(rule_text(""), None);
        assert_eq!(rule_text("strict/type"), rule_text("strict/pattern"));
    }

    #[test]
    fn every_rule_of_insight_has_a_sentence() {
        for rule in crate::insight_rules() {
            assert!(rule_text(rule.id).is_some(), "{}", rule.id);
        }
    }
}
