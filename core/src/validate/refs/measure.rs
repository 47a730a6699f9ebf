//! How far schemas lead, and how often: what is refused before anything is compiled.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Fault, Library};

/// Schemas that may judge one value: a tenth of a second where every one of them finds an error.
const MAX_VISITS: u64 = 100_000;

/// The longest chain of schemas in which each one applies the next one to the same value.
const MAX_CHAIN: usize = 300;
/// The deepest nesting of schemas, including those that are reached by reference.
const MAX_LEVELS: usize = 1_000;
impl Library<'_> {
    /// Why the schemas are refused, if they judge one value too often.
    pub(crate) fn too_many_visits(&self) -> Option<String> {
        (self.visits > MAX_VISITS).then(|| {
            format!(
                "The schema would check one value more than {MAX_VISITS} times, because its \
                 references multiply. Use fewer references to the same schema."
            )
        })
    }

    /// Why the schemas are refused, if they lead too far: the compiler follows by calling itself.
    pub(crate) fn too_long_a_way(&self) -> Option<String> {
        if self.chain > MAX_CHAIN {
            return Some(format!(
                "A chain of references leads through more than {MAX_CHAIN} schemas."
            ));
        }
        let why = "levels, with those that it refers to.";
        (self.levels > MAX_LEVELS).then(|| format!("The schema has more than {MAX_LEVELS} {why}"))
    }

    /// Whether a schema leads back to itself for the same value, so that a check would never end. Adds a
    /// fault in that case.
    pub(super) fn find_circle(&mut self) -> bool {
        let found = has_circle(&self.same);
        if found {
            let message = "A reference leads back to itself, so the check would never end.";
            let (document, pointer) = Default::default();
            self.faults.push(Fault { document, pointer, message: message.to_owned() });
        }
        self.is_recursive = found || has_circle(&self.leads);
        found
    }

    /// The largest result of any schema. A result starts as `one` and is joined with the result of each
    /// schema that is applied to the same value. Call this only if no schema leads back to itself.
    fn folded<T: Copy + Ord>(&self, one: T, join: impl Fn(T, T) -> T) -> T {
        let mut known: BTreeMap<*const Value, T> = BTreeMap::new();
        for start in self.same.keys() {
            let mut way = vec![(*start, 0, one)];
            while let Some((schema, next, sum)) = way.pop() {
                match self.same.get(&schema).and_then(|leads| leads.get(next)) {
                    Some(to) => match known.get(to) {
                        Some(more) => way.push((schema, next + 1, join(sum, *more))),
                        None => way.extend([(schema, next, sum), (*to, 0, one)]),
                    },
                    None => {
                        known.insert(schema, sum);
                    }
                }
            }
        }
        known.into_values().max().unwrap_or(one)
    }

    /// Sets [`Library::visits`], [`Library::chain`], and [`Library::levels`] as the compiler goes:
    /// along every keyword and reference, into each schema once. Only where nothing leads in a circle.
    pub(super) fn measure(&mut self) {
        self.visits = self.folded(1, u64::saturating_add);
        self.chain = self.folded(1, |links: usize, more| links.max(1 + more));
        let Some(root) = self.root() else { return };
        let mut seen = BTreeSet::new();
        let mut way = vec![(std::ptr::from_ref(root.schema), 0)];
        while let Some((schema, next)) = way.pop() {
            if next == 0 && !seen.insert(schema) {
                continue;
            }
            if let Some(to) = self.leads.get(&schema).and_then(|leads| leads.get(next)) {
                way.extend([(schema, next + 1), (*to, 0)]);
                self.levels = self.levels.max(way.len());
            }
        }
    }
}

/// Whether a way leads back to where it began.
fn has_circle(leads: &BTreeMap<*const Value, Vec<*const Value>>) -> bool {
    let mut done = BTreeSet::new();
    let mut open = BTreeSet::new();
    for start in leads.keys() {
        let mut way = vec![(*start, 0)];
        while let Some((schema, next)) = way.pop() {
            if next == 0 && (done.contains(&schema) || !open.insert(schema)) {
                continue;
            }
            match leads.get(&schema).and_then(|to| to.get(next)) {
                Some(to) if open.contains(to) => return true,
                Some(to) => way.extend([(schema, next + 1), (*to, 0)]),
                None => {
                    open.remove(&schema);
                    done.insert(schema);
                }
            }
        }
    }
    false
}

/// Whether lists and objects are nested deeper than this. The recursion ends where it would become
/// deep.
pub(crate) fn exceeds(value: &Value, levels: usize) -> bool {
    let below = |child: &Value| levels.checked_sub(1).is_none_or(|left| exceeds(child, left));
    match value {
        Value::Array(items) => levels == 0 || items.iter().any(below),
        Value::Object(members) => levels == 0 || members.values().any(below),
        _ => false,
    }
}
