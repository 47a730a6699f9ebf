//! `accumulatedLearnings`: one Markdown text for all iterations of a session.

use super::super::lines::leading_number;
use crate::model::details::{Details, Reflection};

/// A part of the text, and the number that its heading names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) number: Option<i64>,
    pub(crate) text: String,
}

/// Cuts the text at its lines `### Iteration N`.
pub(crate) fn parts(markdown: &str) -> Vec<Part> {
    let mut parts = vec![Part { number: None, text: String::new() }];
    for line in markdown.lines() {
        if let Some(number) = heading(line) {
            parts.push(Part { number: Some(number), text: String::new() });
        } else if let Some(part) = parts.last_mut() {
            part.text.push_str(line);
            part.text.push('\n');
        }
    }
    for part in &mut parts {
        part.text = part.text.trim().to_owned();
    }
    parts.retain(|part| !part.text.is_empty());
    parts
}

fn heading(line: &str) -> Option<i64> {
    let rest = line.trim().strip_prefix("### Iteration ")?.trim();
    leading_number(rest).map(|(number, _)| number)
}

/// Gives each part to the iteration that it names, unless that already says the same. Returns the parts
/// that name no listed iteration, or one with another lesson: they are lessons of the run.
pub(crate) fn place(parts: Vec<Part>, steps: &mut [Details]) -> Vec<String> {
    let filled: Vec<Option<i64>> =
        steps.iter().filter(|step| !step.reflections.is_empty()).map(|step| step.number).collect();
    let mut left = Vec::new();
    for part in parts {
        let of_part = |step: &&mut Details| part.number.is_some() && step.number == part.number;
        if steps.iter_mut().filter(of_part).any(|step| mentions(step, &part.text)) {
            continue;
        }
        match steps.iter_mut().find(of_part) {
            Some(step) if !filled.contains(&part.number) => {
                step.reflections.push(Reflection::of(part.text));
            }
            _ => left.push(part.text),
        }
    }
    left
}

/// Whether a text stands among the lessons or errors of an iteration.
fn mentions(step: &Details, text: &str) -> bool {
    let message = text.strip_prefix("Error:").map_or(text, str::trim);
    step.reflections.iter().any(|r| r.text.trim() == text)
        || step.errors.iter().any(|e| e.message.trim() == message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Before all.\n\n### Iteration 1\nOne\nmore\n\n### Iteration 2:\nTwo\n\n### Iteration 9\nNine";

    #[test]
    fn headings_cut_it() {
        let parts = parts(TEXT);
        let found: Vec<_> = parts.iter().map(|p| (p.number, p.text.as_str())).collect();
        let expected =
            [(None, "Before all."), (Some(1), "One\nmore"), (Some(2), "Two"), (Some(9), "Nine")];
        assert_eq!(found, expected);
        assert_eq!(super::parts("### Iteration 1\n\n"), []);
    }

    #[test]
    fn parts_fill_what_has_no_lesson() {
        let mut steps: Vec<Details> =
            (1..=2).map(|n| Details { number: Some(n), ..Details::default() }).collect();
        steps[0].reflections = vec![Reflection::of("Mine".to_owned())];
        let left = place(parts(TEXT), &mut steps);
        assert_eq!(left, ["Before all.", "One\nmore", "Nine"]);
        assert_eq!(steps[0].reflections.len(), 1);
        assert_eq!(steps[1].reflections[0].text, "Two");
    }
}
