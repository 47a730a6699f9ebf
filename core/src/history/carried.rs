//! What bundles carry: the sources that they were made of, and what columns hold of their runs.

use std::collections::{BTreeMap, BTreeSet};

use crate::format::FormatId;
use crate::format::hindscope_bundle::StepColumns;
use crate::model::id::{RecordId, SourceId};
use crate::model::reward::count;
use crate::model::view::{SourceState, SourceView};

/// Ids of carried sources begin here. Hosts count what they open from 0, and go on doing so.
pub(crate) const FIRST_CARRIED: u32 = 1 << 31;

/// Everything that the bundles of a history carry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Carried {
    pub(crate) sources: Vec<CarriedSource>,
    /// By position of the record.
    pub(crate) runs: BTreeMap<usize, CarriedRun>,
    /// By the bundle's own source.
    pub(crate) bundles: BTreeMap<u32, Bundle>,
    names: BTreeMap<(u32, String), usize>,
}

/// A source that a bundle was made of.
#[derive(Clone, Debug)]
pub(crate) struct CarriedSource {
    /// The bundle's own source, and what it calls this one.
    pub(crate) bundle: u32,
    pub(crate) name: String,
    pub(crate) view: SourceView,
    pub(crate) sha256: Option<String>,
    /// How many of its records were kept, as the bundle states it.
    pub(crate) kept: Option<u32>,
    /// Members that are not known, as they stand.
    pub(crate) more: String,
    pub(crate) is_declared: bool,
    /// Where its records stood, of those that were seen.
    pub(crate) spans: BTreeSet<(u64, u64)>,
}

/// A run as a bundle has it.
#[derive(Clone, Debug)]
pub(crate) struct CarriedRun {
    pub(crate) name: String,
    pub(crate) group: Option<String>,
    pub(crate) group_format: Option<FormatId>,
    pub(crate) format: FormatId,
    pub(crate) base_provenance: &'static str,
    pub(crate) steps: Vec<StepColumns>,
    /// Numbers of the reflections from before its first attempt.
    pub(crate) earlier: Vec<i64>,
    /// Times of reflections that have one of their own, by part.
    pub(crate) times: BTreeMap<u32, f64>,
    /// Its sources, by first use.
    pub(crate) sources: Vec<SourceId>,
    /// Source of its leading record.
    pub(crate) lead: Option<SourceId>,
}

/// A bundle as a whole.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bundle {
    /// Members of its head, known ones in order: name and value as JSON.
    pub(crate) head: Vec<(String, String)>,
    pub(crate) version: Option<i64>,
    /// Its version is above ours.
    pub(crate) is_newer: bool,
    pub(crate) has_originals: bool,
    pub(crate) runs: BTreeMap<String, RecordId>,
}

impl Carried {
    /// The source that a bundle calls so, from its first mention on.
    pub(crate) fn source(&mut self, bundle: u32, name: &str) -> SourceId {
        let known = self.names.get(&(bundle, name.to_owned())).copied();
        let at = known.unwrap_or_else(|| {
            let id = id_of(self.sources.len());
            self.names.insert((bundle, name.to_owned()), self.sources.len());
            self.sources.push(CarriedSource {
                bundle,
                name: name.to_owned(),
                view: SourceView {
                    id,
                    path: name.to_owned(),
                    format: None,
                    why: None,
                    framing: None,
                    encoding: "utf-8".to_owned(),
                    bytes: 0,
                    digest: None,
                    state: SourceState::Read,
                    reason: None,
                    kept: 0,
                    repaired: 0,
                    skipped: 0,
                },
                sha256: None,
                kept: None,
                more: String::new(),
                is_declared: false,
                spans: BTreeSet::new(),
            });
            self.sources.len() - 1
        });
        id_of(at)
    }

    /// The source that a bundle calls so, if it was mentioned.
    pub(crate) fn known(&self, bundle: u32, name: &str) -> Option<SourceId> {
        self.names.get(&(bundle, name.to_owned())).map(|at| id_of(*at))
    }

    pub(crate) fn get(&self, id: SourceId) -> Option<&CarriedSource> {
        self.sources.get(position(id)?)
    }

    pub(crate) fn get_mut(&mut self, id: SourceId) -> Option<&mut CarriedSource> {
        self.sources.get_mut(position(id)?)
    }

    /// The view of a carried source.
    pub(crate) fn view(&self, id: SourceId) -> Option<SourceView> {
        let source = self.get(id)?;
        let seen = count(source.spans.len());
        Some(SourceView { kept: source.kept.unwrap_or(seen), ..source.view.clone() })
    }

    pub(crate) fn views(&self) -> impl Iterator<Item = SourceView> {
        (0..self.sources.len()).filter_map(|at| self.view(id_of(at)))
    }

    /// What makes a source the same in two bundles.
    pub(crate) fn is_same(&self, a: SourceId, b: SourceId) -> bool {
        let (Some(a), Some(b)) = (self.get(a), self.get(b)) else { return false };
        let is_other = |(a, b): (&String, &String)| a != b;
        a.view.path == b.view.path
            && a.view.bytes == b.view.bytes
            && !a.sha256.as_ref().zip(b.sha256.as_ref()).is_some_and(is_other)
    }
}

fn id_of(at: usize) -> SourceId {
    SourceId(count(at).saturating_add(FIRST_CARRIED))
}

fn position(id: SourceId) -> Option<usize> {
    id.0.checked_sub(FIRST_CARRIED).map(|at| at as usize)
}

impl SourceId {
    /// Whether it is a source that a bundle carries: there is no file of it, and none of its bytes
    /// can be asked for.
    pub const fn is_carried(self) -> bool {
        self.0 >= FIRST_CARRIED
    }
}
