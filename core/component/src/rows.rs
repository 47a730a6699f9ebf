//! Rows of a history, in the records of `wit/`. Field by field: a new one must be named here.

use crate::bindings::exports::hindscope::reflections::types::{
    GroupView, IterationView, ReflectionRef, RunColumns, RunView, SourceView, Span, StoredDeltas,
    WindowView,
};

impl From<hindscope::SourceView> for SourceView {
    fn from(view: hindscope::SourceView) -> Self {
        Self {
            id: view.id.0,
            path: view.path,
            format: view.format,
            framing: view.framing,
            encoding: view.encoding,
            bytes: view.bytes,
            state: view.state.into(),
            reason: view.reason,
            kept: view.kept,
            repaired: view.repaired,
            skipped: view.skipped,
        }
    }
}

impl From<hindscope::Span> for Span {
    fn from(span: hindscope::Span) -> Self {
        Self {
            record: span.record.0,
            source: span.source.0,
            path: span.path,
            start: span.start,
            end: span.end,
            line: span.line,
            column: span.column,
        }
    }
}

impl From<hindscope::GroupView> for GroupView {
    fn from(view: hindscope::GroupView) -> Self {
        Self {
            id: view.id.0,
            label: view.label,
            format: view.format,
            runs: view.runs,
            reflections: view.reflections,
            solved_after: view.solved_after,
            attempted: view.attempted,
            numbers: view.numbers,
        }
    }
}

impl From<hindscope::RunView> for RunView {
    fn from(view: hindscope::RunView) -> Self {
        Self {
            id: view.id.0,
            group: view.group.0,
            key: view.key,
            task: view.task,
            format: view.format,
            outcome: view.outcome.into(),
            outcome_detail: view.outcome_detail,
            iterations: view.iterations,
            base: view.base,
            base_provenance: view.base_provenance,
            first_success: view.first_success,
            best: view.best,
            best_number: view.best_number,
            last: view.last,
            reward_origin: view.reward_origin.into(),
            reward_rule: view.reward_rule,
            reflections: view.reflections,
            findings: view.findings,
            trend: view.trend,
            omega: view.omega,
            omega_provenance: view.omega_provenance,
        }
    }
}

impl From<hindscope::ReflectionRef> for ReflectionRef {
    fn from(place: hindscope::ReflectionRef) -> Self {
        Self {
            number: place.number,
            ordinal: place.ordinal,
            record: place.record.0,
            part: place.part,
        }
    }
}

impl From<hindscope::StoredDeltas> for StoredDeltas {
    fn from(stored: hindscope::StoredDeltas) -> Self {
        Self {
            reward_change: stored.reward_change,
            error_count_change: stored.error_count_change,
            is_improvement: stored.is_improvement,
        }
    }
}

impl From<hindscope::IterationView> for IterationView {
    fn from(view: hindscope::IterationView) -> Self {
        Self {
            ordinal: view.ordinal,
            number: view.number,
            outcome: view.outcome.into(),
            outcome_detail: view.outcome_detail,
            time_ms: view.time_ms,
            reward: view.reward,
            delta: view.delta,
            delta_gap: view.delta_gap,
            errors: view.errors,
            error_delta: view.error_delta,
            is_improvement: view.is_improvement,
            stored: view.stored.map(Into::into),
            record: view.record.0,
            part: view.part,
            merged: view.merged.into_iter().map(|id| id.0).collect(),
            reflections: view.reflections.into_iter().map(Into::into).collect(),
            findings: view.findings,
        }
    }
}

impl From<hindscope::RunColumns<'_>> for RunColumns {
    fn from(columns: hindscope::RunColumns<'_>) -> Self {
        Self {
            numbers: columns.numbers.to_vec(),
            rewards: columns.rewards.to_vec(),
            deltas: columns.deltas.to_vec(),
            errors: columns.errors.to_vec(),
            outcomes: columns.outcomes.iter().map(|&outcome| outcome.into()).collect(),
            times_ms: columns.times_ms.to_vec(),
        }
    }
}

impl From<hindscope::WindowView> for WindowView {
    fn from(view: hindscope::WindowView) -> Self {
        Self {
            at: view.at,
            omega: view.omega,
            omega_provenance: view.omega_provenance,
            policy: view.policy,
            held: view.held.into_iter().map(Into::into).collect(),
            evicted: view.evicted.into_iter().map(Into::into).collect(),
            later: view.later,
            dropped: view.dropped.into_iter().map(Into::into).collect(),
            scores: view.scores,
            tokens: view.tokens,
            unread: view.unread,
            notes: view.notes.into_iter().map(Into::into).collect(),
        }
    }
}
