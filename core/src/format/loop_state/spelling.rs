//! How the members of a state are spelled. The first that can be read counts.

pub(crate) const ID: &[&str] = &["loopId", "loop_id", "id"];
pub(crate) const TASK: &[&str] = &["task", "objective", "task_summary"];
pub(crate) const CRITERIA: &[&str] = &["completion", "completionCriteria", "completion_criteria"];
pub(crate) const MAX_ITERATIONS: &[&str] = &["maxIterations", "max_iterations"];
pub(crate) const MAX_MINUTES: &[&str] = &["timeoutMinutes", "timeout_minutes"];
pub(crate) const MAX_MS: &[&str] = &["timeoutMs", "timeout_ms"];
pub(crate) const COUNTER: &[&str] = &["currentIteration", "current_iteration", "iteration"];
/// Counters that nothing else is called.
pub(crate) const COUNTER_ALONE: &[&str] = &["currentIteration", "current_iteration"];
pub(crate) const START: &[&str] =
    &["startTime", "started_at", "startedAt", "startTimestamp", "startTimeMs"];
pub(crate) const END: &[&str] =
    &["endTime", "completed_at", "completedAt", "completedTime", "endTimestamp"];
pub(crate) const UPDATED: &[&str] = &["lastUpdate", "last_updated"];

/// Number of an iteration.
pub(crate) const NUMBER: &[&str] = &["number", "iteration", "iteration_number"];
/// What was done in an iteration.
pub(crate) const ACTIONS: &[&str] = &["action", "actions", "description", "focus", "changes"];
/// Verdicts of an iteration that need no reading.
pub(crate) const VERDICTS: &[&str] = &["verified", "success", "passed", "valid"];
pub(crate) const FILES: &[&str] = &["filesModified", "files_modified"];
/// When an iteration ended.
pub(crate) const TIME: &[&str] = &["timestamp", "completed_at", "completedAt", "endTime"];
/// When an iteration began.
pub(crate) const BEGAN: &[&str] = &["started_at", "startedAt", "startTime"];
pub(crate) const DURATION: &[&str] = &["duration_ms", "durationMs", "duration"];

/// Counts of tests: name in the model, and spellings.
pub(crate) const TESTS: &[(&str, &[&str])] = &[
    ("tests_passed", &["tests_passed", "testsPassed"]),
    ("tests_failed", &["tests_failed", "testsFailed"]),
    ("tests_partial", &["tests_partial", "testsPartial"]),
    ("tests_skipped", &["tests_skipped", "tests_skip", "testsSkipped"]),
    ("tests_blocked", &["tests_blocked", "testsBlocked"]),
    ("tests_total", &["total_tests", "tests_total", "totalTests"]),
];
