// workerd, as Wrangler feeds it: esbuild with its conditions, and the wasm as a module of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { ASKING, ENTRIES, MANUAL, TALKED, WASM, assertAnswer, consumer, copyWasm, eachWasm, importing, model, runtime, write } from './lib.mjs';

/** Tells a plugin that it was itself which asked. */
const RESOLVED = Symbol('resolved');

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [
      (name = "worker.mjs", esModule = embed "worker.mjs"),
${Object.values(WASM).map(([, path]) => `      (name = "${basename(path)}", wasm = embed "${basename(path)}"),`).join('\n')}
    ],
    compatibilityDate = "2025-01-01",
    globalOutbound = "network",
  )), (name = "network", network = (allow = ["private", "public"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

const worker = (addresses, start) => `${importing(addresses)}${start}
export default {
  async fetch() {
    return new Response(await probe(hindscope, fixtures));
  },
};
`;

const TALKING = {
  'asking.mjs': ASKING,
  'talk.mjs': `import * as hindscope from 'hindscope/loop';
import { talk } from './asking.mjs';
export default {
  async fetch(request) {
    return new Response(await talk(hindscope, new URL(request.url).search.slice(1)));
  },
};
`,
};

const WORKERS = {
  'main.mjs': worker(ENTRIES, "if (early(hindscope) !== 'ok') throw new Error('it is not started at once');"),
  'manual.mjs': `${eachWasm((entry, name) => `import ${entry}Wasm from '${name}';`)}
${worker(MANUAL, eachWasm((entry) => `${entry}.initSync(${entry}Wasm);`))}`,
};

for (const entry of Object.keys(WORKERS)) {
  test(entry, async (t) => {
    const response = await asked(t, WORKERS, entry, '');
    if (response) assertAnswer(await response.text());
  });
}

test('a model on another server', async (t) => {
  const response = await asked(t, TALKING, 'talk.mjs', `?${await model(t)}`);
  if (response) assert.equal(await response.text(), TALKED);
});

/** What a worker answers, or undefined where there is no workerd. */
async function asked(t, workers, entry, search) {
  const workerd = runtime(t, 'workerd');
  if (!workerd) return undefined;
  const cwd = consumer(workers);
  const folder = join(cwd, 'out');
  await build({
    absWorkingDir: cwd,
    entryPoints: [entry],
    outfile: join(folder, 'worker.mjs'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    plugins: [{
      name: 'wasm-modules',
      setup: (own) => own.onResolve({ filter: /\.wasm$/ }, async ({ path, pluginData, ...from }) => {
        if (pluginData === RESOLVED) return undefined;
        const found = await own.resolve(path, { ...from, pluginData: RESOLVED });
        return { path: `./${basename(found.path)}`, external: true };
      }),
    }],
  });
  copyWasm(cwd, folder);
  write(folder, { 'config.capnp': CONFIG });
  const port = await serve(t, workerd, join(folder, 'config.capnp'));
  return fetch(`http://127.0.0.1:${port}/${search}`, { signal: AbortSignal.timeout(120_000) });
}

/** Starts workerd and waits for the port that it was given. */
async function serve(t, workerd, config) {
  const child = spawn(workerd, ['serve', config, '--control-fd=3'], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  t.after(() => child.kill());
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (complaints += text));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const listening = new Promise((resolve) => {
    let said = '';
    child.stdio[3].setEncoding('utf8').on('data', (text) => {
      said += text;
      const line = said.split('\n').find((line) => line.includes('"listen"'));
      if (line) resolve(JSON.parse(line).port);
    });
  });
  const port = await Promise.race([listening, ended]);
  assert.equal(child.exitCode, null, `workerd ended: ${complaints}`);
  return port;
}
