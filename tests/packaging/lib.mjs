// What the packaging tests stand on: a project with the packed tarball installed, the questions that
// every runtime is asked (probe.mjs), and the one text that all of them have to answer.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { assertQuiet, launch, listen, serveFolder } from '../e2e/chromium.mjs';
import { canonical, fixtures, native, root } from '../faces.mjs';
import { completions } from '../npm/completions.mjs';
import { ENTRIES, WASM, declared, project, types } from '../npm/package.mjs';

/** What each call of probe.mjs throws. */
const MISUSE = {
  omega: { code: 'omega-out-of-range', details: { omega: 11 } },
  option: { code: 'invalid-option', details: {} },
  profile: { code: 'invalid-option', details: {} },
  schema: { code: 'invalid-schema', details: {} },
  rules: { code: 'invalid-option', details: {} },
  counter: { code: 'invalid-option', details: { number: 1 } },
  group: { code: 'no-such-group', details: { group: 0 } },
  freed: { code: 'freed', details: {} },
  finished: { code: 'source-finished', details: { source: 0 } },
  source: { code: 'no-such-source', details: { source: 7 } },
  run: { code: 'no-such-run', details: { key: 'nobody' } },
  record: { code: 'no-such-record', details: { record: 0 } },
  cyclic: { code: 'invalid-record', details: {} },
  input: { code: 'unreadable-input', details: {} },
};

/** Every fixture with its files; a refused one ends at the first slice, whose length is ours. */
const asked = fixtures()
  .map(([name, path]) => ({ name, path, answer: native(path) }))
  .filter(({ answer }) => answer.sources.every(({ state }) => state !== 'refused'))
  .map(({ name, path, answer }) => {
    const files = answer.sources.map((source) => ({
      name: source.path,
      base64: readFileSync(join(dirname(path), source.path), 'base64'),
    }));
    return { name, path, answer, files };
  });

/** Names that all entries export together. */
const EXPORTS = declared(types(join(root, 'core/js/npm')));

const expected = canonical(
  {
    exports: EXPORTS,
    files: ['a.json: read', 'b.json: read'],
    fixtures: Object.fromEntries(asked.map(({ name, answer }) => [name, answer])),
    misuse: Object.fromEntries(Object.entries(MISUSE).map(([name, seen]) => [name, { ...seen, isOurs: true }])),
  },
  1,
);

/** The engines that APART needs. */
export const ENGINES = ['pyodide', 'quickjs-emscripten', 'swipl-wasm', 'wasmoon'];

/** A program that runs code of each language apart from itself, also such as is busy for ever, and prints what comes of it. */
export const APART = `import * as javascript from 'hindscope/languages/javascript';
import * as lua from 'hindscope/languages/lua';
import * as prolog from 'hindscope/languages/prolog';
import * as python from 'hindscope/languages/python';
const said = [];
for (const [language, ...codes] of [
  [javascript, 'return state.n + 1', 'for (;;);', 'return "x".repeat(5e8)', 'return typeof process + typeof Deno + typeof Bun'],
  [lua, 'return state.n + 1', 'while true do end'],
  [prolog, 'Result is State.n + 1', 'repeat, fail'],
  [python, 'return state["n"] + 1', 'while True: pass'],
]) {
  const { run, close } = language.runner({ timeoutMs: 3000, memoryMb: 64, keepEngine: true });
  for (const code of codes) said.push(await run(code, { state: { n: 6 } }).catch(({ code }) => code));
  close();
}
console.log(said.join(' '));`;

/** What it prints. */
export const KEPT_APART = '7 timeout out_of_memory undefinedundefinedundefined 7 timeout 7 timeout 7 timeout';

/** Makes a package that this repository depends on one of a project, too. */
export function addPackage(folder, name) {
  const path = join(folder, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), path);
}

/** A text that a program prints or a page shows must be the expected one, byte for byte. */
export function assertAnswer(text) {
  if (text === expected) return;
  const [own, theirs] = [text, expected].map((all) => String(all).split('\n'));
  const line = theirs.findIndex((it, index) => it !== own[index]);
  const around = (lines) => lines.slice(Math.max(0, line - 3), line + 4).join('\n');
  assert.fail(`line ${line + 1} differs; this runtime says\n${around(own)}\n\nnative says\n${around(theirs)}`);
}

/** An empty answer would compare nothing. */
assert.ok(asked.length >= 30 && expected.length > 500_000, `${asked.length} fixtures, ${expected.length} characters`);

/**
 * A project that depends on the tarball, with probe.mjs, what it needs and its fixtures beside the given files.
 * Gives its folder.
 */
export function consumer(files = {}) {
  const folder = project();
  copyFileSync(join(root, 'tests/dump.mjs'), join(folder, 'dump.mjs'));
  copyFileSync(join(root, 'tests/npm/face.mjs'), join(folder, 'face.mjs'));
  copyFileSync(join(root, 'tests/packaging/probe.mjs'), join(folder, 'probe.mjs'));
  const list = asked.map(({ name, files }) => ({ name, files }));
  writeFileSync(join(folder, 'fixtures.mjs'), `export default ${JSON.stringify(list)};\n`);
  write(folder, files);
  return folder;
}

/** Writes files into a folder. */
export function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Text for each wasm: `text` is given the entry that starts it, the name to import it by, and its file. */
export const eachWasm = (text) => Object.entries(WASM).map(([entry, [name, path]]) => text(entry, name, path)).join('\n');

/** Addresses of all entries: as they start by themselves, of those that start nothing, and of files for browsers. */
export { ENTRIES, WASM };
export const MANUAL = Object.fromEntries(Object.entries(ENTRIES).map(([name, entry]) => [name, `${entry}/manual`]));
export const inBrowser = (file) => Object.fromEntries(Object.keys(ENTRIES).map((name) => [name, `./node_modules/hindscope/${name}/${file}.mjs`]));

/** All entries as a list, in CommonJS. */
export const REQUIRED = `[${Object.values(ENTRIES).map((entry) => `require('${entry}')`).join(', ')}]`;

/** The imports of a program that has all entries as `hindscope`. */
export function importing(addresses) {
  const imports = Object.entries(addresses).map(([name, address]) => `import * as ${name} from '${address}';\n`);
  return `${imports.join('')}import fixtures from './fixtures.mjs';
import { early, joined, probe } from './probe.mjs';
const hindscope = joined(${Object.keys(addresses).join(', ')});
`;
}

/** Copies every wasm of an installed package beside a bundle. */
export function copyWasm(project, folder) {
  for (const [, path] of Object.values(WASM)) copyFileSync(join(project, 'node_modules/hindscope', path), join(folder, basename(path)));
}

/** A program that prints the answer; `start` is what it does first. */
export function printing(addresses, start = '') {
  return `${importing(addresses)}${start}
console.log(await probe(hindscope, fixtures));
`;
}

/** A program that keeps a task in a folder, and prints what another memory answers about it. */
export const KEEPING = `import { EpisodicMemory } from 'hindscope/memory';
import { DirectoryStore } from 'hindscope/stores/directory';
const opened = () => EpisodicMemory.open(new DirectoryStore('memory'));
const { task } = await (await opened()).initTask({ description: 'Sort it.' });
console.log((await (await opened()).queryHistory(task)).metadata.description);
`;

/** A script that leaves the answer of a page in \`window.answer\`. */
export function showing(addresses, start = '') {
  return `${importing(addresses)}const before = early(hindscope);
if (before !== 'not-ready') throw new Error('before it is ready, a call says ' + before);
${start}
window.answer = await probe(hindscope, fixtures);
`;
}

/** A page with one script. */
export function html(script) {
  return `<!doctype html><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,">
<script type="module" src="${script}"></script>`;
}

/** Runs a program to its end and gives what it printed, or fails with what it complained of. */
export async function run(program, args, options) {
  try {
    const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 1 << 28, timeout: 60_000, ...options });
    return stdout.replace(/\n$/, '');
  } catch ({ code, signal, stdout, stderr }) {
    // Some programs have very long lines, and the reason stands at the end.
    throw new Error(`${program} ${args.join(' ')} ended with ${signal ?? code}:\n${`${stdout}${stderr}`.slice(-2000)}`);
  }
}

/**
 * The program of a runtime that comes from npm. Where its makers publish none for this platform,
 * the test is skipped and says so; where they do and it is not there, it fails.
 */
export function runtime(t, name) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version, optionalDependencies } = packages[`node_modules/${name}`];
  const { platform, arch } = process;
  const ownLibc = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
  const fits = ({ os = [platform], cpu = [arch], libc = [ownLibc] }) =>
    os.includes(platform) && cpu.includes(arch) && (platform !== 'linux' || libc.includes(ownLibc));
  if (!Object.keys(optionalDependencies).some((binary) => fits(packages[`node_modules/${binary}`]))) {
    t.skip(`NOT TESTED: ${name} ${version} is not published for ${platform}-${arch}`);
    return undefined;
  }
  const program = join(root, 'node_modules/.bin', name);
  assert.ok(existsSync(program), `${name} is not installed: \`npm ci\` brings it`);
  return program;
}

/** A server of chat completions that answers with the key it was given; gives the address to ask. */
export const model = (t) => completions(t, ({ headers }) => headers.authorization);

/** A function that asks such a server, and the answer that it gives wherever it runs. */
export const ASKING = `
export async function talk(hindscope, address) {
  const { openaiChat, reflectionLoop } = hindscope;
  const chat = (path) => openaiChat({ baseUrl: address + path, apiKey: 'key-of-a-test', model: 'tiny' });
  const run = async (llm) => {
    const loop = { generator: { action: 'llm.call', prompt: 'Hello' }, evaluator: { schema: { type: 'string' } }, llm, parse: 'text', maxIterations: 1 };
    try {
      const { success, output } = await reflectionLoop(loop);
      return { success, output, error: '' };
    } catch ({ code, message }) {
      return { success: false, output: null, error: /redirect/.test(message) ? code : message };
    }
  };
  return JSON.stringify([await run(chat('/v1')), await run(chat('/moved'))]);
}
`;
export const TALKED = JSON.stringify([
  { success: true, output: 'Bearer key-of-a-test', error: '' },
  { success: false, output: null, error: 'call_failed' },
]);

/** Opens an address, or a folder on a plain server, in Chromium: the page, and what it lets out. */
export async function opened(t, { folder, url, path = '' }) {
  const server = folder === undefined ? undefined : await serveFolder(folder);
  const browser = await launch();
  t.after(async () => {
    await browser.close();
    await server?.close();
  });
  const address = url ?? server.url;
  const page = await browser.newPage();
  const heard = listen(page, new URL(address).origin);
  await page.goto(address + path);
  return { page, heard };
}

/** What a page answers. It must be quiet; `usual` matches what a server adds to it. */
export async function answerOfPage(t, { usual, ...place }) {
  const { page, heard } = await opened(t, place);
  const answer = page.waitForFunction(() => window.answer, undefined, { timeout: 120_000 });
  await Promise.race([answer, page.waitForEvent('pageerror', { timeout: 120_000 })]).catch(() => {});
  if (usual) for (const kind of ['console', 'foreign']) heard[kind] = heard[kind].filter((line) => !usual.test(line));
  assertQuiet(heard);
  return (await answer).jsonValue();
}
