//! One record's text to what the columns need, and findings: along a table, and repaired first where it is
//! not plain JSON.

use crate::json::write;
use crate::sort::StableSort as _;
use serde_json::Value;

use super::extracted::Extracted;
use super::names::Promises;
use super::parsed_record::{Context, ParsedRecord};
use super::slot::Slot;
use super::times;
use super::{
    Family, FormatId, Reading, beyond, grade, nearest, programming_log, raw, reflection_memory,
};
use crate::json::pass::{self, Deviation, Order, What};
use crate::json::places::offsets_of;
use crate::json::shape::{ROOT, Table};
use crate::json::tree::Tree;
use crate::json::value;
use crate::model::finding::Finding;
use crate::source::Chunk;
use crate::source::framing::Content;
use crate::source::position::Position;
use crate::validate::deviation::{self, About, is_violation};
use crate::validate::text::{self, At, MAX_TREE_LEN};
use crate::validate::{Profile, lenient};

pub(crate) use crate::validate::text::set_place;

/// Reads records one after another, reusing what it allocated.
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of the record at hand")]
#[derive(Debug)]
pub(crate) struct Readings {
    profile: Profile,
    /// What the path of the source says of its formats.
    pub(crate) promises: Promises,
    /// The host's clock, in milliseconds since 1970; rules that need it are skipped without.
    pub(crate) now_ms: Option<f64>,
    /// What the record said. It is dropped when the whole source has been read.
    extracted: Option<Box<Extracted>>,
    /// What deviates from the table of its format.
    deviations: Vec<Deviation>,
    order: OrderOf,
    /// Whether deviations are kept, so that findings can be made of them later.
    keeps_deviations: bool,
    is_pending: bool,
    /// Problems found in it, with places.
    pub(crate) findings: Vec<Finding>,
    /// The runs that it describes, if its format is parsed as a tree; then nothing is extracted.
    pub(crate) parsed: Option<ParsedRecord>,
    /// Its format.
    pub(crate) format: Option<FormatId>,
    /// Every format whose test it passed, if it was parsed.
    pub(crate) fitting: Vec<FormatId>,
    /// Valid by the schema of its format, where that has one.
    pub(crate) conforms: bool,
    /// Enough records were looked at to say what the source is of: of the next ones only the first format
    /// that fits is asked for.
    pub(crate) is_sampled: bool,
    /// Something had to be repaired.
    pub(crate) is_repaired: bool,
    /// It parsed, and no format fits; the nearest ones.
    pub(crate) unknown: Option<String>,
    /// No format fits, but [`raw::known`] says what the record is.
    is_known_raw: bool,
    /// It is an object around a list of records: the member's name, and where each stands.
    pub(crate) wrapped: Option<Wrapped>,
}

/// A table that records of a format are read along.
#[derive(Clone, Copy)]
struct Along {
    format: FormatId,
    table: &'static Table<Slot>,
    /// Records are checked against a schema when they are opened.
    is_validated: bool,
}

impl Along {
    /// For callers that read only reflection memory. It does not use the list of formats, so such a program does
    /// not contain the readers of the others.
    fn reflection_memory() -> Self {
        Self {
            format: reflection_memory::ID,
            table: reflection_memory::TABLE(),
            is_validated: true,
        }
    }

    fn of(format: FormatId) -> Option<Self> {
        let is_validated = format.is_validated();
        Some(Self { format, table: format.table()?, is_validated })
    }
}

/// The order that members had in earlier records of the format that was read last.
#[derive(Debug, Default)]
struct OrderOf {
    format: Option<FormatId>,
    order: Order,
}

impl OrderOf {
    fn of(&mut self, format: FormatId) -> &mut Order {
        if self.format != Some(format) {
            *self = Self { format: Some(format), order: Order::default() };
        }
        &mut self.order
    }
}

/// Findings with the pointers of the values that they are about.
pub(crate) fn by_pointer(findings: impl IntoIterator<Item = Finding>) -> Vec<At> {
    let findings = findings.into_iter();
    findings.map(|finding| (finding.pointer.clone().unwrap_or_default(), finding)).collect()
}

/// Findings with the offsets of the values that they are about. The pass noted those outside of lists; the
/// others are found in one walk.
fn with_offsets(
    text: &str,
    findings: Vec<Finding>,
    (table, order): (&Table<Slot>, &Order),
) -> Vec<(usize, Finding)> {
    let pointer = |finding: &Finding| finding.pointer.as_deref().unwrap_or_default().to_owned();
    let start_of = |finding: &Finding| {
        order.start_of(table.node_at(finding.pointer.as_deref().unwrap_or_default())?)
    };
    let is_other = |finding: &&Finding| start_of(finding).is_none();
    let others: Vec<String> = findings.iter().filter(is_other).map(pointer).collect();
    let mut others = offsets_of(text, &others).into_iter();
    let mut start =
        |finding: &Finding| start_of(finding).or_else(|| others.next()).unwrap_or_default();
    findings.into_iter().map(|finding| (start(&finding), finding)).collect()
}

/// A list of records in a member of an object (docs/spec/formats.md, "How a format is recognised").
#[derive(Clone, Debug)]
pub(crate) struct Wrapped {
    pub(crate) name: String,
    /// Offsets in the text of the object.
    pub(crate) items: Vec<(usize, usize)>,
}

/// Members that may hold such a list.
const WRAPPERS: [&str; 7] =
    ["reflections", "records", "entries", "items", "data", "history", "results"];

/// The list of records that an object holds, and its member's name.
pub(crate) fn wrapped(value: &Value) -> Option<(&str, &[Value])> {
    let mut lists = value.as_object()?.iter().filter_map(|(name, value)| {
        let items = value.as_array().filter(|items| items.iter().any(Value::is_object))?;
        // The last one may be the start of an object that was cut off.
        let whole = items.split_last().map_or(&[][..], |(_, whole)| whole);
        let is_list = whole.iter().all(|item| item.is_object() || item.is_null());
        is_list.then_some((name.as_str(), items.as_slice()))
    });
    let only = lists.next().filter(|_| lists.next().is_none());
    only.filter(|(name, _)| WRAPPERS.contains(name))
}

/// Findings with their places, in a text with a tree or in plain JSON.
fn placed(chunk: &Chunk<'_>, tree: Option<&Tree>, about: Vec<At>) -> Vec<Finding> {
    match tree {
        _ if about.is_empty() => Vec::new(),
        Some(tree) => text::place(chunk, tree, about),
        None => text::place_in_plain(chunk, about),
    }
}

/// What is around a record of JSON.
fn within(is_item: bool) -> Context {
    Context { is_item, ..Context::default() }
}

impl Readings {
    pub(crate) fn new(profile: Profile) -> Self {
        Self {
            profile,
            promises: Promises::default(),
            now_ms: None,
            extracted: None,
            deviations: Vec::new(),
            order: OrderOf::default(),
            keeps_deviations: false,
            is_pending: false,
            findings: Vec::new(),
            parsed: None,
            format: None,
            fitting: Vec::new(),
            conforms: false,
            is_sampled: false,
            is_repaired: false,
            unknown: None,
            is_known_raw: false,
            wrapped: None,
        }
    }

    /// Of sources, one after another: findings of deviations are made when somebody asks.
    pub(crate) fn of_sources(profile: Profile) -> Self {
        Self { keeps_deviations: true, ..Self::new(profile) }
    }

    /// What comes next is of the source with this path.
    pub(crate) fn turn_to(&mut self, path: &str) {
        self.is_sampled = false;
        self.promises.turn_to(path);
    }

    /// What the record said.
    pub(crate) fn extracted(&self) -> Option<&Extracted> {
        self.extracted.as_deref()
    }

    /// What was read: a parsed record, else what was extracted.
    pub(crate) fn content(&mut self) -> (Option<&mut ParsedRecord>, &Extracted) {
        (self.parsed.as_mut(), self.extracted.get_or_insert_default())
    }

    /// Reads a JSON record, and returns whether it was kept. `expected` is the format that the source has
    /// shown so far. It is tried first; a record that is not of it is recognised by its own content.
    pub(crate) fn read(
        &mut self,
        chunk: &Chunk<'_>,
        content: Content,
        expected: Option<FormatId>,
    ) -> bool {
        if self.read_along(chunk, content, expected) {
            return true;
        }
        let Some((value, tree)) = self.parsed_text(chunk, content) else { return false };
        let around = within(content == Content::Item);
        let place = |about| placed(chunk, tree.as_ref(), about);
        let is_kept = self.value(&value, &around, expected, place);
        if !is_kept
            && !self.is_known_raw
            && let Some(tree) = tree.or_else(|| Tree::read(chunk.text, false).ok())
            && let Some((name, items)) = tree.wrapped(&WRAPPERS)
        {
            self.wrapped = Some(Wrapped {
                name: name.to_owned(),
                items: items.iter().map(|n| (n.start, n.end)).collect(),
            });
        }
        is_kept
    }

    /// Reads a record of which its caller says that it is of reflection memory: no other format is tried, and
    /// few members are enough.
    pub(crate) fn read_declared(&mut self, chunk: &Chunk<'_>) -> bool {
        self.begin();
        let along = Along::reflection_memory();
        self.format = Some(along.format);
        if chunk.stored.is_none() && self.pass(along, chunk.text) {
            self.keep(along, chunk);
            return true;
        }
        let Some((value, tree)) = self.parsed_text(chunk, Content::Value) else { return false };
        let place = |about| placed(chunk, tree.as_ref(), about);
        if self.profile == Profile::Lenient && !value.is_object() {
            self.findings.extend(place(vec![(String::new(), lenient::not_object(&value))]));
            return false;
        }
        self.value_along(along, &value, place);
        true
    }

    /// The value of a text that could not be read along a table, and the tree of one that is not plain JSON.
    fn parsed_text(
        &mut self,
        chunk: &Chunk<'_>,
        content: Content,
    ) -> Option<(Value, Option<Tree>)> {
        self.extracted.get_or_insert_default().clear();
        self.deviations.clear();
        self.fitting.clear();
        let is_cut = content == Content::CutValue;
        let is_plain = !is_cut && !chunk.is_lossy() && chunk.text.len() <= MAX_TREE_LEN;
        if let Some(value) = is_plain.then(|| value::plain(chunk.text)).flatten() {
            return Some((value, None));
        }
        let tree = text::read(chunk, content, &mut self.findings);
        // The last finding says why the text cannot be read; nothing was repaired by that.
        self.is_repaired = self.findings.len() > usize::from(tree.is_none());
        tree.map(|tree| (tree.to_value(), Some(tree)))
    }

    /// Reads a JSON record along the table of the format that is expected, or of the one that most first
    /// records have. Returns whether it is plain JSON and of that format.
    pub(crate) fn read_along(
        &mut self,
        chunk: &Chunk<'_>,
        content: Content,
        expected: Option<FormatId>,
    ) -> bool {
        self.begin();
        let is_likely =
            || self.promises.alone.is_none() && reflection_memory::is_likely(chunk.text);
        let tried = expected.or_else(|| is_likely().then_some(reflection_memory::ID));
        if let Some(format) = tried.filter(|_| chunk.stored.is_none())
            && let Some(along) = Along::of(format)
            && self.pass(along, chunk.text)
            && self.extracted.as_ref().is_some_and(|extracted| extracted.fit(format))
            && format.is_certain(chunk.text, &self.deviations)
            && (expected.is_some()
                || self.is_of_no_other()
                || self.recognise_text(chunk.text, content) == Some(format))
        {
            self.format = Some(format);
            if let Reading::Plain { errors, .. } = &format.row().reading {
                let extracted = self.extracted.get_or_insert_default();
                extracted.said.errors = errors(extracted);
                return true;
            }
            self.keep(along, chunk);
            return true;
        }
        false
    }

    /// Takes a value that was parsed already: of YAML, say, whose places are not known.
    pub(crate) fn read_value(&mut self, value: &Value, context: &Context, start: Position) -> bool {
        self.begin();
        let place = |about: Vec<At>| {
            let findings = about.into_iter().map(|(_, mut finding)| {
                set_place(&mut finding, start);
                finding
            });
            findings.collect()
        };
        let is_kept = self.value(value, context, None, place);
        if self.conforms && self.profile == Profile::Strict {
            // Strict speaks of JSON bytes only.
            self.conforms = false;
        }
        is_kept
    }

    /// Takes a stretch of a text whose format is known.
    pub(crate) fn read_text(&mut self, format: FormatId, chunk: &Chunk<'_>, context: &Context) {
        self.begin();
        let value = Value::String(chunk.text.to_owned());
        self.format = Some(format);
        if let Some(mut parsed) = format.parse(&value, context) {
            for mut finding in times::of_parsed(&parsed, &value) {
                finding.pointer = None;
                parsed.findings.push(finding);
            }
            self.keep_parsed(parsed, |about| {
                let placed = |(_, mut finding): At| {
                    set_place(&mut finding, chunk.start);
                    finding
                };
                about.into_iter().map(placed).collect()
            });
        }
    }

    /// Takes a record by its fields: of an export from which the record itself was left out.
    pub(crate) fn take_fields(&mut self, format: FormatId, parsed: ParsedRecord) {
        self.begin();
        self.format = Some(format);
        if !format.is_shape() || format.family() == Family::Tasks {
            self.parsed = Some(parsed);
        } else if let Some(step) = parsed.runs.first().and_then(|run| run.steps.first()) {
            self.extracted = Some(Box::new(Extracted::of(step)));
        }
    }

    /// A source has ended: gives back what only a huge record needed.
    pub(crate) fn settle(&mut self) {
        const ORDINARY: usize = 1 << 12;
        self.begin();
        self.deviations.shrink_to(ORDINARY);
        self.findings.shrink_to(ORDINARY);
    }

    fn begin(&mut self) {
        self.extracted.get_or_insert_default().clear();
        self.deviations.clear();
        self.is_pending = false;
        self.findings.clear();
        self.parsed = None;
        self.format = None;
        self.fitting.clear();
        self.conforms = false;
        self.is_repaired = false;
        self.unknown = None;
        self.is_known_raw = false;
        self.wrapped = None;
    }

    fn keep_parsed(
        &mut self,
        mut parsed: ParsedRecord,
        place: impl FnOnce(Vec<At>) -> Vec<Finding>,
    ) {
        let findings = std::mem::take(&mut parsed.findings);
        self.findings.extend(place(by_pointer(findings)));
        self.findings.stable_sort_by_key(|f| f.offset);
        self.parsed = Some(parsed);
    }

    /// Whether a value that fits no format is kept all the same, for the strict profile to judge. If the
    /// format is not read along a shape, only an object is kept: nothing of a number could be shown.
    fn keeps_as(&self, id: FormatId, value: &Value) -> bool {
        self.profile == Profile::Strict && (id.is_shape() || value.is_object())
    }

    fn value(
        &mut self,
        value: &Value,
        context: &Context,
        expected: Option<FormatId>,
        place: impl FnOnce(Vec<At>) -> Vec<Finding>,
    ) -> bool {
        let recognised = self.recognise(value, context, expected);
        let format = recognised.or(expected.filter(|id| self.keeps_as(*id, value)));
        let Some(format) = format else {
            let known = raw::known(value);
            self.is_known_raw = known.is_some();
            self.unknown = Some(known.map_or_else(|| nearest(value), str::to_owned));
            if expected.is_some() && !value.is_object() {
                let about = vec![(String::new(), lenient::not_object(value))];
                self.findings.extend(place(about));
            }
            return false;
        };
        self.format = Some(format);
        if let Some(along) = Along::of(format).filter(|_| format.is_shape()) {
            self.value_along(along, value, place);
        } else {
            let mut parsed = format.parse(value, context).unwrap_or_default();
            let times = times::of_parsed(&parsed, value);
            parsed.findings.extend(times);
            self.keep_parsed(parsed, place);
        }
        true
    }

    /// Reads a value along the table of its format.
    fn value_along(
        &mut self,
        along: Along,
        value: &Value,
        place: impl FnOnce(Vec<At>) -> Vec<Finding>,
    ) {
        // A value that was parsed is plain JSON when it is written again.
        let text = write::value(value);
        let extracted = self.extracted.get_or_insert_default();
        let order = self.order.of(along.format);
        let _ = pass::read(&text, along.table, &mut **extracted, &mut self.deviations, order);
        let deviating = self.deviating(along, &text).into_iter().map(|(_, f)| f);
        let about = by_pointer(deviating.chain(self.contradicting(along, &text)));
        self.findings.extend(place(about));
        self.findings.stable_sort_by_key(|f| f.offset);
    }

    /// The format that a value looks like, and all that it could be.
    fn recognise(
        &mut self,
        value: &Value,
        context: &Context,
        expected: Option<FormatId>,
    ) -> Option<FormatId> {
        // A string in a JSON file is no text of its own: it would be read again as what is written in it.
        let fitting = FormatId::fitting(value, context).filter(|id| !id.is_text());
        if self.is_sampled {
            self.fitting.extend(fitting.take(1));
        } else {
            self.fitting.extend(fitting);
        }
        let path = &self.promises.path;
        let sniffed = self.promises.alone.filter(|_| value.is_object());
        let sniffed = sniffed.or_else(|| FormatId::sniff(value, &self.fitting, path));
        let decided = programming_log::decided(value, expected, sniffed, path);
        // A format that only the path shows cannot be contested by a test of the content.
        if sniffed.is_some_and(|id| !self.fitting.contains(&id)) {
            self.fitting.clear();
        }
        decided.or(sniffed)
    }

    /// The same of the text of a first record.
    fn recognise_text(&mut self, text: &str, content: Content) -> Option<FormatId> {
        let value = self.outline(text).or_else(|| value::tolerant(text))?;
        self.recognise(&value, &within(content == Content::Item), None)
    }

    /// What formats are told apart by, where a record was read along a table: its own members, and all of
    /// those that the table does not know. None of its known objects holds anything unknown, so there is nothing
    /// in them that another format could be known by.
    fn outline(&self, text: &str) -> Option<Value> {
        let is_unknown = |d: &&Deviation| d.what == What::Unknown;
        let is_deep = |d: &Deviation| match d.what {
            What::Unknown => d.node != ROOT,
            What::Type(_) => true,
            _ => false,
        };
        let is_other = self.format.is_some_and(|format| format != reflection_memory::ID);
        if is_other || self.deviations.iter().any(is_deep) {
            return None;
        }
        let mut unknown: Vec<usize> =
            self.deviations.iter().filter(is_unknown).map(|d| d.at as usize).collect();
        unknown.sort_unstable();
        value::outline(text, |at| unknown.binary_search(&at).is_ok())
    }

    /// Whether a first record can only be of the format that was tried: it has no unknown member, and every
    /// other format is recognised by members of its own.
    fn is_of_no_other(&self) -> bool {
        !self.deviations.iter().any(|deviation| deviation.what == What::Unknown)
    }

    /// Finds all formats that a record of the sample fits, if it was read along the table of one format
    /// only. The first record is not enough, because it is seldom like all others.
    pub(crate) fn test(&mut self, text: &str, is_item: bool) {
        if self.fitting.is_empty()
            && !self.is_of_no_other()
            && let Some(value) = self.outline(text).or_else(|| value::tolerant(text))
        {
            self.fitting.extend(FormatId::fitting(&value, &within(is_item)));
        }
    }

    /// Reads a record along a table, and returns whether it is an object in plain JSON.
    fn pass(&mut self, along: Along, text: &str) -> bool {
        if !text.trim_start().starts_with('{') {
            return false;
        }
        let extracted = self.extracted.get_or_insert_default();
        let order = self.order.of(along.format);
        pass::read(text, along.table, &mut **extracted, &mut self.deviations, order).is_ok()
            && (self.deviations.is_empty() || text.len() <= MAX_TREE_LEN)
    }

    /// What is to be said of the deviations from the table of a format.
    fn deviating(&mut self, Along { table, is_validated, .. }: Along, text: &str) -> Vec<About> {
        let is_violated = is_validated && self.deviations.iter().any(is_violation);
        self.conforms = !is_violated && !text::is_broken(&self.findings);
        match self.profile {
            _ if self.deviations.is_empty() => Vec::new(),
            _ if !is_validated => grade::grade(table, text, &self.deviations),
            Profile::Strict => deviation::strict(table, text, &self.deviations),
            Profile::Lenient => lenient::grade(table, text, &self.deviations),
        }
    }

    /// What a record says that cannot be, or that contradicts itself.
    fn contradicting(&self, Along { table, is_validated, .. }: Along, text: &str) -> Vec<Finding> {
        let is_lenient = self.profile == Profile::Lenient;
        // The strict profile says of a record what its schema says. A source also says why an attempt
        // has no number.
        let is_asked = is_lenient || self.keeps_deviations;
        let Some(extracted) = self.extracted.as_ref().filter(|_| is_asked) else {
            return Vec::new();
        };
        let mut findings = Vec::new();
        if is_lenient && is_validated {
            let is_range = |d: &Deviation| lenient::is_range_of_reward(table, d);
            let is_graded = self.deviations.iter().any(is_range);
            findings.extend(extracted.said.reward.filter(|_| !is_graded).and_then(lenient::reward));
            findings.extend(extracted.said.omega.and_then(lenient::omega));
            findings.extend(extracted.audit.findings(extracted, self.now_ms));
        }
        if extracted.said.is_number_beyond {
            findings.extend(beyond::number_beyond_of(table, text));
        }
        findings
    }

    /// Makes the findings about a record that was read along the table of its format, in the order of its
    /// text. If a source reads it and its format has a schema, the deviations are kept instead, and their
    /// findings are made later: see [`Readings::take_deviations`].
    fn keep(&mut self, along: Along, chunk: &Chunk<'_>) {
        let text = chunk.text;
        let is_later = self.keeps_deviations && along.is_validated;
        let deviating = if is_later {
            self.conforms = !self.deviations.iter().any(is_violation);
            self.is_pending = !self.deviations.is_empty();
            Vec::new()
        } else {
            self.deviating(along, text)
        };
        let mut about: Vec<(usize, Finding)> = Vec::new();
        let space = || text.len() - text.trim_start().len();
        about.extend(deviating.into_iter().map(|(at, finding)| {
            let deviation = at.and_then(|at| self.deviations.get(at));
            (deviation.map_or_else(space, |deviation| deviation.at as usize), finding)
        }));
        let contradicting = self.contradicting(along, text);
        let order = self.order.of(along.format);
        about.extend(with_offsets(text, contradicting, (along.table, order)));
        if about.is_empty() {
            return;
        }
        about.stable_sort_by(|a, b| (a.0, &a.1.rule).cmp(&(b.0, &b.1.rule)));
        let mut ruler = chunk.ruler();
        self.findings.extend(about.into_iter().map(|(at, mut finding)| {
            set_place(&mut finding, ruler.place_of(at));
            finding
        }));
    }

    /// The deviations of which no findings were made yet, with the format and the profile of the reading.
    pub(crate) fn take_deviations(&mut self) -> Option<((FormatId, Profile), &mut Vec<Deviation>)> {
        let read_as = (self.format?, self.profile);
        std::mem::take(&mut self.is_pending).then_some((read_as, &mut self.deviations))
    }

    /// Number or position known, and text or outcome present.
    pub(crate) fn is_usable(&self) -> bool {
        let Some(extracted) = &self.extracted else { return false };
        extracted.said.number.is_some()
            && (extracted.said.passed.is_some()
                || extracted.outcome.is_some()
                || extracted.reflections.iter().any(|&h| h != 0))
    }
}
