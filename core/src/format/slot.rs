//! Where the typed pass puts what it reads.

/// Where a member's value goes. `None`: nowhere, it is only checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    None,
    /// Loop id or task id.
    Key,
    /// A name that serves as the key if there is no [`Slot::Key`], in whichever order the two stand.
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
    /// What is noted of an action: see [`Said::marks`](super::extracted::Said::marks).
    Mark(u8),
    /// Like [`Self::Mark`], but only for a text that is not empty.
    MarkText(u8),
    /// Like [`Self::Mark`], but only for a flag that is false.
    MarkFalse(u8),
}
