//! The words of a memory.

use crate::labels::labels;

labels! {
    /// How an attempt ended.
    pub AttemptOutcome {
        /// It did what was asked.
        Success = "success",
        /// It did not.
        Failure = "failure",
        /// It was cut off.
        Timeout = "timeout",
    }

    /// Where a task stands.
    pub TaskStatus {
        /// It is worked on, or waits for the next attempt.
        Running = "running",
        /// It waits for somebody.
        Paused = "paused",
        /// It is done.
        Completed = "completed",
        /// It was abandoned.
        Failed = "failed",
    }

    /// Why a reflection was written.
    #[derive(Default)]
    pub Trigger {
        /// The attempt failed.
        Failure = "failure",
        /// It succeeded.
        Success = "success",
        /// It was cut off.
        Timeout = "timeout",
        /// Somebody wanted it.
        #[default]
        Manual = "manual",
    }

    /// What a reflection looks for.
    pub ReflectionType {
        /// What went wrong, and why.
        ErrorAnalysis = "error-analysis",
        /// What worked, to do it again.
        SuccessPattern = "success-pattern",
        /// How the work itself could go better.
        ProcessImprovement = "process-improvement",
    }
}

impl AttemptOutcome {
    /// The trigger of the reflection that is written when an attempt ends so.
    pub const fn trigger(self) -> Trigger {
        match self {
            Self::Success => Trigger::Success,
            Self::Failure => Trigger::Failure,
            Self::Timeout => Trigger::Timeout,
        }
    }

    /// What becomes of the task, if nobody says.
    pub(super) const fn task_status(self) -> TaskStatus {
        match self {
            Self::Success => TaskStatus::Completed,
            Self::Failure | Self::Timeout => TaskStatus::Running,
        }
    }
}

impl TaskStatus {
    /// Whether the task is over.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

impl Trigger {
    /// The type of a reflection with this trigger. When a task ends, a second reflection is written: it
    /// has the trigger of the attempt that ended the task, but is a process improvement.
    pub const fn reflection_type(self) -> ReflectionType {
        match self {
            Self::Failure => ReflectionType::ErrorAnalysis,
            Self::Success => ReflectionType::SuccessPattern,
            Self::Timeout | Self::Manual => ReflectionType::ProcessImprovement,
        }
    }
}
