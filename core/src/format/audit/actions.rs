//! Actions, their diffs and their totals.
#![expect(clippy::float_cmp, reason = "numbers as written are compared as written")]

use super::checks::Fired;
use super::{Action, ActionKind, Audit};

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
        let sum = |part: fn(&Action) -> Option<f64>| {
            let files = self.actions.iter().filter(|a| a.kind == ActionKind::File);
            files.map(part).try_fold(0.0, |sum, n| Some(sum + n?))
        };
        #[expect(clippy::cast_precision_loss, reason = "lengths of lists")]
        let listed = self.files.get().map(|f| f.len() as f64);
        let has_changes = self.actions.iter().any(|a| a.kind == ActionKind::File);
        let rows = [
            ("files_changed", self.said.files_changed, listed),
            ("lines_added", self.said.lines_added, sum(|a| a.additions).filter(|_| has_changes)),
            (
                "lines_deleted",
                self.said.lines_deleted,
                sum(|a| a.deletions).filter(|_| has_changes),
            ),
        ];
        for (name, said, parts) in rows {
            if let (Some(said), Some(parts)) = (said, parts)
                && said != parts
            {
                fired.warn(
                    "rm/totals",
                    format!("/actor_output/total_changes/{name}"),
                    [parts.to_string(), said.to_string()],
                    format!("{name} is {said}, but its parts add up to {parts}."),
                );
            }
        }
    }
}

fn diff(action: &Action, pointer: impl Fn() -> String, fired: &mut Fired) {
    let Some((added, deleted)) = action.diff else { return };
    let differs = |said: Option<f64>, counted: u32| said.is_some_and(|s| s != f64::from(counted));
    if !differs(action.additions, added) && !differs(action.deletions, deleted) {
        return;
    }
    // A count that the record leaves out differs from nothing.
    let said = |n: Option<f64>| n.map_or("unknown".to_owned(), |n| n.to_string());
    let (additions, deletions) = (said(action.additions), said(action.deletions));
    fired.report(
        "rm/diff-count",
        pointer(),
        [
            format!("{additions} added and {deletions} deleted, as stated"),
            format!("{added} added and {deleted} deleted"),
        ],
        format!(
            "The diff adds {added} and deletes {deleted} lines, but the record states {additions} and {deletions}."
        ),
    );
}
