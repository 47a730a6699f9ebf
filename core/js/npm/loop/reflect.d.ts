/**
 * The reflection loop: generate, evaluate, correct, and again, until an output is accepted or a
 * limit ends it.
 *
 * @module
 */
import type { Coercion } from './data.js';
import type { CorrectCall, EvaluateCall, LoopErrorItem, LoopEvaluator, LoopEvent, LoopHost, LoopLimits, LoopOptions, LoopParts, LoopResult, LoopTarget, LoopUsageTotal, LoopVerdict, StopReason } from './loop.js';
import type { Awaitable, StandardSchema } from '../types.js';

/**
 * Runs a loop to its end. Callbacks may be synchronous or not; what they throw becomes a failed
 * attempt, or is tried again if `retry` says so and the error does (`retryable`, or a `status` of
 * 408, 425, 429 or 5xx; `retryAfterMs` is waited for).
 *
 * No timer is started unless a wait or a time limit asks for one. A callback that never settles is
 * ended by `callTimeoutMs`, `deadlineMs`, `budget.ms` or `signal`, and by nothing else.
 *
 * @throws {@link ReflectionConfigError} before anything is called, except perhaps `resolveSchema` and
 * the clock `now`; {@link ReflectionFailedError} if
 * `onFailure` is `raise` or the wasm crashes (`crashed`: what was achieved is on it, as far as it is
 * known outside), {@link ReflectionTemplateError} for a prompt that names what is not there.
 *
 * @example JSON by a schema
 * ```js
 * import { ready, reflectionLoop } from 'hindscope/loop';
 *
 * await ready;
 * const answers = ['no idea', '{"name": "Ada"}', '{"name": "Ada", "age": "36"}']; // a model's, one after the other
 * const result = await reflectionLoop({
 *   generate: ({ feedback, iteration }) => {
 *     if (feedback) console.log(iteration, feedback.split('\n')[0]);
 *     return answers[iteration - 1];
 *   },
 *   parse: 'json',
 *   evaluate: { schema: { type: 'object', required: ['name', 'age'], properties: { age: { type: 'integer' } } } },
 *   maxIterations: 3,
 * });
 * // → 2 Attempt 1 (score 0)
 * // → 3 Attempt 1 (score 0)
 * console.log(result.success, result.iterations, result.output); // → true 3 { name: 'Ada', age: 36 }
 * ```
 *
 * @example A function judges, another one corrects
 * ```js
 * import { reflectionLoop } from 'hindscope/loop';
 *
 * const { output, attempts } = await reflectionLoop({
 *   generate: () => ({ words: 12 }),
 *   evaluate: ({ output }) => (output.words <= 10 ? true : { valid: false, score: 10 / output.words, errors: ['too long'] }),
 *   correct: ({ output, errors }) => ({ candidate: { words: output.words - 3 }, reflection: `It was ${errors[0].message}.` }),
 * });
 * console.log(output, attempts.map(({ origin }) => origin)); // → { words: 9 } [ 'generated', 'corrected' ]
 * ```
 */
export function reflectionLoop<Candidate = unknown>(
  options: LoopOptions<Candidate, unknown> & LoopParts & { parse: 'json' },
): Promise<LoopResult<Candidate>>;
export function reflectionLoop<Candidate = unknown>(
  options: LoopOptions<Candidate> & LoopParts,
): Promise<LoopResult<Candidate>>;

/** What `reflectionEvents` gives at last. */
export interface LoopResultEvent<Candidate = unknown> {
  /** Which event this is: the last one. */
  type: 'result';
  /** What the loop has achieved. */
  result: LoopResult<Candidate>;
}

/**
 * The same loop as an iterator over its events; the last item is `{ type: 'result', result }`. The loop
 * begins with the first `next`, and the iterator throws what {@link reflectionLoop} rejects with. Leaving
 * `for await` (or calling `return`) ends the loop, and does not wait for its next event.
 *
 * @example Follow a loop
 * ```js
 * import { reflectionEvents } from 'hindscope/loop';
 *
 * let tries = 0;
 * for await (const event of reflectionEvents({ generate: () => (tries += 1), evaluate: ({ output }) => output > 1 })) {
 *   if (event.type === 'evaluated') console.log(event.iteration, event.attempt.valid);
 *   if (event.type === 'result') console.log(event.result.output);
 * }
 * // → 1 false
 * // → 2 true
 * // → 2
 * ```
 */
export function reflectionEvents<Candidate = unknown>(
  options: LoopOptions<Candidate> & LoopParts,
): AsyncGenerator<LoopEvent | LoopResultEvent<Candidate>, void, undefined>;

/** One evaluation. Keys beside these are handed on to the evaluator. */
export interface EvaluateOptions<Candidate = unknown> extends LoopHost, Pick<LoopLimits, 'deadlineMs' | 'callTimeoutMs'> {
  /** What to judge: null, false and 0 are data. Left out: `reflection_output` or `output` of the state. */
  data?: Candidate;
  /** What templates and callbacks see. */
  state?: Record<string, unknown>;
  /** Which evaluator judges: a schema, a model, or a function or code. */
  evaluatorType?: 'schema' | 'llm' | 'custom';
  /** A JSON Schema, or a schema of another library, as in {@link SchemaEvaluator}. */
  schema?: Record<string, unknown> | boolean | StandardSchema;
  /** A template of the prompt for the model. */
  prompt?: string | null;
  /** The model to ask. */
  model?: string | null;
  /** Verdicts to show to the model, as in {@link LlmEvaluator}. */
  examples?: readonly Record<string, unknown>[] | null;
  /** Code to run. */
  run?: string;
  /** The language of that code. */
  language?: string;
  /** A function that judges. */
  evaluate?: (call: EvaluateCall<Candidate>) => Awaitable<LoopVerdict>;
  [key: string]: unknown;
}

/** What one evaluation says. */
export interface EvaluateResult {
  /** Whether the output passes. */
  valid: boolean;
  /** The score, 0 to 1. */
  score: number;
  /** What is wrong with it. */
  errors: LoopErrorItem[];
  /** What may help to correct it. */
  suggestions: unknown[];
  /** The reason, in the words of the evaluator. */
  feedback: string;
  /** The values that were converted. */
  coercions: Coercion[];
  /** After coercion. */
  output: unknown;
  /** What all calls cost together. */
  usage?: LoopUsageTotal;
  /** Why it stopped before there was a verdict. */
  stopReason?: StopReason;
  /** Whether the request could be carried out; a request that is wrong is not thrown. */
  success: boolean;
  [key: string]: unknown;
}

/**
 * Judges once, by the same evaluators as a loop.
 *
 * @example A schema, with coercion
 * ```js
 * import { reflectionEvaluate } from 'hindscope/loop';
 *
 * const { valid, output, errors } = await reflectionEvaluate({ data: { n: '7' }, schema: { properties: { n: { type: 'integer', maximum: 5 } } } });
 * console.log(valid, output, errors[0].path, errors[0].keyword); // → false { n: 7 } n maximum
 * ```
 */
export function reflectionEvaluate<Candidate = unknown>(options: EvaluateOptions<Candidate>): Promise<EvaluateResult>;

/** One correction. Keys beside these are parameters of the action. */
export interface CorrectOptions<Candidate = unknown> extends LoopHost, Pick<LoopLimits, 'deadlineMs' | 'callTimeoutMs'> {
  /** What to correct. Left out: `reflection_output` or `output` of the state. */
  data?: Candidate;
  /** Left out: `reflection_errors` of the state. */
  errors?: readonly (LoopErrorItem | string)[] | null;
  /** What templates and callbacks see. */
  state?: Record<string, unknown>;
  /** The action that corrects. */
  correctorAction?: string;
  /** Code to run. */
  run?: string;
  /** The language of that code. */
  language?: string;
  /** A template of the prompt for the model. */
  prompt?: string;
  /** A function that corrects. */
  correct?: (call: CorrectCall<Candidate>) => unknown;
  [key: string]: unknown;
}

/** What one correction gives. */
export interface CorrectResult {
  /** The corrected output; if the correction failed, the output that was to be corrected. */
  output: unknown;
  /** Whether the correction succeeded. */
  success: boolean;
  /** What the corrector wants merged into the state. */
  context?: Record<string, unknown>;
  /** Why it failed. */
  error?: string;
  /** The code of that. */
  code?: string;
  [key: string]: unknown;
}

/**
 * Corrects once.
 *
 * @example By a function
 * ```js
 * import { reflectionCorrect } from 'hindscope/loop';
 *
 * const correct = ({ output, errors }) => ({ candidate: { ...output, [errors[0].path]: 36 } });
 * const { output } = await reflectionCorrect({ data: { age: 'old' }, errors: [{ path: 'age', message: 'no integer' }], correct });
 * console.log(output); // → { age: 36 }
 * ```
 */
export function reflectionCorrect<Candidate = unknown>(options: CorrectOptions<Candidate>): Promise<CorrectResult>;

/** A value after coercion. */
export interface CoercedValue {
  /** The value with what could be converted. */
  value: unknown;
  /** The values that were converted. */
  coercions: Coercion[];
}

/**
 * Converts texts to what a schema wants of them, and numbers and booleans to texts. What cannot be
 * converted stays as it is.
 *
 * @example Numbers in texts
 * ```js
 * import { coerce } from 'hindscope/loop';
 *
 * const { value, coercions } = coerce({ properties: { n: { type: 'integer' }, s: { type: 'string' } } }, { n: ' 42 ', s: 5, x: '1' });
 * console.log(value, coercions.length); // → { n: 42, s: '5', x: '1' } 2
 * ```
 */
export function coerce(schema: unknown, data: unknown): CoercedValue;

/**
 * Renders a template of a prompt. Its names are the keys of the state, and `state` for the whole.
 *
 * @throws {@link ReflectionTemplateError} `config_template` for its syntax, `template_failed` for a
 * name that is not there.
 *
 * @example A prompt
 * ```js
 * import { renderTemplate } from 'hindscope/loop';
 *
 * console.log(renderTemplate('Fix {{ errors | length }} errors: {{ state.errors | tojson }}', { errors: ['a'] })); // → Fix 1 errors: ["a"]
 * ```
 */
export function renderTemplate(template: string, state?: Record<string, unknown>): string;

/** Options as they stand in YAML. Blocks of the single forms have the options of those instead of these. */
export interface LoopYamlConfig {
  /** What generates. */
  generator: LoopTarget;
  /** What judges. */
  evaluator: LoopEvaluator | readonly LoopEvaluator[];
  [key: string]: unknown;
}

/** What a block of YAML configures. */
export interface LoopYaml {
  /** `reflection.loop`, `reflection.evaluate` or `reflection.correct`. */
  action: string;
  /** Options for the function of that name, as they stand there; templates stay text. */
  config: LoopYamlConfig;
}

/**
 * Reads the configuration of a loop, or of one of its single forms, from YAML: a node, the inside of
 * its `with:`, or a document with `nodes:`, of which `name` chooses one.
 *
 * @throws {@link ReflectionConfigError} `config_value` for what is no YAML or no such block.
 *
 * @example A block of a workflow
 * ```js
 * import { parseLoopConfig, reflectionLoop } from 'hindscope/loop';
 *
 * const { config } = parseLoopConfig(`
 * action: reflection.loop
 * with:
 *   generator: {action: llm.call, prompt: "Profile of {{ state.person }} as JSON"}
 *   evaluator: {type: schema, schema: {type: object, required: [name]}}
 * `);
 * const llm = ({ prompt }) => ({ content: `{"name": "Ada", "asked": ${prompt.length}}` });
 * const { output } = await reflectionLoop({ ...config, state: { person: 'Ada' }, llm });
 * console.log(output); // → { name: 'Ada', asked: 22 }
 * ```
 */
export function parseLoopConfig(yaml: string, name?: string): LoopYaml;

/** What a record says that its attempt does not know. */
export interface RecordContext {
  /** `ralph-` and a slug. */
  loopId: string;
  /** When the attempt was complete, RFC 3339. */
  at: string;
  /** The task in words. */
  taskDescription?: string;
  /** The configuration of the generator; left out for a function. */
  generator?: unknown;
  /** The configuration of the corrector, likewise. */
  corrector?: unknown;
  /** The configurations of the evaluators: `type`, `name`, `verification_type`. */
  evaluators?: readonly unknown[];
  /** The attempt before. */
  previous?: unknown;
  /** Ω, 1 to 10. */
  omega?: number;
  /** Which reflections stay when the window is full. */
  policy?: 'fifo' | 'recency' | 'relevance_weighted';
  [key: string]: unknown;
}

/**
 * Turns an attempt of a loop into a record of reflection memory that is valid by its schema.
 * Undefined if `loopId` has another form, `at` is no date and time, or the attempt has no round.
 * A loop with `memory` has such records in `records`.
 *
 * @example An attempt as a record
 * ```js
 * import { validate } from 'hindscope';
 * import { reflectionLoop, toRecord } from 'hindscope/loop';
 *
 * const { attempts: [attempt] } = await reflectionLoop({ generate: () => 'x', evaluate: () => false, maxIterations: 1 });
 * const record = toRecord(attempt, { loopId: 'ralph-demo', at: '2026-03-01T09:00:00Z' });
 * console.log(record.iteration, validate(record, { profile: 'strict' }).valid); // → 0 true
 * ```
 */
export function toRecord(attempt: unknown, context: RecordContext): Record<string, unknown> | undefined;
