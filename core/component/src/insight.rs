//! The interface `insight`.

use crate::Component;
use crate::cross::{Cross, Over, given, labels, options, or_default, rows};
use crate::misuse;
use crate::wit::insight::{
    Advice, Aggregate, AttemptSum, Calibration, CategoryCount, Change, ChangeKind,
    ComparedExperiment, Comparison, Credit, ErrorRow, Explanation, Guest, Headline, HeadlinePart,
    InsightOptions, InsightRule, Interval, LessonRow, LessonState, Link, LinkKind, Needs, Pattern,
    PatternKind, ReflectionRow, Repetition, Retries, RunVerdict, Selection, StuckStretch,
    Trajectory, TrajectoryClass, Trust, Uptake,
};
use crate::wit::types::Error;

labels!(Selection => hindscope::Selection {
    HighestQualityVerified, HighestQuality, MostRecentAboveThreshold
});
labels!(hindscope::TrajectoryClass => TrajectoryClass {
    Improving, Declining, Stable, Fluctuating, InsufficientData
});
labels!(hindscope::ChangeKind => ChangeKind {
    ErrorCleared, ErrorNew, ErrorPersisting, Counter, Check, FileNew, FileAgain, Action, LessonNew,
    Strategy, Verification
});
labels!(hindscope::LessonState => LessonState { New, Kept, Reworded, Returned, Dropped });
labels!(hindscope::PatternKind => PatternKind { Lesson, Strategy, Antipattern });
labels!(hindscope::Advice => Advice { Inject, Prune });
labels!(hindscope::LinkKind => LinkKind { Related, Used });
labels!(hindscope::Needs => Needs { Columns, Reflections, Attempts, Verdicts, Records });

rows! {
    Explanation {
        run, key, findings, is_stuck, missing, left_out, trajectory, repetition, changes, lessons, errors,
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
    CategoryCount { category, reflections }
}

options! {
    InsightOptions {
        rules, omega, diminishing_relative, diminishing_points, diminishing_steps, selection,
        selection_threshold, require_verification, max_iterations, objective, now_ms,
    }
}

/// The settings of `explain`; an error if they name a rule that does not exist, or no Ω.
pub(crate) fn settings(given: Option<InsightOptions>) -> Result<hindscope::InsightOptions, Error> {
    misuse::omega(given.as_ref().and_then(|given| given.omega))?;
    let options: hindscope::InsightOptions = or_default(given);
    options.check().map_err(misuse::plain()).map(|()| options)
}

impl Guest for Component {
    fn explain(
        records: Vec<Vec<u8>>,
        options: Option<InsightOptions>,
    ) -> Result<Explanation, Error> {
        let options = settings(options)?;
        Ok(hindscope::explain(&records, &options).cross())
    }

    fn insight_rules() -> Vec<InsightRule> {
        hindscope::insight_rules().cross()
    }

    fn failure_categories(categories: Vec<Vec<CategoryCount>>) -> Vec<CategoryCount> {
        let of_one = |categories: Vec<CategoryCount>| hindscope::Explanation {
            categories: categories.cross(),
            ..hindscope::Explanation::default()
        };
        let explanations: Vec<_> = categories.into_iter().map(of_one).collect();
        hindscope::failure_categories(&explanations).cross()
    }
}
