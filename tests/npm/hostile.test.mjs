// Whatever is handed to whatever function: a typed error or an answer, never a crash, and the
// package works afterwards as before.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../faces.mjs';
import { imported, importedEntry, project } from './package.mjs';

const consumer = project();
const hindscope = await imported(consumer);
const { InMemoryStore } = await importedEntry(consumer, 'hindscope/stores/memory');
const { DirectoryStore } = await importedEntry(consumer, 'hindscope/stores/directory');
const {
  HindscopeError,
  History,
  ReflectionWindow,
  Validator,
  autoScale,
  explain,
  insightRules,
  isReflectionRecord,
  jsonSchema,
  omegaAdvice,
  openHistory,
  render,
  validate,
  windowOf,
} = hindscope;

// --- What is handed in -------------------------------------------------------------------------

const throwing = () => {
  throw new Error('not now');
};

/** Nested so deep that whoever follows it by recursion overflows. */
function deep(nest) {
  let value = 1;
  for (let i = 0; i < 1e5; i += 1) value = nest(value);
  return value;
}

/** A proxy that throws whatever is done to it. */
function hedgehog(target) {
  return new Proxy(target, new Proxy({}, { get: () => throwing }));
}

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function detached() {
  const bytes = new Uint8Array(8);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

function cyclic() {
  const value = { iteration: 1 };
  value.self = value;
  return value;
}

/** Costly to make, and harmless to use again. */
const manyKeys = Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => [`key${i}`, i]));

/** Made anew for each call: some of them are used up, or change when they are read. */
const HOSTILE = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  zero: () => 0,
  'minus zero': () => -0,
  eleven: () => 11,
  'minus one': () => -1,
  'two and a half': () => 2.5,
  NaN: () => NaN,
  Infinity: () => Infinity,
  huge: () => 1e300,
  '2^32': () => 2 ** 32,
  '2^63': () => 2 ** 63,
  BigInt: () => 3n,
  symbol: () => Symbol('s'),
  'empty text': () => '',
  text: () => 'lifo',
  'half a pair': () => 'half \ud83d',
  'NUL in text': () => 'a\0b',
  'cut JSON': () => '{"iteration": ',
  'deep JSON lists': () => `${'['.repeat(1e5)}${']'.repeat(1e5)}`,
  'deep JSON objects': () => `${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}`,
  '__proto__ in JSON': () => '{"__proto__": {"iteration": 1}, "constructor": {"prototype": null}}',
  'long text': () => 'x'.repeat(1e5),
  'empty object': () => ({}),
  'no prototype': () => Object.create(null),
  '__proto__': () => JSON.parse('{"__proto__": {"omega": 1}, "constructor": 1, "toString": null}'),
  constructor: () => ({ constructor: 1, hasOwnProperty: 2, valueOf: 3 }),
  '10^5 keys': () => manyKeys,
  cyclic,
  'BigInt inside': () => ({ iteration: 1n }),
  'lone surrogates inside': () => ({ '\udc00': '\ud83d', text: '\udc00\ud83d' }),
  'getters that throw': () => ({ get iteration() { return throwing(); }, get omega() { return throwing(); } }),
  'toJSON that throws': () => ({ toJSON() { throw { get message() { throw 1; }, toString() { throw 2; } }; } }),
  'toString that throws': () => ({ toString: throwing, valueOf: throwing, [Symbol.toPrimitive]: throwing }),
  'tag that throws': () => ({ get [Symbol.toStringTag]() { return throwing(); } }),
  'a false Date': () => ({ [Symbol.toStringTag]: 'Date' }),
  'a false buffer': () => ({ [Symbol.toStringTag]: 'ArrayBuffer', byteLength: 9 }),
  'deep object': () => deep((value) => ({ value })),
  'deep list': () => deep((value) => [value]),
  'empty list': () => [],
  'list of nothing': () => [undefined, null, NaN],
  'list with holes': () => new Array(3),
  'list of lists': () => [[], [[]]],
  'list that throws': () => Object.defineProperty([1, 2], 1, { get: throwing }),
  Date: () => new Date(0),
  'no Date': () => new Date(NaN),
  Map: () => new Map([['omega', 1]]),
  Set: () => new Set([1]),
  'regular expression': () => /x/,
  error: () => new TypeError('odd'),
  promise: () => Promise.resolve(1),
  'boxed number': () => Object(3),
  'boxed text': () => Object('fifo'),
  Uint8Array: () => Uint8Array.of(0xff, 0, 0xd8, 0x7b),
  Float64Array: () => Float64Array.of(NaN, 1),
  DataView: () => new DataView(new ArrayBuffer(3), 1),
  ArrayBuffer: () => new ArrayBuffer(2),
  SharedArrayBuffer: () => new SharedArrayBuffer(2),
  'detached bytes': detached,
  function: () => () => 'fifo',
  'function that throws': () => throwing,
  'class': () => class Odd {},
  'proxy that throws': () => hedgehog({}),
  'list proxy that throws': () => hedgehog([]),
  'function proxy that throws': () => hedgehog(() => {}),
  'revoked proxy': revoked,
};

// --- What it is handed to ------------------------------------------------------------------------

const lesson = (iteration, reflection_text) => ({
  loop_id: 'ralph-demo',
  iteration,
  evaluator_output: { passed: false, errors: [{ type: 'test_failure', message: 'expiry ignored' }] },
  self_reflection: { reflection_text },
});
const lessons = ['Token expiry was ignored.', 'Imports were unused.', 'Token expiry, again.'].map((text, n) => lesson(n, text));
const log = lessons.map((record) => JSON.stringify(record)).join('\n');
const entries = [{ number: 1, outcome: 'failure', text: 'Slower.' }];

const RULE = ['omega', 'policy', 'failuresOnly', 'tokenBudget', 'halfLife', 'dynamicOmega'];
const LAYOUT = ['verbatim', 'absoluteNumbers', 'attempts', 'task', 'total', 'omega'];
const EXPLAIN = [
  ...['rules', 'omega', 'diminishingRelative', 'diminishingPoints', 'diminishingSteps', 'selection', 'selectionThreshold'],
  ...['requireVerification', 'maxIterations', 'objective', 'now'],
];
const ENTRY = [
  ...['number', 'outcome', 'text', 'insights', 'lessons', 'strategy', 'kind', 'effectiveness', 'observation', 'analysis'],
  ...['learning', 'actionItems', 'tokens'],
];

/** An open history of one run, with a reader unless it is given another. */
function history(read = (_, start, end) => log.slice(start, end)) {
  const made = new History({ read });
  const source = made.open('demo/loop.jsonl');
  made.push(source, log);
  made.finish(source);
  return made;
}

/** Gives a handle to a call, and its memory back. */
function using(handle, call) {
  try {
    return call(handle);
  } finally {
    handle.free();
  }
}

const withWindow = (call, options) => using(new ReflectionWindow(options), (window) => {
  for (const record of lessons) window.push(record);
  return call(window);
});
const withHistory = (call, read) => using(history(read), call);
const withRun = (call, read) => withHistory((history) => call(history.run(0)), read);
const withValidator = (call) => using(new Validator({ type: 'object' }), call);

/** One call for each option, with the value there, and one with the value for all options. */
const optioned = (name, names, call) => [
  [name, call],
  ...names.map((option) => [`${name} ${option}`, (value) => call({ [option]: value })]),
];

/** `[name, call]`: each call puts the value into one place of one function. */
const CALLS = [
  ['validate', (value) => validate(value)],
  ...optioned('validate options', ['schema', 'profile', 'now'], (options) => validate(lessons[0], options)),
  ['isReflectionRecord', (value) => isReflectionRecord(value)],
  ['jsonSchema', (value) => jsonSchema(value)],
  ['windowOf', (value) => windowOf([value])],
  ['windowOf records', (value) => windowOf(value)],
  ['Validator', (value) => using(new Validator(value), (validator) => validator.validate({}))],
  ['Validator type', (value) => using(new Validator({ type: value, minimum: value }), (validator) => validator.validate(1))],
  ['Validator.validate', (value) => withValidator((validator) => validator.validate(value))],
  ['render', (value) => render(value)],
  ['render entry', (value) => render([value])],
  ...ENTRY.map((name) => [`render entry ${name}`, (value) => render([{ ...entries[0], [name]: value }], 'episodic')]),
  ['render layout', (value) => render(entries, value)],
  ...optioned('render options', LAYOUT, (options) => render(entries, 'aiwg-memory', options)),
  ['explain', (value) => explain(value)],
  ['explain record', (value) => explain([lessons[0], value, lessons[1]])],
  ...optioned('explain options', EXPLAIN, (options) => explain(lessons, options)),
  ['explain rule', (value) => explain(lessons, { rules: [value] })],
  ['autoScale', (value) => autoScale(value)],
  ...optioned('autoScale pace', ['consecutiveFailures', 'meanQuality', 'iterationsToFinish'], (pace) => autoScale(3, pace)),
  ...optioned('ReflectionWindow', [...RULE, 'query', 'countTokens'], (options) => withWindow((window) => window.render(), options)),
  ['countTokens gives', (value) => withWindow((window) => window.tokens, { tokenBudget: 9, countTokens: () => value })],
  ['countTokens throws', (value) => withWindow((window) => window.tokens, { tokenBudget: 9, countTokens() { throw value; } })],
  ['ReflectionWindow.push', (value) => withWindow((window) => window.push(value))],
  ['ReflectionWindow.render', (value) => withWindow((window) => window.render(value))],
  ...optioned('ReflectionWindow.render options', LAYOUT, (options) => withWindow((window) => window.render('aiwg-template', options))),
  ...['omega', 'tokenBudget', 'query'].map((name) => [
    `ReflectionWindow.${name} =`,
    (value) => withWindow((window) => (window[name] = value), { policy: 'relevance_weighted' }),
  ]),
  ...optioned('History', ['profile', 'read'], (options) => using(new History(options), (history) => history.runs())),
  ['History.open', (value) => withHistory((history) => history.open(value))],
  ['History.push source', (value) => withHistory((history) => history.push(value, 'x'))],
  ['History.push slice', (value) => withHistory((history) => history.push(history.open('b'), value))],
  ['History.finish', (value) => withHistory((history) => history.finish(value))],
  ['History.fail', (value) => withHistory((history) => history.fail(value, 'x'))],
  ['History.fail reason', (value) => withHistory((history) => history.fail(history.open('b'), value))],
  ...['run', 'trust', 'retries', 'aggregate', 'locate', 'inspect', 'raw'].map((name) => [
    `History.${name}`,
    (value) => withHistory((history) => history[name](value)),
  ]),
  ['History.compare 1', (value) => withHistory((history) => history.compare(value))],
  ['History.compare 2', (value) => withHistory((history) => history.compare([0, value]))],
  ['History.compare 3', (value) => withHistory((history) => history.compare([0, 1], value))],
  ['History.headline', (value) => withHistory((history) => history.headline(value))],
  ['History.verdicts', (value) => withHistory((history) => history.verdicts(value))],
  ['History.inspect part', (value) => withHistory((history) => history.inspect(0, value))],
  ['History.inspect bytes', (value) => withHistory((history) => history.inspect(0, 0, value))],
  ['History.raw bytes', (value) => withHistory((history) => history.raw(0, value))],
  ['reader gives', (value) => withRun((run) => run.explain(), () => value)],
  ['reader throws', (value) => withRun((run) => run.window(2).text, () => { throw value; })],
  ['Run.window', (value) => withRun((run) => run.window(value))],
  ...optioned('Run.window rule', [...RULE, 'countTokens'], (rule) => withRun((run) => run.window(2, rule).render())),
  ['Run.window countTokens gives', (value) => withRun((run) => run.window(2, { tokenBudget: 5, countTokens: () => value }))],
  ['Run.injected', (value) => withRun((run) => run.injected(value))],
  ...optioned('Run.explain', EXPLAIN, (options) => withRun((run) => run.explain(options))),
  ['RunWindow.render', (value) => withRun((run) => run.window(2).render(value))],
  ...optioned('RunWindow.render options', LAYOUT, (options) => withRun((run) => run.window(2).render('aiwg-memory', options))),
  ['openHistory', (value) => using(openHistory(value), (history) => history.runs())],
  ['openHistory item', (value) => using(openHistory([value]), (history) => history.runs())],
  ['openHistory name', (value) => using(openHistory({ name: value, data: log }), (history) => history.runs())],
  ['openHistory data', (value) => using(openHistory({ name: 'a', data: value }), (history) => history.runs())],
  ...optioned('openHistory options', ['profile'], (options) => using(openHistory([], options), (history) => history.runs())),
];

// --- What must come of it ------------------------------------------------------------------------

const words = ['data', 'types'].map((name) => readFileSync(join(root, `core/js/npm/${name}.d.ts`), 'utf8')).join('');
const CODES = new Set(Array.from(words.matchAll(/^export type \w+ErrorCode =([^;]*);/gm), ([, list]) => list.match(/[a-z-]+/g)).flat());
assert.ok(CODES.has('no-such-run') && CODES.has('crashed') && CODES.size >= 15, [...CODES].join());

/** What the package says of good input, by every part of the wasm. */
function answers() {
  return JSON.stringify([
    validate(lessons[0]),
    withValidator((validator) => validator.validate(lessons[0])),
    withWindow((window) => [window.held, window.render('aiwg-template'), window.metadata()], { policy: 'relevance_weighted' }),
    withRun((run) => [run.view, run.explain(), run.window(2, { tokenBudget: 6 }).entries, run.injected(2)]),
    explain(lessons),
    render(entries),
    [autoScale(3), omegaAdvice(), insightRules().length, jsonSchema('action').title],
  ]);
}
const before = answers();

const outcomes = {};
after(() => {
  // All would be empty if everything were refused, or nothing.
  assert.ok(outcomes.answered > 500 && outcomes['invalid-option'] > 1500 && outcomes['invalid-record'] > 30, JSON.stringify(outcomes));
});

for (const [name, make] of Object.entries(HOSTILE)) {
  test(name, () => {
    for (const [place, call] of CALLS) {
      let code = 'answered';
      try {
        call(make());
      } catch (error) {
        assert.ok(error instanceof HindscopeError, `${place}: threw ${typeof error} ${error?.stack}`);
        assert.ok(CODES.has(error.code) && error.message.length > 10, `${place}: ${error.code} ${error.message}`);
        assert.notEqual(error.code, 'crashed', `${place}: ${error.message}`);
        ({ code } = error);
      }
      outcomes[code] = (outcomes[code] ?? 0) + 1;
    }
    assert.equal(answers(), before);
  });
}

test('more bytes than the wasm can be handed are refused before they get there', () => {
  const bytes = new Uint8Array(2 ** 31);
  assert.throws(() => validate(bytes), { code: 'invalid-record' });
  assert.throws(() => explain([bytes]), { code: 'invalid-record' });
  assert.throws(() => withHistory((history) => history.push(history.open('b'), bytes)), { code: 'unreadable-input' });
  assert.throws(() => openHistory({ name: 'a', data: bytes.buffer }), { code: 'unreadable-input' });
  assert.equal(answers(), before);
});

test('getters, readers and counters may call anything, and end the handle', () => {
  const freeing = (call, options) => {
    const window = new ReflectionWindow(options?.(() => window.free()));
    assert.throws(() => call(window), { code: 'freed' });
    window.free();
  };
  freeing((window) => window.push({ get iteration() { return window.free() ?? 1; } }));
  freeing((window) => window.render('plain', { get task() { return window.free() ?? 'x'; } }));
  freeing((window) => window.push(lessons[0]), (free) => ({ tokenBudget: 9, countTokens: () => free() ?? 1 }));
  const ending = new History({ read: (_, start, end) => ending.free() ?? log.slice(start, end) });
  const source = ending.open('loop.jsonl');
  ending.push(source, log);
  ending.finish(source);
  const run = ending.run(0);
  assert.throws(() => run.explain(), { code: 'freed' });
  assert.equal(answers(), before);
});

test('a counter may change the window that it counts for', () => {
  let pushed = 0;
  const window = new ReflectionWindow({
    tokenBudget: 100,
    countTokens: () => {
      window.push(lesson((pushed += 1), `Lesson ${pushed}.`));
      window.omega = 1 + (pushed % 3);
      return 7;
    },
  });
  for (let iteration = 100; iteration < 110; iteration += 1) window.push(lesson(iteration, 'Lesson.'));
  assert.deepEqual([window.held.at(-1), window.tokens % 7, window.tokens > 0], [109, 0, true]);
  window.free();
  assert.equal(answers(), before);
});

// --- One value in any place of a good call -------------------------------------------------------------

const integer = { schema: { type: 'integer' } };
const loopOptions = () => ({
  ...{ generate: () => '{"a": 1}', evaluate: [{ ...integer, weight: 1 }, ({ output }) => ({ valid: output === 7, errors: ['no'] })], correct: () => 7 },
  ...{ maxIterations: 3, retry: { max: 1, initialMs: 1, on: ['generate'] }, budget: { calls: 9 }, stall: { after: 2 }, memory: { name: 'x', omega: 2 } },
  ...{ state: { a: 1 }, signal: new AbortController().signal, onEvent: () => {}, now: () => '2026-03-05T09:00:00Z', resolveSchema: () => true, actions: { own: () => 7 } },
});
/** A memory with an attempt that goes on. */
const remembered = async (call, store = new InMemoryStore()) => {
  const memory = await hindscope.EpisodicMemory.open(store);
  const { task } = await memory.initTask({ description: 'Sort.', tags: ['a'] });
  await memory.startAttempt(task, {});
  return call(memory, task);
};
const store = () => {
  const own = new InMemoryStore();
  return Object.fromEntries(['read', 'list', 'write', 'lock'].map((name) => [name, (...given) => own[name](...given)]));
};
const ofMemory = (name, ...given) => [`EpisodicMemory.${name}`, (...values) => remembered((memory) => memory[name](...values)), () => given];
const ofStore = (Store, name, ...given) => [`${Store.name}.${name}`, async (...values) => new Store(join(consumer, 'store'))[name](...values), () => given];
const machine = (...given) => using(new hindscope.LoopMachine(...given), (made) => made.start?.());
const bytesOf = (text) => new TextEncoder().encode(text);

/** `[name, call, given]`: a function, and what it is given where it answers. */
const GOOD = [
  ['reflectionLoop', hindscope.reflectionLoop, () => [loopOptions()]],
  ['reflectionLoop of a model', hindscope.reflectionLoop, () => [{ llm: () => ({ content: '7', usage: { total_tokens: 1 } }), generate: { prompt: '{{ state.a }}', action: 'llm.call' }, evaluate: integer, maxIterations: 1, state: { a: 1 } }]],
  ['reflectionEvents', async (...given) => { for await (const event of hindscope.reflectionEvents(...given)) assert.ok(event.type); }, () => [loopOptions()]],
  ['reflectionEvaluate', hindscope.reflectionEvaluate, () => [{ data: 7, ...integer, documents: {} }]],
  ['reflectionCorrect', hindscope.reflectionCorrect, () => [{ data: 7, errors: [{ path: 'a', message: 'no' }], correct: () => 8 }]],
  ['coerce', hindscope.coerce, () => [{ properties: { a: { type: 'integer' } } }, { a: '1' }]],
  ['renderTemplate', hindscope.renderTemplate, () => ['{{ state.a }}', { a: [1, { b: 2 }] }]],
  ['parseLoopConfig', hindscope.parseLoopConfig, () => ['- name: a\n  uses: reflection.loop\n  with: {max_iterations: 1}\n', 'a']],
  ['toRecord', hindscope.toRecord, () => [{ iteration: 1, valid: false, output: 7, errors: [{ message: 'no' }] }, { loopId: 'ralph-a', taskDescription: 'Do.', now: '2026-03-05T09:00:00Z' }]],
  ['LoopMachine', machine, () => [{ generator: { callback: true }, evaluator: integer }, { clock: true, actions: ['own'] }]],
  ['openaiChat', hindscope.openaiChat, () => [{ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'x', model: 'm', retries: 0, headers: { a: 'b' }, fetch: async () => new Response('{}') }]],
  ['a model of openaiChat', (call, answer) => hindscope.openaiChat({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'x', model: 'm', retries: 0, fetch: async () => new Response(answer) })(call), () => [{ messages: [{ role: 'user', content: 'Hi' }] }, '{"choices": [{"message": {"content": "7"}}]}']],
  ['Validator', (...given) => using(new Validator(...given), (made) => made.validate({ a: 1 })), () => [{ $ref: 'a.json' }, { documents: { 'a.json': { type: 'object' } }, format: 'assertion' }]],
  ['hookSettings', hindscope.hookSettings, () => ['hook: {k: 3}']],
  ['unpack', async (...given) => { for await (const entry of hindscope.unpack(...given)) assert.ok(entry); }, () => [{ name: 'a.zip', data: bytesOf('PK') }, {}]],
  ['openFiles', async (...given) => (await hindscope.openFiles(...given)).free(), () => [[{ name: 'a.jsonl', data: log }], { profile: 'lenient' }]],
  ['queryError', hindscope.queryError, () => ['lamp outcome:failure']],
  ['formats', hindscope.formats, () => []],
  ['EpisodicMemory', (own) => remembered((memory, task) => memory.queryHistory(task), own), () => [store()]],
  ['EpisodicMemory.open', (...given) => hindscope.EpisodicMemory.open(...given), () => [store(), { now: () => 1, waitMs: 1 }]],
  ofMemory('initTask', { id: 'task-9', description: 'Sort.', completionCriteria: 'sorted', tags: ['a'], relatedTasks: ['task-001'] }),
  ofMemory('startAttempt', 'task-001', { agent: 'a', plan: { approach: 'a', steps: ['b'], estimatedIterations: 1 }, omega: 2, tokenBudget: 9, similar: [{ task: 'a', lesson: 'b' }] }),
  ofMemory('logAction', 'task-001', { type: 'bash', params: { command: 'make' }, success: false, error: 'exit 2', quality: 0.5 }, { attempt: 1 }),
  ofMemory('addResult', 'task-001', { iteration: 1, name: 'a.txt', text: 'x' }),
  ofMemory('addResult', 'task-001', { iteration: 1, name: 'b.bin', base64: 'eA==' }),
  ofMemory('completeAttempt', 'task-001', { outcome: 'failure', reason: 'a', finalQuality: 0.5, completionPercent: 5, whatWorked: ['a'], milestones: [{ event: 'a' }], reflection: { learning: 'b' } }),
  ofMemory('addReflection', 'task-001', { learning: 'b' }, { trigger: 'manual' }),
  ofMemory('setStatus', 'task-001', 'paused'),
  ofMemory('queryHistory', 'task-001', { attempt: 1, since: new Date(0), until: new Date(9e12), text: 'x', limit: 1, results: true }),
  ofMemory('search', 'sort', { status: 'running', limit: 3 }),
  ofMemory('similarTasks', 'task-001', { limit: 3 }),
  ofMemory('improvement', { tasks: ['task-001'] }),
  ofMemory('reflect', 'l', { outcome: 'failure', iteration: 1, actions: ['a'], errors: ['b'], filesModified: ['c'], reflection: 'd', omega: 2, stuckAfter: 3, layout: 'plain', eventId: 'e' }),
  ofMemory('doctor', { mend: true, tasks: ['task-001'], onProgress: () => {} }),
  ...[InMemoryStore, DirectoryStore].flatMap((Store) => [
    ofStore(Store, 'read', 'a/b', { from: 0 }),
    ofStore(Store, 'list', 'a'),
    ofStore(Store, 'write', 'a/b', bytesOf('x'), { kind: 'create' }),
    ofStore(Store, 'lock', 5),
  ]),
];

/** Puts a value into one place of a call: an argument, or a member of it at any depth. A function answers or throws it. */
function mutated(given, draw, make) {
  const isPlain = (value) => typeof value === 'object' && value !== null && [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value));
  // Calls share what they are given.
  const copy = (value) => (Array.isArray(value) ? value.map(copy) : isPlain(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copy(inner)])) : value);
  const spot = (owner, keys) => {
    const key = keys[draw(keys.length)];
    const inner = owner[key];
    if (isPlain(inner) && Object.keys(inner).length > 0 && draw(4) > 0) return spot(inner, Object.keys(inner));
    if (typeof inner === 'function' && draw(3) > 0) owner[key] = draw(2) > 0 ? () => make() : () => { throw make(); };
    else owner[key] = make();
    return undefined;
  };
  if (given.length === 0) return [make()];
  const own = copy(given);
  spot(own, Object.keys(own));
  return own;
}

/** Fails if a call throws an error that is not the package's, or does not end. */
async function endsWell(place, call) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, 60_000, 'late')));
  try {
    assert.notEqual(await Promise.race([call(), late]), 'late', `${place} does not end`);
  } catch (error) {
    assert.ok(error instanceof HindscopeError, `${place}: threw ${typeof error} ${messageOf(error)}`);
    assert.ok(typeof error.code === 'string' && error.message.length > 10 && error.code !== 'crashed' && error.code !== 'bug', `${place}: ${error.code} ${error.message}`);
  } finally {
    clearTimeout(timer);
  }
}

function messageOf(error) {
  try {
    return String(error?.stack ?? error);
  } catch {
    return 'what cannot be a text';
  }
}

test('a value in any place of a good call is answered or refused', { timeout: 600_000 }, async () => {
  for (const [name, call, given] of GOOD) await assert.doesNotReject(async () => call(...given()), name);
  const seconds = Number(process.env.HINDSCOPE_FUZZ_SECONDS ?? 0);
  const end = Date.now() + 1000 * seconds;
  let seed = Number(process.env.HINDSCOPE_FUZZ_SEED ?? 7);
  const draw = (most) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * most);
  };
  const values = Object.entries(HOSTILE);
  for (let at = 0; at < 1500 || Date.now() < end; at += 1) {
    const own = seed;
    const [name, call, given] = GOOD[at % GOOD.length];
    const [what, make] = values[draw(values.length)];
    await endsWell(`${name} with ${what} (seed ${own})`, async () => call(...mutated(given(), draw, make)));
  }
  assert.equal(answers(), before);
});
