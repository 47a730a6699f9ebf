//! What exports ask of a history beyond what everybody may.

use super::row::{Row, Table};
use super::source::Source;
use super::{History, Opened, not_of_record};
use crate::error::Error;
use crate::format::export_line::{Fields, Line};
use crate::format::parsed_record::{ParsedRecord, ParsedRun};
use crate::format::{Family, FormatId};
use crate::json::tree::Tree;
use crate::json::write::{self, base64};
use crate::model::details::Details;
use crate::model::id::{GroupId, RecordId, RunId};
use crate::model::outcome::Outcome;
use crate::model::reward::Scale;
use crate::model::run_details::RunDetails;
use crate::model::view::{IterationView, RewardView, RunView};
use crate::source::conflict::Side;
use crate::source::encoding::Encoding;
use crate::validate::Profile;

impl History {
    pub(crate) fn profile(&self) -> Profile {
        self.profile
    }

    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Label and format of a group.
    pub(crate) fn group_facts(&self, id: GroupId) -> Option<(&str, FormatId)> {
        let row = self.grouping().groups.get(id.0 as usize)?;
        Some((&row.label, row.format))
    }

    /// Every run that a record describes.
    pub(crate) fn runs_of(&self, record: RecordId) -> impl Iterator<Item = RunId> {
        self.grouping().runs_of(record)
    }

    /// Whether a record counts itself, and not another one that it is a copy of.
    pub(crate) fn is_counted(&self, record: RecordId) -> bool {
        self.grouping().counting(record) == record
    }

    /// The line of an export that holds a record, of the text of its span; `None` for any other record.
    pub(super) fn line_of(&self, row: &Row, text: &str) -> Option<Line> {
        self.sources.get(row.source as usize).filter(|source| source.is_exported())?;
        Line::read(text)
    }

    /// The line that a record is in an export: as it is written, or else by its fields, of the runs that
    /// `wants` names by their positions in the record.
    pub(crate) fn line(
        &self,
        id: RecordId,
        bytes: &[u8],
        is_raw: bool,
        wants: impl Fn(u32) -> bool,
    ) -> Result<Line, Error> {
        let row = self.row(id)?;
        let written = self.written(id, bytes)?;
        let source = self.sources.get(row.source as usize).ok_or_else(|| not_of_record(id))?;
        let before = self.line_of(row, &written);
        let mut line = before.unwrap_or_else(|| self.first_line(id, row, source, (bytes, written)));
        // What is left of an export may have been opened as a file, which has the name of that file.
        source.path().clone_into(&mut line.path);
        if is_raw && source.is_item(row) {
            // A part of a YAML document is read only with the rest of it: its value is written as JSON.
            let value = self.value_of(id, self.written(id, bytes)?, None)?;
            (line.raw, line.base64) = (Some(write::value(&value)), None);
        } else if !is_raw || line.is_lean() {
            line.runs = Some(self.fields(id, row, &self.opened(id, bytes)?, wants)?);
            (line.raw, line.base64) = (None, None);
        }
        Ok(line)
    }

    /// The line of a record that never was in an export.
    fn first_line(
        &self,
        id: RecordId,
        row: &Row,
        source: &Source,
        (bytes, written): (&[u8], String),
    ) -> Line {
        let path = source.path().to_owned();
        // Bytes of a side are those of both, and bytes inside a string are escaped: of these the text is
        // written, with U+FFFD for what is not UTF-8.
        let is_verbatim = row.side.is_none() && !source.is_quoted();
        let is_broken = is_verbatim
            && source.encoding() == Encoding::Utf8
            && std::str::from_utf8(bytes).is_err();
        let text = source.text_of(row, written);
        let is_json = !row.format.is_text() && !source.is_yaml();
        let steps = self.table.steps(row);
        // What the reader of a text was told besides is in columns.
        let is_one = steps.iter().skip(1).all(|step| step.number.is_none());
        let told = steps.first().filter(|_| row.format.is_text() && is_one);
        let verdict = told.filter(|step| step.outcome != Outcome::Unknown);
        // What follows from the rows before does not follow from the row alone.
        let derived = row.format.is_search().then(|| self.outcome_of(id)).flatten();
        Line {
            index: row.index,
            records: source.kept(),
            line: row.line,
            column: row.column,
            item: row.is_item,
            yaml: source.is_yaml() && !row.format.is_text() && !source.is_item(row),
            cut: is_json && is_cut(&text),
            theirs: row.side == Some(Side::Theirs),
            number: told.and_then(|step| step.number),
            outcome: verdict.map(|step| step.outcome).or(derived),
            outcome_detail: verdict.and_then(|step| step.detail).map(str::to_owned),
            base64: is_broken.then(|| base64(bytes)),
            raw: (!is_broken).then_some(text),
            ..Line::of(path, source.digest(), row.format)
        }
    }

    /// The outcome of a run with only one attempt, which is this record.
    pub(super) fn outcome_of(&self, id: RecordId) -> Option<Outcome> {
        let run = self.run(self.runs_of(id).next()?).ok()?;
        let outcomes = run.outcomes();
        outcomes.first().copied().filter(|one| outcomes.len() == 1 && *one != Outcome::Unknown)
    }

    /// What a record says, by the fields of the model.
    fn fields(
        &self,
        id: RecordId,
        row: &Row,
        opened: &Opened,
        wants: impl Fn(u32) -> bool,
    ) -> Result<Vec<Fields>, Error> {
        let details = |part| {
            let details = self.details_of(id, part, opened)?;
            Ok(Details { record: None, ..details })
        };
        let mut runs = Vec::new();
        match opened {
            Opened::ParsedRecord(parsed)
                if !row.format.is_shape() || !self.table.parsed_runs(row).is_empty() =>
            {
                let mut parts = parsed.clone().parts().into_iter();
                for (run, at) in parsed.runs.iter().zip(0..) {
                    let own: Vec<_> = parts.by_ref().take(run.steps.len()).collect();
                    if wants(at) {
                        let steps = own.into_iter().map(|part| details(part.start));
                        let steps = steps.collect::<Result<_, Error>>()?;
                        runs.push(ParsedRun { about: run.about.clone(), steps });
                    }
                }
            }
            // Attempts of a log are made of its columns.
            _ if row.format.family() == Family::Tasks => {
                for run in self.runs_of(id) {
                    let run = self.run(run)?;
                    let view = run.view();
                    let of_record = run.iterations().into_iter().filter(|one| one.record == id);
                    let steps = of_record.map(|one| Ok(stated(details(one.part)?, &one, &view)));
                    let steps = steps.collect::<Result<_, Error>>()?;
                    let (key, base) = (Some(run.key().to_owned()), Some(view.base));
                    runs.push(ParsedRun {
                        about: RunDetails { key, base, ..RunDetails::default() },
                        steps,
                    });
                }
            }
            _ if row.format.is_shape() => {
                runs.push(ParsedRun { about: RunDetails::default(), steps: vec![details(0)?] });
            }
            _ => {}
        }
        let mut parsed = ParsedRecord { runs, findings: Vec::new() };
        // Parts are those of what is written.
        parsed.parts();
        let fields = |run: ParsedRun| Fields { about: run.about, iterations: run.steps };
        Ok(parsed.runs.into_iter().map(fields).collect())
    }
}

/// An attempt with what its columns say.
fn stated(details: Details, iteration: &IterationView, run: &RunView) -> Details {
    let reward = iteration.reward.map(|value| RewardView {
        value,
        raw: None,
        scale: Scale::Unit,
        origin: run.reward_origin,
        rule: run.reward_rule.clone(),
    });
    Details {
        number: Some(iteration.number),
        outcome: Some(iteration.outcome),
        outcome_detail: iteration.outcome_detail.clone(),
        reward,
        ..details
    }
}

/// Whether a text ends inside of a JSON value, in which other things may have been repaired.
fn is_cut(text: &str) -> bool {
    // Most records are plain JSON, and that is known faster.
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_err()
        && Tree::read(text, false).is_err()
        && Tree::read(text, true).is_ok()
}

/// Ids of runs, in the order of the history.
pub(crate) fn all_runs(history: &History) -> Vec<RunId> {
    (0..history.run_count()).map(RunId::at).collect()
}

#[cfg(test)]
mod tests {
    use super::is_cut;

    #[test]
    fn a_record_may_be_cut_and_repaired() {
        for cut in [
            r#"{"iteration":3,"reflection":"cut he"#,
            r#"{"iteration":3,"reward":NaN,"reflection":"cut he"#,
            r#"[{"a":1,},{"b":"#,
        ] {
            assert!(is_cut(cut), "{cut}");
        }
        for whole in [r#"{"a":1}"#, r#"{"a":NaN,}"#, "{\"a\":\"\t\"}"] {
            assert!(!is_cut(whole), "{whole}");
        }
    }
}
