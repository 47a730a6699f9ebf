//! What a finding is about, and findings in groups by rule and member.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::model::finding::{Finding, FindingGroup};
use crate::model::id::{RecordId, RunId, SourceId};
use crate::model::reward::count;

/// What a finding is about.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Subject {
    pub(crate) record: Option<RecordId>,
    pub(crate) run: Option<RunId>,
    pub(crate) iteration: Option<i64>,
    pub(super) source: Option<SourceId>,
    pub(super) offset: Option<u64>,
}

impl Subject {
    pub(crate) fn of(finding: &Finding) -> Self {
        let Finding { record, run, iteration, source, offset, .. } = *finding;
        Self { record, run, iteration, source, offset }
    }
}

/// Of each group so many findings are listed.
pub(super) const FIRST_OF_GROUP: usize = 3;

/// Groups while they are made.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// The source whose findings are grouped; none: those of all sources.
    of: Option<SourceId>,
    pub(super) all: Vec<FindingGroup>,
    by_key: BTreeMap<(Cow<'static, str>, u8, Option<String>), usize>,
    /// Findings of one group stand together.
    last: usize,
}

impl Groups {
    /// Without any finding yet.
    pub(super) fn new(of: Option<SourceId>) -> Self {
        Self { of, ..Self::default() }
    }

    /// Adds a finding that stands for so many, unless it is about another source.
    pub(super) fn add(&mut self, finding: &Finding, times: usize) {
        self.add_at(finding, finding.offset, times, || finding.clone());
    }

    /// The same of a finding at a place: `made` gives it with that place, if it is listed.
    pub(super) fn add_at(
        &mut self,
        finding: &Finding,
        offset: Option<u64>,
        times: usize,
        made: impl FnOnce() -> Finding,
    ) {
        if self.of.is_some() && self.of != finding.source {
            return;
        }
        let pointer = finding.pointer.as_deref().map(general);
        let is_last = self.all.get(self.last).is_some_and(|group| {
            (&group.rule, group.severity, group.pointer.as_deref())
                == (&finding.rule, finding.severity, pointer.as_deref())
        });
        if !is_last {
            let pointer = pointer.map(Cow::into_owned);
            let key = (finding.rule.clone(), finding.severity as u8, pointer);
            self.last = *self.by_key.entry(key).or_insert_with_key(|(rule, _, pointer)| {
                self.all.push(FindingGroup {
                    rule: rule.clone(),
                    severity: finding.severity,
                    pointer: pointer.clone(),
                    count: 0,
                    first: Vec::new(),
                });
                self.all.len() - 1
            });
        }
        let Some(group) = self.all.get_mut(self.last) else { return };
        group.count = group.count.saturating_add(count(times));
        let place = (finding.source, offset, finding.pointer.as_deref());
        let at = group.first.partition_point(|known| {
            (known.source, known.offset, known.pointer.as_deref()) <= place
        });
        if at < FIRST_OF_GROUP {
            group.first.insert(at, made());
            group.first.truncate(FIRST_OF_GROUP);
        }
    }
}

/// A pointer with `*` for every place in a list.
pub(super) fn general(pointer: &str) -> Cow<'_, str> {
    let is_place = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !pointer.split('/').any(is_place) {
        return pointer.into();
    }
    let parts = pointer.split('/').map(|part| if is_place(part) { "*" } else { part });
    parts.collect::<Vec<_>>().join("/").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_lists_are_one() {
        assert_eq!(general("/a/0/b/12"), "/a/*/b/*");
        assert_eq!(general("/a/b1"), "/a/b1");
        assert_eq!(general(""), "");
    }
}
