//! One record's text to facts and findings: the typed pass first, tolerance only where needed.

use crate::order::Order as _;
use serde_json::Value;

use super::account::{Account, Context};
use super::facts::Facts;
use super::times;
use super::{FormatId, Reading, grade, nearest, programming_log, raw, shape};
use crate::model::finding::Finding;
use crate::source::Passage;
use crate::source::framing::Content;
use crate::source::place::Place;
use crate::source::scan::find;
use crate::validate::text::{self, At};
use crate::validate::validator::told;
use crate::validate::{Profile, lenient};

pub(crate) use crate::validate::text::set_place;

/// Reads records one after another, reusing what it allocated.
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of the record at hand")]
#[derive(Debug)]
pub(crate) struct Readings {
    profile: Profile,
    /// Path of the source, for formats that only a path tells.
    path: String,
    /// The host's clock, in milliseconds since 1970; rules that need it are skipped without.
    pub(crate) now_ms: Option<f64>,
    /// What the record said; of a source that was read, nothing is kept.
    facts: Option<Box<Facts>>,
    /// What is odd about it, with places.
    pub(crate) findings: Vec<Finding>,
    /// What it tells of runs, if it is of a format with accounts; then there are no facts.
    pub(crate) account: Option<Account>,
    /// Its format.
    pub(crate) format: Option<FormatId>,
    /// Every format whose test it passed, if it was parsed.
    pub(crate) fitting: Vec<FormatId>,
    /// Valid by the schema of its format, where that has one.
    pub(crate) conforms: bool,
    /// The caller says what the record is: few members are enough to read it.
    pub(crate) is_declared: bool,
    /// Something had to be repaired.
    pub(crate) is_repaired: bool,
    /// It parsed, and no format fits; the nearest ones.
    pub(crate) unknown: Option<String>,
    /// What that is can be said all the same.
    is_known_raw: bool,
    /// It is an object around a list of records: the member's name, and where each stands.
    pub(crate) wrapped: Option<Wrapped>,
}

/// A list of records in a member of an object (formats.md, 3.5).
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
        // The last one may be the begin of an object that was cut off.
        let whole = items.split_last().map_or(&[][..], |(_, whole)| whole);
        let is_list = whole.iter().all(|item| item.is_object() || item.is_null());
        is_list.then_some((name.as_str(), items.as_slice()))
    });
    let only = lists.next().filter(|_| lists.next().is_none());
    only.filter(|(name, _)| WRAPPERS.contains(name))
}

impl Readings {
    pub(crate) fn new(profile: Profile) -> Self {
        Self::at(profile, "")
    }

    /// Of a source with this path.
    pub(crate) fn at(profile: Profile, path: &str) -> Self {
        Self {
            profile,
            path: path.to_owned(),
            now_ms: None,
            facts: None,
            findings: Vec::new(),
            account: None,
            format: None,
            fitting: Vec::new(),
            conforms: false,
            is_declared: false,
            is_repaired: false,
            unknown: None,
            is_known_raw: false,
            wrapped: None,
        }
    }

    /// What the record said.
    pub(crate) fn facts(&self) -> Option<&Facts> {
        self.facts.as_deref()
    }

    /// What the record tells: by an account, else by what it said.
    pub(crate) fn told(&mut self) -> (Option<&mut Account>, &Facts) {
        (self.account.as_mut(), self.facts.get_or_insert_default())
    }

    /// Reads a JSON record. `expected` is the format that the source has shown so far; it is tried
    /// first, and every record that is not of it is looked at by itself. False: nothing was kept.
    pub(crate) fn read(
        &mut self,
        passage: &Passage<'_>,
        content: Content,
        expected: Option<FormatId>,
    ) -> bool {
        self.begin();
        let facts = self.facts.get_or_insert_default();
        if let Some(format) = expected
            && let Some(shape) = format.shape()
            && passage.stored.is_none()
            && shape::scan(passage.text, shape, facts).is_ok()
            && facts.fit(format)
        {
            self.format = Some(format);
            if let Reading::Plain { errors, .. } = &format.row().reading {
                facts.errors = errors(facts);
                return true;
            }
            self.conforms = true;
            self.check(passage);
            return true;
        }
        facts.clear();
        let tree = text::read(passage, content, &mut self.findings);
        // The last finding says why there is no tree; nothing was repaired by that.
        self.is_repaired = self.findings.len() > usize::from(tree.is_none());
        let Some(tree) = tree else { return false };
        let place = |about| text::place(passage, &tree, about);
        let around = Context { is_item: content == Content::Item, ..Context::default() };
        let is_kept = self.value(&tree.to_value(), &around, expected, place);
        if !is_kept
            && !self.is_known_raw
            && let Some((name, items)) = tree.wrapped(&WRAPPERS)
        {
            self.wrapped = Some(Wrapped {
                name: name.to_owned(),
                items: items.iter().map(|n| (n.start, n.end)).collect(),
            });
        }
        is_kept
    }

    /// Takes a value that was parsed already: of YAML, say, whose places are not known.
    pub(crate) fn read_value(&mut self, value: &Value, context: &Context, start: Place) -> bool {
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
    pub(crate) fn read_text(&mut self, format: FormatId, passage: &Passage<'_>, context: &Context) {
        self.begin();
        let value = Value::String(passage.text.to_owned());
        self.format = Some(format);
        if let Some(mut account) = format.tell(&value, context) {
            for mut finding in times::of_account(&account, &value) {
                finding.pointer = None;
                account.findings.push(finding);
            }
            self.account(account, |about| {
                let placed = |(_, mut finding): At| {
                    set_place(&mut finding, passage.start);
                    finding
                };
                about.into_iter().map(placed).collect()
            });
        }
    }

    /// Gives back what it allocated: of a tree of thousands of files, each is read once.
    pub(crate) fn settle(&mut self) {
        *self = Self::new(self.profile);
    }

    fn begin(&mut self) {
        self.facts.get_or_insert_default().clear();
        self.findings.clear();
        self.account = None;
        self.format = None;
        self.fitting.clear();
        self.conforms = false;
        self.is_repaired = false;
        self.unknown = None;
        self.is_known_raw = false;
        self.wrapped = None;
    }

    fn account(&mut self, mut account: Account, place: impl FnOnce(Vec<At>) -> Vec<Finding>) {
        let findings = std::mem::take(&mut account.findings);
        let about = findings.into_iter().map(|f| (f.pointer.clone().unwrap_or_default(), f));
        self.findings.extend(place(about.collect()));
        self.findings.order_by_key(|f| f.offset);
        self.account = Some(account);
    }

    fn value(
        &mut self,
        value: &Value,
        context: &Context,
        expected: Option<FormatId>,
        place: impl FnOnce(Vec<At>) -> Vec<Finding>,
    ) -> bool {
        // A face that validates says what the record should be; a source only suggests.
        self.fitting.extend(FormatId::fitting(value, context));
        let sniffed = FormatId::sniff(value, &self.fitting, &self.path);
        let decided = programming_log::decided(value, expected, sniffed, &self.path);
        // What a path tells, no content test can contest.
        if sniffed.is_some_and(|id| !self.fitting.contains(&id)) {
            self.fitting.clear();
        }
        let format = decided.or(sniffed).or_else(|| {
            let is_told = self.is_declared && value.is_object();
            expected.filter(|_| is_told || self.profile == Profile::Strict)
        });
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
        let shape = match &format.row().reading {
            Reading::Shape { shape, .. } => shape,
            Reading::Account(_) | Reading::Plain { .. } | Reading::Text { .. } => {
                let mut account = format.tell(value, context).unwrap_or_default();
                let times = times::of_account(&account, value);
                account.findings.extend(times);
                self.account(account, place);
                return true;
            }
        };
        let facts = self.facts.get_or_insert_default();
        let notes = shape::walk(value, shape, facts);
        let schema = format.schema();
        let has_schema = schema.is_some();
        let violations = schema.map_or_else(Vec::new, |schema| schema.violations_unsorted(value));
        self.conforms = violations.is_empty() && !text::is_broken(&self.findings);
        let about = if self.profile == Profile::Strict && has_schema {
            told(violations)
        } else {
            let mut about = grade::grade(format, value, &violations, &notes);
            if has_schema {
                let audit = facts.audit.findings(facts, self.now_ms);
                let reward = facts.reward.and_then(lenient::reward);
                let omega = facts.omega.and_then(lenient::omega);
                let more = reward.into_iter().chain(omega).chain(audit);
                about.extend(more.map(|f| (f.pointer.clone().unwrap_or_default(), f)));
            }
            about
        };
        self.findings.extend(place(about));
        self.findings.order_by_key(|f| f.offset);
        true
    }

    /// Checks a record that the typed pass accepted; its tree was never built.
    fn check(&mut self, passage: &Passage<'_>) {
        if self.profile == Profile::Strict || self.format.and_then(FormatId::schema).is_none() {
            return;
        }
        let Some(facts) = &self.facts else { return };
        let findings = facts.audit.findings(facts, self.now_ms);
        if findings.is_empty() {
            return;
        }
        let mut ruler = passage.ruler();
        for mut finding in findings {
            let pointer = finding.pointer.as_deref().unwrap_or_default();
            let at = find(passage.text, pointer);
            set_place(&mut finding, ruler.place_of(at));
            self.findings.push(finding);
        }
        self.findings.order_by_key(|f| f.offset);
    }

    /// Number or position known, and text or outcome present.
    pub(crate) fn is_usable(&self) -> bool {
        let Some(facts) = &self.facts else { return false };
        facts.number.is_some()
            && (facts.passed.is_some()
                || facts.outcome.is_some()
                || facts.reflections.iter().any(|&h| h != 0))
    }
}
