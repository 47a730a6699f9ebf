//! What of a record is searched, text by text.

use crate::labels::labels;
use crate::model::details::{Details, NamedText, Reflection};
use crate::model::reward::count;
use crate::model::run_details::RunDetails;

labels! {
    /// A part of what records say, searched or not as a whole. `output` and `raw` are large.
    SearchPart {
        /// Key and task of the run, and criteria.
        Task = "task",
        /// Reflections with causes, insights, category and reasoning; rationale and strategies.
        Reflection = "reflection",
        /// Lessons.
        Lessons = "lessons",
        /// Actions without their output, and the files that were modified.
        Actions = "actions",
        /// Errors.
        Errors = "errors",
        /// Output of tools and actions, and named texts such as solutions.
        Output = "output",
        /// Records as they are written.
        Raw = "raw",
        /// Files without a history in them.
        Text = "text",
    }
}

impl SearchPart {
    /// What is searched where nothing else was chosen: all but output and raw records.
    pub const DEFAULT: [Self; 6] =
        [Self::Task, Self::Reflection, Self::Lessons, Self::Actions, Self::Errors, Self::Text];
}

/// One text of a record, with what it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextPart<'a> {
    pub(super) part: SearchPart,
    /// Member that holds it.
    pub(super) name: &'static str,
    /// Position in its list, from 0.
    pub(super) index: Option<u32>,
    pub(super) text: &'a str,
}

/// Collects the texts of a record, in the order in which they are shown.
#[derive(Default)]
pub(super) struct TextParts<'a>(pub(super) Vec<TextPart<'a>>);

impl<'a> TextParts<'a> {
    fn add(&mut self, part: SearchPart, name: &'static str, text: &'a str) {
        self.item(part, name, None, text);
    }

    fn item(&mut self, part: SearchPart, name: &'static str, at: Option<usize>, text: &'a str) {
        if !text.is_empty() {
            let index = at.map(count);
            self.0.push(TextPart { part, name, index, text });
        }
    }

    fn maybe(&mut self, part: SearchPart, name: &'static str, text: Option<&'a String>) {
        self.add(part, name, text.map_or("", String::as_str));
    }

    fn list(&mut self, part: SearchPart, name: &'static str, texts: &'a [String]) {
        for (at, text) in texts.iter().enumerate() {
            self.item(part, name, Some(at), text);
        }
    }

    fn named(&mut self, texts: &'a [NamedText]) {
        for (at, text) in texts.iter().enumerate() {
            self.item(SearchPart::Output, "text", Some(at), &text.text);
        }
    }

    pub(super) fn reflection(&mut self, reflection: &'a Reflection) {
        let part = SearchPart::Reflection;
        self.add(part, "reflection", &reflection.text);
        self.maybe(part, "root cause", reflection.root_cause.as_ref());
        self.maybe(part, "category", reflection.category.as_ref());
        self.maybe(part, "reasoning", reflection.reasoning.as_ref());
        self.list(part, "insight", &reflection.insights);
        self.list(SearchPart::Lessons, "lesson", &reflection.lessons);
    }

    /// Everything but the reflections, which belong to the iteration that wrote them.
    pub(super) fn attempt(&mut self, details: &'a Details, task: Option<&str>) {
        // Each record of a run repeats its task.
        if details.task.as_deref() != task {
            self.maybe(SearchPart::Task, "task", details.task.as_ref());
        }
        let part = SearchPart::Reflection;
        self.maybe(part, "rationale", details.rationale.as_ref());
        self.maybe(part, "strategy", details.strategy.as_ref());
        self.maybe(part, "next strategy", details.strategy_next.as_ref());
        self.actions(details);
        for (at, error) in details.errors.iter().enumerate() {
            let mut item = |name, text| self.item(SearchPart::Errors, name, Some(at), text);
            item("type", &error.kind);
            item("message", &error.message);
            for (name, text) in
                [("file", &error.file), ("rule", &error.rule), ("stack", &error.stack)]
            {
                item(name, text.as_deref().unwrap_or_default());
            }
        }
        for (at, check) in details.checks.iter().enumerate() {
            let mut item = |name, text| self.item(SearchPart::Output, name, Some(at), text);
            item("tool", &check.tool);
            item("stdout", check.stdout.as_deref().unwrap_or_default());
            item("stderr", check.stderr.as_deref().unwrap_or_default());
        }
        self.maybe(SearchPart::Output, "verification", details.verification.as_ref());
        self.named(&details.texts);
    }

    fn actions(&mut self, details: &'a Details) {
        for (at, action) in details.actions.iter().enumerate() {
            let mut item = |name, text| self.item(SearchPart::Actions, name, Some(at), text);
            item("type", &action.kind);
            item("description", &action.description);
            for (name, text) in [
                ("file", &action.path),
                ("command", &action.command),
                ("tool", &action.tool),
                ("parameters", &action.params),
                ("reasoning", &action.reasoning),
                ("expected", &action.expected),
                ("diff", &action.diff),
            ] {
                item(name, text.as_deref().unwrap_or_default());
            }
            let output = action.output.as_deref().unwrap_or_default();
            self.item(SearchPart::Output, "output", Some(at), output);
        }
        self.list(SearchPart::Actions, "modified file", &details.files);
    }

    /// What a record says of its run as a whole.
    pub(super) fn run(&mut self, about: &'a RunDetails, task: Option<&str>) {
        if about.task.as_deref() != task {
            self.maybe(SearchPart::Task, "task", about.task.as_ref());
        }
        self.list(SearchPart::Task, "criterion", &about.criteria);
        self.list(SearchPart::Lessons, "lesson", &about.lessons);
        let reason = about.declared.as_ref().and_then(|declared| declared.reason.as_ref());
        self.maybe(SearchPart::Reflection, "reason", reason);
        self.named(&about.texts);
    }
}
