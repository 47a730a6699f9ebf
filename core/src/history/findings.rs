//! All findings: in groups by rule and member, each with its count and its first places; and one by one.

use std::cell::RefCell;

use super::finding_groups::{Groups, Subject};
use super::finding_order::{Order, Stretch};
use super::grouping::Grouping;
use super::source::Source;
use super::{History, no_such_source};
use crate::error::Error;
use crate::model::finding::{Finding, FindingGroup};
use crate::model::id::{RecordId, SourceId};
use crate::sort::StableSort as _;

impl Order {
    fn of(history: &History, grouping: &Grouping) -> Self {
        let rows = &history.table.rows;
        let at_record = |record: Option<RecordId>, offset: Option<u64>| {
            let row = record.and_then(|record| rows.get(record.index()));
            row.map(|row| row.start).or(offset).unwrap_or(0)
        };
        let stretch = |item, Subject { record, source, offset, .. }: Subject, len| Stretch {
            source,
            at: at_record(record, offset),
            item,
            end: len,
        };
        let mut stretches = Vec::new();
        for (source, items) in (0..).zip(&history.sources) {
            let items = (0..).zip(items.subjects());
            stretches.extend(items.map(|(at, (of, len))| stretch((Some(source), at), of, len)));
        }
        let of_grouping = (0..).zip(&grouping.findings);
        stretches.extend(of_grouping.map(|(at, f)| stretch((None, at), Subject::of(f), 1)));
        stretches.sort_by_key(|stretch| (stretch.source, stretch.at));
        let mut end = 0;
        for stretch in &mut stretches {
            end += stretch.end;
            stretch.end = end;
        }
        Self { stretches, last: RefCell::new(None) }
    }
}

impl History {
    /// All findings, by source, record, place and rule.
    pub fn findings(&self) -> Vec<Finding> {
        self.findings_from(0, usize::MAX)
    }

    /// Some of [`History::findings`]: at most `count`, after the first `from` are skipped.
    pub fn findings_from(&self, from: usize, count: usize) -> Vec<Finding> {
        let grouping = self.grouping();
        let order = grouping.order.get_or_init(|| Order::of(self, grouping));
        let place = |stretch: &Stretch| (stretch.source, stretch.at);
        // Those of one place are sorted together.
        let first = order.stretches.partition_point(|stretch| stretch.end <= from);
        let Some(wanted) = order.stretches.get(first).map(place) else { return Vec::new() };
        let first = order.stretches.partition_point(|stretch| place(stretch) < wanted);
        let before = first.checked_sub(1).and_then(|at| order.stretches.get(at));
        let mut skipped = from - before.map_or(0, |stretch| stretch.end).min(from);
        let mut some: Vec<Finding> = Vec::new();
        let rest = order.stretches.get(first..).unwrap_or_default();
        for together in rest.chunk_by(|a, b| place(a) == place(b)) {
            let wanted = count - some.len();
            if wanted == 0 {
                break;
            }
            let place = together.first().map(place);
            let kept = order.last.take().filter(|(of, _)| Some(*of) == place);
            let all = kept.map_or_else(|| self.made(grouping, together), |(_, all)| all);
            if skipped + wanted < all.len() {
                // A record may have 100,000 findings, and the next of them are asked for next.
                some.extend(all.iter().skip(skipped).take(wanted).cloned());
                order.last.replace(place.map(|place| (place, all)));
            } else {
                some.extend(all.into_iter().skip(skipped));
            }
            skipped = 0;
        }
        some.into_iter().map(|finding| self.with_run(finding)).collect()
    }

    /// The same as [`History::findings`], made some at a time: there may be a million.
    pub fn each_finding(&self) -> impl Iterator<Item = Finding> {
        const PART: usize = 1000;
        let parts = (0..self.finding_count()).step_by(PART);
        parts.flat_map(|from| self.findings_from(from, PART))
    }

    /// The findings of one place, in order.
    fn made(&self, grouping: &Grouping, together: &[Stretch]) -> Vec<Finding> {
        let mut all: Vec<Finding> = Vec::new();
        for stretch in together {
            match stretch.item {
                (Some(source), at) => {
                    let source = self.sources.get(source as usize);
                    all.extend(source.map(|s| s.findings_at(at)).unwrap_or_default());
                }
                (None, at) => all.extend(grouping.findings.get(at as usize).cloned()),
            }
        }
        all.stable_sort_by(|a, b| {
            (a.offset, &a.rule, &a.pointer).cmp(&(b.offset, &b.rule, &b.pointer))
        });
        all
    }

    /// All findings, by rule and member: the gravest first, of one severity the most frequent.
    ///
    /// Quick also where there are a million: sentences are made for a few findings of each kind.
    pub fn finding_groups(&self) -> Vec<FindingGroup> {
        self.grouped(None, self.sources.iter(), &self.grouping().findings)
    }

    /// Those of [`History::finding_groups`] that are about one source, counted in it alone.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NoSuchSource`](crate::ErrorCode::NoSuchSource).
    pub fn finding_groups_of(&self, id: SourceId) -> Result<Vec<FindingGroup>, Error> {
        let holder = self.sources.get(id.index()).ok_or_else(|| no_such_source(id))?;
        let findings = &self.grouping().findings;
        let start = findings.partition_point(|finding| finding.source < Some(id));
        let end = findings.partition_point(|finding| finding.source <= Some(id));
        let of_grouping = findings.get(start..end).unwrap_or_default();
        Ok(self.grouped(Some(id), std::iter::once(holder), of_grouping))
    }

    fn grouped<'a>(
        &self,
        of: Option<SourceId>,
        sources: impl Iterator<Item = &'a Source>,
        of_grouping: &[Finding],
    ) -> Vec<FindingGroup> {
        let mut groups = Groups::new(of);
        for source in sources {
            source.group_findings(&mut groups);
        }
        for finding in of_grouping {
            groups.add(finding, 1);
        }
        let mut all = groups.all;
        for group in &mut all {
            let first = std::mem::take(&mut group.first);
            group.first = first.into_iter().map(|finding| self.with_run(finding)).collect();
        }
        all.stable_sort_by(|a, b| {
            (a.severity as u8, b.count, &a.rule, &a.pointer).cmp(&(
                b.severity as u8,
                a.count,
                &b.rule,
                &b.pointer,
            ))
        });
        all
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::finding_groups::{FIRST_OF_GROUP, general};
    use super::*;
    use crate::ErrorCode;
    use crate::validate::Profile;

    /// Checks that groups say of findings how many there are of each kind, and which are the first.
    fn are_groups_of<'a>(all: impl Iterator<Item = &'a Finding>, groups: &[FindingGroup]) {
        let mut expected: BTreeMap<_, Vec<&Finding>> = BTreeMap::new();
        for finding in all {
            let pointer = finding.pointer.as_deref().map(|p| general(p).into_owned());
            expected.entry((&finding.rule, pointer)).or_default().push(finding);
        }
        assert_eq!(groups.len(), expected.len());
        assert!((5..20).contains(&groups.len()), "{}", groups.len());
        for group in groups {
            let of_group = &expected[&(&group.rule, group.pointer.clone())];
            assert_eq!(group.count as usize, of_group.len(), "{}", group.rule);
            let first = of_group.iter().copied().take(FIRST_OF_GROUP);
            assert!(group.first.iter().eq(first), "{group:?}");
        }
        assert!(groups.is_sorted_by_key(|group| group.severity as u8));
    }

    /// Groups say in few words what the list of all says, of all sources and of each.
    #[test]
    fn groups_count_and_list_what_the_list_has() {
        for profile in [Profile::Lenient, Profile::Strict] {
            let mut history = History::new(profile);
            for name in ["b.jsonl", "a.jsonl"] {
                let source = history.open(name);
                for n in 0..40 {
                    let odd = match n % 4 {
                        0 => r#""mood": 1"#,
                        1 => r#""timestamp": "2024-01-01""#,
                        2 => r#""actor_output": {"actions": [{"type": "x"}, {"type": "y"}]}"#,
                        _ if n < 12 => r#""evaluator_output": {"reward_signal": 7}"#,
                        _ if n % 8 == 3 => r#""evaluator_output": {"reward_signal": 700}"#,
                        _ => r#""evaluator_output": {"reward_signal": 55}"#,
                    };
                    let line = format!(
                        "{{\"loop_id\": \"My loop {}\", \"iteration\": {n}, {odd}, \"self_reflection\": {{\"reflection_text\": \"x\"}}}}\n",
                        n / 10
                    );
                    history.push(source, line.as_bytes()).expect("it is open");
                }
                history.finish(source).expect("it is open");
            }
            let all = history.findings();
            assert_eq!(all.len(), history.finding_count());
            assert!(all.is_sorted_by_key(|finding| (finding.source, finding.offset)));
            for count in [1, 2, 7, 1000] {
                let pages = (0..all.len()).step_by(count);
                let pages: Vec<_> = pages.flat_map(|at| history.findings_from(at, count)).collect();
                assert_eq!(pages, all, "{count} at a time");
            }
            assert!(history.findings_from(all.len(), 1).is_empty());
            let groups = history.finding_groups();
            are_groups_of(all.iter(), &groups);
            for id in [SourceId(0), SourceId(1)] {
                let own = history.finding_groups_of(id).expect("it is open");
                are_groups_of(all.iter().filter(|finding| finding.source == Some(id)), &own);
            }
            let unknown = history.finding_groups_of(SourceId(2)).map_err(|error| error.code());
            assert_eq!(unknown, Err(ErrorCode::NoSuchSource));
            let ids = groups.iter().find(|group| group.rule == "lenient/loop-id");
            assert_eq!(ids.map(|group| group.count), (profile == Profile::Lenient).then_some(2));
        }
    }
}
