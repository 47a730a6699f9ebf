//! Thresholds of the rules of insight. Each number stands here once: the code compares with it, and
//! `rules.txt` names it in braces, so that no sentence can say another number.

use crate::sketch::{NEAR, NEAR_WORDS};

macro_rules! thresholds {
    ($($(#[$doc:meta])* $name:ident: $kind:ty = $value:expr;)*) => {
        $($(#[$doc])* pub(crate) const $name: $kind = $value;)*

        /// The number of this name, as a sentence writes it.
        pub(super) fn written(name: &str) -> Option<String> {
            match name {
                $(stringify!($name) => Some($name.to_string()),)*
                "NEAR" => Some(NEAR.to_string()),
                "NEAR_WORDS" => Some(NEAR_WORDS.to_string()),
                _ => None,
            }
        }
    };
}

thresholds! {
    /// Points that a step must pass to be up or down (`trajectory/class`).
    STILL_POINTS: f64 = 2.0;
    /// Share of the steps that makes a class.
    CLASS_SHARE: f64 = 0.67;
    /// With fewer rewards there is no class.
    CLASS_REWARDS: usize = 3;
    /// Low change of reward, as a share of the reward before (`diminishing/relative`).
    DIMINISHING_RELATIVE: f64 = 0.05;
    /// Low change of reward in points (`diminishing/absolute`).
    DIMINISHING_POINTS: f64 = 5.0;
    /// Low steps in a row.
    DIMINISHING_STEPS: u32 = 2;
    /// Change of reward that counts as none, as a share of the reward before, and how many last steps
    /// must have one (`plateau/relative`).
    PLATEAU_RELATIVE: f64 = 0.02;
    PLATEAU_STEPS: usize = 2;
    /// Mean change of reward that counts as none (`plateau/mean`), over so many changes.
    PLATEAU_MEAN: f64 = 0.03;
    PLATEAU_MEAN_STEPS: usize = 3;
    /// Confidence, and reward, with which a loop may stop (`stop/high-confidence`).
    STOP_CONFIDENCE: f64 = 0.95;
    STOP_CONFIDENT_REWARD: f64 = 0.70;
    /// Reward with which a loop may stop (`stop/quality`).
    STOP_REWARD: f64 = 0.95;
    /// More falls than this are too many (`stop/regressions`).
    STOP_FALLS: usize = 2;
    /// Reward that a selected iteration needs, unless the options say otherwise (`best/*`).
    SELECTION_REWARD: f64 = 0.70;
    /// Reflections in a row, or in all, that are too many (`stuck/*-reflection`).
    REPEATED_REFLECTIONS: usize = 3;
    /// Rounds that make a cycle (`stuck/cycle-*`).
    CYCLE_TIMES: usize = 2;
    /// Iterations that are looked at together (`stuck/repeated-error`).
    ERROR_STRETCH: usize = 5;
    /// Iterations among them that have the same error.
    REPEATED_ERRORS: usize = 3;
    /// A mean change of reward below this is no progress.
    NO_PROGRESS: f64 = 0.02;
    /// Iterations in a row that do the same (`stuck/repeated-action`).
    REPEATED_ACTIONS: usize = 3;
    /// Steps of fewer points are flat, and how many last steps must be (`stuck/flat`).
    FLAT_POINTS: f64 = 5.0;
    FLAT_STEPS: usize = 2;
    /// Rewards that are looked at, and the fewest that suffice (`oscillation/reward`).
    OSCILLATION_STRETCH: usize = 6;
    OSCILLATION_FEWEST: usize = 4;
    /// Changes of direction that are too many, and the step on each side of one.
    OSCILLATION_TURNS: usize = 2;
    OSCILLATION: f64 = 0.03;
    /// Iterations that are looked at, and the fewest that suffice (`oscillation/files`).
    FILES_STRETCH: usize = 6;
    FILES_FEWEST: usize = 4;
    /// Share of the files that come back, and how often that is too often.
    FILES_RETURNED: f64 = 0.8;
    FILES_RETURNS: usize = 2;
    /// Fall of reward in a step, and one that is strong (`regression/reward`).
    FALL: f64 = 0.10;
    STRONG_FALL: f64 = 0.20;
    /// Rewards that are looked at, fall over them, and one that is strong (`regression/stretch`).
    FALL_STRETCH: usize = 5;
    LONG_FALL: f64 = 0.15;
    STRONG_LONG_FALL: f64 = 0.25;
    /// Fall of coverage, in points (`regression/coverage`).
    COVERAGE_FALL: f64 = 10.0;
    /// Shares of the allowed iterations (`budget/iterations`).
    MUCH_USED: f64 = 0.8;
    NEARLY_USED: f64 = 0.95;
    /// Reflections that are looked at, and how many of them must be off (`drift/objective`).
    DRIFT_REFLECTIONS: usize = 3;
    DRIFT_OFF: usize = 2;
    /// Share of the objective's words that a reflection should have.
    DRIFT_WORDS: f64 = 0.5;
    /// Iterations whose reflections have the same lesson (`pattern/recurring-lesson`).
    RECURRING: usize = 2;
    /// Uses that make a rate, and what the rate advises (`pattern/success-rate`).
    ENOUGH_USES: usize = 3;
    INJECT_FROM: f64 = 0.6;
    PRUNE_BELOW: f64 = 0.5;
    /// Lessons that are advised for injection at most, and days after which an unused one is dropped.
    INJECT_MOST: usize = 5;
    UNUSED_DAYS: f64 = 90.0;
    /// Share of the successes that makes an approach a strategy (`pattern/strategy`).
    STRATEGY_SHARE: f64 = 0.5;
    STRATEGY_CONFIDENCE: f64 = 0.9;
    /// Errors of failed iterations that make an antipattern (`pattern/antipattern`).
    ANTIPATTERN_ERRORS: usize = 2;
    ANTIPATTERN_CONFIDENCE: f64 = 0.8;
    /// What a pattern needs to be worth keeping (`pattern/gate`).
    GATE_CONFIDENCE: f64 = 0.3;
    GATE_ANTIPATTERN: f64 = 0.2;
    GATE_STRATEGY: f64 = 0.5;
    /// Confidence that is low (`reflection/low-confidence`), and high (`reflection/overconfident`).
    LOW_CONFIDENCE: f64 = 0.5;
    HIGH_CONFIDENCE: f64 = 0.9;
    /// A text of fewer characters is short (`reflection/short`).
    SHORT_TEXT: usize = 100;
    /// A text of as many characters should have an end (`reflection/cut`).
    CUT_TEXT: usize = 200;
    /// Rules that make a reflection one of low quality (`reflection/low-quality`).
    LOW_QUALITY_RULES: usize = 2;
    /// Pairs that make a correlation (`reflection/calibration`).
    ENOUGH_PAIRS: usize = 5;
    /// Share of words in common that makes a lesson the same in other words (`lesson/lifecycle`).
    REWORDED: f64 = 0.5;
    /// A mean over fewer runs is marked as faint (`aggregate/*`).
    ENOUGH_RUNS: usize = 5;
    /// Retries that make a rate, and the improvement that memory aims at (`retry/improvement`).
    ENOUGH_RETRIES: u32 = 5;
    RETRY_AIM: f64 = 0.20;
    /// A difference that chance makes at least this often is not clear (`retry/improvement`).
    CHANCE: f64 = 0.05;
}
