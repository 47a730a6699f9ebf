//! Where the references of schemas lead.
//!
//! Schemas are walked along the keywords that hold schemas, of every draft at once; what stands in
//! `enum`, `const` or an unknown keyword is data, unless a reference leads there.

use crate::sort::StableSort as _;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use hindscope_compiler::{BASE, Documents};
use serde_json::{Map, Value};

mod effort;
pub(crate) mod graph;
mod keywords;
mod measure;
mod texts;

pub(crate) use effort::Effort;
pub(crate) use measure::exceeds;

use super::uri;
use crate::json::pointer::{escape, unescape};
use crate::labels::labels;

labels! {
    /// A draft of JSON Schema, as people write it. Schemas that name none follow the newest.
    #[derive(Default)]
    pub(crate) Draft {
        Four = "4",
        Six = "6",
        Seven = "7",
        V2019 = "2019-09",
        #[default]
        V2020 = "2020-12",
    }
}

impl Draft {
    /// As the compiler names it.
    pub(crate) const fn compiled(self) -> hindscope_compiler::Draft {
        match self {
            Self::Four => hindscope_compiler::Draft::Draft4,
            Self::Six => hindscope_compiler::Draft::Draft6,
            Self::Seven => hindscope_compiler::Draft::Draft7,
            Self::V2019 => hindscope_compiler::Draft::Draft201909,
            Self::V2020 => hindscope_compiler::Draft::Draft202012,
        }
    }

    /// Reads `$schema`: an empty fragment says nothing, and neither does `s` in `https`.
    pub(crate) fn of_uri(uri: &str) -> Option<Self> {
        let uri = uri.strip_suffix('#').unwrap_or(uri);
        let rest = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
        Some(match rest {
            "json-schema.org/draft-04/schema" => Self::Four,
            "json-schema.org/draft-06/schema" => Self::Six,
            "json-schema.org/draft-07/schema" => Self::Seven,
            "json-schema.org/draft/2019-09/schema" => Self::V2019,
            "json-schema.org/draft/2020-12/schema" => Self::V2020,
            _ => return None,
        })
    }

    /// The draft that a schema names with `$schema`.
    pub(crate) fn of_schema(schema: &Value) -> Option<Self> {
        Self::of_uri(schema.get("$schema")?.as_str()?)
    }

    /// Whether `uri` is part of a draft, and so built in.
    pub(crate) fn is_built_in(uri: &str) -> bool {
        ["2019-09", "2020-12"].iter().any(|draft| {
            let meta = format!("https://json-schema.org/draft/{draft}/meta/");
            uri.starts_with(&meta)
        }) || Self::of_uri(uri).is_some()
    }

    /// Keywords beside `$ref` mean nothing.
    const fn has_lone_references(self) -> bool {
        matches!(self, Self::Four | Self::Six | Self::Seven)
    }

    const fn id_keyword(self) -> &'static str {
        if matches!(self, Self::Four) { "id" } else { "$id" }
    }
}

/// A schema, with what decides its references.
#[derive(Clone, Debug)]
pub(crate) struct SchemaNode<'a> {
    pub(crate) schema: &'a Value,
    base: String,
    draft: Draft,
    /// Address that the document around it was given under; empty for the schema itself.
    home: &'a str,
}

impl<'a> SchemaNode<'a> {
    /// The reference of the schema, if it has one.
    pub(crate) fn reference(&self) -> Option<&'a str> {
        self.schema.get("$ref")?.as_str()
    }

    /// References whose target can depend on the caller. Each is given as it would lead without one.
    fn moving_references(&self) -> impl Iterator<Item = &'a str> {
        let schema = self.schema;
        MOVING.iter().filter_map(|key| schema.get(*key)?.as_str())
    }

    /// Whether the reference is all that counts.
    pub(crate) fn is_only_reference(&self) -> bool {
        self.draft.has_lone_references() && self.reference().is_some()
    }

    /// A schema inside this one.
    pub(crate) fn inside(&self, schema: &'a Value) -> Self {
        Self::new(schema, &self.base, self.draft, self.home)
    }

    /// With the base and the draft that the schema itself names.
    fn new(schema: &'a Value, base: &str, draft: Draft, home: &'a str) -> Self {
        let draft = Draft::of_schema(schema).unwrap_or(draft);
        let mut place = Self { schema, base: base.to_owned(), draft, home };
        if let Some(id) = place.id() {
            place.base = uri::resolve(base, id);
        }
        place
    }

    /// Its `$id`, if that is an address and counts.
    fn id(&self) -> Option<&'a str> {
        let id = self.schema.get(self.draft.id_keyword())?.as_str()?;
        (!id.starts_with('#') && !self.is_only_reference()).then_some(id)
    }

    /// The name by which it is known inside its resource.
    fn anchors(&self) -> impl Iterator<Item = &'a str> {
        let schema = self.schema;
        let anchor = |key: &str| schema.get(key).and_then(Value::as_str);
        let id = anchor(self.draft.id_keyword()).and_then(|id| id.strip_prefix('#'));
        let is_new = !self.draft.has_lone_references();
        let new = ["$anchor", "$dynamicAnchor"].map(|key| anchor(key).filter(|_| is_new));
        id.into_iter().chain(new.into_iter().flatten())
    }
}

/// A document that is referred to and not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Absent {
    pub(crate) uri: String,
    pub(crate) from: String,
}

/// Something in a document that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Address of the document.
    pub(crate) document: String,
    /// JSON Pointer in it.
    pub(crate) pointer: String,
    pub(crate) message: String,
}

/// A schema with the documents that are known, walked.
#[derive(Debug, Default)]
pub(crate) struct Library<'a> {
    resources: BTreeMap<String, SchemaNode<'a>>,
    anchors: BTreeMap<(String, String), SchemaNode<'a>>,
    seen: BTreeSet<*const Value>,
    references: Vec<Reference<'a>>,
    /// Documents that refer to others, each with the other one.
    uses: BTreeSet<(&'a str, &'a str)>,
    /// Documents that name a draft of somebody's own, each with its name.
    drafts: Vec<(&'a str, &'a str)>,
    /// References to a document by the address that it was given under, where its `$id` is another one. Each
    /// with the reference as it would be by `$id`.
    renamed: BTreeMap<*const Value, String>,
    pub(crate) absent: Vec<Absent>,
    pub(crate) faults: Vec<Fault>,
    /// Names of formats, each with the draft and the first place that it stands in.
    formats: BTreeMap<(Draft, &'a str), String>,
    /// The same of keywords that the draft does not have.
    unknown: BTreeMap<(Draft, &'a str), String>,
    /// Regular expressions, with their places.
    pub(crate) patterns: Vec<(Fault, &'a str)>,
    /// From each schema to those that judge the same value as it does.
    same: BTreeMap<*const Value, Vec<*const Value>>,
    /// How many schemas judge one value at most, where each counts once for every way that leads to it.
    pub(crate) visits: u64,
    /// From each schema to all that stand in it or that it refers to.
    leads: BTreeMap<*const Value, Vec<*const Value>>,
    /// Length of the longest chain of schemas in which each one applies the next one to the same value.
    pub(crate) chain: usize,
    /// The deepest nesting of schemas, including those that are reached by reference.
    levels: usize,
    /// Whether a schema leads back to itself.
    is_recursive: bool,
}

#[derive(Debug)]
struct Reference<'a> {
    place: SchemaNode<'a>,
    keyword: &'static str,
    target: &'a str,
    document: String,
    pointer: String,
}

/// Keywords for references whose target can depend on the schemas that led to them.
const MOVING: [&str; 2] = ["$dynamicRef", "$recursiveRef"];

/// Keywords whose schemas judge the value itself and not a part of it.
const SAME: [&str; 9] =
    ["allOf", "anyOf", "dependencies", "dependentSchemas", "else", "if", "not", "oneOf", "then"];
/// Keywords whose value is a schema, a list of schemas (or a schema), or schemas by name.
const SCHEMAS: [&str; 12] = [
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
const LISTS: [&str; 5] = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];
const NAMED: [&str; 6] =
    ["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];

impl<'a> Library<'a> {
    /// Walks a schema, whose address is empty, and the documents that are known.
    pub(crate) fn new(
        schema: &'a Value,
        documents: &'a BTreeMap<String, Value>,
        draft: Draft,
    ) -> Self {
        let faults = namesake(schema, documents, draft).into_iter().collect();
        let mut library = Self { faults, visits: 1, chain: 1, levels: 1, ..Self::default() };
        library.walk_document("", schema, draft);
        for (uri, document) in documents {
            library.walk_document(uri, document, draft);
        }
        // What a reference leads to may hold references that no walk has seen.
        while let Some(reference) = library.references.pop() {
            library.follow(&reference);
        }
        if library.find_circle() {
            // The compiler enters no schema of a circle twice.
            library.chain = library.same.len() + 1;
        } else {
            library.measure();
        }
        // A document that nothing leads to needs no others.
        let used = library.used();
        library.absent.retain(|absent| used.contains(&*absent.from));
        library.absent.stable_sort_by(|a, b| a.uri.cmp(&b.uri).then_with(|| a.from.cmp(&b.from)));
        library.absent.dedup_by(|a, b| a.uri == b.uri);
        library
    }

    /// The same for a schema whose draft is what it names.
    ///
    /// # Errors
    ///
    /// Why it is refused: it leads too far or judges one value too often.
    pub(crate) fn bounded(
        schema: &'a Value,
        documents: &'a BTreeMap<String, Value>,
    ) -> Result<Self, String> {
        let draft = Draft::of_schema(schema).unwrap_or_default();
        if let Some(Fault { document, message, .. }) = namesake(schema, documents, draft) {
            return Err(format!("{document}: {message}"));
        }
        let library = Self::new(schema, documents, draft);
        match library.too_long_a_way().or_else(|| library.too_many_visits()) {
            Some(why) => Err(why),
            None => Ok(library),
        }
    }

    /// The schema itself.
    pub(crate) fn root(&self) -> Option<SchemaNode<'a>> {
        self.resources.get("").cloned()
    }

    /// Where a reference leads.
    pub(crate) fn resolve(&self, from: &SchemaNode<'a>, reference: &str) -> Option<SchemaNode<'a>> {
        let uri = uri::resolve(&from.base, reference);
        let resource = self.resources.get(&uri)?;
        let fragment = uri::fragment(reference);
        if fragment.is_empty() {
            return Some(resource.clone());
        }
        if !fragment.starts_with('/') {
            return self.anchors.get(&(resource.base.clone(), fragment)).cloned();
        }
        // Step by step, for a schema on the way may have an address of its own.
        let mut place = resource.clone();
        for part in fragment.split('/').skip(1) {
            let name = unescape(part);
            let next = match place.schema {
                Value::Object(members) => members.get(&*name),
                Value::Array(items) => index(&name).and_then(|i| items.get(i)),
                _ => None,
            };
            place = place.inside(next?);
        }
        Some(place)
    }

    fn walk_document(&mut self, uri: &'a str, document: &'a Value, draft: Draft) {
        let place = SchemaNode::new(document, uri, draft, uri);
        self.resources.insert(uri.to_owned(), place.clone());
        self.walk(&place, uri, &mut String::new());
    }

    fn walk(&mut self, place: &SchemaNode<'a>, document: &str, pointer: &mut String) {
        if !self.seen.insert(std::ptr::from_ref(place.schema)) {
            return;
        }
        let Some(members) = place.schema.as_object() else { return };
        if place.id().is_some() {
            self.resources.entry(place.base.clone()).or_insert_with(|| place.clone());
        }
        for anchor in place.anchors() {
            self.anchors.insert((place.base.clone(), anchor.to_owned()), place.clone());
        }
        if let Some(named) = members.get("$schema").and_then(Value::as_str)
            && Draft::of_uri(named).is_none()
        {
            self.drafts.push((place.home, named));
            let message = format!("{named:?} is not a known draft of JSON Schema.");
            self.fault(document, pointer, "/$schema", message);
        }
        for keyword in ["$ref"].into_iter().chain(MOVING) {
            if let Some(target) = members.get(keyword).and_then(Value::as_str) {
                let pointer = format!("{pointer}/{keyword}");
                let (place, document) = (place.clone(), document.to_owned());
                self.references.push(Reference { place, keyword, target, document, pointer });
            }
        }
        self.walk_members(place, members, document, pointer);
    }

    fn walk_members(
        &mut self,
        place: &SchemaNode<'a>,
        members: &'a Map<String, Value>,
        document: &str,
        pointer: &mut String,
    ) {
        let is_only_reference = place.is_only_reference();
        for (keyword, value) in members {
            let word = keyword.as_str();
            if is_only_reference && !matches!(word, "$defs" | "definitions") {
                continue;
            }
            let len = pointer.len();
            pointer.push('/');
            pointer.push_str(&escape(word));
            if !keywords::is_known(place.draft, word) {
                let place = (place.draft, word);
                self.unknown.entry(place).or_insert_with(|| format!("{document}{pointer}"));
            }
            match value {
                Value::Object(named) if NAMED.contains(&word) => {
                    for (name, schema) in named {
                        let len = pointer.len();
                        pointer.push('/');
                        pointer.push_str(&escape(name));
                        if word == "patternProperties" {
                            self.pattern(document, pointer, name);
                        }
                        self.lead(word, place, schema);
                        self.walk(&place.inside(schema), document, pointer);
                        pointer.truncate(len);
                    }
                }
                Value::Array(items) if LISTS.contains(&word) => {
                    for (i, schema) in items.iter().enumerate() {
                        let len = pointer.len();
                        pointer.push('/');
                        pointer.push_str(&i.to_string());
                        self.lead(word, place, schema);
                        self.walk(&place.inside(schema), document, pointer);
                        pointer.truncate(len);
                    }
                }
                Value::Object(_) | Value::Bool(_) if SCHEMAS.contains(&word) => {
                    self.lead(word, place, value);
                    self.walk(&place.inside(value), document, pointer);
                }
                Value::String(text) if word == "format" => {
                    let place = (place.draft, text.as_str());
                    self.formats.entry(place).or_insert_with(|| format!("{document}{pointer}"));
                }
                Value::String(text) if word == "pattern" => self.pattern(document, pointer, text),
                _ => {}
            }
            pointer.truncate(len);
        }
    }

    fn follow(&mut self, reference: &Reference<'a>) {
        let uri = uri::resolve(&reference.place.base, reference.target);
        if let Some(target) = self.resolve(&reference.place, reference.target) {
            self.uses.insert((reference.place.home, target.home));
            self.rename(reference, &uri);
            let from = std::ptr::from_ref(reference.place.schema);
            self.same.entry(from).or_default().push(std::ptr::from_ref(target.schema));
            self.leads.entry(from).or_default().push(std::ptr::from_ref(target.schema));
            let mut pointer = uri::fragment(reference.target);
            self.walk(&target, &uri, &mut pointer);
        } else if self.resources.contains_key(&uri) {
            let message = format!("The reference {:?} cannot be resolved.", reference.target);
            self.fault(&reference.document, &reference.pointer, "", message);
        } else if !Draft::is_built_in(&uri) {
            self.absent.push(Absent { uri, from: reference.place.home.to_owned() });
        }
    }

    /// Notes a reference that does not use the name by which its target knows itself.
    fn rename(&mut self, reference: &Reference<'a>, uri: &str) {
        let known = self.resources.get(uri).filter(|known| known.base != uri);
        if let (Some(known), Some(text)) = (known, reference.place.schema.get(reference.keyword)) {
            let fragment = reference.target.split_once('#').map_or("", |(_, fragment)| fragment);
            let renamed = format!("{}#{fragment}", uri::resolve(BASE, &known.base));
            self.renamed.insert(std::ptr::from_ref(text), renamed);
        }
    }

    /// Addresses of the documents that the schema leads to, straight or through others, and its own.
    fn used(&self) -> BTreeSet<&'a str> {
        let mut used = BTreeSet::new();
        let mut open = vec![""];
        while let Some(home) = open.pop() {
            if used.insert(home) {
                let leads = self.uses.iter().filter(|(from, _)| *from == home);
                open.extend(leads.map(|(_, to)| *to));
                let drafts = self.drafts.iter().filter(|(from, _)| *from == home);
                let known =
                    drafts.filter_map(|(_, name)| self.resources.get(uri::without_fragment(name)));
                open.extend(known.map(|draft| draft.home));
            }
        }
        used
    }

    /// The schema and the documents that it leads to, with references as the compiler follows them: by the
    /// name that a document gives itself.
    pub(crate) fn linked(&self) -> (Cow<'a, Value>, Documents<'a>) {
        let linked = |uri: &'a str| {
            let document = self.resources.get(uri)?.schema;
            let is_same = self.renamed.is_empty();
            Some(if is_same {
                Cow::Borrowed(document)
            } else {
                Cow::Owned(self.with_names(document))
            })
        };
        let mut used: Documents<'a> =
            self.used().into_iter().filter_map(|uri| Some((uri, linked(uri)?))).collect();
        (used.remove("").unwrap_or_default(), used)
    }

    fn with_names(&self, value: &Value) -> Value {
        match (self.renamed.get(&std::ptr::from_ref(value)), value) {
            (Some(renamed), _) => Value::String(renamed.clone()),
            (None, Value::Array(items)) => items.iter().map(|item| self.with_names(item)).collect(),
            (None, Value::Object(members)) => {
                members.iter().map(|(name, value)| (name.clone(), self.with_names(value))).collect()
            }
            (None, other) => other.clone(),
        }
    }

    fn lead(&mut self, keyword: &str, from: &SchemaNode<'a>, to: &'a Value) {
        let (from, to) = (std::ptr::from_ref(from.schema), std::ptr::from_ref(to));
        // What is defined is compiled where something refers to it.
        if !matches!(keyword, "$defs" | "definitions") {
            self.leads.entry(from).or_default().push(to);
        }
        if SAME.contains(&keyword) {
            self.same.entry(from).or_default().push(to);
        }
    }

    fn fault(&mut self, document: &str, pointer: &str, below: &str, message: String) {
        let pointer = format!("{pointer}{below}");
        self.faults.push(Fault { document: document.to_owned(), pointer, message });
    }

    fn pattern(&mut self, document: &str, pointer: &str, pattern: &'a str) {
        let message = format!("{pattern:?} is not a valid regular expression (ECMA-262).");
        let (document, pointer) = (document.to_owned(), pointer.to_owned());
        self.patterns.push((Fault { document, pointer, message }, pattern));
    }
}

/// The first document that has the name of another one which is different, as address or as `$id`.
fn namesake(schema: &Value, documents: &BTreeMap<String, Value>, draft: Draft) -> Option<Fault> {
    let mut names = BTreeMap::from([(String::new(), schema)]);
    names.insert(SchemaNode::new(schema, "", draft, "").base, schema);
    documents.iter().find_map(|(address, document)| {
        let known = SchemaNode::new(document, address, draft, address).base;
        let mut names = [address.clone(), known].into_iter().filter_map(|name| {
            let other = names.insert(name.clone(), document);
            other.filter(|other| *other != document).map(|_| name)
        });
        let name = names.next()?;
        let message = format!("Another schema has the address {name:?}, too.");
        Some(Fault { document: address.clone(), pointer: String::new(), message })
    })
}

/// An index of a list as a JSON Pointer writes it.
fn index(name: &str) -> Option<usize> {
    let is_plain = name == "0" || !name.starts_with(['0', '+']);
    is_plain.then(|| name.parse().ok()).flatten()
}

#[cfg(test)]
mod tests;
