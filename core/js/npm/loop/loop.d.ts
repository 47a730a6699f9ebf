/**
 * What goes into a reflection loop and what comes out of it.
 *
 * Names are in camelCase. Options may also be spelled in snake_case, as in YAML and Rust; the same one in
 * both spellings is `config_value`. Data keep their names: the state with its `reflection_…` variables,
 * records, outputs, and items of errors.
 *
 * @module
 */
import type { BudgetLeft, Coercion } from './data.js';
import type { Awaitable, StandardSchema } from '../types.js';

/**
 * What a call cost. Every spelling of an SDK is read: that of the data, the `prompt_tokens` of OpenAI, the
 * cache tokens of Anthropic, and the camelCase of the AI SDK. Counts that are not reported are unknown, not 0.
 */
export interface LoopUsage {
  /** Tokens that went in. */
  inputTokens?: number | undefined;
  /** Tokens that came out. */
  outputTokens?: number | undefined;
  /** Tokens in all; their sum if left out. */
  totalTokens?: number | undefined;
  /** Tokens that went in, as OpenAI's SDK calls them. */
  promptTokens?: number | undefined;
  /** Tokens that came out, as OpenAI's SDK calls them. */
  completionTokens?: number | undefined;
  /** In whatever unit the budget has. */
  cost?: number | undefined;
}

/** What every callback is handed. Its members are read when they are looked at. */
export interface LoopCall {
  /** The round, from 1. */
  readonly iteration: number;
  /** The number of the candidate within its round, from 1; null if the round has only one by design. */
  readonly candidate: number | null;
  /** 2 for the first retry. */
  readonly tries: number;
  /** The state with the `reflection_…` variables, as it was when the step was made: a copy. */
  readonly state: Record<string, unknown>;
  /** Aborted when the time of this call is over or the loop has ended: its result will not be used. */
  readonly signal: AbortSignal;
  /** Reports what this call cost. The costs of several reports add up. */
  readonly usage: (usage: LoopUsage | LoopUsageReport | OpenAiUsage) => void;
}

/** Usage in snake_case. */
export interface LoopUsageReport {
  /** Tokens that went in. */
  input_tokens?: number;
  /** Tokens that came out. */
  output_tokens?: number;
  /** Tokens in all; their sum if left out. */
  total_tokens?: number;
  /** Cost, in whatever unit the budget has. */
  cost?: number;
}

/** Usage as OpenAI's chat completions report it. */
export interface OpenAiUsage {
  /** Tokens that went in. */
  prompt_tokens?: number;
  /** Tokens that came out. */
  completion_tokens?: number;
  /** Tokens in all; their sum if left out. */
  total_tokens?: number;
}

/** What a generator is handed. */
export interface GenerateCall extends LoopCall {
  /** Its parameters, rendered. */
  readonly params: Record<string, unknown>;
  /** The refused attempts that the option `feedback` selects, as text for a prompt; "" if none is. */
  readonly feedback: string;
  /** Whether no round comes after this one. */
  readonly isLast: boolean;
  /** What may still be spent. */
  readonly budgetLeft: BudgetLeft;
}

/** What an evaluator is handed. */
export interface EvaluateCall<Candidate = unknown> extends LoopCall {
  /** After parsing and coercion. */
  readonly output: Candidate;
  /** Its name. */
  readonly evaluator: string;
}

/** What a corrector is handed. */
export interface CorrectCall<Candidate = unknown> extends LoopCall {
  /** Its parameters, rendered. */
  readonly params: Record<string, unknown>;
  /** The output that was refused. */
  readonly output: Candidate;
  /** The errors for which it was refused. */
  readonly errors: LoopErrorItem[];
  /** Suggestions that may help to correct it. */
  readonly suggestions: unknown[];
  /** The refused attempts that the option `feedback` selects, as text for a prompt; "" if none is. */
  readonly feedback: string;
  /** Whether no round comes after this one. */
  readonly isLast: boolean;
  /** What may still be spent. */
  readonly budgetLeft: BudgetLeft;
}

/** One thing that an evaluator found wrong. Items that hosts give keep their own keys. */
export interface LoopErrorItem {
  /** What is wrong, as a sentence. */
  message?: string;
  /** A stable code, such as `schema` or `judge_rejected`. */
  code?: string;
  /** Dotted; "" at the root. */
  path?: string;
  /** JSON Pointer. */
  pointer?: string;
  /** The keyword of the schema that refuses it. */
  keyword?: string;
  /** Where that keyword stands in the schema. */
  schema_path?: string[];
  /** What the keyword asks for. */
  params?: unknown;
  /** The name of the evaluator that found it, where there are several. */
  evaluator?: string;
  [key: string]: unknown;
}

/**
 * What an evaluator may answer: whether the output passes, a score, a list of errors (an empty one passes),
 * a reason to refuse it, or an object with several of these.
 */
export type LoopVerdict =
  | boolean
  | number
  | string
  | null
  | undefined
  | readonly (string | LoopErrorItem)[]
  | {
      valid?: unknown;
      pass?: unknown;
      score?: unknown;
      errors?: readonly (string | LoopErrorItem)[] | string | null;
      suggestions?: readonly unknown[] | string;
      reason?: string;
      feedback?: string;
      [key: string]: unknown;
    };

/**
 * What a corrector may answer. Anything else that a function returns is the corrected output, unless
 * `correctorMode` says otherwise.
 */
export interface LoopCorrection<Candidate = unknown> {
  /** Evaluated next, without asking the generator. */
  candidate?: Candidate;
  /** Merged into the state; without candidate the generator is asked with it. */
  context?: Record<string, unknown>;
  /** What was learned, kept on the attempt and in its record. */
  reflection?: string;
  /** What was understood, a sentence each. */
  insights?: readonly string[];
  /** What kind of failure it was. */
  failure_category?: string;
  /** How sure the corrector is, 0 to 1. */
  confidence?: number;
}

/** What a model returns. */
export interface ModelMessage {
  /** Who speaks: `assistant`. */
  role?: string;
  /** The answer: a text, or parts with texts. */
  content?: string | { text?: string; [key: string]: unknown }[] | null;
  /** The answer, where there is no `content`. */
  response?: string;
  /** The model that answered. */
  model?: string;
  /** What the answer cost. */
  usage?: LoopUsageReport | LoopUsage | OpenAiUsage;
  /** The id of the answer. */
  id?: string;
  /** Why it ended. An answer that was cut off (`length`) or held back is a failed attempt, and says so. */
  finish_reason?: string;
  /** Why the model did not answer: a failed attempt with the code `refused`. */
  refusal?: string | null;
  /** Tools that the model wants to be called. */
  tool_calls?: unknown;
}

/** A model. For `llm.call` it is given the parameters of the action; as a judge, `model` and `messages`. */
export interface LoopModel {
  (request: Record<string, unknown>, call: LoopCall): Awaitable<unknown>;
  /** The model to ask for where a judge names none. */
  readonly model?: string;
}

/** What an action is handed: as a generator, an evaluator or a corrector, whichever it is at the time. */
export type ActionCall = LoopCall & Partial<Omit<GenerateCall & EvaluateCall & CorrectCall, keyof LoopCall>>;

/** A function of this host that configurations may name. */
export type LoopAction = (params: Record<string, unknown>, call: ActionCall) => unknown;

/** Runs a piece of code: the `run` of a module of `hindscope/languages`, or a function of yours. */
export type LoopCode = (code: string, options: { state?: unknown; output?: unknown; signal?: AbortSignal; timeoutMs?: number }) => Awaitable<unknown>;

/**
 * Runs inline code: a module of `hindscope/languages`, something else with such a `run`, or that function alone. Where there is
 * a `runner`, the loop makes one that keeps its engine until the loop ends: only the first call waits for the engine to start.
 */
export type LoopLanguage = LoopCode | { run: LoopCode } | { runner: (options: { keepEngine: true }) => { run: LoopCode; close?: () => void } };

/** Judges by a JSON Schema. */
export interface SchemaEvaluator {
  /** Which evaluator this is. */
  type?: 'schema';
  /**
   * A JSON Schema: draft 2020-12 unless `$schema` names another. Or a schema of zod, valibot, arktype or
   * another library of {@link StandardSchema}: it is called as a function is, and the options below do not
   * apply.
   */
  schema: Record<string, unknown> | boolean | StandardSchema;
  /** Documents that it refers to, by their URIs. */
  schemas?: Record<string, unknown>;
  /** The draft of JSON Schema. Default `auto`: as `$schema` says, else 2020-12. */
  draft?: 'auto' | '4' | '6' | '7' | '2019-09' | '2020-12';
  /** Whether `format` refuses what does not fit. Default true. */
  assertFormats?: boolean;
  /** Converts texts to what the schema wants, and numbers and booleans to texts. Default true. */
  coerce?: boolean;
  /** Whether a refused output scores 0 (`binary`), or less with each error (`graded`). Default `binary`. */
  schemaScore?: 'binary' | 'graded';
}

/** Judges by a model. */
export interface LlmEvaluator {
  /** Which evaluator this is. */
  type: 'llm';
  /** A template; without one a prompt of ours. */
  prompt?: string | null;
  /** The model to ask. Default: as the state, the loop or the model itself says. */
  model?: string | null;
  /** Verdicts to show to the model before it is asked. */
  examples?: readonly Record<string, unknown>[] | null;
}

/** Judges by a function, or by inline code. */
export interface CustomEvaluator<Candidate = unknown> {
  /** Which evaluator this is. */
  type?: 'custom';
  /** The function that judges. */
  evaluate?: (call: EvaluateCall<Candidate>) => Awaitable<LoopVerdict>;
  /** Code that judges. */
  run?: string;
  /** The language of that code. Default `python`. */
  language?: string;
}

/** What evaluators of a list have in common. */
export interface EvaluatorCommon {
  /** Its name, in errors and attempts. */
  name?: string;
  /** For `combine: 'weighted'`. */
  weight?: number;
  /** For `combine: 'weighted'`: whether nothing is accepted that it refuses. */
  required?: boolean;
  /** `warn` takes it out of verdict and score. */
  onFail?: 'fail' | 'warn';
  /** What kind of verification it is, for records. */
  verificationType?: string;
}

/** One evaluator. */
export type LoopEvaluator<Candidate = unknown> =
  | ((call: EvaluateCall<Candidate>) => Awaitable<LoopVerdict>)
  | StandardSchema
  | ((EitherCase<SchemaEvaluator> | LlmEvaluator | CustomEvaluator<Candidate>) & EitherCase<EvaluatorCommon>);

/** A named action with its parameters, or inline code. Texts in parameters are templates. */
export type LoopTarget =
  | { action: string; [param: string]: unknown }
  | { run: string; language?: string };

/** What whoever starts a loop can do. */
export interface LoopHost {
  /** The model of `llm.call`, of judges and of prompts: `openaiChat()`, or a function of your own. */
  llm?: LoopModel | undefined;
  /** Functions that configurations may name, by their names. */
  actions?: Record<string, LoopAction> | undefined;
  /** What runs inline code, by the names of languages. */
  languages?: Record<string, LoopLanguage> | undefined;
  /** Documents that schemas refer to; nothing is fetched or opened by itself. */
  resolveSchema?: ((uri: string, call: LoopCall & { readonly from: string }) => unknown) | undefined;
  /** Ends the loop with what it has: `stopReason` is `aborted`. */
  signal?: AbortSignal | undefined;
  /** What happened, in order. What it throws is ignored. */
  onEvent?: ((event: LoopEvent) => unknown) | undefined;
  /**
   * The clock, in milliseconds from any origin. Default `performance.now`. `deadlineMs` is a time of this
   * clock. If it throws at the start, the configuration is refused; later, the loop ends as `aborted`.
   */
  now?: (() => number) | undefined;
  /** Date and time, for records: `new Date()`. */
  at?: (() => string | Date) | undefined;
  /**
   * Ends the `loop_id` of the records, so that records of several loops of one name are several runs:
   * letters a to z, digits and hyphens; `''` appends nothing. Default: the time and a random number.
   */
  loopSuffix?: string | undefined;
}

/** Which output is returned when none was accepted; `raise` rejects with `ReflectionFailedError`. */
export type OnFailure = 'return_best' | 'return_last' | 'raise';

/** A name in snake_case, as YAML and Rust spell it. */
export type SnakeName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeName<Rest>}`
  : '';

/** The same members in snake_case. */
export type SnakeCase<Members> = { [Name in keyof Members as SnakeName<Name & string>]: Members[Name] };

/** Members in camelCase or snake_case; the same one in both is refused when the loop starts. */
export type EitherCase<Members> = Members & SnakeCase<Members>;

/** Options without functions. What is left out has the default that is named. */
export interface LoopLimits {
  /** The most rounds, 1 to 1000. Default 3. */
  maxIterations?: number;
  /** What is returned if no output was accepted. Default `return_best`. */
  onFailure?: OnFailure;
  /** How the verdicts of several evaluators are combined. Default `all`. */
  combine?: 'all' | 'any' | 'first' | 'weighted';
  /**
   * Whether a corrector's answer is the next candidate (`replace`), or the generator is asked again
   * (`regenerate`). Default `auto`: `replace` for `llm.call` and for prompts, for a function unless it returns
   * nothing or a `context`, otherwise `regenerate`.
   */
  correctorMode?: 'auto' | 'regenerate' | 'replace';
  /**
   * How texts and messages of models become outputs. Default `auto`: answers of models are read as JSON
   * beside a schema, else as text. A text of a function beside a schema that wants no text is parsed if it is
   * JSON as a whole, with the warning `text_parsed`.
   */
  parse?: 'auto' | 'json' | 'text' | 'none';
  /** The score, 0 to 1, below which nothing is accepted. Default null: none. */
  passScore?: number | null;
  /**
   * The number above 0 that scores of judges and functions are divided by. Default 1. A score that is not from
   * 0 to 1 then has the warning `score_clamped`, and passes nothing.
   */
  scoreScale?: number;
  /** The model that judges ask for where neither they nor the state name one. */
  llmDefaults?: { provider?: string; model?: string };
  /** How often a judge is asked again if its verdict cannot be read, 0 to 3. Default 0. */
  judgeRetries?: number;
  /** How many candidates a round generates at the same time, 1 to 32. Default 1. */
  candidates?: number;
  /** Whether the first accepted candidate ends the round. Default false. */
  earlyStop?: boolean;
  /**
   * Parameters for each round: they are merged over those of the generator. The last ones also hold for
   * all later rounds.
   */
  attemptParams?: readonly Record<string, unknown>[];
  /**
   * How often a call is made again (`max`) after an error that says `retryable: true`. The first wait is
   * `initialMs` (default 500), each further one is longer by `factor` (default 2), up to `maxMs` (default 30,000),
   * and shorter by chance up to the share `jitter` (default 0). `on` limits it to some calls. Default: no retries.
   */
  retry?: EitherCase<{ max?: number; initialMs?: number; factor?: number; maxMs?: number; jitter?: number; on?: readonly ('generate' | 'evaluate' | 'correct' | 'resolve')[] }>;
  /** Seed for the jitter of retries: a 64-bit integer, or a string with one. Default 0. */
  seed?: number | string;
  /**
   * What may be spent in all: tokens, cost, calls and milliseconds; null is no limit. Where a call does not say
   * what it cost, `strict` ends the loop. Default: no limits.
   */
  budget?: { tokens?: number | null; cost?: number | null; calls?: number | null; ms?: number | null; strict?: boolean } | null;
  /** The time of `now`, in ms, at which the loop ends. Default null: none. */
  deadlineMs?: number | null;
  /** How long one call may take, in ms. Default null: no limit. */
  callTimeoutMs?: number | null;
  /**
   * Ends the loop after so many rounds in a row (`after`) with the same best output, the same errors, or without a
   * gain of the best score (`minGain`), as `by` says. Default: none.
   */
  stall?: ({ after: number; by?: readonly ('output' | 'errors' | 'score')[] } & EitherCase<{ minGain?: number }>) | null;
  /** How many failures of one kind in a row end the loop. Default: no limit. */
  failureLimits?: { generator?: number; parse?: number; evaluator?: number; corrector?: number } | null;
  /**
   * Which refused attempts `feedback` lists: the `last` ones (default 3; null: all), and of those before
   * them the `best` ones (default 0). `dedupe` lists each error only once, with how many attempts made it (default true).
   */
  feedback?: { last?: number | null; best?: number; dedupe?: boolean };
  /** How many of the newest attempts keep their outputs, from 1; the best one always does. Default: all. */
  historyLimit?: number | null;
  /** Makes records of reflection memory, and hands earlier ones to the generator. */
  memory?: EitherCase<LoopMemory> | null;
  /** Whether unknown options are warnings only. Default `error`: `config_unknown_key`, with the nearest known name. */
  unknownKeys?: 'warn' | 'error';
  /** `full` puts outputs into events. */
  events?: 'brief' | 'full';
}

/** How a loop is configured. What is left out has the default that is named. */
export interface LoopOptions<Candidate = unknown, Generated = Candidate> extends LoopHost, LoopLimits, SnakeCase<LoopLimits> {
  /** What the callbacks and templates see beside the variables of the loop. */
  state?: Record<string, unknown>;
  /** What generates: a function, an action or inline code. */
  generate?: ((call: GenerateCall) => Awaitable<Generated>) | LoopTarget;
  /** The same as `generate`, as in YAML. */
  generator?: ((call: GenerateCall) => Awaitable<Generated>) | LoopTarget;
  /** One evaluator, or up to 16. */
  evaluate?: LoopEvaluator<Candidate> | readonly LoopEvaluator<Candidate>[];
  /** The same as `evaluate`, as in YAML. */
  evaluator?: LoopEvaluator<Candidate> | readonly LoopEvaluator<Candidate>[];
  /** What corrects a refused output. Default: nothing does. */
  correct?: ((call: CorrectCall<Candidate>) => unknown) | LoopTarget | null;
  /** The same as `correct`, as in YAML. */
  corrector?: ((call: CorrectCall<Candidate>) => unknown) | LoopTarget | null;
}

/** What no loop runs without. */
export type LoopParts = ({ generate: {} } | { generator: {} }) & ({ evaluate: {} } | { evaluator: {} });

/** Who remembers what of a loop. */
export interface LoopMemory {
  /**
   * Id of the loop: `ralph-` and then letters a to z, digits and hyphens. Default: made from `name`. In the
   * records it ends with `loopSuffix`.
   */
  loopId?: string;
  /** Made into a loop id. */
  name?: string;
  /** The task in words, for the records. */
  taskDescription?: string;
  /** Ω, how many reflections the window holds: 1 to 10. Default 3. */
  omega?: number;
  /** Which reflections stay when the window is full. Default `fifo`. */
  policy?: 'fifo' | 'recency' | 'relevance_weighted';
  /** Records of earlier runs of the task. */
  records?: readonly unknown[];
}

/** Why a loop has ended. */
export type StopReason = 'valid' | 'exhausted' | 'stalled' | 'budget' | 'deadline' | 'aborted' | 'failures';

/** One attempt. */
export interface LoopAttempt<Candidate = unknown> extends LoopAttemptMembers<Candidate> {
  [key: string]: unknown;
}

/** The members of an attempt that are known. */
export interface LoopAttemptMembers<Candidate = unknown> {
  /** The round, from 1. */
  iteration: number;
  /** The number of the candidate within its round, where rounds have several. */
  candidate?: number;
  /** The output, after parsing and coercion; null if there is none. */
  output: Candidate | null;
  /** Whether the output was dropped, as `historyLimit` asks for. */
  outputOmitted?: boolean;
  /** As it came, where parsing or coercion changed it. */
  rawOutput?: unknown;
  /** 0 to 1 */
  score: number;
  /** Whether it was accepted. */
  valid: boolean;
  /** What is wrong with it. */
  errors: LoopErrorItem[];
  /** What may help to correct it. */
  suggestions: unknown[];
  /** The reason, in the words of the evaluator. */
  feedback: string;
  /**
   * What it is about: a verdict; a generator that failed; an answer without a value; an evaluator that failed; or
   * a limit that came before the verdict.
   */
  kind: 'evaluation' | 'generator' | 'parse' | 'evaluator' | 'unevaluated';
  /** Whether it comes from the generator or the corrector. */
  origin: 'generated' | 'corrected';
  /** The values that were converted. */
  coercions: Coercion[];
  /** What its calls cost. */
  usage: LoopUsage | null;
  /** What each evaluator said, where there are several. */
  evaluators?: { name: string; type: string; valid: boolean; score: number; errors: LoopErrorItem[] }[];
  /** Why correcting it failed. */
  correctorError?: LoopErrorItem;
  /** What the corrector learned of it. */
  reflection?: string;
  /** How often its generator was asked, where that was more than once. */
  tries?: number;
  /** How long its calls took, in milliseconds, where they say. */
  ms?: number;
}

/** What all calls cost together. */
export interface LoopUsageTotal {
  /** Calls that were made, by their kind and in all. */
  calls: { generate: number; evaluate: number; correct: number; total: number };
  /** Tokens that went in. */
  inputTokens: number;
  /** Tokens that came out. */
  outputTokens: number;
  /** Tokens in all. */
  totalTokens: number;
  /** Cost, in whatever unit the budget has. */
  cost: number;
  /** Milliseconds, as replies say. */
  ms: number;
  /** Calls that did not say what they cost. Code, and functions that return no promise, cost nothing. */
  unknown: number;
}

/** Something that is worth knowing and stopped nothing. */
export interface LoopWarning {
  /** A stable code, such as `score_clamped`. */
  code: string;
  /** What it is about, as a sentence. */
  message: string;
  [key: string]: unknown;
}

/** What a loop has achieved. */
export interface LoopResult<Candidate = unknown> {
  /** Whether an output was accepted. */
  success: boolean;
  /** Why the loop has ended. */
  stopReason: StopReason;
  /** More about it. */
  stopDetail?: string;
  /** How many rounds were begun. */
  iterations: number;
  /** The accepted output, else what `onFailure` asks for; null if there is none. */
  output: Candidate | null;
  /** The errors of the last attempt; none if an output was accepted. */
  errors: LoopErrorItem[];
  /** Every attempt, in order. */
  attempts: LoopAttempt<Candidate>[];
  /** The output of the best attempt: another one than `output` only with `onFailure: 'return_last'`. */
  best: Candidate | null;
  /** The score of `best`. */
  score: number | null;
  /** Suggestions of the last attempt; none if an output was accepted. */
  suggestions: unknown[];
  /** The feedback on the last attempt; "" if an output was accepted. */
  feedback: string;
  /** What all calls cost together. */
  usage: LoopUsageTotal;
  /** What was worth knowing and stopped nothing. */
  warnings: LoopWarning[];
  /** Records of reflection memory, where `memory` is configured. */
  records?: Record<string, unknown>[];
}

/** What every event has. */
interface Happened<Type extends string> {
  /** From 1, without gaps. */
  seq: number;
  /** Which event it is. */
  type: Type;
  /** The round; 0 before the first. */
  iteration: number;
  /** Where a round has several. */
  candidate?: number;
}

/** Something that happened in a loop. Outputs stand in events only if `events` is `full`. */
export type LoopEvent =
  | (Happened<'started'> & { maxIterations: number })
  | (Happened<'generated'> & { tries: number; origin: 'generated' | 'corrected'; output?: unknown })
  | (Happened<'parsed'> & { found: boolean; output?: unknown })
  | (Happened<'evaluated'> & { attempt: Omit<LoopAttemptMembers, 'output'> & { output?: unknown } })
  | (Happened<'best'> & { score: number })
  | (Happened<'corrected'> & { effect: 'candidate' | 'context' | 'not_merged' | 'none' | 'failed' })
  | (Happened<'retry'> & { step: string; tries: number; delayMs: number })
  | (Happened<'warning'> & { code: string; message: string; field: string | null })
  | (Happened<'record'> & { record: Record<string, unknown> })
  | (Happened<'stopped'> & { stopReason: StopReason | 'template_failed' | 'call_failed'; stopDetail: string | null });
