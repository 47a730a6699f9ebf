//! Findings of a source, kept small.
//!
//! Of a record that deviates from the table of its format only numbers are kept, and the values that a
//! sentence names, as they are written and cut. Sentences are made when somebody asks: a history of
//! 100,000 records may have a million findings, and people read the first few.

use std::fmt::Write as _;

use crate::format::FormatId;
use crate::format::record::set_place;
use crate::history::group::Subject;
use crate::json::pass::{Deviation, What};
use crate::json::scan::Scan;
use crate::json::write::quoted;
use crate::model::finding::Finding;
use crate::model::id::{RecordId, SourceId};
use crate::sort::StableSort as _;
use crate::source::Chunk;
use crate::source::position::Position;
use crate::validate::Profile;
use crate::validate::deviation::{self, is_violation};
use crate::validate::lenient::{self, OTHER_ID};

/// Of a value that a sentence names, so many characters are kept at least: messages show fewer.
const SHOWN_CHARS: usize = 64;

/// Findings in the order in which they were met.
#[derive(Debug, Default)]
pub(super) struct Findings {
    items: Vec<Item>,
    /// Of all records that deviate, by [`Group::deviations`]; `at` is an offset in `values`.
    deviations: Vec<Deviation>,
    /// Where each of them stands.
    places: Vec<Position>,
    /// The values that they are about.
    values: String,
    len: usize,
    /// How many records have an id unlike those of the tool whose schema it is. One finding speaks of all.
    other_ids: usize,
}

#[derive(Debug)]
enum Item {
    Whole(Box<Finding>),
    Group(Group),
}

/// What deviates in a record.
#[derive(Debug)]
struct Group {
    record: RecordId,
    source: SourceId,
    format: FormatId,
    profile: Profile,
    /// Where the record begins.
    start: Position,
    /// The first one in [`Findings::deviations`], and how many.
    deviations: (u32, u32),
    /// How many findings are made of them.
    findings: usize,
}

impl Findings {
    pub(super) fn push(&mut self, finding: Finding) {
        self.items.push(Item::Whole(Box::new(finding)));
        self.len += 1;
    }

    /// Adds one about a record that was just read.
    pub(super) fn push_of_record(&mut self, finding: Finding) {
        if finding.rule != OTHER_ID || self.is_first_other_id() {
            self.push(finding);
        }
    }

    fn is_first_other_id(&mut self) -> bool {
        self.other_ids += 1;
        self.other_ids == 1
    }

    /// How many findings there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Gives back what was allocated ahead.
    pub(super) fn shrink(&mut self) {
        self.items.shrink_to_fit();
        self.deviations.shrink_to_fit();
        self.places.shrink_to_fit();
        self.values.shrink_to_fit();
    }

    /// Keeps what deviates in a record that was read along the table of its format.
    pub(super) fn push_deviations(
        &mut self,
        (source, record): (SourceId, RecordId),
        (format, profile): (FormatId, Profile),
        chunk: &Chunk<'_>,
        deviations: &mut [Deviation],
    ) {
        let first = small(self.deviations.len());
        let mut ruler = chunk.ruler();
        let space = chunk.text.len() - chunk.text.trim_start().len();
        let start = ruler.place_of(space);
        // Missing members are noted when their object ends.
        deviations.sort_by_key(|deviation| deviation.at);
        let is_told =
            |deviation: &&Deviation| profile == Profile::Lenient || is_violation(deviation);
        let mut last: Option<(Deviation, u32)> = None;
        for deviation in deviations.iter().filter(is_told) {
            let is_other_id = deviation.what == What::Pattern && profile == Profile::Lenient;
            if is_other_id && !self.is_first_other_id() {
                continue;
            }
            let is_same = |known: &Deviation| {
                (known.at, known.node) == (deviation.at, deviation.node)
                    && !matches!(known.what, What::Required(_))
            };
            // Two deviations of one value share what is kept of it, which also says that they are.
            let known = last.filter(|(known, _)| is_same(known));
            let at = known.map_or_else(|| small(self.values.len()), |(_, at)| at);
            if known.is_none() {
                keep_value(chunk.text, deviation, &mut self.values);
                self.values.push(' ');
            }
            last = Some((*deviation, at));
            self.deviations.push(Deviation { at, ..*deviation });
            self.places.push(ruler.place_of(deviation.at as usize));
        }
        let count = small(self.deviations.len()) - first;
        let kept = self.deviations.get(first as usize..).unwrap_or_default();
        let findings = match (profile, format.table()) {
            (_, None) => 0,
            (Profile::Strict, _) => kept.len(),
            (Profile::Lenient, Some(table)) => lenient::count(table, kept),
        };
        if findings == 0 {
            return;
        }
        self.len += findings;
        let deviations = (first, count);
        let group = Group { record, source, format, profile, start, deviations, findings };
        self.items.push(Item::Group(group));
    }

    /// What each finding is about.
    pub(super) fn subjects(&self) -> impl Iterator<Item = Subject> {
        self.items.iter().flat_map(|item| {
            let (subject, count) = match item {
                Item::Whole(finding) => (Subject::of(finding), 1),
                Item::Group(Group { record, findings, .. }) => {
                    (Subject { record: Some(*record), run: None, iteration: None }, *findings)
                }
            };
            std::iter::repeat_n(subject, count)
        })
    }

    /// All findings, those about a record in the order of its text.
    pub(super) fn all(&self) -> Vec<Finding> {
        let mut all: Vec<Finding> = Vec::with_capacity(self.len);
        // Where the findings about a record begin of which some are made here.
        let mut open: Option<(RecordId, usize)> = None;
        for item in &self.items {
            match item {
                Item::Whole(finding) => {
                    if let Some((record, _)) = open
                        && finding.record != Some(record)
                    {
                        sort_since(&mut all, open.take());
                    }
                    all.push((**finding).clone());
                }
                Item::Group(group) => {
                    sort_since(&mut all, open.take());
                    open = Some((group.record, all.len()));
                    all.extend(self.findings_of(group));
                }
            }
        }
        sort_since(&mut all, open);
        let of_ids = all.iter_mut().find(|finding| finding.rule == OTHER_ID);
        if let Some(finding) = of_ids.filter(|_| self.other_ids > 1) {
            let _ =
                write!(finding.message, " {} records of this file have such ids.", self.other_ids);
        }
        all
    }

    fn findings_of(&self, group: &Group) -> Vec<Finding> {
        let Some(table) = group.format.table() else { return Vec::new() };
        let (first, count) = (group.deviations.0 as usize, group.deviations.1 as usize);
        let deviations = self.deviations.get(first..first + count).unwrap_or_default();
        let about = match group.profile {
            Profile::Strict => deviation::strict(table, &self.values, deviations),
            Profile::Lenient => lenient::grade(table, &self.values, deviations),
        };
        let findings = about.into_iter().map(|(at, mut finding)| {
            let place = at.and_then(|at| self.places.get(first + at));
            set_place(&mut finding, place.copied().unwrap_or(group.start));
            finding.source = Some(group.source);
            finding.record = Some(group.record);
            finding
        });
        findings.collect()
    }
}

fn sort_since(all: &mut [Finding], open: Option<(RecordId, usize)>) {
    if let Some(of_record) = open.and_then(|(_, first)| all.get_mut(first..)) {
        of_record.stable_sort_by(|a, b| (a.offset, &a.rule).cmp(&(b.offset, &b.rule)));
    }
}

/// Sources of 4 GB and more have fewer deviations than that; the last ones would share a place.
fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Writes what a sentence names of a value: as it is written, or shorter where a sentence says no more.
fn keep_value(text: &str, deviation: &Deviation, out: &mut String) {
    if matches!(deviation.what, What::Required(_)) {
        return;
    }
    let rest = text.get(deviation.at as usize..).unwrap_or_default();
    let mut scan = Scan::new(rest);
    let is_name = deviation.what == What::Unknown;
    match rest.as_bytes().first() {
        Some(b'"') => {
            let Ok(text) = scan.text() else { return };
            // A name is told in full: it is a part of a pointer.
            if is_name || text.raw.len() <= SHOWN_CHARS {
                out.push_str(rest.get(..scan.at()).unwrap_or_default());
            } else {
                let text = text.decode();
                out.push_str(&quoted(&text.chars().take(SHOWN_CHARS).collect::<String>()));
            }
        }
        Some(b'{') => {
            let mut names = std::collections::BTreeSet::new();
            let _ = scan.members(0, |scan, (_, name), depth| {
                names.insert(name.decode().into_owned());
                scan.skip_value(depth)
            });
            // A sentence says how many there are.
            out.push('{');
            for member in 0..names.len() {
                let comma = if member == 0 { "" } else { "," };
                let _ = write!(out, "{comma}\"{member}\":0");
            }
            out.push('}');
        }
        Some(b'[') => {
            let mut count = 0;
            let _ = scan.items(0, |scan, depth| {
                count += 1;
                scan.skip_value(depth)
            });
            out.push('[');
            out.extend((0..count).map(|item| if item == 0 { "0" } else { ",0" }));
            out.push(']');
        }
        _ => {
            let _ = scan.skip_value(0);
            out.push_str(rest.get(..scan.at()).unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::format::{ValidateOptions, validate_with};
    use crate::history::History;
    use crate::validate::{Profile, Validation};

    /// Records that deviate in everything that a finding can name.
    const RECORDS: [&str; 5] = [
        r#"{"self_reflection": {"reflection_text": 7, "confidence": "2/3", "mood": {"a": [1]}}, "iteration": 1}"#,
        r#"{"loop_id": "loop \u00e9 \" with a name that is far too long to be shown in any sentence of a finding",
            "iteration": 2.5, "self_reflection": {"reflection_text": "x"}, "memory_metadata": [1, 2, 3],
            "evaluator_output": {"passed": "true", "reward_signal": 55, "verification_type": 3}}"#,
        r#"{"iteration": 1e999, "self_reflection": {"reflection_text": {"a": 1, "b": 2}}, "own/~": 1, "\u006f": 2}"#,
        r#"{"iteration": 4, "timestamp": "2024-01-01", "self_reflection": {"reflection_text": "y", "lessons_learned": "one"},
            "memory_metadata": {"omega_capacity": "simple", "current_memory_size": -1, "reflections_in_context": [1, "a"]}}"#,
        r#"{"iteration": 5, "timestamp": "now", "self_reflection": {"confidence": 2}, "actor_output": {"actions": [{"type": "sing"}]}}"#,
    ];

    /// A source says of its records what [`validate_with`] says of each by itself.
    #[test]
    fn what_is_kept_says_what_is_said_at_once() {
        for profile in [Profile::Lenient, Profile::Strict] {
            let lines: Vec<String> =
                RECORDS.iter().map(|record| record.replace('\n', " ")).collect();
            let mut history = History::new(profile);
            let source = history.open("records.jsonl");
            // The first record says what the others are, and is read in another way.
            let text = format!("{}\n{}\n", lines[0], lines.join("\n"));
            history.push(source, text.as_bytes()).expect("it is open");
            history.finish(source).expect("it is open");
            let findings = history.sources[0].findings();
            assert_eq!(findings.len(), history.sources[0].finding_count());
            for (at, line) in (1..).zip(&lines) {
                let options = ValidateOptions { profile, ..ValidateOptions::default() };
                let Validation { findings: alone, .. } = validate_with(line.as_bytes(), options);
                let is_of_record = |f: &&crate::Finding| f.line == Some(at + 1);
                let kept: Vec<_> = findings
                    .iter()
                    .filter(is_of_record)
                    .map(|f| (&f.rule, f.column, &f.pointer, &f.message, &f.found, &f.hint))
                    .collect();
                let alone: Vec<_> = alone
                    .iter()
                    .filter(|f| f.rule != "lenient/unusable")
                    .map(|f| (&f.rule, f.column, &f.pointer, &f.message, &f.found, &f.hint))
                    .collect();
                assert_eq!(kept, alone, "{line}");
                assert!(!kept.is_empty(), "{line}");
            }
        }
    }
}
