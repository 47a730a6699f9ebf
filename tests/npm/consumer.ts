// Compiled by types.test.mjs against the installed package, then run. Lines after
// `@ts-expect-error` must not compile.
import {
  HindscopeError,
  History,
  OUTCOMES,
  ReflectionWindow,
  openHistory,
  ready,
  validate,
  type Details,
  type ErrorCode,
  type Finding,
  type Outcome,
  type Run,
  type RunWindow,
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

let code: ErrorCode | undefined;
try {
  window.free();
  window.render();
} catch (error) {
  if (error instanceof HindscopeError) code = error.code;
}

const agree =
  !answer.valid && outcome === 'failure' && lesson === 'Too slow.' && text === '[0] failure: Too slow.\n' && code === 'freed';
console.log(agree ? 'types agree' : { answer, outcome, lesson, text, code });
