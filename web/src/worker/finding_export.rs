//! Findings written down as a file, some at a time between other messages.

use std::collections::VecDeque;

use hindscope::{Finding, csv_cell};
use serde::Serialize;

use super::finding_list::At;
use super::findings::row;
use super::findings_page;
use super::session::Session;
use crate::browser::{self, Spool};
use crate::protocol::{Answer, Exported, FindingChoice, FindingForm, FindingRow};

/// Findings that are written at a time.
const STEP: usize = 500;

const COLUMNS: &str = "level,rule,run,group,iteration,path,line,column,byte,pointer,expected,\
    found,evidence,message,hint\r\n";

/// Files of findings that were asked for, the one that is being written first.
#[derive(Default)]
pub(crate) struct FindingExports(VecDeque<Saving>);

struct Saving {
    question: u32,
    form: FindingForm,
    rows: Vec<At>,
    at: usize,
    spool: Spool,
}

impl FindingExports {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts a file in line.
    pub(crate) fn begin(
        &mut self,
        session: &mut Session,
        question: u32,
        choice: &FindingChoice,
        form: FindingForm,
    ) {
        let rows = findings_page::all(session, choice);
        let mut spool = Spool::default();
        spool.take(match form {
            FindingForm::Json => b"{\"findings\":[".as_slice(),
            FindingForm::Csv => COLUMNS.as_bytes(),
        });
        self.0.push_back(Saving { question, form, rows, at: 0, spool });
    }

    /// Writes the next findings of the first in line; the answer where it is complete.
    pub(crate) fn step(&mut self, session: &mut Session) -> Option<(u32, Answer)> {
        let first = self.0.front_mut()?;
        let end = first.rows.len().min(first.at + STEP);
        let mut text = String::new();
        for at in first.at..end {
            let written = findings_page::with(session, first.rows[at], |session, finding| {
                let row = row(session, finding);
                match first.form {
                    FindingForm::Json => json(finding, &row),
                    FindingForm::Csv => csv(&row),
                }
            });
            if first.form == FindingForm::Json {
                text.push_str(if at == 0 { "\n" } else { ",\n" });
            }
            text.extend(written);
        }
        first.spool.take(text.as_bytes());
        first.at = end;
        if end < first.rows.len() {
            return None;
        }
        self.0.pop_front().map(Saving::finish)
    }

    /// Forgets all of them, and gives the questions that have no answer now.
    pub(crate) fn end(&mut self) -> Vec<u32> {
        self.0.drain(..).map(|saving| saving.question).collect()
    }
}

impl Saving {
    fn finish(mut self) -> (u32, Answer) {
        let date = browser::date_time();
        let date = date.split('T').next().unwrap_or_default().to_owned();
        let ending = match self.form {
            FindingForm::Json => {
                self.spool.take(b"\n]}\n");
                "json"
            }
            FindingForm::Csv => "csv",
        };
        let name = format!("hindscope-findings-{date}.{ending}");
        let answer = match self.spool.finish(&name) {
            Ok(file) => Answer::Export(Exported { name, file }),
            Err(reason) => Answer::Failed(format!("The file cannot be kept: {reason}.")),
        };
        (self.question, answer)
    }
}

/// A finding as the core has it, with the names of its ids.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Named<'a> {
    #[serde(flatten)]
    finding: &'a Finding,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_key: Option<&'a str>,
}

fn json(finding: &Finding, row: &FindingRow) -> String {
    let run_key = row.run.as_ref().map(|run| run.key.as_str());
    let named = Named { finding, path: row.path.as_deref(), run_key };
    serde_json::to_string(&named).unwrap_or_else(|_| "null".to_owned())
}

fn csv(row: &FindingRow) -> String {
    let number = |number: Option<String>| number.unwrap_or_default();
    let cells = [
        row.level.as_str().to_owned(),
        csv_cell(&row.rule),
        row.run.as_ref().map(|run| csv_cell(&run.key)).unwrap_or_default(),
        row.run.as_ref().and_then(|run| run.group.as_deref()).map(csv_cell).unwrap_or_default(),
        number(row.iteration.map(|n| n.to_string())),
        row.path.as_deref().map(csv_cell).unwrap_or_default(),
        number(row.line.map(|n| n.to_string())),
        number(row.column.map(|n| n.to_string())),
        number(row.offset.map(|n| n.to_string())),
        row.pointer.as_deref().map(csv_cell).unwrap_or_default(),
        row.expected.as_deref().map(csv_cell).unwrap_or_default(),
        row.found.as_deref().map(csv_cell).unwrap_or_default(),
        row.evidence.iter().map(i64::to_string).collect::<Vec<_>>().join(" "),
        csv_cell(&row.message),
        row.hint.as_deref().map(csv_cell).unwrap_or_default(),
    ];
    cells.join(",") + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_no_formula() {
        let mut row = FindingRow::sample();
        row.message = "=SUM(\"a\", 1)".to_owned();
        let line = csv(&row);
        assert!(line.ends_with(",\"'=SUM(\"\"a\"\", 1)\",\r\n"), "{line}");
        assert!(line.starts_with("error,jsonl/bad-line,"), "{line}");
        assert_eq!(COLUMNS.split(',').count(), 15);
    }
}
