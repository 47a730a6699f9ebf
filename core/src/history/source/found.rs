//! Findings of a source, kept small.
//!
//! Of a record that deviates from the table of its format only numbers are kept, and the values that a
//! sentence names, as they are written and cut. Sentences are made when somebody asks: a history of
//! 100,000 records may have a million findings, and people read the first few. Any other finding is kept
//! as it is, once for all the places where the same is said.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::format::FormatId;
use crate::format::record::set_place;
use crate::history::finding_groups::{FIRST_OF_GROUP, Groups, Subject};
use crate::history::finding_order::Stretch;
use crate::history::rows::Chunks;
use crate::json::pass::{Deviation, What};
use crate::json::scan::Scan;
use crate::json::shape::NodeId;
use crate::json::write::quoted;
use crate::model::finding::Finding;
use crate::model::id::{RecordId, SourceId};
use crate::source::Chunk;
use crate::source::position::Position;
use crate::text::hash_of;
use crate::validate::Profile;
use crate::validate::deviation::{self, is_violation};
use crate::validate::lenient::{self, OTHER_ID};

/// Long texts are cut to this many characters before they are kept. Messages show fewer.
const SHOWN_CHARS: usize = 64;

/// What a run keeps of each item, to count its findings.
const ANSWERED_LEN: usize = 2 * size_of::<Option<i64>>();

/// Findings in the order in which they were met.
#[derive(Debug, Default)]
pub(super) struct Findings {
    items: Chunks<Item>,
    /// Each other finding once, without the places where it is said.
    said: Chunks<Said>,
    /// Positions in `said`, by hashes.
    by_hash: BTreeMap<u64, u32>,
    /// Each combination of deviations once: of 100,000 records nearly all deviate in the same way.
    kinds: Vec<Kind>,
    /// The kind of the last record that deviates: the next one is likely of the same.
    last_kind: u32,
    by_places: BTreeMap<Places, u32>,
    /// Of all records that deviate, record after record.
    values: Chunks<Value>,
    /// The values as they are written, cut.
    texts: String,
    len: usize,
    /// The memory that `said` and `kinds` take.
    others: usize,
    /// How many records have an id unlike those of the tool whose schema it is. One finding speaks of all.
    other_ids: usize,
}

/// A format, and the deviations from its table that occur together in one record.
type Places = (FormatId, Vec<Place>);

/// A node, what deviates there, and whether the rule that speaks of it depends on the value: see
/// [`lenient::is_beyond_scale`].
type Place = (NodeId, What, bool);

#[derive(Debug)]
enum Item {
    /// A position in [`Findings::said`].
    Said(u32, Spot),
    Record(Deviating),
}

/// A finding without its place.
#[derive(Debug)]
struct Said {
    finding: Finding,
    /// At how many places it is said, and the first of them.
    count: usize,
    first: Vec<Spot>,
}

/// The record and the place of a finding, as far as it has them.
#[derive(Clone, Copy, Debug)]
struct Spot {
    record: Option<RecordId>,
    place: Option<Position>,
}

impl Said {
    fn add(&mut self, spot: Spot) {
        self.count += 1;
        let offset = |spot: &Spot| spot.place.map(|place| place.offset);
        let at = self.first.partition_point(|known| offset(known) <= offset(&spot));
        if at < FIRST_OF_GROUP {
            self.first.insert(at, spot);
            self.first.truncate(FIRST_OF_GROUP);
        }
    }

    /// The finding at one of its places.
    fn at(&self, spot: Spot) -> Finding {
        let mut finding = Finding { record: spot.record, ..self.finding.clone() };
        if let Some(place) = spot.place {
            set_place(&mut finding, place);
        }
        finding
    }
}

/// Takes its place from a finding.
fn take_spot(finding: &mut Finding) -> Spot {
    let place = match *finding {
        Finding { offset: Some(offset), line: Some(line), column: Some(column), .. } => {
            (finding.offset, finding.line, finding.column) = (None, None, None);
            Some(Position { offset, line, column })
        }
        _ => None,
    };
    Spot { record: finding.record.take(), place }
}

/// A record that deviates.
#[derive(Clone, Copy, Debug)]
struct Deviating {
    record: RecordId,
    source: SourceId,
    /// Position in [`Findings::kinds`].
    kind: u32,
    /// Position in [`Findings::values`] of the first of its values.
    first: u32,
    /// Where the record begins.
    start: Position,
}

/// A value that deviates, or the object around it.
#[derive(Clone, Copy, Debug)]
struct Value {
    /// Offset in [`Findings::texts`].
    at: u32,
    /// The places in the lists around it.
    places: [u32; 2],
    position: Position,
}

#[derive(Debug)]
struct Kind {
    format: FormatId,
    profile: Profile,
    places: Vec<Place>,
    /// Which of them has a value in [`Findings::values`]: of a missing member nothing is kept.
    has_value: Vec<bool>,
    /// How many findings are made of one record.
    findings: usize,
    /// How many records deviate so, and the first of them.
    records: usize,
    first: Vec<Deviating>,
}

impl Findings {
    pub(super) fn push(&mut self, mut finding: Finding) {
        let spot = take_spot(&mut finding);
        let texts = [Some(&finding.message), finding.pointer.as_ref(), finding.found.as_ref()];
        let hash = |text: Option<&String>| text.map_or(0, |text| hash_of(text));
        let hash = texts.into_iter().fold(0, |all: u64, text| all.rotate_left(1) ^ hash(text));
        let is_it = |at: &u32| self.said.get(*at as usize).is_some_and(|s| s.finding == finding);
        let known = self.by_hash.get(&hash).copied().filter(is_it);
        let at = known.unwrap_or_else(|| {
            let at = small(self.said.len());
            self.others += held(&finding);
            self.said.push(Said { finding, count: 0, first: Vec::with_capacity(1) });
            self.by_hash.insert(hash, at);
            at
        });
        if let Some(said) = self.said.get_mut(at as usize) {
            said.add(spot);
        }
        self.items.push(Item::Said(at, spot));
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

    /// The findings but those that `is_out` names, of a source that gave no record.
    pub(super) fn without(&self, is_out: impl Fn(&Finding) -> bool) -> Self {
        let mut left = Self::default();
        let all = (0..small(self.items.len())).flat_map(|item| self.at(item));
        all.filter(|finding| !is_out(finding)).for_each(|finding| left.push(finding));
        left
    }

    /// The memory that they take, together with what answers make of them.
    pub(super) fn held(&self) -> usize {
        self.items.len() * (size_of::<Item>() + size_of::<Stretch>() + ANSWERED_LEN)
            + self.values.len() * size_of::<Value>()
            + self.texts.len()
            + self.others
    }

    /// How many findings there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Gives back what was allocated ahead.
    pub(super) fn shrink(&mut self) {
        self.items.shrink_to_fit();
        self.said.shrink_to_fit();
        self.values.shrink_to_fit();
        self.texts.shrink_to_fit();
    }

    /// Keeps what deviates in a record that was read along the table of its format.
    pub(super) fn push_deviations(
        &mut self,
        (source, record): (SourceId, RecordId),
        (format, profile): (FormatId, Profile),
        chunk: &Chunk<'_>,
        deviations: &mut Vec<Deviation>,
    ) {
        // Missing members are noted when their object ends.
        deviations.sort_by_key(|deviation| deviation.at);
        deviations.retain(|deviation| match profile {
            Profile::Strict => is_violation(deviation),
            Profile::Lenient => deviation.what != What::Pattern || self.is_first_other_id(),
        });
        let Some(kind) = self.kind_of((format, profile), chunk.text, deviations) else { return };
        let mut ruler = chunk.ruler();
        let space = chunk.text.len() - chunk.text.trim_start().len();
        let start = ruler.place_of(space);
        let first = small(self.values.len());
        let kinds = &self.kinds;
        let has_value = |place: usize| {
            kinds
                .get(kind as usize)
                .and_then(|kind| kind.has_value.get(place))
                .is_some_and(|has| *has)
        };
        let mut last: Option<(Deviation, u32)> = None;
        for (place, deviation) in deviations.iter().enumerate() {
            if !has_value(place) {
                continue;
            }
            let is_same = |known: &Deviation| {
                (known.at, known.node) == (deviation.at, deviation.node)
                    && !matches!(known.what, What::Required(_))
            };
            // Two deviations of one value share what is kept of it, which also says that they are.
            let known = last.filter(|(known, _)| is_same(known));
            let at = known.map_or_else(|| small(self.texts.len()), |(_, at)| at);
            if known.is_none() {
                keep_value(chunk.text, deviation, &mut self.texts);
                self.texts.push(' ');
            }
            last = Some((*deviation, at));
            let position = ruler.place_of(deviation.at as usize);
            self.values.push(Value { at, places: deviation.places, position });
        }
        let record = Deviating { record, source, kind, first, start };
        self.items.push(Item::Record(record));
        if let Some(kind) = self.kinds.get_mut(kind as usize) {
            kind.records += 1;
            self.len += kind.findings;
            if kind.first.len() < FIRST_OF_GROUP {
                kind.first.push(record);
            }
        }
    }

    /// The position of a kind; nothing if there is nothing to say of it.
    fn kind_of(
        &mut self,
        (format, profile): (FormatId, Profile),
        text: &str,
        deviations: &[Deviation],
    ) -> Option<u32> {
        let table = format.table();
        let is_beyond = |d: &Deviation| table.is_some_and(|t| lenient::is_beyond_scale(t, text, d));
        let places = || deviations.iter().map(|d| (d.node, d.what, is_beyond(d)));
        let is_it = |kind: &Kind| kind.format == format && places().eq(kind.places.iter().copied());
        if deviations.is_empty() {
            return None;
        }
        if self.kinds.get(self.last_kind as usize).is_some_and(is_it) {
            return Some(self.last_kind);
        }
        let key = (format, places().collect());
        if let Some(kind) = self.by_places.get(&key) {
            self.last_kind = *kind;
            return Some(*kind);
        }
        let findings = match (profile, table) {
            (_, None) => 0,
            (Profile::Strict, _) => deviations.len(),
            (Profile::Lenient, Some(table)) => lenient::count(table, deviations),
        };
        let kind = small(self.kinds.len());
        self.last_kind = kind;
        let places = key.1.clone();
        let has_value = |(node, what, _): &Place| match table {
            Some(table) if profile == Profile::Lenient => {
                !lenient::is_said_by_kind(table, (*node, *what))
            }
            _ => true,
        };
        let has_value = places.iter().map(has_value).collect();
        let (records, first) = (0, Vec::new());
        self.others += size_of::<Kind>() + 3 * places.len() * size_of::<Place>();
        self.kinds.push(Kind { format, profile, places, has_value, findings, records, first });
        self.by_places.insert(key, kind);
        Some(kind)
    }

    /// For each item: what its findings are about, and how many findings are made of it.
    pub(super) fn subjects(&self) -> impl Iterator<Item = (Subject, usize)> {
        self.items.iter().map(|item| match item {
            Item::Said(at, Spot { record, place }) => {
                let said = self.said.get(*at as usize).map(|said| &said.finding);
                let subject = said.map_or(Subject::default(), Subject::of);
                let offset = place.map(|place| place.offset).or(subject.offset);
                (Subject { record: *record, offset, ..subject }, 1)
            }
            Item::Record(Deviating { record, source, kind, start, .. }) => {
                let findings = self.kinds.get(*kind as usize).map_or(0, |kind| kind.findings);
                let subject = Subject {
                    record: Some(*record),
                    run: None,
                    iteration: None,
                    source: Some(*source),
                    offset: Some(start.offset),
                };
                (subject, findings)
            }
        })
    }

    /// The findings of the item at this position: one finding, or all that are made of one record.
    pub(super) fn at(&self, item: u32) -> Vec<Finding> {
        match self.items.get(item as usize) {
            Some(Item::Said(at, spot)) => {
                let said = self.said.get(*at as usize).map(|said| said.at(*spot));
                said.map(|finding| self.with_count(finding)).into_iter().collect()
            }
            Some(Item::Record(record)) => self.findings_of(record),
            None => Vec::new(),
        }
    }

    /// Adds all findings to groups.
    pub(super) fn group(&self, groups: &mut Groups) {
        for said in self.said.iter() {
            for (at, spot) in said.first.iter().enumerate() {
                let offset = spot.place.map(|place| place.offset).or(said.finding.offset);
                let made = || self.with_count(said.at(*spot));
                let times = counted_for(at, &said.first, said.count);
                groups.add_at(&said.finding, offset, times, made);
            }
        }
        for kind in &self.kinds {
            for (at, record) in kind.first.iter().enumerate() {
                let times = counted_for(at, &kind.first, kind.records);
                for finding in self.findings_of(record) {
                    groups.add(&finding, times);
                }
            }
        }
    }

    fn findings_of(&self, record: &Deviating) -> Vec<Finding> {
        let Some(kind) = self.kinds.get(record.kind as usize) else { return Vec::new() };
        let Some(table) = kind.format.table() else { return Vec::new() };
        let mut next = record.first as usize;
        let values: Vec<Value> = kind
            .has_value
            .iter()
            .map(|has_value| {
                let value = self.values.get(next).copied().filter(|_| *has_value);
                next += usize::from(*has_value);
                value.unwrap_or(Value { at: 0, places: [0; 2], position: record.start })
            })
            .collect();
        let deviations = kind.places.iter().zip(&values).map(|(&(node, what, _), value)| {
            Deviation { at: value.at, node, what, places: value.places }
        });
        let deviations: Vec<_> = deviations.collect();
        let about = match kind.profile {
            Profile::Strict => deviation::strict(table, &self.texts, &deviations),
            Profile::Lenient => lenient::grade(table, &self.texts, &deviations),
        };
        let findings = about.into_iter().map(|(at, mut finding)| {
            let value = at.and_then(|at| values.get(at));
            set_place(&mut finding, value.map_or(record.start, |value| value.position));
            finding.source = Some(record.source);
            finding.record = Some(record.record);
            self.with_count(finding)
        });
        let findings: Vec<_> = findings.collect();
        debug_assert_eq!(findings.len(), kind.findings, "{:?}", kind.places);
        findings
    }

    /// The finding that speaks for all records with such ids says how many there are.
    fn with_count(&self, mut finding: Finding) -> Finding {
        if finding.rule == OTHER_ID && self.other_ids > 1 {
            let _ =
                write!(finding.message, " {} records of this file have such ids.", self.other_ids);
        }
        finding
    }
}

/// How often the item at a position of `first` counts. `first` holds the first items of `count`; the last
/// of them also counts for those behind it.
fn counted_for<T>(at: usize, first: &[T], count: usize) -> usize {
    if at + 1 == first.len() { count - at } else { 1 }
}

/// The memory that a finding takes.
fn held(finding: &Finding) -> usize {
    let texts = [&finding.pointer, &finding.expected, &finding.found];
    let texts: usize = texts.into_iter().flatten().map(String::len).sum();
    size_of::<Said>() + size_of::<Spot>() + size_of::<(u64, u32)>() + finding.message.len() + texts
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
            // A name is shown in full: it is a part of a pointer.
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
            let read = &history.sources[0];
            let items = (0..).take(read.subjects().count());
            let mut findings: Vec<_> = items.flat_map(|item| read.findings_at(item)).collect();
            findings.sort_by(|a, b| (a.offset, &a.rule).cmp(&(b.offset, &b.rule)));
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
