//! Codes of what a loop refuses, and of how it ends when it must not return.

use crate::labels::labels;

labels! {
    /// What is wrong, by a code that is never renamed.
    #[non_exhaustive]
    LoopErrorCode {
        /// A value has the wrong type or range, is nested too deeply, or is a text that cannot be read.
        ConfigValue = "config_value",
        /// The generator is missing or calls nothing.
        ConfigGenerator = "config_generator",
        /// The evaluator is missing or calls nothing.
        ConfigEvaluator = "config_evaluator",
        /// The type of an evaluator is unknown.
        ConfigEvaluatorType = "config_evaluator_type",
        /// The corrector calls nothing.
        ConfigCorrector = "config_corrector",
        /// An evaluator by a schema has none.
        ConfigSchemaMissing = "config_schema_missing",
        /// A schema is refused by its meta-schema, or refers to a place that it does not have.
        ConfigSchemaInvalid = "config_schema_invalid",
        /// A schema would take too long to compile.
        ConfigSchemaTooComplex = "config_schema_too_complex",
        /// A document that a schema refers to was not found.
        ConfigSchemaUnresolved = "config_schema_unresolved",
        /// The number of rounds is not one from 1 to 1000.
        ConfigMaxIterations = "config_max_iterations",
        /// What to do without an accepted output is none of the known words.
        ConfigOnFailure = "config_on_failure",
        /// A limit of time needs a clock, which the host has not declared.
        ConfigClockMissing = "config_clock_missing",
        /// The id of the loop's records is none that their schema allows.
        ConfigLoopId = "config_loop_id",
        /// An option is unknown.
        ConfigUnknownKey = "config_unknown_key",
        /// An action, or a model, that the host has not declared.
        ConfigUnknownAction = "config_unknown_action",
        /// A language of inline code that the host has not declared.
        ConfigUnknownLanguage = "config_unknown_language",
        /// A template has a wrong syntax.
        ConfigTemplate = "config_template",
        /// No output was accepted, and `on_failure` is `raise`.
        ReflectionFailed = "reflection_failed",
        /// A call failed, and another try would fail as well.
        CallFailed = "call_failed",
        /// A template could not be rendered when its step was made.
        TemplateFailed = "template_failed",
        /// No step with this id is pending.
        UnknownStep = "unknown_step",
        /// The loop has ended.
        LoopFinished = "loop_finished",
        /// A reply is none.
        ReplyInvalid = "reply_invalid",
        /// The bytes are no snapshot, or damaged.
        SnapshotInvalid = "snapshot_invalid",
        /// The snapshot is of another configuration.
        SnapshotMismatch = "snapshot_mismatch",
    }
}
