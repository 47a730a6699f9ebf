//! What lists, counts and filters need of each finding. A sentence is made when a finding is shown: a history may
//! have a million findings, and their sentences would take much memory.

use std::borrow::Cow;
use std::collections::BTreeMap;

use hindscope::{History, RecordId, RunId, Severity, SourceId, StableSort as _};

use crate::protocol::count;

/// What is known of a finding without making it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brief {
    /// Its position among [`History::findings`].
    pub(crate) at: u32,
    pub(crate) severity: Severity,
    /// Position in [`FindingIndex::rules`].
    pub(crate) rule: u32,
    pub(crate) run: Option<RunId>,
    pub(crate) iteration: Option<i64>,
    pub(crate) source: Option<SourceId>,
    pub(crate) record: Option<RecordId>,
    /// Where it begins in its source, in bytes.
    pub(crate) offset: Option<u64>,
}

/// All findings of a history.
#[derive(Debug, Default)]
pub(crate) struct FindingIndex {
    /// The most severe first, then by rule; within a rule in the order of the input.
    pub(crate) briefs: Vec<Brief>,
    /// The rules that they name, sorted.
    pub(crate) rules: Vec<Cow<'static, str>>,
    /// Positions in `briefs` of the findings of each source.
    of_source: BTreeMap<SourceId, Vec<u32>>,
}

impl FindingIndex {
    pub(crate) fn of(history: &History) -> Self {
        let mut met: BTreeMap<Cow<'static, str>, u32> = BTreeMap::new();
        let mut briefs = Vec::new();
        for finding in history.each_finding() {
            let next = count(met.len());
            briefs.push(Brief {
                at: count(briefs.len()),
                severity: finding.severity,
                rule: *met.entry(finding.rule).or_insert(next),
                run: finding.run,
                iteration: finding.iteration,
                source: finding.source,
                record: finding.record,
                offset: finding.offset,
            });
        }
        // Rules came in the order of meeting.
        let mut rank = vec![0; met.len()];
        for (at, id) in (0..).zip(met.values()) {
            rank[*id as usize] = at;
        }
        for brief in &mut briefs {
            brief.rule = rank[brief.rule as usize];
        }
        briefs.stable_sort_by_key(|brief| (brief.severity, brief.rule));
        let mut of_source: BTreeMap<SourceId, Vec<u32>> = BTreeMap::new();
        for (at, brief) in (0..).zip(&briefs) {
            if let Some(source) = brief.source {
                of_source.entry(source).or_default().push(at);
            }
        }
        Self { briefs, rules: met.into_keys().collect(), of_source }
    }

    pub(crate) fn rule(&self, brief: &Brief) -> &Cow<'static, str> {
        &self.rules[brief.rule as usize]
    }

    /// Those of one source, in order.
    pub(crate) fn of_source(&self, source: SourceId) -> impl ExactSizeIterator<Item = &Brief> {
        let own = self.of_source.get(&source).map_or(&[][..], Vec::as_slice);
        own.iter().map(|at| &self.briefs[*at as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindscope::Profile;

    #[test]
    fn it_says_what_the_findings_say_in_the_order_of_the_page() {
        let record = |number: usize| {
            let other = ["", r#", "mood": "good""#, r#", "timestamp": "soon""#][number % 3];
            format!(
                r#"{{"loop_id": "a-{}", "iteration": {number}, "self_reflection": {{"reflection_text": "x"}}{other}}}"#,
                number % 7
            )
        };
        let mut history = History::new(Profile::Lenient);
        for (path, range) in [("a.jsonl", 0..900), ("b.jsonl", 900..930)] {
            let source = history.open(path);
            let lines: Vec<String> = range.map(record).collect();
            history
                .push(source, format!("{}\nno record\n", lines.join("\n")).as_bytes())
                .expect("open");
            history.finish(source).expect("open");
        }
        let mut expected: Vec<_> = history.findings().into_iter().zip(0..).collect();
        expected.sort_by(|(a, _), (b, _)| (a.severity, &a.rule).cmp(&(b.severity, &b.rule)));
        let index = FindingIndex::of(&history);
        assert!(index.briefs.len() > 2000 && index.rules.len() > 3);
        let said = index.briefs.iter().map(|brief| {
            (
                brief.at,
                brief.severity,
                index.rule(brief).clone(),
                (brief.run, brief.iteration),
                brief.source,
                (brief.record, brief.offset),
            )
        });
        let of = |(f, at): &(hindscope::Finding, u32)| {
            (*at, f.severity, f.rule.clone(), (f.run, f.iteration), f.source, (f.record, f.offset))
        };
        assert!(said.eq(expected.iter().map(of)));
        for source in [SourceId(0), SourceId(1), SourceId(2)] {
            let own = expected.iter().filter(|(f, _)| f.source == Some(source)).map(|(_, at)| *at);
            assert!(index.of_source(source).map(|brief| brief.at).eq(own));
        }
    }
}
