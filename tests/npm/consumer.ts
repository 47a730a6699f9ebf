// Compiled by types.test.mjs against the installed package, then run. Lines after
// `@ts-expect-error` must not compile.
import {
  HindscopeError,
  History,
  OUTCOMES,
  ReflectionWindow,
  Validator,
  autoScale,
  explain,
  insightRules,
  jsonSchema,
  openHistory,
  ready,
  render,
  validate,
  type CountTokens,
  type Details,
  type Entry,
  type ErrorCode,
  type Explanation,
  type Finding,
  type Injected,
  type InsightOptions,
  type Outcome,
  type Run,
  type RunWindow,
  type Trust,
  type Validation,
} from 'hindscope';

await ready;

const answer: Validation = validate({ iteration: 1 }, { profile: 'strict' });
const first: Finding | undefined = answer.findings[0];
const line: number | undefined = first?.line;
void line;
// @ts-expect-error there is no such profile
const wrong = () => validate({}, { profile: 'lax' });
void wrong;

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
const run: Run = history.run(0);
const before: RunWindow = run.window(undefined, { omega: 3 });
const text: string = before.text;
const codes: Uint8Array = run.columns().outcomes;
const outcome: Outcome | undefined = OUTCOMES[codes[0] ?? 0];
const details: Details = history.inspect(0);
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
const shown: Entry[] = run.window(null, { tokenBudget: 9, countTokens: words }).entries;
const laid: string = render(shown, 'aiwg-memory', { omega: 3, total: null });

// What it teaches.
const asked: InsightOptions = { rules: ['stuck/*'], now: Date.now() };
// @ts-expect-error rules are a list
const one: InsightOptions = { rules: 'stuck/*' };
void one;
const live: Explanation = explain([{ iteration: 1 }, '{}', new Uint8Array()], asked);
const injected: Injected = run.injected();
const trust: Trust | undefined = history.trust(0);
const needs: 'columns' | string = insightRules()[0]?.needs ?? 'columns';
const full =
  action.valid && own.validate(1).valid === false && budget === undefined && counting.omega === 4 &&
  laid.startsWith('## Reflection Memory') && live.key === '' && injected.isComputed && trust === undefined && needs === 'columns';

let code: ErrorCode | undefined;
try {
  window.free();
  window.render();
} catch (error) {
  if (error instanceof HindscopeError) code = error.code;
}

const agree =
  !answer.valid && outcome === 'failure' && lesson === 'Too slow.' && text === '[0] failure: Too slow.\n' && code === 'freed' && full;
console.log(agree ? 'types agree' : { answer, outcome, lesson, text, code, laid, live });
