// Every exception is a HindscopeError whose code the types list: all exported classes, and every function
// and method handed what it does not take. tests/npm/hostile.test.mjs hands in stranger values, but to
// functions that it names; here nothing that is exported can be forgotten.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../faces.mjs';
import { consumer, record } from './installed.mjs';

const SPECIFIERS = Object.keys(JSON.parse(readFileSync(join(root, 'core/js/npm/package.json'), 'utf8')).exports)
  .filter((path) => !/\.(wasm|json)$|answers$/.test(path))
  .map((path) => path.replace('.', 'hindscope'));
const folder = mkdtempSync(join(consumer, 'errors-'));
writeFileSync(join(folder, 'all.mjs'), SPECIFIERS.map((path, at) => `export * as e${at} from '${path}';\n`).join(''));
const all = await import(pathToFileURL(join(folder, 'all.mjs')).href);
const entries = SPECIFIERS.map((path, at) => [path, all[`e${at}`]]);
const { HindscopeError } = all.e0;
const history = all[`e${SPECIFIERS.indexOf('hindscope/history')}`];
/** Everything by its name, of whatever entry. */
const { DirectoryStore, EpisodicMemory, InMemoryStore, LoopMachine, ReflectionWindow, Validator } = Object.assign({}, ...entries.map(([, entry]) => entry));
const { runner } = all[`e${SPECIFIERS.indexOf('hindscope/languages/javascript')}`];

const types = ['data', 'types'].map((name) => readFileSync(join(root, `core/js/npm/${name}.d.ts`), 'utf8')).join('');
const union = (name) => types.match(new RegExp(`^export type ${name} =([^;]*);`, 'm'))[1];
const PARTS = union('ErrorCode').match(/\w+/g);
const CODES = new Set(PARTS.flatMap((name) => union(name).match(/'([^']+)'/g)).map((quoted) => quoted.slice(1, -1)));

function check(error, place) {
  assert.ok(error instanceof HindscopeError, `${place}: ${error?.stack ?? error}`);
  assert.equal(typeof error.code, 'string', place);
  assert.ok(CODES.has(error.code) || /^config_[a-z_]+$/.test(error.code), `${place}: ${error.code}`);
  assert.ok(error.code !== 'crashed' && error.message.length > 10, `${place}: ${error.message}`);
}

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const cyclic = () => {
  const value = {};
  value.self = value;
  return value;
};

/** Values that hardly any function takes, made anew for each call. */
const ODD = [
  () => undefined, () => null, () => 7, () => -1, () => NaN, () => true, () => 'odd', () => '', () => [], () => ({}), () => Symbol('s'), () => 1n, cyclic, revoked,
  () => ({ get name() { throw new Error('no'); }, get omega() { throw new Error('no'); } }), () => () => { throw new Error('no'); }, () => new Date(NaN), () => [null],
];

/** Calls with odd values at each place, and counts what was refused. */
async function misuse(place, call, good = []) {
  let refused = 0;
  const lists = [() => [], ...ODD.flatMap((odd) => [() => [odd()], () => [odd(), odd()], () => [odd(), odd(), odd()], () => [...good, odd()], () => [...good.slice(0, 1), odd()]])];
  for (const list of lists) {
    try {
      const answer = await call(...list());
      // What an iterator throws later counts, too; a lock is given back.
      if (typeof answer?.next === 'function') await answer.next();
      if (typeof answer === 'function') await answer();
      if (typeof answer?.free === 'function') answer.free();
    } catch (error) {
      check(error, place);
      refused += 1;
    }
  }
  return refused;
}

/**
 * Functions that refuse nothing: they take no argument, answer whatever it is, or, as the wasm has started long
 * ago, do nothing.
 */
const NEVER = new Set(['isReflectionRecord', 'formats', 'insightRules', 'omegaAdvice', 'reflectionEvaluate', 'reflectionCorrect', 'InMemoryStore', 'init', 'initSync']);

test('the types list the codes of every part', () => {
  assert.ok(PARTS.length >= 5 && CODES.size > 40, [...CODES].join());
});

for (const [path, entry] of entries) {
  for (const [name, value] of Object.entries(entry)) {
    if (typeof value !== 'function') continue;
    const isClass = /^class\b/.test(Function.prototype.toString.call(value));
    const isError = value === Error || value.prototype instanceof Error;
    if (isError) {
      test(`${path}: ${name} is a HindscopeError`, () => assert.ok(value === HindscopeError || value.prototype instanceof HindscopeError));
      continue;
    }
    test(`${path}: ${name} refuses with a HindscopeError`, async () => {
      // Code that runs would start an engine each time, which takes up to seconds.
      const run = (code, ...more) => value(typeof code === 'string' ? ' ' : code, ...more);
      const refused = await misuse(name, isClass ? (...given) => new value(...given) : name === 'run' ? run : value);
      assert.ok(NEVER.has(name) ? refused === 0 : refused > 0, `${refused} times`);
    });
  }
}

const opened = () => history.openHistory([{ name: 'a.jsonl', data: [0, 1].map((iteration) => JSON.stringify(record({ iteration }))).join('\n') }]);
const filled = () => {
  const window = new ReflectionWindow();
  window.push(record());
  return window;
};
const remembering = async () => {
  const memory = await EpisodicMemory.open(new InMemoryStore());
  await memory.initTask({ id: 'task', description: 'Count.' });
  return memory;
};
const machine = () => new LoopMachine({ generator: { callback: true }, evaluator: { schema: true } });

/** Handles, and other objects with methods, each with the first arguments that its methods take. */
const OBJECTS = {
  ReflectionWindow: [filled],
  Validator: [() => new Validator({ type: 'object' })],
  History: [opened, [0]],
  LoadedRun: [() => opened().run(0), [0]],
  RunWindow: [() => opened().run(0).window(1)],
  HistoryExport: [() => opened().export()],
  HistorySearch: [() => opened().search('cache')],
  LoopMachine: [machine, [1]],
  EpisodicMemory: [remembering, ['task']],
  InMemoryStore: [() => new InMemoryStore(), ['a', Uint8Array.of(1)]],
  DirectoryStore: [() => new DirectoryStore(mkdtempSync(join(folder, 'store-'))), ['a', Uint8Array.of(1)]],
  'runner of JavaScript': [() => runner({ timeoutMs: 1000 })],
};

/** Names of methods and of members that can be set, own or inherited. */
function membersOf(object) {
  const all = new Map();
  for (let at = object; at !== null && ![Object.prototype, Array.prototype].includes(at); at = Object.getPrototypeOf(at)) {
    for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(at))) if (name !== 'constructor' && !all.has(name)) all.set(name, member);
  }
  return [...all];
}

for (const [name, [make, good]] of Object.entries(OBJECTS)) {
  test(`${name}: methods refuse with a HindscopeError, also once it has ended`, async () => {
    const object = await make();
    let refused = 0;
    for (const [member, { value, get, set }] of membersOf(object)) {
      if (['free', 'close'].includes(member)) continue;
      if (typeof value === 'function') refused += await misuse(`${name}.${member}`, (...given) => object[member](...given), good);
      if (set) refused += await misuse(`${name}.${member} =`, (...given) => void (object[member] = given[0]));
      if (get) await misuse(`${name}.${member}`, () => object[member]);
    }
    assert.ok(refused > 0 || name === 'HistoryExport' || name === 'HistorySearch', `${refused} times`);
    const end = object.free ?? object.close;
    if (!end) return;
    end.call(object);
    let ended = 0;
    for (const [member, { value, get }] of membersOf(object)) {
      if (['free', 'close'].includes(member)) continue;
      try {
        await (typeof value === 'function' ? object[member](...(good ?? [record()])) : get && object[member]);
      } catch (error) {
        check(error, `${name}.${member}, ended`);
        ended += 1;
      }
    }
    assert.ok(ended > 0);
  });
}
