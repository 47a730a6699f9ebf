// Code of loops in four languages: what it gives, what it cannot reach, and that it ends.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rarely, root } from '../faces.mjs';
import { importedEntry, project, projectWithEngines, scratch } from './package.mjs';
import { timersOf } from './timers.mjs';

const NAMES = ['javascript', 'lua', 'prolog', 'python'];
const ENGINES = { javascript: 'quickjs-emscripten', lua: 'wasmoon', prolog: 'swipl-wasm', python: 'pyodide' };
const consumer = projectWithEngines();
const languages = await load(consumer);
const { javascript, lua, prolog, python } = languages;

/** The languages as a module of a project imports them. */
async function load(folder) {
  const entry = join(folder, 'languages.mjs');
  writeFileSync(entry, NAMES.map((name) => `export * as ${name} from 'hindscope/languages/${name}';\n`).join(''));
  return import(pathToFileURL(entry).href);
}

/** What code is refused with. */
async function fails(language, code, options) {
  const error = await language.run(code, options).then((answer) => assert.fail(`gave ${JSON.stringify(answer)}`), (error) => error);
  assert.ok(error instanceof language.LanguageError, error.stack);
  assert.equal(error.name, 'LanguageError');
  return error;
}

// --- What every language keeps of the contract ---------------------------------------------------

const text = 'quote " \' backslash \\ line\n control \u0001 NUL \u0000 pile \u{1F4A9} accent é';
const data = { text, yes: true, no: false, list: [1, 2.5, -3, 1e21, 1e-7], deep: [[{}], []], 'a key': { 'ä"\'': 0 } };

/** The same question in each: the words of a language, and what comes of them. */
const COMMON = {
  javascript: {
    returned: 'return [state.n + 1, output];',
    variable: 'const result = { n: state.n };',
    state: 'return state;',
    big: 'return 2n ** 60n;',
    nothing: 'state.n = 2;',
    fails: 'throw new RangeError("too far");',
    syntax: 'retrn 1',
    endless: 'for (;;);',
    cyclic: 'const a = []; a.push(a); return a;',
    noOutput: 'return typeof output;',
    absent: 'undefined',
  },
  lua: {
    returned: 'return { state.n + 1, output }, "ignored"',
    variable: 'result = { n = state.n }',
    state: 'return state',
    big: 'return 1 << 60',
    nothing: 'state.n = 2',
    fails: 'error("too far")',
    syntax: 'retrn 1',
    endless: 'while true do end',
    cyclic: 'local a = {} a[1] = a return a',
    noOutput: 'return type(output)',
    absent: 'nil',
  },
  python: {
    returned: 'return (state["n"] + 1, output)',
    variable: 'if True:\n  result = {"n": state["n"]}',
    state: 'return state',
    big: 'return 2 ** 60',
    nothing: 'state["n"] = 2',
    fails: 'raise ValueError("too far")',
    syntax: 'retrn 1',
    endless: 'while True: pass',
    cyclic: 'a = []\na.append(a)\nreturn a',
    noOutput: 'try:\n  return output\nexcept NameError:\n  return "absent"',
    absent: 'absent',
  },
  prolog: {
    returned: 'N is State.n + 1, Result = [N, Output]',
    variable: 'Result = _{n: State.n}.',
    state: 'Result = State.',
    big: 'Result is 2 ** 60',
    fails: 'throw("too far")',
    syntax: 'foo(1',
    endless: 'repeat, fail',
    cyclic: 'A = [A], Result = A',
    noOutput: '( var(Output) -> Result = absent ; true )',
    absent: 'absent',
  },
};

for (const [name, code] of Object.entries(COMMON)) {
  describe(name, () => {
    const { run, runner } = languages[name];
    // Python starts for seconds at each call.
    const often = name === 'python' ? rarely : {};

    test('a returned value and a variable are answers', async () => {
      assert.deepEqual(await run(code.returned, { state: { n: 1 }, output: 'x' }), [2, 'x']);
      assert.deepEqual(await run(code.variable, { state: { n: 1 } }), { n: 1 });
      assert.equal(await run(code.noOutput), code.absent);
    });

    test('JSON goes in and comes out as it was, and is a copy', often, async () => {
      assert.deepEqual(await run(code.state, { state: data }), data);
      const state = { n: 1 };
      if (code.nothing) assert.equal(await run(code.nothing, { state }), null);
      assert.deepEqual(state, { n: 1 });
      assert.equal(await run(code.big), String(2n ** 60n));
    });

    test('an error of the code says what it was', often, async () => {
      const error = await fails(languages[name], code.fails);
      assert.equal(error.code, 'failed');
      assert.equal(error.kind, 'error');
      assert.match(error.message, /too far/);
      assert.equal((await fails(languages[name], code.syntax)).code, 'failed');
      assert.equal((await fails(languages[name], code.cyclic)).code, 'failed');
    });

    test('an endless loop is ended, by its time and by a signal', async () => {
      const { run: quick, close } = runner({ timeoutMs: 300 });
      const error = await quick(code.endless).catch((error) => error);
      assert.deepEqual([error.code, error.kind], ['timeout', 'timeout']);
      close();
      assert.equal((await quick(code.variable, { state: { n: 1 } }).catch((error) => error)).code, 'unavailable');

      const controller = new AbortController();
      setTimeout(() => controller.abort(), 300);
      const aborted = await fails(languages[name], code.endless, { signal: controller.signal });
      assert.deepEqual([aborted.code, aborted.kind], ['aborted', 'cancelled']);
      assert.equal((await fails(languages[name], code.variable, { signal: AbortSignal.abort() })).code, 'aborted');
    });

    test('what cannot be handed in is refused', async () => {
      const cyclic = {};
      cyclic.self = cyclic;
      assert.equal((await fails(languages[name], code.state, { state: cyclic })).code, 'not_json');
      assert.equal((await fails(languages[name], ' \n')).code, 'failed');
      assert.equal((await fails(languages[name], code.state, { timeoutMs: -1 })).code, 'failed');
      assert.throws(() => runner({ timeoutMs: 'soon' }), languages[name].LanguageError);
    });
  });
}

// --- What cannot be reached ----------------------------------------------------------------------

test('JavaScript reaches nothing by the known ways out', async () => {
  const ways = {
    constructor: 'return this.constructor.constructor("return typeof process")()',
    global: 'return globalThis.constructor.constructor("return typeof process")()',
    'state': 'return state.constructor.constructor("return typeof process")()',
    'global names': 'return ["process", "require", "fetch", "setTimeout", "module", "Buffer", "global", "Deno", "Bun", "WebAssembly", "postMessage"].map((name) => typeof globalThis[name]).every((type) => type === "undefined") ? "undefined" : "reached"',
    eval: 'return (0, eval)("typeof process")',
    'async function': 'return Object.getPrototypeOf(async () => {}).constructor("return typeof process")()',
  };
  for (const [way, code] of Object.entries(ways)) assert.equal(await javascript.run(code), 'undefined', way);
});

test('import() is refused', async () => {
  for (const code of ['return import("node:fs")', 'return eval("imp" + "ort(\\"node:fs\\")")', 'return Function("return import(\\"node:fs\\")")()']) {
    assert.match((await fails(javascript, code)).message, /node:fs/);
  }
});

test('a promise of JavaScript is waited for, one that is rejected says why', async () => {
  assert.equal(await javascript.run('return Promise.resolve(1).then((n) => n + 1)'), 2);
  assert.match((await fails(javascript, 'return Promise.reject(new Error("too far"))')).message, /too far/);
  assert.match((await fails(javascript, 'return new Promise(() => {})')).message, /never settles/);
  assert.equal((await fails(javascript, 'const again = () => Promise.resolve().then(again); return again()', { timeoutMs: 200 })).code, 'timeout');
  assert.equal(await javascript.run('Promise.reject(1); return 3'), 3);
  assert.match((await fails(javascript, 'throw { odd: 1 }')).message, /odd/);
  assert.match((await fails(javascript, 'throw { get message() { throw 1 }, toString() { throw 2 } }')).message, /without a message/);
});

test('without an output JavaScript has no such name', async () => {
  assert.equal(await javascript.run('const output = 3; return output'), 3);
  assert.match((await fails(javascript, 'return output')).message, /'output' is not defined/);
  assert.match((await fails(javascript, 'const output = 3', { output: 1 })).message, /redefinition|redeclaration|already/);
});

test('code that asks for more memory than it may have is ended, and the host goes on', rarely, async () => {
  const attacks = {
    javascript: [
      'return "x".repeat(5e8)',
      'return new Array(2 ** 27).fill(1.5).length',
      'return new Uint8Array(2e9).length',
      'const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1))',
      'const all = []; for (;;) all.push(new Array(1000).fill(1.5))',
      'const part = "x".repeat(1e6); return JSON.stringify(new Array(1000).fill(part)).length',
    ],
    lua: ['local s = "x" while true do s = s .. s end', 'local t = {} for i = 1, 1e9 do t[i] = { i } end'],
    python: ['return len(bytearray(1_500_000_000))', 'a = []\nwhile True:\n  a.append(bytearray(1_000_000))'],
    prolog: ['length(L, 100000000), Result = done', 'numlist(1, 100000000, L), sum_list(L, Result)'],
  };
  for (const [name, codes] of Object.entries(attacks)) {
    const { run, close } = languages[name].runner({ memoryMb: 64, timeoutMs: 60_000, keepEngine: true });
    for (const code of codes) {
      const error = await run(code).then((answer) => assert.fail(`${code} gave ${answer}`), (error) => error);
      assert.equal(error.code, 'out_of_memory', `${code}: ${error.message}`);
    }
    close();
  }
});

test('the least memory is enough to say what went wrong', rarely, async () => {
  const wrong = { javascript: 'null.a', lua: 'error("a")', python: 'raise ValueError("a")', prolog: 'atom_length(_, Result)' };
  for (const [name, code] of Object.entries(wrong)) {
    const { run, close } = languages[name].runner({ memoryMb: 32, timeoutMs: 60_000 });
    const error = await run(code).then((answer) => assert.fail(`${code} gave ${answer}`), (error) => error);
    assert.equal(error.code, 'failed', `${name}: ${error.message}`);
    close();
  }
});

test('recursion without an end is an error of the code', async () => {
  for (const code of ['const f = () => f() + 1; return f()', 'const f = () => [f()]; return f()']) {
    assert.match((await fails(javascript, code)).message, /stack|memory/, code);
  }
  assert.equal(await javascript.run('return 7'), 7);
});

test('an error of JavaScript says its line', async () => {
  assert.match((await fails(javascript, 'const a = 1;\nnull.a')).message, /TypeError.*\(line 2\)/);
  assert.match((await fails(javascript, 'const a = 1;\nreturn a +')).message, /SyntaxError.*\(line [23]\)/);
});

test('Python and Prolog keep their engine where it is asked for, and each call has its own names', rarely, async () => {
  const kept = python.runner({ keepEngine: true });
  await kept.run('import sys\nsys.kept = 1\nleft = 2');
  assert.deepEqual(await kept.run('import sys\nreturn [hasattr(sys, "kept"), "left" in globals()]'), [true, false]);
  kept.close();
  assert.equal(await python.run('import sys\nreturn hasattr(sys, "kept")'), false);
  const facts = prolog.runner({ keepEngine: true });
  assert.equal(await facts.run('fact(1).\nfact(Result).'), 1);
  assert.equal(await facts.run('fact(2).\nfindall(X, fact(X), Result).').then(String), '2');
  assert.match(await facts.run('fact(Result).').catch(({ message }) => message), /fact/);
  facts.close();
  assert.throws(() => python.runner({ keepEngine: 'yes' }), { code: 'failed' });
});

test('a loop starts the engine of a language once', rarely, async () => {
  const { reflectionLoop } = await importedEntry(consumer, 'hindscope/loop');
  const run = 'import sys\nsys.rounds = getattr(sys, "rounds", 0) + 1\nreturn sys.rounds == 3';
  const result = await reflectionLoop({ generate: () => ({}), evaluate: { type: 'custom', run, language: 'python' }, languages: { python }, maxIterations: 5 });
  assert.equal(result.iterations, 3);
});

test('nothing of one run is left for the next', async () => {
  await javascript.run('globalThis.left = 1; Array.prototype.map = () => "spoilt"; JSON.stringify = () => "7"; return 1').catch(() => {});
  assert.deepEqual(await javascript.run('return [typeof left, [1].map(String)]'), ['undefined', ['1']]);
  await lua.run('left = 1 string.format = nil');
  assert.deepEqual(await lua.run('return { type(left), type(string.format) }'), ['nil', 'function']);
});

test('Lua has no files, no modules and no bytecode', async () => {
  const gone = ['io', 'package', 'require', 'debug', 'dofile', 'loadfile', 'os.execute', 'os.getenv', 'os.remove', 'os.exit', 'js', 'hindscope', 'code_given'];
  assert.deepEqual(await lua.run(`return { ${gone.map((name) => `type(${name})`).join()} }`), gone.map(() => 'nil'));
  assert.deepEqual(await lua.run('local made, cause = load(string.dump(function() return 1 end)) return { made == nil, cause ~= nil }'), [true, true]);
});

test('Lua: tables, and what is no JSON', async () => {
  assert.deepEqual(await lua.run('return { {}, state.empty, { 1, nil, 3 }, { a = {} } }', { state: { empty: [] } }), [{}, [], { 1: 1, 3: 3 }, { a: {} }]);
  assert.deepEqual(await lua.run('return { state.gone == nil, 2.0, 7 // 2, 0.1 }', { state: { gone: null } }), [true, 2, 3, 0.1]);
  assert.equal(await lua.run('return 0/0'), null);
  assert.match((await fails(lua, 'return print')).message, /function/);
  assert.match((await fails(lua, 'error({ odd = 1 })')).message, /odd/);
});

test('Python reaches neither files nor network nor JavaScript', async () => {
  const code = `
ways = {
  "open": "open('/etc/passwd')",
  "write": "open('/written', 'w')",
  "io": "__import__('io').FileIO('/etc/passwd')",
  "os.open": "__import__('os').open('/etc/passwd', 0)",
  "listdir": "__import__('os').listdir('/')",
  "system": "__import__('os').system('ls')",
  "pathlib": "__import__('pathlib').Path('/etc/passwd').read_text()",
  "js": "__import__('js')",
  "pyodide_js": "__import__('pyodide_js')",
  "run_js": "__import__('pyodide.code', fromlist=['run_js']).run_js('1')",
  "core": "__import__('_pyodide_core')",
  "importlib": "__import__('importlib').import_module('js')",
  "socket": "__import__('socket')",
  "urllib": "__import__('urllib.request')",
  "subprocess": "__import__('subprocess')",
  "ctypes": "__import__('ctypes')",
  "gc": "__import__('gc').get_objects()",
  "frames": "[frame.f_locals.update({'is_closed': False}) for frame in [__import__('sys')._getframe(1)]] and open('/written', 'w')",
  "bytecode": "__import__('marshal').loads(__import__('marshal').dumps(compile('1', 'x', 'eval')))",
  "frozen bytecode": "__import__('_imp').get_frozen_object('x', __import__('marshal').dumps(compile('1', 'x', 'eval')))",
  "made bytecode": "compile('1', 'x', 'eval').replace(co_code=b'')",
  "makers": "__import__('_imp').create_builtin(__import__('importlib.machinery', fromlist=['x']).ModuleSpec('_ctypes', None))",
  "a path that says what it is": "open(type('S', (str,), {'startswith': lambda *_: True, '__class__': str})('/etc/passwd'))",
  "library": "open(__import__('sys').path[-1] + '/x', 'w')",
}
reached = []
for name, way in ways.items():
    try:
        eval(way)
        reached.append(name)
    except (AttributeError, ImportError, PermissionError, RuntimeError):
        pass
    except BaseException as cause:
        reached.append(f"{name}: {type(cause).__name__} {cause}")
return reached
`;
  assert.deepEqual(await python.run(code), []);
  assert.deepEqual(await python.run('import os\nreturn dict(os.environ)'), {});
});

test('Python: no way through its objects leads to JavaScript', async () => {
  // From all modules, classes and frames, through attributes, globals, closures and members.
  const code = `
import sys
ways = ('__dict__', '__globals__', '__closure__', '__self__', '__func__', '__wrapped__', '__class__', '__defaults__', '__kwdefaults__',
        'cell_contents', 'fget', 'func', 'args', 'keywords', 'f_globals', 'f_locals', 'f_builtins', 'f_back')
reached, seen, kept, left = set(), set(), [], [sys.modules, sys.meta_path, sys.path_hooks, object, sys._getframe()]
while left:
    it = left.pop()
    if id(it) in seen or isinstance(it, (int, float, str, bytes)):
        continue
    seen.add(id(it))
    kept.append(it)
    module = getattr(it, '__module__', None) if type(it).__name__ == 'builtin_function_or_method' else None
    if type(type(it)).__name__ == '_JsProxyMetaClass' or isinstance(module, str) and 'pyodide' in module:
        reached.add(repr(it))
        continue
    if isinstance(it, dict) or type(it).__name__ == 'mappingproxy':
        left += [*dict(it).keys(), *dict(it).values()]
    elif isinstance(it, (list, tuple, set, frozenset)):
        left += it
    if isinstance(it, type):
        left += [*type.__subclasses__(it), *it.__mro__]
    for way in ways:
        try:
            left.append((type if isinstance(it, type) else object).__getattribute__(it, way))
        except Exception:
            pass
return [len(seen) > 20000, sorted(reached)]
`;
  assert.deepEqual(await python.run(code, { timeoutMs: 300_000 }), [true, []]);
  assert.equal(await python.run('import hashlib, time, uuid\ntime.sleep(0)\nreturn len(str(uuid.uuid4()))'), 36);
});

test('Python has the names that the_edge_agent gives', async () => {
  const state = { reflection_iteration: 2, reflection_errors: [{ message: 'x' }], reflection_output: null };
  const code = 'return [json.dumps([1]), re.sub("a", "b", "a"), reflection_iteration, reflection_errors, reflection_output, state["reflection_iteration"]]';
  assert.deepEqual(await python.run(code, { state }), ['[1]', 'b', 2, [{ message: 'x' }], null, 2]);
  assert.match((await fails(python, 'return reflection_iteration')).message, /NameError/);
});

test('Python has its library, and says what is no JSON', rarely, async () => {
  assert.deepEqual(await python.run('import csv, html, statistics, datetime\nreturn statistics.mean([1, 2]), html.escape("<")'), [1.5, '&lt;']);
  assert.match((await fails(python, 'return {1, 2}')).message, /set cannot be converted to JSON/);
  assert.match((await fails(python, 'x = 1\nx / 0')).message, /ZeroDivisionError.*line 2/);
  assert.match((await fails(python, 'import sys\nsys.exit(3)')).message, /SystemExit/);
  assert.deepEqual(await python.run('return {1: float("inf"), "t": (1, None)}'), { 1: null, t: [1, null] });
});

test('Prolog runs harmless goals only', async () => {
  const ways = [
    "open('/etc/passwd', read, _)", "consult('/x')", 'shell(ls)', 'X := eval("1")', 'G = shell(ls), call(G)', ':- shell(ls).\ntrue.',
    'goal_expansion(a, b) :- shell(ls).\na.', "goal_expansion(a, R) => open('/x', write, _), R = true.\na.", "goal_expansion(a, R), true => R = true.\na.", 'X => a.\ntrue.', 'user:term_expansion(a, b).\ntrue.', 'hindscope:answer(a, b, c, d)', 'assertz(hindscope:a)',
    "read_term(user_input, _, [])", "use_module(library(process))", 'halt',
  ];
  for (const way of ways) assert.equal((await fails(prolog, way)).code, 'failed', way);
});

test('Prolog: success, failure, helpers, and what is no JSON', async () => {
  assert.equal(await prolog.run('member(X, [1, 2]), X > 1'), true);
  assert.equal(await prolog.run('member(3, Output).', { output: [1] }), false);
  assert.equal(await prolog.run('double(X, Y) :- Y is X * 2.\ndouble(State.n, Result). % done', { state: { n: 4 } }), 8);
  assert.deepEqual(await prolog.run('Result = [a, "b", true, null, 1r3, _{k: []}]'), ['a', 'b', true, null, 1 / 3, { k: [] }]);
  assert.match((await fails(prolog, 'Result = f(x)')).message, /cannot be converted to JSON/);
  assert.match((await fails(prolog, 'Result = [_]')).message, /unbound/);
});

test('the network is not reached: a server here hears nothing', async () => {
  let heard = 0;
  const server = createServer((_, response) => {
    heard += 1;
    response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}/`;
  await javascript.run(`return fetch("${address}")`).catch(() => {});
  await javascript.run(`return import("${address}")`).catch(() => {});
  await python.run(`from urllib.request import urlopen\nreturn urlopen("${address}").read()`).catch(() => {});
  await prolog.run(`X := fetch("${address}")`).catch(() => {});
  server.close();
  assert.equal(heard, 0);
});

// --- What stays shut when an engine is broken ------------------------------------------------------

/** An engine of Lua without walls: its code is JavaScript, which runs as if it had broken out of an engine. */
const BROKEN = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
export class LuaFactory {
  createEngine() {
    let code;
    const global = { set: (name, value) => { if (name === 'code_given') code = value; }, setMemoryMax() {}, close() {} };
    const answered = async () => 'V' + JSON.stringify((await new Function('require', 'return (async () => {' + code + '})()')(require)) ?? null);
    const doStringSync = () => code === undefined ? '' : answered().catch((error) => 'E' + error.code + ' ' + error.message);
    return { global, doStringSync };
  }
}
`;
const brokenFolder = scratch();
const engine = pathToFileURL(join(brokenFolder, 'broken.mjs'));
writeFileSync(fileURLToPath(engine), BROKEN);
const broken = lua.runner({ engine, memoryMb: 64, timeoutMs: 60_000 });
after(() => broken.close());

/** What code in JavaScript is refused, by the names of what it tries. */
const REFUSED = {
  'read a file': `return require('node:fs').readFileSync(${JSON.stringify(join(consumer, 'package.json'))}, 'utf8')`,
  'list a folder': `return require('node:fs').readdirSync(${JSON.stringify(consumer)})`,
  'write a file': `require('node:fs').writeFileSync(${JSON.stringify(join(brokenFolder, 'written'))}, '')`,
  'change its engine': `require('node:fs').appendFileSync(${JSON.stringify(fileURLToPath(engine))}, ' ')`,
  'start a process': `return require('node:child_process').spawnSync(process.execPath, ['--version']).pid || 'none'`,
  'start a worker without walls': "new (require('node:worker_threads').Worker)('', { eval: true, execArgv: [] })",
  'start an inspector': "require('node:inspector').open(0)",
  'inspect the main thread': "new (require('node:inspector').Session)().connectToMainThread()",
  'load an addon': "process.dlopen({ exports: {} }, process.execPath)",
  'be another engine of wasm': "new (require('node:wasi').WASI)({ version: 'preview1' })",
  'write a report': "return process.report.writeReport('report.json')",
};
const [major] = process.versions.node.split('.');
// Node 20 allows the root folder where allowed folders begin with different names in it.
if (Number(major) >= 22) REFUSED['list the root folder'] = "return require('node:fs').readdirSync('/')";
if (Number(major) >= 25) REFUSED['reach the network'] = "await new Promise((resolve, reject) => require('node:net').connect(9, '127.0.0.1').on('error', reject).on('connect', resolve))";

test('an engine that is broken: Node refuses files, processes, workers, addons and inspectors', async () => {
  assert.equal(await broken.run('return typeof process.pid'), 'number', 'the code is out of its engine');
  for (const [what, code] of Object.entries(REFUSED)) {
    const error = await broken.run(code).then((answer) => assert.fail(`${what}: gave ${JSON.stringify(answer)}`), (error) => error);
    assert.match(error.message, /^ERR_(ACCESS_DENIED|DLOPEN_DISABLED)/, `${what}: ${error.message}`);
  }
});

test('an engine that is broken: it finds no environment, no arguments and none of the memory of the program', async () => {
  const seen = await broken.run('return [process.env, process.report.getReport().environmentVariables, process.argv.slice(2), process.pid, process.execArgv.filter((flag) => !/permission$|^--allow-fs-read=/.test(flag))]');
  assert.ok(process.env.PATH && !JSON.stringify(seen.slice(0, 2)).includes(process.env.PATH));
  assert.deepEqual([seen[0], seen[2], seen[3] === process.pid, seen[4]], [{}, [], false, []]);
});

test('an engine that is broken: buffers beyond all limits end its process, and the host goes on', async () => {
  const code = 'const all = []; for (;;) { all.push(Buffer.alloc(2 ** 22, 1)); await new Promise(setImmediate); }';
  const error = await broken.run(code).catch((error) => error);
  assert.equal(error.code, 'out_of_memory', error.message);
  assert.equal(await broken.run('return 1'), 1);
});

test('an engine that is broken: whatever it sends to the host is an answer or an error', async () => {
  for (const sent of ['no JSON\\n', 'null\\n', '7\\n', '{}\\n', '{"type":7}\\n', '{"type":"failed","code":{}}\\n', '{"type":"failure","code":[],"isOver":1}\\n']) {
    const error = await broken.run(`require('node:fs').writeSync(1, '${sent}'); for (;;);`).catch((error) => error);
    assert.ok(error instanceof lua.LanguageError, `${sent}: ${error?.stack ?? error}`);
  }
  assert.equal(await broken.run('process.kill(process.pid, "SIGKILL")').catch(({ code }) => code), 'failed');
  assert.equal(await broken.run('return 1'), 1);
});

test('Ctrl-C, which a terminal sends to all of its processes, does not end code: the program decides', async () => {
  assert.equal(await broken.run("process.kill(process.pid, 'SIGINT'); return 1"), 1);
});

/** A program that starts code which says its process and is busy for ever, and prints what it says. */
const BUSY = `import { runner } from 'hindscope/languages/lua';
const code = 'require("node:fs").writeSync(1, JSON.stringify({ type: "failure", code: "failed", message: process.pid }) + "\\\\n"); for (;;);';
setInterval(() => {}, 1000);
runner({ engine: ${JSON.stringify(engine.href)}, timeoutMs: 600_000 }).run(code).catch(({ message }) => console.log(message));
`;

test('a program that is killed leaves no busy process behind', async () => {
  const entry = join(consumer, 'busy.mjs');
  writeFileSync(entry, BUSY);
  const host = spawn(process.execPath, [entry], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await once(host.stdout, 'data');
  const pid = Number(said);
  assert.ok(isRunning(pid) && pid !== host.pid, String(said));
  host.kill('SIGKILL');
  const end = Date.now() + 20_000;
  while (isRunning(pid) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  const isLeft = isRunning(pid);
  if (isLeft) process.kill(pid, 'SIGKILL');
  assert.equal(isLeft, false);
});

/** Whether a process does something still. One that has ended stays in Linux's list until somebody asks how. */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('in a program that may do little itself, code runs as it may, or is told what to allow', () => {
  const entry = join(consumer, 'little.mjs');
  const tries = [REFUSED['read a file'], REFUSED['start a process'], REFUSED['start a worker without walls']];
  writeFileSync(entry, `import { runner } from 'hindscope/languages/lua';
const { run, close } = runner({ engine: ${JSON.stringify(engine.href)} });
const said = [];
for (const code of ['return 1', ...${JSON.stringify(tries)}]) said.push(await run(code).catch(({ code, message }) => code + ': ' + message));
close();
console.log(JSON.stringify(said));
`);
  const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const said = (...allowed) => JSON.parse(execFileSync(process.execPath, [flag, '--allow-fs-read=*', ...allowed, entry], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  for (const allowed of ['--allow-child-process', '--allow-worker']) {
    const [answer, ...refused] = said(allowed);
    assert.equal(answer, 1, allowed);
    for (const each of refused) assert.match(String(each), /ERR_ACCESS_DENIED/, allowed);
  }
  for (const each of said()) assert.match(each, /^unavailable: .*--allow-child-process/);
});

test('a runner lets go of its timers and of the signal, and waits no longer than timers can', async () => {
  const { signal } = new AbortController();
  let listening = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...given) => ((listening += 1), add(...given));
  signal.removeEventListener = (...given) => ((listening -= 1), remove(...given));
  const timed = (options, given) => timersOf(async () => {
    const { run, close } = javascript.runner(options);
    await run('return state', { signal, ...given });
    close();
  });
  const { started, left } = await timed();
  assert.deepEqual([started, left, listening], [[120_000, 5000, 60_000], 0, 0]);
  assert.equal((await timed({ timeoutMs: 700 })).started[1], 700);
  assert.equal((await timed({ timeoutMs: 700 }, { timeoutMs: 900 })).started[1], 900);
  assert.equal((await timed({}, { timeoutMs: Infinity })).started[1], 2 ** 31 - 1);
  const closed = await timersOf(async () => {
    const { run, close } = javascript.runner();
    const answer = run('return state');
    close();
    assert.deepEqual(await answer, {}, 'what runs goes on');
  });
  assert.deepEqual([closed.started, closed.left], [[120_000, 5000], 0]);
});

test('a signal that cannot be listened to is refused, and one that cannot be let go of loses no answer', async () => {
  const throwing = (method) => Object.assign(new AbortController().signal, { [method]: () => { throw 1; } });
  for (const signal of [{ addEventListener() {} }, throwing('addEventListener')]) {
    assert.equal((await fails(javascript, 'return 1', { signal })).code, 'failed');
  }
  assert.equal(await javascript.run('return 1', { signal: throwing('removeEventListener') }), 1);
});

test('settings of a runner have bounds', () => {
  for (const options of [{ memoryMb: 31 }, { memoryMb: '64' }, { timeoutMs: 0 }, { timeoutMs: NaN }]) assert.throws(() => javascript.runner(options), { name: 'LanguageError', code: 'failed' });
  javascript.runner({ memoryMb: 32, timeoutMs: 1 }).close();
});

test('a program that has run code ends by itself', () => {
  const entry = join(consumer, 'ends.mjs');
  const code = "import { run } from 'hindscope/languages/javascript';\nsetTimeout(async () => console.log(await answer), 1000);\nconst answer = run('return 7');\n";
  writeFileSync(entry, code);
  // By then a worker is ready that waits for the next code, and would wait longer than this.
  assert.equal(execFileSync(process.execPath, [entry], { encoding: 'utf8', timeout: 40_000 }), '7\n');
});

test('a process that cannot be started, or ends at its start, is unavailable', async () => {
  const { execPath } = process;
  const code = async (path) => {
    process.execPath = path;
    const { run, close } = javascript.runner();
    const error = await run('return 1').catch((error) => error);
    close();
    return [error.code, error.kind, error.fatal];
  };
  try {
    for (const path of [join(consumer, 'no-such-node'), '/bin/false']) assert.deepEqual(await code(path), ['unavailable', 'unavailable', true], path);
  } finally {
    process.execPath = execPath;
  }
});

test('a language whose engine is not installed is unavailable', async () => {
  const folder = project();
  const bare = await load(folder);
  for (const name of NAMES) {
    const error = await bare[name].run('return 1').catch((error) => error);
    assert.deepEqual([error.code, error.kind, error.fatal], ['unavailable', 'unavailable', true], name);
    assert.match(error.message, new RegExp(`npm install ${ENGINES[name]}$`));
  }
  const { reflectionLoop } = await importedEntry(folder, 'hindscope/loop');
  const evaluate = { type: 'custom', language: 'javascript', run: 'return true' };
  const ended = await reflectionLoop({ generate: () => 1, evaluate, languages: bare, maxIterations: 3 }).catch((error) => error);
  assert.deepEqual([ended.code, ended.errors.map(({ code }) => code)], ['call_failed', ['unavailable']], 'and no round is tried again');
});

test('the attacks in SECURITY.md are tests of this file', () => {
  const titles = [...readFileSync(join(root, 'SECURITY.md'), 'utf8').matchAll(/^\|(?:[^|]+\|){4} ([^|-]+) \|$/gm)].map(([, title]) => title).slice(1);
  const own = readFileSync(fileURLToPath(import.meta.url), 'utf8');
  assert.ok(titles.length > 10, titles.join());
  for (const title of titles) assert.ok(own.includes(`test('${title}'`), title);
});
