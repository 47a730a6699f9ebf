/// <reference lib="esnext.disposable" />

/**
 * Validate what agent loops remember, keep their sliding window Ω, and read the histories they
 * leave behind.
 *
 * Bad input is data: it comes back as findings. Misuse throws a {@link HindscopeError} with a
 * stable `code`. Members that are not known are absent, never 0 and never "". Lines and columns
 * count from 1, columns in UTF-16 code units; `offset` counts bytes.
 *
 * @packageDocumentation
 */

/** Text or bytes. A view is read where it lies, and copied only into the wasm. */
export type Bytes = string | ArrayBufferLike | ArrayBufferView;

/** How strictly records are judged: the verdict of the JSON Schema, or whether they can be used. */
export type Profile = 'strict' | 'lenient';

/**
 * Which reflections stay when the window is full: `fifo` the last by number, `recency` the last by
 * time, `relevance_weighted` those that share rare words with the task and the latest errors.
 */
export type Policy = 'fifo' | 'recency' | 'relevance_weighted';

/**
 * How a window is written: `plain` has one block per reflection, `[number] outcome: text`; the
 * others are those of the tools that they are named after.
 */
export type Layout =
  | 'plain'
  | 'aiwg-template'
  | 'aiwg-guide'
  | 'aiwg-memory'
  | 'reflexion-alfworld'
  | 'episodic';

/** How an iteration or run ended. */
export type Outcome = 'success' | 'partial' | 'failure' | 'running' | 'aborted' | 'void' | 'unknown';

/** Where a reward came from. */
export type Origin = 'reported' | 'derived' | 'none';

/** Scale of a reward as written. Values are always 0..1. */
export type Scale = 'unit' | 'percent' | 'ratio' | 'bool' | 'ordinal';

/**
 * How much a finding matters. `error`: a shown number may be wrong; `warning`: probably a mistake,
 * or a loop in trouble; `info`: worth knowing.
 */
export type Severity = 'error' | 'warning' | 'info';

/** What a profile says of one record. */
export type Verdict = 'conforms' | 'usable' | 'unusable';

/** How far reading a source has come. */
export type SourceState = 'reading' | 'read' | 'raw' | 'refused';

/** Misuse that the core reports, the same words as in Rust and in the component. */
export type CoreErrorCode =
  | 'no-such-source'
  | 'no-such-record'
  | 'no-such-run'
  | 'no-such-iteration'
  | 'source-finished'
  | 'wrong-bytes'
  | 'omega-out-of-range'
  | 'invalid-option'
  | 'invalid-schema';

/**
 * Misuse that only this package knows: a handle after `free()`, a record that is no JSON (cyclic,
 * a BigInt, a getter that throws), a call before `ready`, a path, slice or wasm that cannot be read.
 */
export type FaceErrorCode = 'freed' | 'invalid-record' | 'not-ready' | 'unreadable-input';

/** Every code that a {@link HindscopeError} can have. They are never renamed. */
export type ErrorCode = CoreErrorCode | FaceErrorCode;

/**
 * A call that cannot be answered because it was made wrongly. Every exception of this package is
 * one of these.
 *
 * @example A code says what was misused
 * ```js
 * import { HindscopeError, ReflectionWindow } from 'hindscope';
 *
 * try {
 *   new ReflectionWindow({ omega: 11 });
 * } catch (error) {
 *   console.log(error instanceof HindscopeError, error.code, error.details);
 *   // → true omega-out-of-range { omega: 11 }
 * }
 * ```
 */
export class HindscopeError extends Error {
  /** Always `HindscopeError`. */
  readonly name: 'HindscopeError';
  /** What was misused. */
  readonly code: ErrorCode;
  /** The ids, numbers and paths that it is about, as plain data. */
  readonly details: Readonly<Record<string, number | string>>;
  /** Only this package makes them. */
  private constructor();
}

/** An iteration that a finding is drawn from. */
export interface Evidence {
  /** The record that holds it. */
  record: number;
  /** Its number as written. */
  number: number;
}

/** One thing that a rule has to say, with its place. */
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
  evidence?: Evidence[];
  /** What was found, in one or two sentences. */
  message: string;
  /** What to do about it. */
  hint?: string;
}

/** The answer of {@link validate}. */
export interface Validation {
  /** Strict: valid by the schema. Lenient: usable. */
  valid: boolean;
  /** The finer word. */
  verdict: Verdict;
  /** Everything that is odd about it, in the order of the document. */
  findings: Finding[];
}

/** Options of {@link validate}. */
export interface ValidateOptions {
  /** Default `lenient`. */
  profile?: Profile | null;
}

/**
 * Validates one reflection-memory record: an object, JSON text, or the bytes of one. An object is
 * judged as `JSON.stringify` would store it.
 *
 * @throws {@link HindscopeError} `invalid-record` if it cannot be written as JSON at all, and
 * `invalid-option`.
 *
 * @example Findings say what is wrong, and where
 * ```js
 * import { validate } from 'hindscope';
 *
 * const { valid, findings } = validate('{"loop_id": "ralph-demo"}', { profile: 'strict' });
 * console.log(valid, findings[0].rule, findings[0].line, findings[0].column);
 * // → false strict/required 1 1
 * ```
 */
export function validate(record: unknown, options?: ValidateOptions | null): Validation;

/** One reflection of a window, with its text. */
export interface Entry {
  /** Number of the iteration that wrote it. */
  number: number;
  /** How that iteration ended. */
  outcome: Outcome;
  /** The text. */
  text: string;
  /** Insights; they count with the text in budgets and relevance. */
  insights?: string[];
  /** Lessons. */
  lessons?: string[];
  /** What the next attempt should do differently. */
  strategy?: string;
  /** Kind of reflection, in the writer's words. */
  kind?: string;
  /** How well it worked, in the writer's words. */
  effectiveness?: string;
  /** What was seen; absent: the text says it. */
  observation?: string;
  /** Why it happened. */
  analysis?: string;
  /** What follows from it. */
  learning?: string;
  /** What to do, in order. */
  actionItems?: string[];
  /** Tokens as the host counts them; absent: estimated. */
  tokens?: number;
}

/** What to store beside a record, as its `memory_metadata`. Spelled as the record spells it. */
export interface MemoryMetadata {
  /** Ω. */
  omega_capacity: number;
  /** Reflections held. */
  current_memory_size: number;
  /** Their numbers, oldest first. */
  reflections_in_context: number[];
  /** Policy. */
  window_policy: Policy;
  /** Reflections seen so far, the evicted ones included. */
  total_reflections_generated: number;
}

/** Options of {@link ReflectionWindow}. */
export interface ReflectionWindowOptions {
  /** Ω, how many reflections are held: 0..10. Default 3. */
  omega?: number | null;
  /** Default `fifo`. */
  policy?: Policy | null;
  /** Leaves out reflections of successful iterations. Default false. */
  failuresOnly?: boolean | null;
  /** Most tokens of what is held, a whole number from 0: four UTF-16 code units each. Default: no limit. */
  tokenBudget?: number | null;
  /** Iterations after which relevance counts half, above 0. Default 3. */
  halfLife?: number | null;
  /** Ω by the number of failure categories so far, instead of `omega`. Default false. */
  dynamicOmega?: boolean | null;
}

/**
 * Ω reflections of a running loop: push each record, put `render()` into the next prompt, store
 * `metadata()` beside the record.
 *
 * It holds memory of the wasm until `free()`, or until it is disposed of or collected.
 *
 * @example The oldest reflection leaves first
 * ```js
 * import { ReflectionWindow } from 'hindscope';
 *
 * const window = new ReflectionWindow({ omega: 2 });
 * for (const [iteration, reflection_text] of ['Clear the cache.', 'Port was wrong.', 'Retry once.'].entries()) {
 *   window.push({ iteration, evaluator_output: { passed: false }, self_reflection: { reflection_text } });
 * }
 * console.log(window.held, window.evicted); // → [ 1, 2 ] [ 0 ]
 * console.log(window.render());
 * // → [1] failure: Port was wrong.
 * // →
 * // → [2] failure: Retry once.
 * window.free();
 * ```
 */
export class ReflectionWindow implements Disposable {
  /**
   * An empty window.
   *
   * @throws {@link HindscopeError} `omega-out-of-range`, `invalid-option`.
   */
  constructor(options?: ReflectionWindowOptions | null);
  /**
   * Adds the reflection of a record: an object, JSON text, or the bytes of one. A record that
   * cannot be used is not kept, and its findings say so.
   *
   * @throws {@link HindscopeError} `invalid-record`, `freed`.
   */
  push(record: unknown): Finding[];
  /** The reflections held, oldest first. */
  readonly entries: Entry[];
  /** Numbers of the reflections held, oldest first. */
  readonly held: number[];
  /** Numbers of all that were pushed out so far, oldest first. */
  readonly evicted: number[];
  /**
   * The text to put into the next prompt; empty while nothing is held. Default `plain`.
   *
   * @throws {@link HindscopeError} `invalid-option`, `freed`.
   */
  render(layout?: Layout | null): string;
  /** What to store beside the record that was pushed last. */
  metadata(): MemoryMetadata;
  /** Gives its memory back. Every later call throws `freed`; a second `free` does nothing. */
  free(): void;
  /** The same as {@link ReflectionWindow.free}, for `using`. */
  [Symbol.dispose](): void;
}

/** One opened file. */
export interface SourceView {
  /** Its id. */
  id: number;
  /** Name with its folders, `/` between them. */
  path: string;
  /** Format id, once recognised. */
  format?: string;
  /** How it is cut into records, once known. */
  framing?: string;
  /** How its text is encoded. */
  encoding: string;
  /** Bytes read so far. */
  bytes: number;
  /** How far reading has come. */
  state: SourceState;
  /** Why it is raw or refused. */
  reason?: string;
  /** Records that can be used, repaired ones included. */
  kept: number;
  /** Records among them that had to be repaired first. */
  repaired: number;
  /** Records that could not be read, each with a finding. */
  skipped: number;
}

/** Where a record stands in its source. */
export interface Span {
  /** The record. */
  record: number;
  /** Its source. */
  source: number;
  /** Path of the source. */
  path: string;
  /** First byte, from 0, in the source as stored. */
  start: number;
  /** The byte after the last one. */
  end: number;
  /** Line of the first byte, from 1. */
  line: number;
  /** Column of the first byte, from 1, in UTF-16 code units. */
  column: number;
}

/** Runs of one experiment or folder. */
export interface GroupView {
  /** Its id. */
  id: number;
  /** Folder, or file. */
  label: string;
  /** Format of its runs. */
  format: string;
  /** Runs in it. */
  runs: number;
  /** Reflections in all of them. */
  reflections: number;
  /** Numbers of the attempts that any run made, ascending; a missing file leaves a gap. */
  numbers: number[];
  /**
   * Runs solved at or before each of `numbers`, carried ones included. Empty when no run has an
   * outcome.
   */
  solvedAfter: number[];
  /** Runs that had an attempt of their own at each of `numbers`. */
  attempted: number[];
}

/** One row of the list of runs. */
export interface RunView {
  /** Its id. Ids may change when more is opened. */
  id: number;
  /** Experiment or folder that it belongs to. */
  group: number;
  /** Key within its group: loop id, task id or name. */
  key: string;
  /** Task description, if one is known without reading the record again. */
  task?: string;
  /** Format of its leading record. */
  format: string;
  /** How it ended: the outcome of its last iteration. */
  outcome: Outcome;
  /** The finer word, such as `internal-tests-never-passed`. */
  outcomeDetail?: string;
  /** Iterations with an own attempt; carried ones do not count. */
  iterations: number;
  /** Number that the first attempt has: 0 or 1. */
  base: number;
  /** Where `base` comes from. */
  baseProvenance: 'declared' | 'evidence' | 'assumed';
  /** Ordinal of the first success. */
  firstSuccess?: number;
  /** Highest reward, 0..1, earliest on ties. */
  best?: number;
  /** Number of the iteration that has it. */
  bestNumber?: number;
  /** Reward of the last iteration that has one, 0..1. */
  last?: number;
  /** Where its rewards come from. */
  rewardOrigin: Origin;
  /** Rule that derived them. */
  rewardRule?: string;
  /** Reflections written in it. */
  reflections: number;
  /** Findings about it. */
  findings: number;
  /** Outcome letters of its first 60 iterations, in order: `P ~ F > A - ?`. */
  trend: string;
  /** Ω recorded or assumed at its last iteration; absent: unbounded. */
  omega?: number;
  /** Where `omega` comes from. */
  omegaProvenance: 'recorded' | 'assumed';
}

/** A reflection by its place: record, and position inside it. */
export interface ReflectionRef {
  /** Number of the iteration that wrote it. */
  number: number;
  /** Ordinal of that iteration. */
  ordinal: number;
  /** The record that holds its text. */
  record: number;
  /** Position among the reflections of that record. */
  part: number;
}

/** Deltas as a record states them. */
export interface StoredDeltas {
  /** `reward_change`. */
  rewardChange?: number;
  /** `error_count_change`. */
  errorCountChange?: number;
  /** `is_improvement`. */
  isImprovement?: boolean;
}

/** One attempt of a run. */
export interface IterationView {
  /** Position in the run, from 0. */
  ordinal: number;
  /** Number as written. */
  number: number;
  /** How it ended. */
  outcome: Outcome;
  /** The finer word. */
  outcomeDetail?: string;
  /** End, in milliseconds since 1970-01-01T00:00:00Z. */
  timeMs?: number;
  /** Reward, 0..1. */
  reward?: number;
  /** Change against the nearest earlier rewarded iteration. */
  delta?: number;
  /** Iterations without reward that the change spans. */
  deltaGap: number;
  /** Errors of severity error. */
  errors?: number;
  /** Change of that count. */
  errorDelta?: number;
  /** Whether it improved on the attempt before. */
  isImprovement?: boolean;
  /** What the record itself says of its deltas. */
  stored?: StoredDeltas;
  /** The leading record. */
  record: number;
  /** Which iteration of that record, for records that hold several. */
  part: number;
  /** All records of this number, if there are several. */
  merged?: number[];
  /** Reflections written in it. */
  reflections: ReflectionRef[];
  /** Findings about it. */
  findings: number;
}

/** The series of a run, one element per iteration in order of ordinals. Absent is NaN. */
export interface RunColumns {
  /** Numbers as written. */
  numbers: Float64Array;
  /** Rewards 0..1; NaN where there is none. */
  rewards: Float64Array;
  /** Changes of reward; NaN where there is none. */
  deltas: Float64Array;
  /** Error counts; NaN where unknown. */
  errors: Float64Array;
  /** Outcomes, as indices of {@link OUTCOMES}. */
  outcomes: Uint8Array;
  /** Milliseconds since 1970; NaN where unknown. */
  timesMs: Float64Array;
}

/** What an agent could still read when an iteration began. */
export interface WindowView {
  /** Number of the iteration that begins. */
  at: number;
  /** Ω; absent: unbounded. */
  omega?: number;
  /** Where `omega` comes from. */
  omegaProvenance: 'configured' | 'recorded' | 'assumed' | 'dynamic';
  /** Policy. */
  policy: Policy;
  /** Reflections in context, oldest first. */
  held: ReflectionRef[];
  /** Written earlier and pushed out, oldest first. */
  evicted: ReflectionRef[];
  /** Reflections written at or after `at`. */
  later: number;
  /** Within Ω and beyond the token budget, oldest first. */
  dropped?: ReflectionRef[];
  /** Relevance of each in `held`, from 0; absent for other policies. */
  scores?: number[];
  /** Tokens of `held`, if there is a budget. */
  tokens?: number;
  /** Earlier reflections whose texts the rule asks for and nobody has read yet. */
  unread: number;
  /** What there is to say about the choice. */
  notes?: Finding[];
}

/** A window of a run. Its texts are read from the source when they are asked for. */
export interface RunWindow extends WindowView {
  /** The same as `render('plain')`. No own member: `JSON.stringify` leaves it out. */
  readonly text: string;
  /**
   * The window as text; empty while it holds nothing.
   *
   * @throws {@link HindscopeError} `unreadable-input` if the source has changed or gone,
   * `invalid-option`, `freed`.
   */
  render(layout?: Layout | null): string;
}

/** How to ask for a window. */
export interface WindowRule {
  /** Ω, 0..10. Default: as recorded, else as assumed for the format. */
  omega?: number | null;
  /** Default `fifo`. `relevance_weighted` needs the records: `invalid-option` here. */
  policy?: Policy | null;
  /** Leaves out reflections of successful iterations. Default false. */
  failuresOnly?: boolean | null;
}

/** The records of one loop or task, in order. It lives as long as its history. */
export interface Run {
  /** Its row. */
  readonly view: RunView;
  /** Its iterations, in order. */
  iterations(): IterationView[];
  /** Its series, as typed arrays. */
  columns(): RunColumns;
  /** Its reflections, in the order in which they were written. */
  reflections(): ReflectionRef[];
  /**
   * The window when iteration `at` began. Default: the attempt after the last one.
   *
   * @throws {@link HindscopeError} `no-such-iteration`, `omega-out-of-range`, `invalid-option`,
   * `freed`.
   */
  window(at?: number | null, rule?: WindowRule | null): RunWindow;
}

/** A number with its name, as the record spells it. */
export interface Counter {
  /** Member name. */
  name: string;
  /** Value as written. */
  value: number;
}

/** A text with its name. */
export interface NamedText {
  /** Member name. */
  name: string;
  /** The text, untouched. */
  text: string;
}

/** Result of one tool. */
export interface Check {
  /** Tool. */
  tool: string;
  /** `pass`, `fail`, `error`, `skip`, or what the record says instead. */
  status: string;
  /** Exit code. */
  exitCode?: number;
  /** Milliseconds. */
  durationMs?: number;
  /** Standard output, untouched. */
  stdout?: string;
  /** Standard error, untouched. */
  stderr?: string;
}

/** One error that the evaluator reported. */
export interface ErrorDetails {
  /** Type. */
  type: string;
  /** Message. */
  message: string;
  /** File. */
  file?: string;
  /** Line in that file, as written. */
  line?: number;
  /** Column in that file, as written. */
  column?: number;
  /** Severity; absent counts as error. */
  severity?: string;
  /** Rule of the tool. */
  rule?: string;
  /** Stack trace. */
  stack?: string;
}

/** One action of the agent. */
export interface Action {
  /** Type. */
  type: string;
  /** Description. */
  description: string;
  /** File. */
  path?: string;
  /** Command. */
  command?: string;
  /** Unified diff. */
  diff?: string;
  /** Added lines, as written. */
  additions?: number;
  /** Deleted lines, as written. */
  deletions?: number;
  /** Time as written. */
  time?: string;
  /** Named as failing by the reflection of the same record. */
  isCredited: boolean;
}

/** A lesson written after an attempt. */
export interface Reflection {
  /** Position among the reflections of its record. */
  part: number;
  /** The text, untouched. */
  text: string;
  /** Insights. */
  insights?: string[];
  /** Lessons. */
  lessons?: string[];
  /** Root cause. */
  rootCause?: string;
  /** Failure category. */
  category?: string;
  /** Causal reasoning. */
  reasoning?: string;
  /** Failing action indices, as written. */
  failingActions?: number[];
  /** Confidence, as written. */
  confidence?: number;
  /** Numbers of related reflections. */
  related?: number[];
}

/** The window that a record states. */
export interface RecordedWindow {
  /** `omega_capacity`, as written. */
  omega?: number;
  /** `window_policy`. */
  policy?: string;
  /** `reflections_in_context`: numbers after this record was stored. */
  after?: number[];
  /** `current_memory_size`. */
  size?: number;
  /** `total_reflections_generated`. */
  total?: number;
  /** `previous_reflections_used`: numbers injected before this attempt. */
  injected?: number[];
  /** `context_injected`. */
  injectedFlag?: boolean;
}

/** A reward with where it came from. */
export interface RewardView {
  /** Value, 0..1. */
  value: number;
  /** As written. */
  raw?: string;
  /** Scale of the written form. */
  scale: Scale;
  /** Reported or derived. */
  origin: Origin;
  /** Rule that derived it. */
  rule?: string;
}

/** Everything that a record says of one iteration. */
export interface Details {
  /** The record. */
  record?: number;
  /** Format id. */
  format: string;
  /** Key of the run as this record states it. */
  key?: string;
  /** Number as written. */
  number?: number;
  /** Time as written. */
  time?: string;
  /** Task description or prompt. */
  task?: string;
  /** How the attempt ended. */
  outcome?: Outcome;
  /** The finer word. */
  outcomeDetail?: string;
  /** Its reward. */
  reward?: RewardView;
  /** Kind of verification. */
  verification?: string;
  /** Why the agent did what it did. */
  rationale?: string;
  /** Strategy of this attempt. */
  strategy?: string;
  /** Strategy for the next attempt. */
  strategyNext?: string;
  /** Named counts: tests, coverage, lint and type errors, changed lines. */
  counters?: Counter[];
  /** Tool results. */
  checks?: Check[];
  /** Errors. */
  errors?: ErrorDetails[];
  /** Actions, in order; the position is the action index. */
  actions?: Action[];
  /** Files that the record lists as modified. */
  files?: string[];
  /** Reflections written in this iteration. */
  reflections?: Reflection[];
  /** The window as the record states it. */
  window?: RecordedWindow;
  /** Deltas as the record states them. */
  stored?: StoredDeltas;
  /** Named texts without a place of their own: solution, canonical solution, tests, notes. */
  texts?: NamedText[];
}

/** Options of {@link openHistory}. */
export interface OpenOptions {
  /** Default `lenient`. */
  profile?: Profile | null;
}

/** Options of {@link History}. */
export interface HistoryOptions extends OpenOptions {
  /**
   * Reads bytes `start` up to, not including, `end` of a source again. With it `inspect`, `raw`
   * and the texts of windows need no bytes handed in.
   */
  read?: ((source: number, start: number, end: number) => Bytes) | null;
}

/**
 * Everything that was opened, as rows. Usually made by {@link openHistory}; made by hand it takes
 * slices from wherever they come: `open`, `push` any number of times, `finish`.
 *
 * Records stay bytes: the history knows where each one stands, and one is read in full only when
 * it is looked at. It holds memory of the wasm until `free()`, or until it is disposed of or
 * collected.
 *
 * @example Slices from anywhere
 * ```js
 * import { History } from 'hindscope';
 *
 * const log = '{"iteration":0,"evaluator_output":{"passed":false},"self_reflection":{"reflection_text":"Too slow."}}\n';
 * const history = new History({ read: (source, start, end) => log.slice(start, end) });
 * const source = history.open('demo/loop.jsonl');
 * history.push(source, log.slice(0, 40));
 * history.push(source, log.slice(40));
 * history.finish(source);
 * console.log(history.sources()[0].format, history.inspect(0).reflections[0].text);
 * // → reflection-memory Too slow.
 * history.free();
 * ```
 */
export class History implements Disposable {
  /**
   * An empty history.
   *
   * @throws {@link HindscopeError} `invalid-option`.
   */
  constructor(options?: HistoryOptions | null);
  /** Announces a source by its path, folders included and `/` between them; gives its id. */
  open(path: string): number;
  /**
   * Hands over the next slice, of any length. False: reading further would change nothing.
   *
   * @throws {@link HindscopeError} `no-such-source`, `source-finished`, `unreadable-input`.
   */
  push(source: number, slice: Bytes): boolean;
  /**
   * Says that a source has no more slices.
   *
   * @throws {@link HindscopeError} `no-such-source`, `source-finished`.
   */
  finish(source: number): void;
  /**
   * Says that a source could not be read, and why. It stays in the list, with a finding.
   *
   * @throws {@link HindscopeError} `no-such-source`, `source-finished`.
   */
  fail(source: number, reason: string): void;
  /** All sources, in the order in which they were opened. */
  sources(): SourceView[];
  /** All groups of runs. */
  groups(): GroupView[];
  /** All runs, group by group, in the natural order of their keys. */
  runs(): RunView[];
  /** Everything that is odd, sorted by source, place and rule. */
  findings(): Finding[];
  /** Number of records in all sources; their ids are 0 and up. */
  readonly recordCount: number;
  /** Number of runs. */
  readonly runCount: number;
  /** Number of findings. */
  readonly findingCount: number;
  /**
   * One run, by its id or by its key. Of several with one key, the one in the first group.
   *
   * @throws {@link HindscopeError} `no-such-run`.
   */
  run(idOrKey: number | string): Run;
  /**
   * Where a record stands.
   *
   * @throws {@link HindscopeError} `no-such-record`.
   */
  locate(record: number): Span;
  /**
   * Iteration `part` of a record in full. `bytes` are those of its span; without them the reader
   * is asked.
   *
   * @throws {@link HindscopeError} `no-such-record`, `wrong-bytes`, `unreadable-input`.
   */
  inspect(record: number, part?: number | null, bytes?: Bytes | null): Details;
  /**
   * The text of a record, decoded and otherwise untouched.
   *
   * @throws {@link HindscopeError} `no-such-record`, `wrong-bytes`, `unreadable-input`.
   */
  raw(record: number, bytes?: Bytes | null): string;
  /** Gives its memory back. Every later call throws `freed`; a second `free` does nothing. */
  free(): void;
  /** The same as {@link History.free}, for `using`. */
  [Symbol.dispose](): void;
}

/** A file that is already in memory. The bytes are not copied: do not change them afterwards. */
export interface SourceInput {
  /** Its path, folders included and `/` between them: folders group runs, numbers order files. */
  name: string;
  /** Its contents. */
  data: Bytes;
}

/**
 * Opens files as one history. In Node, Deno and Bun a path may name a file or a folder, which is
 * walked with everything below it; names are then relative to the folder that holds it. What
 * cannot be read on the way is listed with its reason.
 *
 * @throws {@link HindscopeError} `unreadable-input` if a named path does not exist, and
 * `invalid-option`.
 *
 * @example Did it learn?
 * ```js
 * import { openHistory } from 'hindscope';
 *
 * const trial = (n, solved) => ({
 *   name: `demo/env_results_trial_${n}.json`,
 *   data: JSON.stringify([{ name: 'env_0', memory: [' Look in the drawer first.'], is_success: solved }]),
 * });
 * const history = openHistory([trial(0, false), trial(1, true)]);
 * const run = history.run('env_0');
 * console.log(history.groups()[0].solvedAfter, run.view.trend); // → [ 0, 1 ] FP
 * console.log(run.window(1).text); // → [0] failure: Look in the drawer first.
 * history.free();
 * ```
 */
export function openHistory(
  input: string | URL | SourceInput | readonly (string | URL | SourceInput)[],
  options?: OpenOptions | null,
): History;

/**
 * Words of the codes in `columns().outcomes`.
 *
 * @example A code is an index
 * ```js
 * import { OUTCOMES } from 'hindscope';
 *
 * console.log(OUTCOMES[2]); // → failure
 * ```
 */
export const OUTCOMES: readonly ['success', 'partial', 'failure', 'running', 'aborted', 'void', 'unknown'];

/**
 * Resolves when the functions may be called. A browser fetches the wasm, and rejects this with
 * `unreadable-input` if it cannot; all other runtimes start it while they load the package, so
 * there it needs no waiting.
 *
 * @example In any runtime
 * ```js
 * import { ready, validate } from 'hindscope';
 *
 * await ready;
 * console.log(validate({}).verdict); // → unusable
 * ```
 */
export const ready: Promise<void>;
