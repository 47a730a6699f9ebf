// Workers in workerd, as Wrangler feeds it: esbuild with its conditions, and each wasm as a module of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { WASM, copyWasm, runtime, write } from './lib.mjs';

/** Tells a plugin that it was itself which asked. */
const RESOLVED = Symbol('resolved');

const config = ({ settings = '', services = '' }) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [
      (name = "worker.mjs", esModule = embed "worker.mjs"),
${Object.values(WASM).map(([, path]) => `      (name = "${basename(path)}", wasm = embed "${basename(path)}"),`).join('\n')}
    ],
    compatibilityDate = "2025-01-01",
    globalOutbound = "network",
    ${settings}
  )), (name = "network", network = (allow = ["private", "public"])), ${services}],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

/**
 * Bundles a script of a project, with more settings of the worker and more services if it needs them. Gives what
 * starts it, again and again, or undefined where workerd is not installed.
 */
export async function bundled(t, cwd, entry, more = {}) {
  const workerd = runtime(t, 'workerd');
  if (!workerd) return undefined;
  const folder = join(cwd, 'out');
  await build({
    absWorkingDir: cwd,
    entryPoints: [entry],
    outfile: join(folder, 'worker.mjs'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:workers'],
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
  write(folder, { 'config.capnp': config(more) });
  return () => serve(t, workerd, join(folder, 'config.capnp'));
}

/** Starts workerd and waits for the port that it was given. Gives its address, and what ends it. */
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
  const stop = () => {
    child.kill();
    return ended;
  };
  return { address: `http://127.0.0.1:${port}`, stop };
}
