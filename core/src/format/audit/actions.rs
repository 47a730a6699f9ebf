//! Actions, their diffs and their totals.
#![expect(clippy::float_cmp, reason = "numbers as written are compared as written")]

use super::checks::Fired;
use super::{Action, ActionKind, Audit};
use crate::json::double::Shown;

impl Audit {
    pub(super) fn actions(&self, fired: &mut Fired) {
        let files = self.files.get();
        let mut last_time = f64::NEG_INFINITY;
        for action in &self.actions {
            let at = |name: &str| format!("/actor_output/actions/{}{name}", action.place);
            let contrast = |expected: &str, found: &str| [expected.to_owned(), found.to_owned()];
            if action.kind == ActionKind::Command && !action.has_command {
                fired.report(
                    "rm/command-missing",
                    at(""),
                    contrast("a property `command`", "no such property"),
                    "The action ran something, but its command is missing.",
                );
            }
            if action.kind == ActionKind::File {
                match (action.path, files) {
                    (None, _) => fired.report(
                        "rm/path-missing",
                        at(""),
                        contrast("a property `file_path`", "no such property"),
                        "The action changed a file, but its path is missing.",
                    ),
                    (Some(path), Some(files)) if !files.contains(&path) => fired.report(
                        "rm/files-unlisted",
                        at("/file_path"),
                        contrast("a file listed in files_modified", "another file"),
                        "The file of this action is missing from files_modified.",
                    ),
                    _ => {}
                }
            }
            diff(action, || at("/changes/diff"), fired);
            if let Some(time) = action.time_ms {
                if time < last_time {
                    fired.report(
                        "rm/action-order",
                        at("/timestamp"),
                        contrast("a time that is not before the actions above", "an earlier time"),
                        "The action has an earlier time than an action before it.",
                    );
                }
                last_time = last_time.max(time);
            }
        }
    }

    pub(super) fn totals(&self, fired: &mut Fired) {
        let has_changes = self.actions.iter().any(|a| a.kind == ActionKind::File);
        let sum = |part: fn(&Action) -> Option<f64>| {
            let files = self.actions.iter().filter(|a| a.kind == ActionKind::File);
            files.map(part).try_fold(0.0, |sum, n| Some(sum + n?)).filter(|_| has_changes)
        };
        #[expect(clippy::cast_precision_loss, reason = "lengths of lists")]
        let listed = self.files.get().map(|f| f.len() as f64);
        let added = (self.said.lines_added, sum(|a| a.additions));
        let deleted = (self.said.lines_deleted, sum(|a| a.deletions));
        let files = |n: f64| {
            format!("files_modified lists {} file{}", Shown(n), if n == 1.0 { "" } else { "s" })
        };
        let sum_of = |what: &str, n: f64| {
            format!("the `{what}` of the actions on files add up to {}", Shown(n))
        };
        let additions = |n| sum_of("additions", n);
        let deletions = |n| sum_of("deletions", n);
        let rows: [(_, _, &dyn Fn(f64) -> String); 3] = [
            ("files_changed", (self.said.files_changed, listed), &files),
            ("lines_added", added, &additions),
            ("lines_deleted", deleted, &deletions),
        ];
        for (name, pair, gives) in rows {
            if let (Some(said), Some(parts)) = pair
                && said != parts
            {
                let gives = gives(parts);
                let (said, parts) = (Shown(said), Shown(parts));
                fired.warn(
                    "rm/totals",
                    format!("/actor_output/total_changes/{name}"),
                    [parts.to_string(), said.to_string()],
                    format!("{name} is {said}, but {gives}."),
                );
            }
        }
    }
}

fn diff(action: &Action, pointer: impl Fn() -> String, fired: &mut Fired) {
    let Some((added, deleted)) = action.diff else { return };
    let sides = [
        ("adds", "added", added, action.additions),
        ("deletes", "deleted", deleted, action.deletions),
    ];
    let (mut expected, mut found, mut message) = (Vec::new(), Vec::new(), Vec::new());
    for (does, done, counted, said) in sides {
        // A count that the record leaves out differs from nothing.
        let Some(said) = said.filter(|said| *said != f64::from(counted)).map(Shown) else {
            continue;
        };
        let lines = if counted == 1 { "line" } else { "lines" };
        expected.push(format!("{said} {done}, as stated"));
        found.push(format!("{counted} {done}"));
        message.push(format!("The diff {does} {counted} {lines}, but the record states {said}."));
    }
    if !message.is_empty() {
        let contrast = [expected.join("; "), found.join("; ")];
        fired.report("rm/diff-count", pointer(), contrast, message.join(" "));
    }
}
