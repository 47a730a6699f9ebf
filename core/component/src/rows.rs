//! Records of `wit/` and structs of the core, member by member.

use crate::bindings::exports::hindscope::reflections::insight::{
    Aggregate, AttemptSum, Calibration, CategoryCount, Change, ComparedExperiment, Comparison,
    Credit, ErrorRow, Explanation, Headline, HeadlinePart, InsightOptions, InsightRule, Interval,
    LessonRow, Link, Pattern, ReflectionRow, Repetition, Retries, RunVerdict, StuckStretch,
    Trajectory, Trust, Uptake,
};
use crate::bindings::exports::hindscope::reflections::types::{
    Added, Evidence, Finding, FindingGroup, FormatInfo, GroupView, IterationView, ReflectionRef,
    RunColumns, RunView, SourceView, Span, StoredDeltas, ValidateOptions, Validation,
};
use crate::bindings::exports::hindscope::reflections::window::{
    Entry, Injected, MemoryMetadata, OmegaAdvice, Pace, RenderOptions, WindowRule, WindowView,
};
use crate::cross::{Cross, Over, given, options, rows};

// types.wit
rows! {
    Evidence { record, number }
    Finding {
        rule, severity, source, record, run, iteration, line, column, offset, pointer, expected,
        found, evidence, message, hint,
    }
    FindingGroup { rule, severity, pointer, count, first }
    Validation { valid, usable, findings }
    FormatInfo { id, title, gives, known_by, found_at }
    SourceView {
        id, path, format, why, framing, encoding, bytes, digest, state, reason, kept, repaired,
        skipped,
    }
    Added { sources, kept, repaired, skipped, refused, bytes }
    Span { record, source, path, start, end, line, column }
    GroupView {
        id, label, format, runs, judged, reflections, numbers, solved_after, attempted,
    }
    RunView {
        id, group, key, task, format, outcome, outcome_detail, outcome_note, status, start_ms, end_ms, counter,
        max_iterations, aliases, lessons, reward, iterations, base, base_provenance,
        first_success, first_success_number, best, best_number, last, reward_origin, reward_rule, reflections, findings,
        trend, omega, omega_provenance,
    }
    ReflectionRef { number, ordinal, record, part }
    StoredDeltas { reward_change, error_count_change, is_improvement }
    IterationView {
        ordinal, number, outcome, outcome_detail, time_ms, reward, delta, delta_gap, errors,
        error_delta, is_improvement, stored, record, part, merged, reflections, findings,
    }
    RunColumns<'_> { numbers, rewards, deltas, errors, outcomes, times_ms }
}

// window.wit
rows! {
    Entry {
        number, outcome, text, insights, lessons, strategy, kind, effectiveness, observation,
        analysis, learning, action_items, tokens,
    }
    WindowView {
        at, omega, omega_provenance, policy, held, evicted, later, dropped, scores, tokens, unread,
        notes,
    }
    MemoryMetadata {
        omega_capacity, current_memory_size, reflections_in_context, window_policy,
        total_reflections_generated,
    }
    RenderOptions { verbatim, absolute_numbers, attempts, task, total, omega }
    Injected { at, origin, is_computed, numbers, held, dropped, computed, notes }
    OmegaAdvice { situation, omega }
}

// insight.wit
rows! {
    Explanation {
        run, key, findings, missing, left_out, trajectory, repetition, changes, lessons, errors,
        patterns, reflections, calibration, credits, links, uptakes, categories,
    }
    Trajectory {
        class, up, down, flat, diminishing_relative, diminishing_relative_v1,
        diminishing_absolute, best, best_reward, selected, selected_reward, last, last_reward,
        degradation, learning_rate, slope,
    }
    Repetition { pairs, same, near }
    Change { number, from, kind, text, before, after, amount, action, added, removed }
    LessonRow { number, state, text, before, since, shared }
    ErrorRow { signature, message, seen, cleared, came_back }
    Pattern {
        kind, pattern_id, description, frequency, numbers, uses, successes, success_rate,
        confidence, is_promotable, advice,
    }
    ReflectionRow { number, record, part, marks, confidence }
    Calibration { pairs, correlation }
    Credit { number, action, is_failing, errors, checks }
    Link { number, to, kind, has_helped }
    Uptake { number, text, taken_up, action, name }
    CategoryCount { category, reflections }
    Trust {
        group, is_strategy_assumed, reflections_max, is_limit_inferred, passed, passed_solved,
        never, never_solved, true_positive, false_positive, false_negative, true_negative,
    }
    Retries {
        with, with_successes, with_interval, without, without_successes, without_interval,
        is_too_few, points, points_interval, is_clear, relative, is_aim_met, says,
    }
    Headline { says, parts }
    HeadlinePart { text, rule, runs, from, to }
    RunVerdict { run, stuck, is_checked, headline }
    StuckStretch { from, to, rule }
    Comparison { attempts, tasks, experiments, headline }
    ComparedExperiment {
        group, label, solved, interval, only_this, only_first, points, points_interval, p_value,
        is_clear,
    }
    Interval { low, high }
    Aggregate { group, runs, judged, solved, mean_attempts, attempts }
    AttemptSum {
        attempt, attempted, solved_after, success_at, mean_reward, rewarded, is_faint,
    }
    InsightRule { id, needs, is_default, threshold, says }
}

given! {
    Entry {
        number, outcome, text, insights, lessons, strategy, kind, effectiveness, observation,
        analysis, learning, action_items, tokens,
    }
    ReflectionRef { number, ordinal, record, part }
    CategoryCount { category, reflections }
    Pace { consecutive_failures, mean_quality, iterations_to_finish }
}

options! {
    ValidateOptions { schema, profile, now_ms }
    WindowRule { omega, policy, failures_only, token_budget, half_life, dynamic_omega }
    RenderOptions { verbatim, absolute_numbers, attempts, task, total, omega }
    InsightOptions {
        rules, omega, diminishing_relative, diminishing_points, diminishing_steps, selection,
        selection_threshold, require_verification, max_iterations, objective, now_ms,
    }
}
