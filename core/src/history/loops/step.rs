//! An attempt as one record describes it, whatever the format; and several of one number made into one
//! (docs/spec/formats.md, "Several records of one attempt").

use crate::sort::StableSort as _;
use std::collections::BTreeSet;
use std::slice;

use super::claim::Claim;
use crate::format::FormatId;
use crate::history::columns::{Attempt, Series};
use crate::history::parsed_rows::{ParsedStepRow, StepReward, Stored, rank_of_rule};
use crate::history::row::{More, Row, Table};
use crate::model::finding::{Finding, Severity};
use crate::model::id::RecordId;
use crate::model::outcome::Outcome;
use crate::model::reward::{Origin, Scale, count, rounded};

/// One attempt of one record. It holds what orders it; all else is read of its row when it is asked for,
/// because a run of many attempts holds all of its steps at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'a> {
    pub(crate) row: usize,
    pub(crate) part: u32,
    pub(crate) format: FormatId,
    /// From a state that a newer one replaced.
    pub(super) is_old: bool,
    /// Its reward was taken as 0 to 1, but is a percentage.
    is_percent: bool,
    pub(super) number: Option<i64>,
    pub(crate) time_ms: Option<f64>,
    of: Of<'a>,
}

/// Where the rest of a step stands.
#[derive(Clone, Copy, Debug)]
enum Of<'a> {
    /// A record that is an attempt itself.
    Row(&'a Row, &'a More),
    Step(&'a ParsedStepRow),
}

impl<'a> Step<'a> {
    /// The attempts in a claim.
    pub(super) fn of_claim(
        table: &'a Table,
        claim: Claim<'a>,
    ) -> impl Iterator<Item = Self> + use<'a> {
        let row = claim.parsed_run.is_none().then(|| Self::of_row(table, claim.row));
        let steps = claim
            .parsed_run
            .map(|parsed_run| table.parsed.steps_of(parsed_run))
            .unwrap_or_default();
        row.into_iter().chain(steps.iter().map(|step| Self::of_step(table, step)))
    }

    fn of_row(table: &'a Table, at: usize) -> Self {
        let row = &table.rows[at];
        Self {
            row: at,
            part: 0,
            format: row.format,
            is_old: false,
            is_percent: false,
            number: row.number(),
            time_ms: row.time_ms(),
            of: Of::Row(row, table.more(row)),
        }
    }

    fn of_step(table: &Table, step: &'a ParsedStepRow) -> Self {
        Self {
            row: step.row,
            part: step.part,
            format: table.rows[step.row].format,
            is_old: false,
            is_percent: false,
            number: step.number,
            time_ms: step.time_ms,
            of: Of::Step(step),
        }
    }

    /// Of several steps of one attempt, the one of the lowest rank leads.
    fn rank(&self) -> u8 {
        self.format.traits().rank
    }

    fn outcome(&self) -> Outcome {
        match self.of {
            Of::Row(row, _) => row.outcome,
            Of::Step(step) => step.outcome,
        }
    }

    fn detail(&self) -> Option<&'static str> {
        match self.of {
            Of::Row(row, _) => row.detail,
            Of::Step(step) => step.detail,
        }
    }

    /// The reward of the format itself (reported or derived), and one that is derived from other members.
    fn rewards(&self) -> [Option<StepReward>; 2] {
        match self.of {
            Of::Row(row, more) => [
                row.reward().map(|value| of_unit(value, Origin::Reported, None)),
                more.derived.map(|(value, rule)| of_unit(value, Origin::Derived, Some(rule))),
            ],
            Of::Step(step) => {
                let percent = |reward: StepReward| StepReward {
                    scale: Scale::Percent,
                    value: rounded(reward.value / 100.0),
                    ..reward
                };
                let reward = step.reward;
                [if self.is_percent { reward.map(percent) } else { reward }, step.derived]
            }
        }
    }

    /// A verdict that counts where the run has no other reward.
    fn verdict(&self) -> Option<StepReward> {
        let Of::Row(row, _) = self.of else { return None };
        let value = match row.outcome {
            Outcome::Success => 1.0,
            Outcome::Failure => 0.0,
            _ => return None,
        };
        let reward = || of_unit(value, Origin::Derived, Some("reward/derive-verdict"));
        row.format.is_validated().then(reward)
    }

    fn errors(&self) -> Option<u32> {
        match self.of {
            Of::Row(row, _) => row.errors(),
            Of::Step(step) => step.errors,
        }
    }

    fn omega(&self) -> Option<u8> {
        match self.of {
            Of::Row(row, _) => row.omega,
            Of::Step(step) => step.omega,
        }
    }

    fn assumed_omega(&self) -> Option<u8> {
        let verification = match self.of {
            Of::Row(row, _) => row.verification,
            Of::Step(_) => None,
        };
        self.format.assumed_omega(verification)
    }

    fn stored(&self) -> Stored {
        match self.of {
            Of::Row(_, more) => more.stored,
            Of::Step(step) => step.stored,
        }
    }

    /// `reward/detect`: where no part of a task declares a scale, the largest value of the run
    /// decides for all. Each record was judged alone before. A reward that was taken as 0..1 becomes
    /// percent here if another reward of the run is percent.
    pub(super) fn one_scale(steps: &mut [(i64, Self)]) {
        let is_open = |s: &Self| s.format.role().is_part();
        let of_scale = |s: &Self, scale| match s.of {
            Of::Step(step) => step.reward.is_some_and(|r| r.scale == scale),
            Of::Row(..) => false,
        };
        if !steps.iter().any(|(_, s)| is_open(s) && of_scale(s, Scale::Percent)) {
            return;
        }
        for (_, step) in steps.iter_mut().filter(|(_, s)| is_open(s) && of_scale(s, Scale::Unit)) {
            step.is_percent = true;
        }
    }

    /// Its reward in a series.
    fn reward_in(&self, series: Series) -> Option<f64> {
        let is_of = |r: &StepReward| r.origin == series.origin && r.rule == series.rule;
        let reward = self.rewards().into_iter().flatten().find(is_of);
        reward.or_else(|| self.verdict().filter(is_of)).map(|r| r.value)
    }

    fn record(&self) -> RecordId {
        RecordId::at(self.row)
    }

    /// Parts of its reflections, each with a hash of the text.
    fn reflections<'t>(&self, table: &'t Table) -> impl Iterator<Item = (u32, u64)> + use<'t> {
        let hashes = table.hashes(&table.rows[self.row]);
        let (start, end) = match self.of {
            Of::Row(..) => (0, count(hashes.len())),
            Of::Step(step) => (step.part, step.part.saturating_add(step.reflections)),
        };
        (start..end).map(|part| (part, hashes.get(part as usize).copied().unwrap_or(0)))
    }
}

fn of_unit(value: f64, origin: Origin, rule: Option<&'static str>) -> StepReward {
    StepReward { scale: Scale::Unit, value, origin, rule }
}

/// Whether two records of different sources say the same in as many bytes.
fn is_copy(table: &Table, a: &Step<'_>, b: &Step<'_>) -> bool {
    let (row_a, row_b) = (&table.rows[a.row], &table.rows[b.row]);
    let hashes = |s: &Step<'_>| s.reflections(table).map(|(_, hash)| hash);
    row_a.source != row_b.source
        && row_a.digest == row_b.digest
        && (a.format, a.part, a.outcome(), a.errors())
            == (b.format, b.part, b.outcome(), b.errors())
        && row_a.end - row_a.start == row_b.end - row_b.start
        && a.time_ms.map(f64::to_bits) == b.time_ms.map(f64::to_bits)
        && a.rewards() == b.rewards()
        && hashes(a).eq(hashes(b))
}

/// The steps of one number.
#[derive(Clone, Debug)]
pub(super) struct Merged<'a> {
    pub(super) number: i64,
    /// The step that leads.
    lead: Step<'a>,
    /// Most numbers have one step, and nothing here.
    several: Option<Box<Several<'a>>>,
}

/// What there is where a number has several steps.
#[derive(Clone, Debug, Default)]
struct Several<'a> {
    /// By rank; those that a later one of their format replaced are not among them.
    steps: Vec<Step<'a>>,
    /// Every record, replaced ones included.
    all: Vec<RecordId>,
    /// Those that a later record of their format replaced. Their reflections were written.
    dropped: Vec<Step<'a>>,
    /// Rows of one format: the one that is replaced, and the one that counts.
    replaced: Vec<(usize, usize)>,
    /// Rows of different sources that say the same.
    same: Vec<(usize, usize)>,
    /// Steps by the digests of their records, as an attempt may have thousands of actions.
    by_digest: BTreeSet<(u64, usize)>,
}

impl<'a> Several<'a> {
    fn of(table: &Table, numbered: &[(i64, Step<'a>)]) -> Self {
        let mut several = Self::default();
        for (_, step) in numbered {
            several.add(table, *step);
        }
        several.steps.stable_sort_by_key(|s| (s.rank(), s.format.role().weight()));
        several
    }

    fn add(&mut self, table: &Table, step: Step<'a>) {
        self.all.push(step.record());
        let digest = table.rows[step.row].digest;
        let same_digest = self.by_digest.range((digest, 0)..=(digest, usize::MAX));
        let mut twins = same_digest.filter_map(|&(_, at)| self.steps.get(at));
        if let Some(twin) = twins.find(|s| is_copy(table, s, &step)) {
            self.same.push((twin.row, step.row));
            return;
        }
        let twin = self.steps.iter().position(|s| s.format == step.format);
        match twin.filter(|_| !step.format.role().is_part()) {
            None => {
                self.by_digest.insert((digest, self.steps.len()));
                self.steps.push(step);
            }
            // The newest state speaks; of two records that both count the later one does.
            Some(_) if step.is_old => {}
            Some(at) => {
                self.by_digest.insert((digest, at));
                let before = std::mem::replace(&mut self.steps[at], step);
                if !before.is_old {
                    self.replaced.push((before.row, step.row));
                    self.dropped.push(before);
                }
            }
        }
    }
}

impl<'a> Merged<'a> {
    pub(super) fn lead(&self) -> &Step<'a> {
        &self.lead
    }

    /// The one that leads first.
    fn steps(&self) -> &[Step<'a>] {
        self.several.as_ref().map_or(slice::from_ref(&self.lead), |several| &several.steps)
    }

    fn dropped(&self) -> &[Step<'a>] {
        self.several.as_ref().map_or(&[], |several| &several.dropped)
    }

    /// Rows of one format: the one that is replaced, and the one that counts.
    pub(super) fn replaced(&self) -> &[(usize, usize)] {
        self.several.as_ref().map_or(&[], |several| &several.replaced)
    }

    /// Rows of different sources that say the same.
    pub(super) fn same(&self) -> &[(usize, usize)] {
        self.several.as_ref().map_or(&[], |several| &several.same)
    }

    /// Steps by number; `numbered` is in order of numbers, times and sources.
    pub(super) fn of(table: &Table, numbered: &[(i64, Step<'a>)]) -> Vec<Self> {
        let of_number = |chunk: &[(i64, Step<'a>)]| {
            let (number, first) = *chunk.first()?;
            let several = (chunk.len() > 1).then(|| Box::new(Several::of(table, chunk)));
            let lead = several.as_ref().and_then(|s| s.steps.first()).copied().unwrap_or(first);
            Some(Self { number, lead, several })
        };
        numbered.chunk_by(|a, b| a.0 == b.0).filter_map(of_number).collect()
    }

    /// Whether a part of an episodic task shows that the attempt began, and was not only mentioned.
    pub(super) fn is_begun(&self) -> bool {
        self.steps().iter().any(|step| step.format.role().is_beginning())
    }

    /// Makes one attempt of the steps. A single fact comes from the first step that has it.
    pub(super) fn attempt(&self, table: &Table, series: Series, omega: Option<u8>) -> Attempt {
        let (lead, steps) = (self.lead(), self.steps());
        let rated = steps.iter().find(|s| s.outcome() != Outcome::Unknown).unwrap_or(lead);
        let stored = steps.iter().map(Step::stored).find(|s| !s.is_empty());
        let has_injected = steps.iter().find_map(|s| s.stored().has_injected);
        Attempt {
            number: self.number,
            outcome: rated.outcome(),
            detail: rated.detail(),
            time_ms: steps.iter().find_map(|s| s.time_ms),
            reward: steps.iter().find_map(|s| s.reward_in(series)),
            errors: self.errors(),
            omega: steps.iter().find_map(Step::omega).or(omega),
            assumed_omega: lead.assumed_omega(),
            stored: Stored { has_injected, ..stored.unwrap_or(Stored::NONE) },
            record: lead.record(),
            part: lead.part,
            merged: self.several.as_ref().map_or(Vec::new(), |several| several.all.clone()),
            joined: match steps {
                [_] => Vec::new(),
                steps => steps.iter().map(|s| (s.record(), s.part)).collect(),
            },
            reflections: self.reflections(table),
        }
    }

    /// Record and part of each reflection. Blank texts stay out of windows, equal ones count once.
    fn reflections(&self, table: &Table) -> Vec<(RecordId, u32)> {
        // Suggestions belong to the reflection on the attempt, as its insights. They count as a reflection
        // of their own only if the attempt has no other.
        let is_advice = |step: &Step<'_>| step.format.role().is_advice();
        let all = || self.steps().iter().chain(self.dropped());
        let is_said = || all().any(|s| !is_advice(s) && s.reflections(table).any(|r| r.1 != 0));
        let leaves_advice = all().any(is_advice) && is_said();
        let mut reflections: Vec<(RecordId, u32)> = Vec::new();
        // Most attempts have one, and nothing to compare it with.
        let (mut first, mut others) = (None, BTreeSet::new());
        for step in all().filter(|step| !(leaves_advice && is_advice(step))) {
            for (part, hash) in step.reflections(table).filter(|(_, hash)| *hash != 0) {
                let known = *first.get_or_insert(hash);
                if reflections.is_empty() || known != hash && others.insert(hash) {
                    reflections.push((step.record(), part));
                }
            }
        }
        reflections
    }

    /// The number of errors in the first format that has any, summed over its records: each line of a log
    /// counts its own.
    fn errors(&self) -> Option<u32> {
        let some = |s: &&Step<'_>| s.errors().is_some_and(|errors| errors > 0);
        let steps = self.steps();
        let known =
            steps.iter().find(some).or_else(|| steps.iter().find(|s| s.errors().is_some()))?;
        let of_format = steps.iter().filter(|s| s.format == known.format);
        Some(of_format.filter_map(Step::errors).fold(0, u32::saturating_add))
    }

    /// `merge/conflict`: what records of one attempt say differently.
    pub(super) fn conflict(&self, series: Series) -> Option<Finding> {
        if self.steps().len() < 2 {
            return None;
        }
        let mut said = Vec::new();
        let outcomes: Vec<Outcome> = distinct(
            self.steps().iter().map(Step::outcome).filter(|o| *o != Outcome::Unknown),
            |a, b| a == b,
        );
        let rewards: Vec<f64> =
            distinct(self.steps().iter().filter_map(|s| s.reward_in(series)), |a, b| {
                (a - b).abs() <= 1e-9
            });
        if outcomes.len() > 1 {
            said.push(format!("outcomes {}", listed(outcomes.iter().map(|o| o.as_str()))));
        }
        if rewards.len() > 1 {
            said.push(format!("rewards {}", listed(&rewards)));
        }
        if said.is_empty() {
            return None;
        }
        let formats =
            listed(distinct(self.steps().iter().map(|s| s.format.as_str()), |a, b| a == b));
        Some(
            Finding::new(
                "merge/conflict",
                Severity::Warning,
                format!(
                    "Records of iteration {} ({formats}) have different {}.",
                    self.number,
                    said.join(" and ")
                ),
            )
            .hint("The first of the different values is used."),
        )
    }
}

fn distinct<T: Copy>(items: impl Iterator<Item = T>, is_same: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut all: Vec<T> = Vec::new();
    for item in items {
        if !all.iter().any(|known| is_same(known, &item)) {
            all.push(item);
        }
    }
    all
}

fn listed<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

/// `reward/series`: the reported reward if two attempts have one, else a derivation in the order of
/// the rules, else whatever one attempt has; a verdict only where there is nothing else.
pub(super) fn choose(merged: &[Merged<'_>]) -> Series {
    // Runs have rewards of one or two kinds: of each kind, how many attempts have one.
    let mut counts: Vec<((Origin, usize), usize, Option<&'static str>)> = Vec::new();
    let mut of_one: Vec<(Origin, usize)> = Vec::new();
    for one in merged {
        of_one.clear();
        for reward in one.steps().iter().flat_map(|s| s.rewards().into_iter().flatten()) {
            let key = (reward.origin, rank_of_rule(reward.rule));
            if of_one.contains(&key) {
                continue;
            }
            of_one.push(key);
            match counts.iter_mut().find(|(known, ..)| *known == key) {
                Some((_, n, _)) => *n += 1,
                None => counts.push((key, 1, reward.rule)),
            }
        }
    }
    counts.sort_unstable_by_key(|(key, ..)| *key);
    for enough in [2, 1] {
        if let Some(((origin, _), _, rule)) = counts.iter().find(|(_, n, _)| *n >= enough) {
            return Series { origin: *origin, rule: *rule };
        }
    }
    if merged.iter().any(|one| one.steps().iter().any(|s| s.verdict().is_some())) {
        Series { origin: Origin::Derived, rule: Some("reward/derive-verdict") }
    } else {
        Series { origin: Origin::None, rule: None }
    }
}
