//! Where the typed pass puts what it reads.

/// Where a member's value goes. `None`: nowhere, it is only checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    None,
    /// Loop id or task id.
    Key,
    /// What names it where it has no key, wherever the two stand.
    Name,
    Task,
    Number,
    Time,
    /// A verdict: passed, solved, successful.
    Passed,
    /// An outcome word.
    Outcome,
    Verification,
    Reward,
    ErrorItem,
    ErrorSeverity,
    Errors,
    TestsPassed,
    TestsFailed,
    TestsTotal,
    LintErrors,
    TypeErrors,
    Reflection,
    Reflections,
    Omega,
    WindowSize,
    WindowItem,
    WindowItems,
    WindowTotal,
    Policy,
    InjectedItem,
    Injected,
    RewardChange,
    ErrorChange,
    IsImprovement,
    /// A text from which a reward is derived (`reward/derive-feedback`).
    Feedback,
    /// Number of implementations.
    Implementations,
    // What `rm/*` checks compare.
    ActionItem,
    ActionType,
    ActionPath,
    ActionCommand,
    ActionTime,
    Additions,
    Deletions,
    Diff,
    FileItem,
    Files,
    FilesChanged,
    LinesAdded,
    LinesDeleted,
    ResultItem,
    Results,
    ResultStatus,
    ExitCode,
    Duration,
    ErrorFile,
    ErrorLine,
    ErrorColumn,
    LintWarnings,
    CreditItem,
    Cause,
    RelatedItem,
    InjectedFlag,
    /// What is noted of an action: see [`Extracted::marks`](super::extracted::Extracted::marks).
    Mark(u8),
    /// A text that is not empty is noted so.
    MarkText(u8),
    /// A flag that is false is noted so.
    MarkFalse(u8),
}
