// Compiled by types.test.mjs against the installed package, then run. Lines after
// `@ts-expect-error` must not compile.
import {
  HindscopeError, ReflectionWindow, autoScale, isReflectionRecord, jsonSchema, ready, render, validate, windowOf,
  type CountTokens, type WindowEntry, type ErrorCode, type Finding, type FindingGroup, type Outcome, type ReflectionRecord,
  type TaskAction, type Validation,
} from 'hindscope';
import {
  explain, insightRules, type RunExplanation, type InsightOptions, History, OUTCOMES, openHistory, type AttemptDetails,
  type InjectedReflections, type LoadedRun, type RunWindow, type EvaluatorTrust,
} from 'hindscope/history';
import {
  Validator, parseLoopConfig, reflectionEvents, reflectionLoop, ModelError, ReflectionConfigError, type LoopEvent,
} from 'hindscope/loop';

await ready;

const answer: Validation = validate({ iteration: 1 }, { profile: 'strict' });
const first: Finding | undefined = answer.findings[0];
const line: number | undefined = first?.line;
void line;
// @ts-expect-error there is no such profile
const wrong = () => validate({}, { profile: 'lax' });
void wrong;

// What is usable is carried along, with its type.
const lessonOf = (stored: unknown): string => (isReflectionRecord(stored) ? stored.self_reflection.reflection_text : '');
const judged = validate('{"tool": "bash"}', { schema: 'action' });
const acted: TaskAction | Record<string, unknown> | undefined = judged.record;
const kept = validate('{}');
if (kept.valid) kept.record satisfies ReflectionRecord;
// @ts-expect-error what is usable only has no types
else if (kept.usable) kept.record satisfies ReflectionRecord;
// @ts-expect-error a record needs more than that
const partial: ReflectionRecord = { iteration: 1 };
void partial;
const { held: stateless, metadata }: { held: number[]; metadata: { omega_capacity: number } } = windowOf([], { omega: 2 });
const remade: ReflectionWindow = ReflectionWindow.from([], { omega: metadata.omega_capacity });
remade.free();
// Every class of errors is below one.
const errorCode = (error: unknown): ErrorCode | undefined =>
  error instanceof ReflectionConfigError || error instanceof ModelError ? (error satisfies HindscopeError).code : undefined;

const window = new ReflectionWindow({ omega: 2, policy: null });
const pushed: Finding[] = window.push('{}');
void pushed;
const held: number[] = window.held;
void held;
// @ts-expect-error what is held is not for others to set
const set = () => (window.held = []);
void set;
const memory: { omega_capacity: number } = window.metadata();
void memory;

const log = JSON.stringify({
  iteration: 0,
  evaluator_output: { passed: false },
  self_reflection: { reflection_text: 'Too slow.' },
});
const history: History = openHistory([{ name: 'demo.json', data: log }], { profile: 'lenient' });
const run: LoadedRun = history.run(0);
const before: RunWindow = run.window(undefined, { omega: 3 });
const text: string = before.text;
const codes: Uint8Array = run.columns().outcomes;
const outcome: Outcome | undefined = OUTCOMES[codes[0] ?? 0];
const details: AttemptDetails = history.inspect(0);
const lesson: string | undefined = details.reflections?.[0]?.text;
// @ts-expect-error absent is absent: it may be undefined
const best: number = run.view.best;
void best;

// A second handle, given back by its dispose method, as `using` would.
const streamed = new History({ read: (_source, start, end) => log.slice(start, end) });
const source: number = streamed.open('demo.json');
const more: boolean = streamed.push(source, new TextEncoder().encode(log));
void more;
streamed.finish(source);
const odd: FindingGroup | undefined = streamed.findings({ source })[0];
void odd;
const disposable: Disposable = streamed;
disposable[Symbol.dispose]?.();

// Schemas, one's own among them.
const action: Validation = validate({ tool: 'bash' }, { schema: 'action', now: new Date() });
// @ts-expect-error there is no such schema
const strange = () => validate({}, { schema: 'plan' });
void strange;
const own: Disposable & { validate(record: unknown): Validation } = new Validator({ type: 'object' });
const title: unknown = jsonSchema('action')['title'];
void title;

// Windows by any rule, running and of a run.
const words: CountTokens = (text, entry) => text.split(' ').length + (entry.insights?.length ?? 0);
const counting = new ReflectionWindow({ policy: 'relevance_weighted', tokenBudget: 9, countTokens: words });
counting.tokenBudget = null;
counting.query = 'cache';
counting.omega = autoScale(counting.omega, { consecutiveFailures: 3 });
const budget: number | undefined = counting.tokenBudget;
// @ts-expect-error a counter says how many, at once
const later = () => new ReflectionWindow({ countTokens: async () => 1 });
void later;
const shown: WindowEntry[] = run.window(null, { tokenBudget: 9, countTokens: words }).entries;
const laid: string = render(shown, 'aiwg-memory', { omega: 3, total: null });

// What it teaches.
const asked: InsightOptions = { rules: ['stuck/*'], now: Date.now() };
// @ts-expect-error rules are a list
const one: InsightOptions = { rules: 'stuck/*' };
void one;
const live: RunExplanation = explain([{ iteration: 1 }, '{}', new Uint8Array()], asked);
const injected: InjectedReflections = run.injected();
const trust: EvaluatorTrust | undefined = history.trust(0);
const needs: 'columns' | string = insightRules()[0]?.needs ?? 'columns';
const full =
  action.usable && own.validate(1).valid === false && budget === undefined && counting.omega === 4 &&
  laid.startsWith('## Reflection Memory') && live.key === '' && injected.isComputed && trust === undefined && needs === 'columns';

// A loop: its output, options in either spelling, events by their types, and what it needs.
const looped = await reflectionLoop({ generate: () => ({ name: 'Ada', n: 1 }), evaluate: ({ output }) => output.n > 0, max_iterations: 2, on_failure: 'raise' });
const called: string | undefined = looped.output?.name;
// @ts-expect-error it is a text
const counted: number | undefined = looped.output?.name;
void counted;
const plain = await reflectionLoop({ generate: async () => 7, evaluator: { schema: { type: 'integer' }, assert_formats: false, onFail: 'fail' }, retry: { initial_ms: 5 } });
const seven: number | null = plain.output;
// @ts-expect-error nothing judges
const blind = () => reflectionLoop({ generate: () => 1 });
void blind;
// @ts-expect-error nothing generates
const idle = () => reflectionLoop({ evaluate: () => true });
void idle;
// @ts-expect-error there is no such option
const misspelt = () => reflectionLoop({ generate: () => 1, evaluate: () => true, maxIteration: 2 });
void misspelt;
const { config } = parseLoopConfig('generator: {action: llm.call, prompt: Hi}\nevaluator: {schema: true}');
const spoken = await reflectionLoop({ ...config, state: { task: 1 }, llm: () => ({ content: '{}' }) });
const scores: number[] = [];
let why: string | null = null;
for await (const event of reflectionEvents({ generate: () => ({ q: 1 }), evaluate: ({ output }) => output.q > 0 })) {
  if (event.type === 'evaluated') scores.push(event.attempt.score);
  if (event.type === 'stopped') why = event.stopReason;
  if (event.type === 'result') scores.push(event.result.output?.q ?? 0);
}
// @ts-expect-error not every event has an attempt
const attemptOf = (event: LoopEvent) => event.attempt;
void attemptOf;
const looping = called === 'Ada' && seven === 7 && spoken.success && scores.join() === '1,1' && why === 'valid';

let code: ErrorCode | undefined;
try {
  window.free();
  window.render();
} catch (error) {
  if (error instanceof HindscopeError) code = error.code;
}

const agree =
  lessonOf(null) === '' && acted?.['tool'] === 'bash' && stateless.length === 0 && errorCode(null) === undefined &&
  !answer.valid && outcome === 'failure' && lesson === 'Too slow.' && text === '[0] failure: Too slow.\n' && code === 'freed' && full && looping;
console.log(agree ? 'types agree' : { answer, outcome, lesson, text, code, laid, live, looped, plain, spoken, scores });
