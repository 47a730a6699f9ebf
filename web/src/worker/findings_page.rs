//! The findings that a choice lets through: those of reading and those of judging, put together.

use hindscope::{
    Finding, History, Query, RunId, Severity, SourceId, SourceView, StableSort as _, Target,
    natural,
};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::finding_index::Brief;
use super::finding_list::{At, FindingList, Line};
use super::findings::row;
use super::judge;
use super::session::{Session, is_damaged};
use crate::protocol::{
    FindingChoice, FindingGroup, FindingKind, FindingLine, FindingsBody, FindingsBy, NameCount,
    Rows, RuleCount, count,
};

/// Runs and sources that are offered to choose from.
const NAMES: usize = 200;

/// One page of the findings that a choice lets through.
pub(crate) fn page(session: &mut Session, choice: &FindingChoice, rows: Rows) -> FindingsBody {
    let found = found(session, choice);
    let shown = rows.within(count(found.lines.len()));
    let mut body = found.body.clone();
    let judged = session.history.run_count();
    body.judged = session.cache.insight.progress(judged);
    body.repeats = session.cache.insight.repeats();
    body.page.first = shown.start;
    for line in &found.lines[shown.start as usize..shown.end as usize] {
        let line = match *line {
            Line::Group(group) => found.groups.get(group as usize).cloned().map(FindingLine::Group),
            Line::Finding(at) => {
                with(session, at, row).map(|row| FindingLine::Finding(Box::new(row)))
            }
        };
        body.page.rows.extend(line);
    }
    body
}

/// Where all findings of a choice are kept, those of closed groups as well.
pub(crate) fn all(session: &mut Session, choice: &FindingChoice) -> Vec<At> {
    let open = FindingChoice { grouped: None, shut: Vec::new(), ..choice.clone() };
    let lines = &found(session, &open).lines;
    let at = |line: &Line| match line {
        Line::Group(_) => None,
        Line::Finding(at) => Some(*at),
    };
    lines.iter().filter_map(at).collect()
}

/// Does something with a finding.
pub(crate) fn with<T>(
    session: &mut Session,
    at: At,
    to: impl FnOnce(&mut Session, &Finding) -> T,
) -> Option<T> {
    match at {
        At::Read(at) => {
            let finding = session.finding(at)?;
            Some(to(session, &finding))
        }
        At::Judged(run, at) => {
            let findings = Rc::clone(session.cache.insight.of(RunId(run))?);
            Some(to(session, findings.get(at as usize)?))
        }
    }
}

fn found(session: &mut Session, choice: &FindingChoice) -> Rc<FindingList> {
    let run = match &choice.run {
        None => OfRun::Any,
        Some(address) => session.find(address).map_or(OfRun::Unknown, OfRun::One),
    };
    let problem = match run {
        OfRun::One(run) => judge::judge(session, run).unwrap_or_else(|error| Some(error.0)),
        _ => None,
    };
    if let Some(found) = session.finding_list(choice) {
        return found;
    }
    let mut sieve = Sieve::new(choice, run, session.sources());
    let index = session.findings();
    // A text that is not a query lets all through: the page says what is wrong in it.
    let query = Query::parse_for(&choice.text, Target::Findings).unwrap_or_default();
    let judged = session.cache.insight.all();
    let history = &session.history;
    let asked = asked(history, &query);
    for brief in &index.briefs {
        let is_asked = asked.as_ref().is_none_or(|asked| asked[brief.at as usize]);
        let Brief { at, severity, run, source, .. } = *brief;
        sieve.offer((severity, index.rule(brief), run, source), At::Read(at), is_asked);
    }
    for (of, findings) in judged {
        for (at, finding) in findings.iter().enumerate() {
            let is_asked = history.matches_finding(&query, finding);
            let Finding { severity, rule, run, source, .. } = finding;
            sieve.offer((*severity, rule, *run, *source), At::Judged(of, count(at)), is_asked);
        }
    }
    let mut found = sieve.finish(session);
    found.body.problem = problem;
    found.body.damaged =
        count(session.sources().iter().filter(|source| is_damaged(source)).count());
    let found = Rc::new(found);
    session.cache_finding_list(choice.clone(), Rc::clone(&found));
    found
}

/// Which findings a query asks for, by their positions; nothing if it asks for all.
fn asked(history: &History, query: &Query) -> Option<Vec<bool>> {
    let is_asked = |finding: Finding| history.matches_finding(query, &finding);
    (!query.is_empty()).then(|| history.each_finding().map(is_asked).collect())
}

/// A finding that was let through, with what it is put in order by.
struct Chosen {
    at: At,
    severity: Severity,
    /// Position among the rules that were met.
    rule: u32,
    run: Option<u32>,
    source: Option<u32>,
}

/// Whose findings.
#[derive(Clone, Copy)]
enum OfRun {
    Any,
    One(RunId),
    /// A run that is not open.
    Unknown,
}

/// Lets findings through, and counts what each filter would leave.
struct Sieve<'a> {
    choice: &'a FindingChoice,
    run: OfRun,
    sources: Rc<Vec<SourceView>>,
    body: FindingsBody,
    /// Rules that were met, in the order of meeting.
    names: BTreeMap<Cow<'static, str>, u32>,
    rules: BTreeMap<(Severity, String), u32>,
    runs: BTreeMap<u32, u32>,
    of_source: BTreeMap<u32, u32>,
    chosen: Vec<Chosen>,
}

impl<'a> Sieve<'a> {
    fn new(choice: &'a FindingChoice, run: OfRun, sources: Rc<Vec<SourceView>>) -> Self {
        Self {
            choice,
            run,
            sources,
            body: FindingsBody::default(),
            names: BTreeMap::new(),
            rules: BTreeMap::new(),
            runs: BTreeMap::new(),
            of_source: BTreeMap::new(),
            chosen: Vec::new(),
        }
    }

    fn offer(
        &mut self,
        (level, rule, run, source): (Severity, &Cow<'static, str>, Option<RunId>, Option<SourceId>),
        at: At,
        is_asked: bool,
    ) {
        let choice = self.choice;
        let path = source.and_then(|source| self.sources.get(source.0 as usize));
        let path = path.map_or("", |view| view.path.as_str());
        let by_run = match self.run {
            OfRun::Any => true,
            OfRun::One(wanted) => run == Some(wanted),
            OfRun::Unknown => false,
        };
        self.body.page.all += 1;
        self.body.of_run += u32::from(by_run);
        self.body.insight += u32::from(by_run && matches!(at, At::Judged(..)));
        let kind = match at {
            At::Read(_) => FindingKind::File,
            At::Judged(..) => FindingKind::Run,
        };
        if !is_asked || choice.kind.is_some_and(|wanted| wanted != kind) {
            return;
        }
        let by_source = choice.source.as_deref().is_none_or(|source| source == path);
        let by_level = choice.level.is_none_or(|wanted| wanted == level);
        let by_rule = choice.rule.as_ref().is_none_or(|wanted| *wanted == *rule);
        if choice.muted.iter().any(|muted| *muted == *rule) {
            self.body.muted += u32::from(by_run && by_source && by_level && by_rule);
            return;
        }
        if by_run && by_source && by_rule {
            self.body.levels[level as usize] += 1;
        }
        if by_run && by_source && by_level {
            *self.rules.entry((level, rule.to_string())).or_default() += 1;
        }
        if let Some(run) = run
            && by_source
            && by_level
            && by_rule
        {
            *self.runs.entry(run.0).or_default() += 1;
        }
        if let Some(source) = source
            && by_run
            && by_level
            && by_rule
        {
            *self.of_source.entry(source.0).or_default() += 1;
        }
        if by_run && by_source && by_level && by_rule {
            let next = count(self.names.len());
            let rule = self.names.entry(rule.clone()).or_insert(next);
            self.chosen.push(Chosen {
                at,
                severity: level,
                rule: *rule,
                run: run.map(|run| run.0),
                source: source.map(|source| source.0),
            });
        }
    }

    fn finish(mut self, session: &mut Session) -> FindingList {
        // Names came in the order of meeting; rules of one level stand in the order of their names.
        let mut rank = vec![0; self.names.len()];
        for (at, id) in self.names.values().enumerate() {
            rank[*id as usize] = at;
        }
        self.chosen.stable_sort_by_key(|chosen| (chosen.severity, rank[chosen.rule as usize]));
        let mut found = FindingList { body: self.body, ..FindingList::default() };
        found.body.chosen = count(self.chosen.len());
        found.body.rules = self
            .rules
            .into_iter()
            .map(|((level, rule), count)| RuleCount { rule, level, count })
            .collect();
        let runs: Vec<RunId> = self.runs.keys().take(NAMES).map(|run| RunId(*run)).collect();
        let rows = session.rows(&runs).into_iter();
        found.body.runs = rows
            .map(|row| NameCount {
                count: self.runs.get(&row.view.id.0).copied().unwrap_or(0),
                name: row.address,
            })
            .collect();
        found.body.sources = self
            .of_source
            .iter()
            .take(NAMES)
            .filter_map(|(source, count)| {
                let name = self.sources.get(*source as usize)?.path.clone();
                Some(NameCount { name, count: *count })
            })
            .collect();
        match self.choice.grouped {
            None => found.lines = self.chosen.iter().map(|c| Line::Finding(c.at)).collect(),
            Some(by) => {
                let names: BTreeMap<u32, Cow<'static, str>> =
                    self.names.into_iter().map(|(rule, id)| (id, rule)).collect();
                let label = |key: Option<u32>, session: &mut Session| -> Option<String> {
                    let key = key?;
                    match by {
                        FindingsBy::Rule => names.get(&key).map(ToString::to_string),
                        FindingsBy::Run => {
                            session.rows(&[RunId(key)]).pop().map(|row| row.address.name())
                        }
                        FindingsBy::Source => {
                            self.sources.get(key as usize).map(|view| view.path.clone())
                        }
                    }
                };
                put_together(&mut found, session, (self.choice, by), &self.chosen, label);
            }
        }
        found.body.page.total = count(found.lines.len());
        found
    }
}

/// Puts the findings of each group below its line. Groups are ordered by their worst finding, then by
/// their number of findings, then by name; findings that belong to no group come last.
fn put_together(
    found: &mut FindingList,
    session: &mut Session,
    (choice, by): (&FindingChoice, FindingsBy),
    chosen: &[Chosen],
    label: impl Fn(Option<u32>, &mut Session) -> Option<String>,
) {
    let mut members: BTreeMap<Option<u32>, Vec<&Chosen>> = BTreeMap::new();
    for one in chosen {
        let key = match by {
            FindingsBy::Rule => Some(one.rule),
            FindingsBy::Run => one.run,
            FindingsBy::Source => one.source,
        };
        members.entry(key).or_default().push(one);
    }
    let worst = |list: &[&Chosen]| list.first().map(|one| one.severity);
    let mut groups: Vec<_> = members
        .into_iter()
        .map(|(key, list)| (label(key, session).unwrap_or_default(), list))
        .collect();
    groups.stable_sort_by(|(a_label, a), (b_label, b)| {
        let rank = |label: &String, list: &[&Chosen]| {
            (label.is_empty(), worst(list), std::cmp::Reverse(list.len()))
        };
        rank(a_label, a).cmp(&rank(b_label, b)).then_with(|| natural(a_label, b_label))
    });
    for (key, list) in groups {
        let is_shut = choice.shut.contains(&key);
        let name = if key.is_empty() { format!("no {}", by.into_str()) } else { key.clone() };
        found.lines.push(Line::Group(count(found.groups.len())));
        found.groups.push(FindingGroup {
            level: worst(&list).unwrap_or(Severity::Info),
            count: count(list.len()),
            label: name,
            key,
            is_shut,
        });
        if !is_shut {
            found.lines.extend(list.iter().map(|one| Line::Finding(one.at)));
        }
    }
}
