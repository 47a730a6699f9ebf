/**
 * Words and findings: what all parts of the API speak.
 *
 * @module
 */

/**
 * Findings of one rule about one member of records: a history of 100,000 records may have a million findings, and a few
 * kinds of them.
 */
export interface FindingGroup {
  /** Id of the rule, `area/rule`. */
  rule: string;
  /** How much it matters. */
  severity: Severity;
  /** JSON pointer of the values inside their records, with `*` for every place in a list. */
  pointer?: string;
  /** How many findings there are. */
  count: number;
  /** The first ones, three at most. */
  first: Finding[];
}

/**
 * How much a {@link Finding} matters.
 *
 * - `error`: Data is missing, unreadable or contradicts itself: a shown number may be wrong.
 * - `warning`: Probably a mistake, or a loop in trouble.
 * - `info`: Worth knowing.
 */
export type Severity = 'error' | 'warning' | 'info';

/**
 * One thing that a rule has to say, with its place.
 *
 * Absent members are not known or do not apply; they are never filled with 0 or "".
 */
export interface Finding {
  /** Id of the rule, `area/rule`. */
  rule: string;
  /** How much it matters. */
  severity: Severity;
  /** The source that it is about. */
  source?: number;
  /** The record that it is about. */
  record?: number;
  /** The run that it is about. */
  run?: number;
  /** The iteration, by its number as written. */
  iteration?: number;
  /** Line, from 1. */
  line?: number;
  /** Column, from 1, in UTF-16 code units. */
  column?: number;
  /** Offset from the first byte of the source as stored. */
  offset?: number;
  /** JSON pointer (RFC 6901) of the value inside its record. */
  pointer?: string;
  /** What the rule expects here, in a few words. */
  expected?: string;
  /** What stands here instead, shortened. */
  found?: string;
  /** The iterations that it is drawn from, for rules that look at several. */
  evidence?: FindingEvidence[];
  /** What was found, in one or two sentences. */
  message: string;
  /** What to do about it. */
  hint?: string;
}

/** An iteration that a finding is drawn from. */
export interface FindingEvidence {
  /** The record that holds it. */
  record: number;
  /** Its number as written. */
  number: number;
}

/**
 * How an iteration or run ended. A finer word may stand beside it.
 *
 * - `success`: It did what was asked.
 * - `partial`: Some of it.
 * - `failure`: It did not.
 * - `running`: It had not ended when the record was written.
 * - `aborted`: It was stopped.
 * - `void`: It does not count.
 * - `unknown`: The record does not say.
 */
export type Outcome = 'success' | 'partial' | 'failure' | 'running' | 'aborted' | 'void' | 'unknown';

/**
 * Where a reward came from.
 *
 * - `reported`: The record states it.
 * - `derived`: A `reward/derive-*` rule made it from other members.
 * - `none`: There is none.
 */
export type RewardOrigin = 'reported' | 'derived' | 'none';

/**
 * Scale of a reward as written. Values are always 0..1.
 *
 * - `unit`: 0..1.
 * - `percent`: 0..100.
 * - `ratio`: Part of a whole.
 * - `bool`: A verdict.
 * - `ordinal`: Ordered words.
 */
export type RewardScale = 'unit' | 'percent' | 'ratio' | 'bool' | 'ordinal';

/**
 * How far reading a source has come.
 *
 * - `reading`: Slices may still come.
 * - `read`: Records were found.
 * - `raw`: Text without a known format: shown as it is.
 * - `refused`: Not interpreted; the `reason` of the source says why.
 */
export type SourceState = 'reading' | 'read' | 'raw' | 'refused';

/**
 * Which reflections stay when the window is full.
 *
 * - `fifo`: The last Ω, by number (`window/fifo`).
 * - `recency`: The last Ω, by the time at which they were written (`window/recency`).
 * - `relevance_weighted`: Those that share rare words with the task and the latest errors, weighed by age and by the
 *   confidence of their writer (`window/relevance-weighted`).
 */
export type WindowPolicy = 'fifo' | 'recency' | 'relevance_weighted';

/**
 * How a window is written. What is not known is left out.
 *
 * - `plain`: `[number] outcome: text`, a blank line between.
 * - `aiwg-template`: `## Lessons from Previous Iterations` with outcome, reflection and strategy change of each, and
 *   instructions: the prompt template of aiwg.
 * - `aiwg-guide`: `## Previous Reflections` with text and lessons of each: the guide of aiwg.
 * - `aiwg-memory`: `## Reflection Memory (Recent Learnings)` with kind and effectiveness of each: the memory manager of
 *   aiwg.
 * - `reflexion-alfworld`: `Your memory for the task below:` with a `Trial` each: the `ALFWorld` runs of Reflexion.
 * - `episodic`: `## Reflection on Attempt` with observation, analysis, learning and action items of each.
 */
export type WindowLayout = 'plain' | 'aiwg-template' | 'aiwg-guide' | 'aiwg-memory' | 'reflexion-alfworld' | 'episodic';

/**
 * Which question is answered.
 *
 * - `strict`: Is the record valid by the schema? The verdict of JSON Schema draft 2020-12 with formats asserted.
 * - `lenient`: Can the record be used, and which problems does it have?
 */
export type ValidationProfile = 'strict' | 'lenient';

/**
 * A kind of record whose JSON Schema comes with the core.
 *
 * All but the first are files of an episodic memory: a folder for each task, and in it a folder for each attempt. None
 * of these requires a member, so an empty object conforms to each.
 *
 * - `reflection-memory`: One iteration of a loop: what it did, how it was judged, what it learned.
 * - `task-metadata`: `metadata.json`: what a task is and how far it has come.
 * - `trajectory`: `trajectory.json`: every attempt at a task in a few facts.
 * - `reflection`: A line of `reflections.jsonl`: what an attempt taught.
 * - `attempt`: `attempt.json`: the plan of an attempt, how it went and how it ended.
 * - `action`: A line of `actions.jsonl`: one call of a tool, with why and what came of it.
 */
export type RecordSchema = 'reflection-memory' | 'task-metadata' | 'trajectory' | 'reflection' | 'attempt' | 'action';

/**
 * What was misused. The kebab-case spelling is the same in Rust, JavaScript and WIT, and is never renamed.
 *
 * - `no-such-source`: No source has this id.
 * - `no-such-record`: No record has this id.
 * - `no-such-run`: No run has this id.
 * - `no-such-iteration`: The run has no iteration of this number.
 * - `source-finished`: A slice came after the source had been finished.
 * - `wrong-bytes`: The bytes handed in are not those of the span that was asked for.
 * - `omega-out-of-range`: Ω is not an integer from 0 to 10.
 * - `invalid-option`: An option has a value that it cannot have.
 * - `invalid-schema`: A JSON Schema cannot be compiled.
 * - `unread-record`: An export or a search is asked to go on before the records were read that it needs.
 * - `stale-export`: More was opened after the export or the search had been made.
 * - `no-such-task`: There is no task with this id.
 * - `no-such-attempt`: The task has no attempt of this number.
 * - `attempt-complete`: The attempt has an outcome: nothing can be added to it.
 * - `path-refused`: An id or name would lead outside its folder, or is one that some system cannot store.
 * - `memory-conflict`: A file of a memory is not as it was when it was read: another program changed it.
 * - `memory-unreadable`: A file or folder of a memory could not be read, and nothing can be said without it.
 * - `invalid-request`: A request to a memory that lacks what it needs, or would write what no schema allows.
 */
export type CoreErrorCode =
  | 'no-such-source'
  | 'no-such-record'
  | 'no-such-run'
  | 'no-such-iteration'
  | 'source-finished'
  | 'wrong-bytes'
  | 'omega-out-of-range'
  | 'invalid-option'
  | 'invalid-schema'
  | 'unread-record'
  | 'stale-export'
  | 'no-such-task'
  | 'no-such-attempt'
  | 'attempt-complete'
  | 'path-refused'
  | 'memory-conflict'
  | 'memory-unreadable'
  | 'invalid-request';

/**
 * What is wrong, by a code that is never renamed.
 *
 * - `config_value`: A value has the wrong type or range, is nested too deeply, or is a text that cannot be read.
 * - `config_generator`: The generator is missing or calls nothing.
 * - `config_evaluator`: The evaluator is missing or calls nothing.
 * - `config_evaluator_type`: The type of an evaluator is unknown.
 * - `config_corrector`: The corrector calls nothing.
 * - `config_schema_missing`: An evaluator by a schema has none.
 * - `config_schema_invalid`: A schema is refused by its meta-schema, or refers to a place that it does not have.
 * - `config_schema_too_complex`: A schema would take too long to compile.
 * - `config_schema_unresolved`: A document that a schema refers to was not found.
 * - `config_max_iterations`: The number of rounds is not one from 1 to 1000.
 * - `config_on_failure`: What to do without an accepted output is none of the known words.
 * - `config_clock_missing`: A limit of time needs a clock, which the host has not declared.
 * - `config_loop_id`: The id of the loop's records is none that their schema allows.
 * - `config_unknown_key`: An option is unknown.
 * - `config_unknown_action`: An action, or a model, that the host has not declared.
 * - `config_unknown_language`: A language of inline code that the host has not declared.
 * - `config_template`: A template has a wrong syntax.
 * - `reflection_failed`: No output was accepted, and `on_failure` is `raise`.
 * - `call_failed`: A call failed, and another try would fail as well.
 * - `template_failed`: A template could not be rendered when its step was made.
 * - `unknown_step`: No step with this id is pending.
 * - `loop_finished`: The loop has ended.
 * - `reply_invalid`: A reply is none.
 * - `snapshot_invalid`: The bytes are no snapshot, or damaged.
 * - `snapshot_mismatch`: The snapshot is of another configuration.
 */
export type LoopErrorCode =
  | 'config_value'
  | 'config_generator'
  | 'config_evaluator'
  | 'config_evaluator_type'
  | 'config_corrector'
  | 'config_schema_missing'
  | 'config_schema_invalid'
  | 'config_schema_too_complex'
  | 'config_schema_unresolved'
  | 'config_max_iterations'
  | 'config_on_failure'
  | 'config_clock_missing'
  | 'config_loop_id'
  | 'config_unknown_key'
  | 'config_unknown_action'
  | 'config_unknown_language'
  | 'config_template'
  | 'reflection_failed'
  | 'call_failed'
  | 'template_failed'
  | 'unknown_step'
  | 'loop_finished'
  | 'reply_invalid'
  | 'snapshot_invalid'
  | 'snapshot_mismatch';
