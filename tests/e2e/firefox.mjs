// Firefox, driven by the WebDriver BiDi that it speaks itself: the npm package of geckodriver
// brings no driver but downloads one when it is installed, and Debian packages none.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
// Node has a WebSocket of its own from 22 on.
import { ws } from 'playwright-core/lib/utilsBundle';

const WebSocket = globalThis.WebSocket ?? ws;
const NAMES = ['firefox-esr', 'firefox'];
/** A browser that says nothing for this long is broken. */
const PATIENCE_MS = 60_000;

/** Nothing that Firefox would do on its own, and one language for numbers. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.newtabpage.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'intl.accept_languages': 'en-US',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.server': 'data:,',
};

/** The program, or null. HINDSCOPE_FIREFOX names another than the one that is found. */
export function findFirefox() {
  const chosen = process.env.HINDSCOPE_FIREFOX;
  if (chosen) return existsSync(chosen) ? chosen : null;
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  for (const name of NAMES) {
    const found = folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
    if (found) return found;
  }
  return null;
}

/** Options of a test that needs Firefox: it says why it skips where there is none. */
export function needsFirefox() {
  const how = 'apt-get install -y --no-install-recommends firefox-esr';
  return findFirefox() ? {} : { skip: `there is no Firefox on this machine: ${how}, or set HINDSCOPE_FIREFOX` };
}

/** Starts Firefox with a profile of its own; both are gone after the test. */
export async function startFirefox(t, { width = 1280, height = 800 } = {}) {
  const profile = await mkdtemp(path.join(tmpdir(), 'hindscope-firefox-'));
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
  await writeFile(path.join(profile, 'user.js'), lines.join(''));
  const program = spawn(findFirefox(), ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Without a home, as in some containers, it would not start.
    env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
  });
  const ended = once(program, 'exit');
  t.after(async () => {
    program.kill();
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const address = await listening(program);
  const firefox = new Firefox(await connected(`${address}/session`));
  await firefox.send('session.new', { capabilities: {} });
  const { contexts } = await firefox.send('browsingContext.getTree', {});
  firefox.context = contexts[0].context;
  await firefox.send('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent'] });
  await firefox.send('browsingContext.setViewport', { context: firefox.context, viewport: { width, height } });
  return firefox;
}

/** Waits until it says where it listens. */
function listening(program) {
  return new Promise((done, failed) => {
    let heard = '';
    const fail = (why) => failed(new Error(`Firefox ${why}:\n${heard}`));
    const timer = setTimeout(() => fail('says no address'), PATIENCE_MS);
    program.once('error', failed);
    program.once('exit', () => fail('ended'));
    program.stderr.on('data', (bytes) => {
      heard += bytes;
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(heard)?.[1];
      if (!address) return;
      clearTimeout(timer);
      done(address);
    });
  });
}

function connected(address) {
  return new Promise((done, failed) => {
    const socket = new WebSocket(address);
    socket.addEventListener('open', () => done(socket));
    socket.addEventListener('error', () => failed(new Error(`nothing listens at ${address}`)));
  });
}

/** One tab of Firefox. */
export class Firefox {
  context;
  /** What the page printed or threw, and the addresses it asked for. */
  heard = { console: [], requests: [] };
  #socket;
  #last = 0;
  #waiting = new Map();

  constructor(socket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#hear(JSON.parse(data)));
  }

  #hear(message) {
    if (message.type === 'event') {
      const { params } = message;
      if (message.method === 'log.entryAdded') this.heard.console.push(`${params.level}: ${params.text}`);
      else if (params.context === this.context) this.heard.requests.push(params.request.url);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === 'error') waiting?.failed(new Error(`${message.error}: ${message.message}`));
    else waiting?.done(message.result);
  }

  /** A command of WebDriver BiDi, and its result. */
  send(method, params) {
    this.#last += 1;
    const id = this.#last;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((done, failed) => {
      const timer = setTimeout(() => failed(new Error(`no answer to ${method}`)), PATIENCE_MS);
      const settled = (call) => (value) => {
        clearTimeout(timer);
        call(value);
      };
      this.#waiting.set(id, { done: settled(done), failed: settled(failed) });
    });
  }

  goto(url) {
    return this.send('browsingContext.navigate', { context: this.context, url, wait: 'complete' });
  }

  /** What a function returns in the page. It must not use anything from outside of itself. */
  async evaluate(call, ...values) {
    const expression = `(async () => JSON.stringify(await (${call})(...${JSON.stringify(values)})))()`;
    const { type, result, exceptionDetails } = await this.send('script.evaluate', {
      expression,
      target: { context: this.context },
      awaitPromise: true,
    });
    if (type === 'exception') throw new Error(`${exceptionDetails.text}\nin ${call}`);
    return result.value === undefined ? undefined : JSON.parse(result.value);
  }

  /** Waits until a function in the page returns something true. */
  async until(call, ...values) {
    const end = Date.now() + PATIENCE_MS / 2;
    for (;;) {
      const value = await this.evaluate(call, ...values);
      if (value) return value;
      if (Date.now() > end) throw new Error(`this did not come true: ${call}\n${await this.evaluate(() => document.body.innerText.slice(0, 2000))}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  async #find(selector) {
    const locator = { type: 'css', value: selector };
    const { nodes } = await this.send('browsingContext.locateNodes', { context: this.context, locator });
    if (!nodes.length) throw new Error(`${selector} is not on the page`);
    return { sharedId: nodes[0].sharedId };
  }

  async click(selector) {
    const origin = { type: 'element', element: await this.#find(selector) };
    const actions = [
      { type: 'pointerMove', x: 0, y: 0, origin },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.send('input.performActions', { context: this.context, actions: [{ type: 'pointer', id: 'mouse', actions }] });
  }

  async press(value) {
    const actions = [{ type: 'keyDown', value }, { type: 'keyUp', value }];
    await this.send('input.performActions', { context: this.context, actions: [{ type: 'key', id: 'keys', actions }] });
  }

  async setFiles(selector, files) {
    await this.send('input.setFiles', { context: this.context, element: await this.#find(selector), files });
  }
}
