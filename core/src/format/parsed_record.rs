//! What one record says, in the words of the model: runs, and the attempts of each.
//!
//! Formats whose records are not read along a shape answer with this. It is made when a record
//! comes, for the columns, and again when someone looks at the record; so both know the same.

use std::ops::Range;

use crate::model::details::Details;
use crate::model::finding::Finding;
use crate::model::outcome::Outcome;
use crate::model::run_details::RunDetails;

/// Everything that one record says.
#[derive(Clone, Debug, Default)]
pub(crate) struct ParsedRecord {
    pub(crate) runs: Vec<ParsedRun>,
    /// Problems found in it; a pointer says where.
    pub(crate) findings: Vec<Finding>,
}

/// What a record says of one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct ParsedRun {
    pub(crate) about: RunDetails,
    /// Attempts, in the order of the record.
    pub(crate) steps: Vec<Details>,
}

impl ParsedRecord {
    /// One run.
    pub(crate) fn of(about: RunDetails, steps: Vec<Details>) -> Self {
        let run = ParsedRun { about, steps };
        Self { runs: vec![run], findings: Vec::new() }
    }

    /// One attempt of a run of which nothing else is known but its key.
    pub(crate) fn of_step(step: Details) -> Self {
        let about = RunDetails { key: step.key.clone(), ..RunDetails::default() };
        Self::of(about, vec![step])
    }

    /// A run without attempts.
    pub(crate) fn of_run(about: RunDetails) -> Self {
        Self::of(about, Vec::new())
    }

    /// Numbers the reflections of all attempts, and returns the range of parts that each attempt takes:
    /// one part for each reflection, or one if it has none. So a part names an attempt and a reflection.
    pub(crate) fn parts(&mut self) -> Vec<Range<u32>> {
        let mut next = 0;
        let mut parts = Vec::new();
        for step in self.runs.iter_mut().flat_map(|run| &mut run.steps) {
            let first = next;
            for reflection in &mut step.reflections {
                reflection.part = next;
                next += 1;
            }
            next = next.max(first + 1);
            parts.push(first..next);
        }
        parts
    }
}

/// What stands around a record and says something of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    /// Item of a JSON array.
    pub(crate) is_item: bool,
    /// Number of the trial whose block it stands in.
    pub(crate) number: Option<i64>,
    /// Verdict of the section that it stands in.
    pub(crate) verdict: Option<(Outcome, Option<&'static str>)>,
}

/// Where the records of a text stand.
#[derive(Debug, Default)]
pub(crate) struct Cuts {
    pub(crate) records: Vec<Cut>,
    /// Problems of the text as a whole, each with its offset.
    pub(crate) findings: Vec<(usize, Finding)>,
    /// Stretches that are records and cannot be read: counted as skipped, each with a finding.
    pub(crate) skipped: u32,
}

/// One record of a text.
#[derive(Debug, Default)]
pub(crate) struct Cut {
    pub(crate) range: Range<usize>,
    pub(crate) context: Context,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::details::Reflection;

    #[test]
    fn a_part_names_an_attempt_and_a_reflection() {
        let step = |n: usize| Details {
            reflections: vec![Reflection::default(); n],
            ..Details::default()
        };
        let mut parsed = ParsedRecord::of(RunDetails::default(), vec![step(2), step(0), step(1)]);
        parsed.runs.push(ParsedRun { steps: vec![step(3)], ..ParsedRun::default() });
        assert_eq!(parsed.parts(), [0..2, 2..3, 3..4, 4..7]);
        let last = &parsed.runs[1].steps[0];
        assert_eq!(last.reflections.iter().map(|r| r.part).collect::<Vec<_>>(), [4, 5, 6]);
    }
}
