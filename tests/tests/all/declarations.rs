//! The declarations of what crosses to JavaScript as JSON are those of the types of the core, comments
//! included. `HINDSCOPE_BLESS=1` writes them anew.

use std::collections::BTreeMap;
use std::env;
use std::fs;

use hindscope::{
    ExportOptions, InsightOptions, Pace, RenderOptions, SearchOptions, UnpackLimits, WindowRule,
};
use hindscope_tests::root;
use serde_json::{Value, json};

pub(crate) mod rust;
mod typescript;

use rust::Sources;
use typescript::Writer;

/// Each file of declarations below core/js/npm, what it says of itself, and the types that it begins with. What
/// these name is declared behind them, unless a file above does.
const FILES: [(&str, &str, &[&str]); 5] = [
    (
        "data",
        "Words and findings: what all parts of the API speak.",
        &[
            "FindingGroup",
            "Outcome",
            "reward::Origin",
            "Scale",
            "SourceState",
            "Policy",
            "Layout",
            "Profile",
            "validate::Schema",
            "error::ErrorCode",
            "LoopErrorCode",
        ],
    ),
    (
        "contract/data",
        "What windows and the judgement of a record consist of.",
        &[
            "window::Entry",
            "MemoryMetadata",
            "OmegaAdvice",
            "Validation",
            "WindowRule",
            "RenderOptions",
            "Pace",
        ],
    ),
    (
        "history/data",
        "What a history answers: its sources, groups and runs, records in full, and what they teach. Members that are not known are absent.",
        &[
            "SourceView",
            "Added",
            "Span",
            "GroupView",
            "RunView",
            "IterationView",
            "WindowView",
            "Injected",
            "Statement",
            "Details",
            "Explanation",
            "RunVerdict",
            "Comparison",
            "Trust",
            "Retries",
            "Aggregate",
            "InsightRule",
            "Hit",
            "SearchProgress",
            "QueryError",
            "FormatInfo",
            "InsightOptions",
            "SearchOptions",
            "ExportOptions",
            "UnpackLimits",
        ],
    ),
    (
        "loop/data",
        "What a loop says of its limits, its configuration and converted values.",
        &["BudgetLeft", "Coercion", "Problem"],
    ),
    (
        "memory/data",
        "What a memory answers.",
        &[
            "MemoryAnswer",
            "MemoryFinding",
            "Trigger",
            "Plan",
            "ReflectionText",
            "Milestone",
            "HookSettings",
        ],
    ),
];

/// Types whose names in Rust and WIT are too general for TypeScript, where a program imports them beside its
/// own: there they have a longer one.
pub(crate) const LONGER: [(&str, &str); 51] = [
    ("Action", "RecordedAction"),
    ("Added", "SourceTotals"),
    ("Advice", "LessonAdvice"),
    ("Aggregate", "GroupAggregate"),
    ("Calibration", "ConfidenceCalibration"),
    ("Change", "AttemptChange"),
    ("ChangeKind", "AttemptChangeKind"),
    ("Check", "RecordedCheck"),
    ("Comparison", "ExperimentComparison"),
    ("Counter", "NamedNumber"),
    ("Credit", "ActionCredit"),
    ("Declared", "DeclaredSummary"),
    ("Details", "AttemptDetails"),
    ("Encoding", "TextEncoding"),
    ("Entry", "WindowEntry"),
    ("ErrorCode", "CoreErrorCode"),
    ("Evidence", "FindingEvidence"),
    ("Explanation", "RunExplanation"),
    ("Framing", "RecordFraming"),
    ("Hit", "SearchHit"),
    ("Injected", "InjectedReflections"),
    ("Interval", "ConfidenceInterval"),
    ("Layout", "WindowLayout"),
    ("Link", "ReflectionLink"),
    ("LinkKind", "ReflectionLinkKind"),
    ("Mark", "SearchMark"),
    ("Milestone", "TaskMilestone"),
    ("Needs", "RuleNeeds"),
    ("Origin", "RewardOrigin"),
    ("Pace", "LoopPace"),
    ("Pattern", "RecurringPattern"),
    ("PatternKind", "RecurringPatternKind"),
    ("Plan", "AttemptPlan"),
    ("Policy", "WindowPolicy"),
    ("Problem", "ConfigProblem"),
    ("Profile", "ValidationProfile"),
    ("Record", "StoredRecord"),
    ("Repetition", "ReflectionRepetition"),
    ("Retries", "RetryImprovement"),
    ("Retrieved", "RetrievedReflection"),
    ("Scale", "RewardScale"),
    ("Schema", "RecordSchema"),
    ("Selection", "ResultSelection"),
    ("Span", "RecordSpan"),
    ("Statement", "RunStatement"),
    ("Trajectory", "RewardTrajectory"),
    ("Trigger", "ReflectionTrigger"),
    ("Trust", "EvaluatorTrust"),
    ("Uptake", "LessonUptake"),
    ("Usage", "RecordedUsage"),
    ("Validation", "JudgedRecord"),
];

/// What the types of an enum have in common in TypeScript, and the file that declares it.
const BASES: [(&str, &str, &str); 1] = [("MemoryAnswer", "MemoryAnswer", "memory/tasks")];

/// A member that the package adds to a type.
struct Added {
    to: &'static str,
    member: &'static str,
    kind: &'static str,
    docs: &'static str,
    /// The file that declares a type which it needs, and that type.
    needs: Option<[&'static str; 2]>,
}

const ADDED: [Added; 3] = [
    Added {
        to: "ExportOptions",
        member: "runs?",
        kind: "readonly number[] | null",
        docs: "Ids of runs. Default: everything.",
        needs: None,
    },
    Added {
        to: "WindowRule",
        member: "countTokens?",
        kind: "CountTokens | null",
        docs: "Counts tokens for `tokenBudget`. Default: an estimate.",
        needs: Some(["contract/window", "CountTokens"]),
    },
    Added {
        to: "HealthAnswer",
        member: "writes",
        kind: "string[]",
        docs: "Files that were written, or without `mend` would be.",
        needs: None,
    },
];

/// Members of options that JavaScript gives in other forms, too, with their names and types there.
const GIVEN: [(&str, &str, &str); 3] = [
    ("ExportOptions.created", "created", "Date | string"),
    ("ExportOptions.supply", "supply", "object | string"),
    ("InsightOptions.now_ms", "now", "Date | number"),
];

/// Types that write themselves, each with the one that has the same JSON.
const WRITTEN: [(&str, &str); 1] = [("StoredLine", "Record")];

/// What callers may leave out, and what holds then.
fn options() -> BTreeMap<&'static str, Value> {
    BTreeMap::from([
        ("ExportOptions", json!(ExportOptions::default())),
        ("InsightOptions", json!(InsightOptions::default())),
        ("Pace", json!(Pace::default())),
        ("RenderOptions", json!(RenderOptions::default())),
        ("SearchOptions", json!(SearchOptions::default())),
        ("UnpackLimits", json!(UnpackLimits::default())),
        ("WindowRule", json!(WindowRule::default())),
    ])
}

#[test]
fn declarations_are_those_of_the_core() {
    let sources = Sources::read(&["core/src", "core/js/src"]);
    let options = options();
    let mut writer = Writer::new(&sources, &options);
    for (file, about, roots) in FILES {
        let expected = writer.file(file, about, roots);
        let path = root().join(format!("core/js/npm/{file}.d.ts"));
        if env::var_os("HINDSCOPE_BLESS").is_some() {
            fs::write(&path, &expected).expect("declarations can be written");
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        let differing = written.lines().zip(expected.lines()).find(|(a, b)| a != b);
        assert!(
            written == expected,
            "{path:?} is old; HINDSCOPE_BLESS=1 writes it anew. First difference: {differing:?}"
        );
    }
}
