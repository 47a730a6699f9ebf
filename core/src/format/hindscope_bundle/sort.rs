//! Members of a bundle in their order.
//!
//! What the tables do not name is kept as it stands, behind what they do. Members at the end of
//! each table, below the line, are our additions to version 1: they are written only where the
//! others would not give a reader all that we know.

/// What a member holds.
pub(crate) enum Kind {
    Text,
    Number,
    Flag,
    /// As it stands.
    Any,
    /// Id of a source, of a run.
    Source,
    Run,
    /// What a record was: as it stands, or a text. Left out of lean copies.
    Original,
    OriginalText,
    Object(&'static [Member]),
    List(&'static Kind),
    /// A list with a line for each item.
    Lines(&'static Kind),
    /// Names that people chose.
    Map(&'static Kind),
}

/// A member that is known.
pub(crate) type Member = (&'static str, Kind);

const TEXTS: Kind = Kind::List(&Kind::Text);
const NUMBERS: Kind = Kind::List(&Kind::Number);

/// The document, its three long lists aside.
pub(crate) const HEAD: &[Member] = &[
    ("format", Kind::Text),
    ("version", Kind::Number),
    ("created", Kind::Text),
    ("generator", Kind::Text),
    ("settings", Kind::Object(SETTINGS)),
    ("originals", Kind::Text),
];

const SETTINGS: &[Member] =
    &[("window", Kind::Object(SETTINGS_WINDOW)), ("profile", Kind::Text), ("rules", Kind::Text)];

const SETTINGS_WINDOW: &[Member] = &[
    ("omega", Kind::Number),
    ("policy", Kind::Text),
    ("budget_tokens", Kind::Number),
    ("half_life", Kind::Number),
    ("provenance", Kind::Text),
];

pub(crate) const SOURCE: &[Member] = &[
    ("id", Kind::Source),
    ("name", Kind::Text),
    ("path", Kind::Text),
    ("format", Kind::Text),
    ("framing", Kind::Text),
    ("encoding", Kind::Text),
    ("bytes", Kind::Number),
    ("sha256", Kind::Text),
    ("state", Kind::Text),
    // ---
    ("reason", Kind::Text),
    ("kept", Kind::Number),
    ("repaired", Kind::Number),
    ("skipped", Kind::Number),
];

pub(crate) const FINDING: &[Member] = &[
    ("rule", Kind::Text),
    ("severity", Kind::Text),
    ("source", Kind::Source),
    ("line", Kind::Number),
    ("column", Kind::Number),
    ("offset", Kind::Number),
    ("pointer", Kind::Text),
    ("message", Kind::Text),
    ("hint", Kind::Text),
    ("run", Kind::Run),
    ("iteration", Kind::Number),
    // ---
    ("expected", Kind::Text),
    ("found", Kind::Text),
    ("evidence", NUMBERS),
];

pub(crate) const RUN: &[Member] = &[
    ("id", Kind::Run),
    ("key", Kind::Text),
    ("aliases", TEXTS),
    ("title", Kind::Text),
    ("task", Kind::Text),
    ("criteria", TEXTS),
    ("agent", Kind::Text),
    ("model", Kind::Text),
    ("status", Kind::Text),
    ("outcome", Kind::Object(OUTCOME)),
    ("start", Kind::Text),
    ("start_text", Kind::Text),
    ("end", Kind::Text),
    ("time_text", Kind::Text),
    ("limits", Kind::Object(&[("iterations", Kind::Number), ("minutes", Kind::Number)])),
    ("counter", Kind::Number),
    ("omega", Kind::Object(SOURCED_NUMBER)),
    ("base", Kind::Object(SOURCED_NUMBER)),
    ("lessons", TEXTS),
    ("search", Kind::List(&Kind::Object(REFLECTION))),
    ("declared", Kind::Object(DECLARED)),
    ("reward", Kind::Object(REWARD)),
    ("records", RECORDS),
    ("snapshots", Kind::List(&Kind::Any)),
    ("iterations", Kind::Lines(&Kind::Object(ITERATION))),
    // ---
    ("group", Kind::Text),
    ("group_format", Kind::Text),
    ("format", Kind::Text),
    ("updated", Kind::Text),
    ("counters", COUNTERS),
    ("tags", TEXTS),
    ("related", TEXTS),
    ("texts", NAMED_TEXTS),
];

const SOURCED_NUMBER: &[Member] = &[("value", Kind::Number), ("provenance", Kind::Text)];

const OUTCOME: &[Member] = &[("value", Kind::Text), ("detail", Kind::Text), ("origin", Kind::Text)];

const DECLARED: &[Member] = &[
    ("best", Kind::Number),
    ("selected", Kind::Number),
    ("final", Kind::Number),
    ("trajectory", Kind::Text),
    ("diminishing", Kind::Number),
    ("reason", Kind::Text),
    ("tokens", Kind::Number),
    ("cost_usd", Kind::Number),
    ("ms", Kind::Number),
    // ---
    ("input_tokens", Kind::Number),
    ("output_tokens", Kind::Number),
    ("tool_calls", Kind::Number),
];

const REWARD: &[Member] = &[
    ("value", Kind::Number),
    ("raw", Kind::Text),
    ("scale", Kind::Text),
    ("origin", Kind::Text),
    ("pointer", Kind::Text),
    ("rule", Kind::Text),
];

const RECORDS: Kind = Kind::List(&Kind::Object(RECORD));

const RECORD: &[Member] = &[
    ("id", Kind::Text),
    ("source", Kind::Source),
    ("format", Kind::Text),
    ("line", Kind::Number),
    ("span", NUMBERS),
    ("pointer", Kind::Text),
    ("json", Kind::Original),
    ("text", Kind::OriginalText),
    ("base64", Kind::OriginalText),
    ("ref", Kind::Text),
    // ---
    // Pointer to the part of the record that stands here. An earlier run of the export has it whole.
    ("part", Kind::Text),
];

const COUNTERS: Kind = Kind::Map(&Kind::Number);

const NAMED_TEXTS: Kind = Kind::List(&Kind::Object(&[("name", Kind::Text), ("text", Kind::Text)]));

const ITERATION: &[Member] = &[
    ("number", Kind::Number),
    ("ordinal", Kind::Number),
    ("label", Kind::Text),
    ("start", Kind::Text),
    ("start_text", Kind::Text),
    ("end", Kind::Text),
    ("time_text", Kind::Text),
    ("ms", Kind::Number),
    ("outcome", Kind::Object(OUTCOME)),
    ("reward", Kind::Object(REWARD)),
    ("breakdown", COUNTERS),
    ("series", Kind::Map(&Kind::Object(REWARD))),
    ("verification", Kind::Text),
    ("tests", Kind::Object(TESTS)),
    ("coverage", Kind::Number),
    ("counters", COUNTERS),
    ("checks", Kind::List(&Kind::Object(CHECK))),
    ("errors", Kind::List(&Kind::Object(ERROR))),
    ("actions", Kind::List(&Kind::Object(ACTION))),
    ("files", TEXTS),
    ("rationale", Kind::Text),
    ("strategy", Kind::Text),
    ("strategy_next", Kind::Text),
    (
        "steps",
        Kind::List(&Kind::Object(&[("number", Kind::Number), ("reward", Kind::Object(REWARD))])),
    ),
    ("reflections", Kind::List(&Kind::Object(REFLECTION))),
    ("window", Kind::Object(WINDOW)),
    ("stored", Kind::Object(STORED)),
    ("usage", Kind::Object(USAGE)),
    ("notes", TEXTS),
    ("flags", TEXTS),
    ("source", Kind::Text),
    ("records", RECORDS),
    // ---
    ("task", Kind::Text),
    ("retrieved", Kind::List(&Kind::Object(RETRIEVED))),
    ("retrieved_none", Kind::Flag),
    ("texts", NAMED_TEXTS),
    ("columns", Kind::Object(COLUMNS)),
];

pub(crate) const TESTS: &[Member] = &[
    ("passed", Kind::Number),
    ("failed", Kind::Number),
    ("partial", Kind::Number),
    ("skipped", Kind::Number),
    ("total", Kind::Number),
];

const CHECK: &[Member] = &[
    ("tool", Kind::Text),
    ("status", Kind::Text),
    ("exit_code", Kind::Number),
    ("stdout", Kind::Text),
    ("stderr", Kind::Text),
    ("ms", Kind::Number),
];

const ERROR: &[Member] = &[
    ("type", Kind::Text),
    ("message", Kind::Text),
    ("file", Kind::Text),
    ("line", Kind::Number),
    ("column", Kind::Number),
    ("severity", Kind::Text),
    ("rule", Kind::Text),
    ("stack", Kind::Text),
];

const ACTION: &[Member] = &[
    ("type", Kind::Text),
    ("description", Kind::Text),
    ("path", Kind::Text),
    ("command", Kind::Text),
    ("tool", Kind::Text),
    ("params", Kind::Any),
    ("diff", Kind::Text),
    ("additions", Kind::Number),
    ("deletions", Kind::Number),
    ("time", Kind::Text),
    ("time_text", Kind::Text),
    ("success", Kind::Flag),
    ("output", Kind::Text),
    ("reasoning", Kind::Text),
    ("expected", Kind::Text),
    // ---
    ("credited", Kind::Flag),
];

const REFLECTION: &[Member] = &[
    ("text", Kind::Text),
    ("kind", Kind::Text),
    ("insights", TEXTS),
    ("lessons", TEXTS),
    ("root_cause", Kind::Text),
    ("category", Kind::Text),
    ("reasoning", Kind::Text),
    ("failing_actions", NUMBERS),
    ("confidence", Kind::Number),
    ("related", NUMBERS),
    ("effectiveness", Kind::Text),
    ("trigger", Kind::Text),
    ("time", Kind::Text),
    ("time_text", Kind::Text),
    // ---
    ("number", Kind::Number),
];

const WINDOW: &[Member] = &[
    ("omega", Kind::Number),
    ("policy", Kind::Text),
    ("after", NUMBERS),
    ("size", Kind::Number),
    ("total", Kind::Number),
    ("injected", NUMBERS),
    ("injected_flag", Kind::Flag),
    // ---
    ("empty", TEXTS),
];

const STORED: &[Member] = &[
    ("reward_change", Kind::Number),
    ("error_count_change", Kind::Number),
    ("is_improvement", Kind::Flag),
];

const USAGE: &[Member] = &[
    ("tokens", Kind::Number),
    ("input_tokens", Kind::Number),
    ("output_tokens", Kind::Number),
    ("tool_calls", Kind::Number),
    ("cost_usd", Kind::Number),
    // ---
    ("ms", Kind::Number),
];

const RETRIEVED: &[Member] = &[
    ("key", Kind::Text),
    ("number", Kind::Number),
    ("text", Kind::Text),
    ("reward", Kind::Number),
    ("similarity", Kind::Number),
    ("time", Kind::Text),
];

const COLUMNS: &[Member] = &[
    ("errors", Kind::Any),
    ("omega", Kind::Any),
    ("assumed_omega", Kind::Any),
    ("time_ms", Kind::Any),
];
