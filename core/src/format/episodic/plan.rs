//! `episodic-plan`: the plan of an attempt as people write it.

use super::super::parsed_record::{Context, Cut, Cuts, ParsedRecord};
use super::super::traits::Traits;
use super::super::{BY_PATH_ALONE, Format, Reading};
use crate::model::details::{Details, NamedText};
use crate::source::framing::Framing;

pub(crate) const FORMAT: Format = Format {
    id: "episodic-plan",
    title: "Plan of an attempt",
    gives: "the plan as text",
    known_by: "the path of the file, not its content",
    found_at: "tasks/{task}/attempts/NNN/plan.md",
    // Any text may be a plan.
    fits: BY_PATH_ALONE,
    traits: Traits { path: Some("tasks/*/attempts/*/plan.md"), rank: 13, ..super::TRAITS },
    reading: Reading::Text { framing: Framing::Markdown, cut, parse },
};

/// The whole text is one record.
fn cut(text: &str) -> Cuts {
    let is_blank = text.trim().is_empty();
    let whole = Cut { range: 0..text.len(), context: Context::default() };
    Cuts { records: (!is_blank).then_some(whole).into_iter().collect(), ..Cuts::default() }
}

fn parse(text: &str, _context: &Context) -> ParsedRecord {
    let plan = NamedText { name: "plan".to_owned(), text: text.to_owned() };
    ParsedRecord::of_step(Details { texts: vec![plan], ..Details::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::FormatId;

    #[test]
    fn a_plan_is_one_text() {
        assert!(FormatId::EpisodicPlan.is_at("x/tasks/task-7/attempts/002/plan.md"));
        assert!(!FormatId::EpisodicPlan.is_at("tasks/task-7/plan.md"));
        assert!(!FormatId::EpisodicPlan.is_at("docs/plan.md"));
        let text = "# Plan\n\n---\n1. Look.\n";
        assert_eq!(cut(text).records[0].range, 0..text.len());
        assert!(cut(" \n").records.is_empty());
        let step = &parse(text, &Context::default()).runs[0].steps[0];
        assert_eq!((step.texts[0].text.as_str(), step.number), (text, None));
    }
}
