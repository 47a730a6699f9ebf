// Every file of examples/recipes is run, with the libraries that it is for and models that play a part.
import assert from 'node:assert/strict';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { LLMock } from '@copilotkit/aimock';
import { MemorySaver } from '@langchain/langgraph';
import { APICallError } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import OpenAI from 'openai';
import { assertQuiet } from '../e2e/chromium.mjs';
import { root } from '../faces.mjs';
import { project } from '../npm/package.mjs';
import { addPackage, opened } from './lib.mjs';
import { bundled } from './workers.mjs';

const folder = project();
cpSync(join(root, 'examples/recipes'), folder, { recursive: true });
for (const library of ['ai', '@langchain/langgraph']) addPackage(folder, library);
const recipe = (file) => import(pathToFileURL(join(folder, file)));

/** A task that a model solves once it has learned what was wrong. */
const TASK = 'Name a prime above 10.';
const LESSON = 'I will not answer with an even number.';
const check = (answer) => (answer === '11' ? undefined : `${answer} is even`);
const says = (prompt) => (/wrong/.test(prompt) ? LESSON : prompt.includes(LESSON) ? '11' : '12');

test('ai-sdk: a model of the AI SDK, which is overloaded once', async () => {
  const { slogan } = await recipe('ai-sdk.mjs');
  const usage = { inputTokens: { total: 10 }, outputTokens: { total: 3 } };
  let calls = 0;
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      calls += 1;
      if (calls === 1) throw new APICallError({ message: 'overloaded', url: 'http://127.0.0.1', requestBodyValues: {}, statusCode: 503 });
      const knows = JSON.stringify(prompt).includes('has 34 characters; at most 20 are allowed');
      const text = knows ? 'Tea. Now.' : 'Tea, the drink for all of your day';
      return { content: [{ type: 'text', text }], finishReason: { unified: 'stop' }, usage, warnings: [] };
    },
  });
  const { success, output, attempts, usage: spent } = await slogan(model, 'tea');
  assert.deepEqual([success, output, attempts.length, calls, spent.totalTokens], [true, 'Tea. Now.', 2, 3, 26]);
  assert.ok(model.doGenerateCalls[0].abortSignal instanceof AbortSignal);
});

test('openai: the client, against a server that plays the API', async (t) => {
  const { solve } = await recipe('openai.mjs');
  const server = new LLMock({ port: 0, logLevel: 'silent' });
  server.onMessage(/^/, ({ messages }) => ({ content: says(messages.at(-1).content) }));
  await server.start();
  t.after(() => server.stop());
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'key-of-a-test', maxRetries: 0 });
  const { answer, records } = await solve(client, { model: 'gpt-5', task: TASK, check });
  assert.equal(answer, '11');
  assert.deepEqual(records.map(({ iteration, self_reflection }) => [iteration, self_reflection.reflection_text]), [[0, LESSON]]);
  assert.equal(server.getRequests().length, 3);

  // The next call knows what this one learned.
  const again = await solve(client, { model: 'gpt-5', task: TASK, check, records: JSON.parse(JSON.stringify(records)) });
  assert.deepEqual([again.answer, again.records.length, server.getRequests().length], ['11', 1, 4]);
  const never = await solve(client, { model: 'gpt-5', task: TASK, check: () => 'no', attempts: 2, records });
  assert.deepEqual([never.answer, never.records.map(({ iteration }) => iteration)], [undefined, [0, 1, 2]]);
});

test('langgraph: reflections in the state of a graph, which a checkpointer keeps', async () => {
  const { graph } = await recipe('langgraph.mjs');
  const { validate } = await import(pathToFileURL(join(folder, 'node_modules/hindscope/cjs/contract/node.mjs')));
  const asked = [];
  const ask = async (prompt) => {
    asked.push(prompt);
    return says(prompt);
  };
  const app = graph({ ask, check, checkpointer: new MemorySaver() });
  const thread = { configurable: { thread_id: 'primes' } };
  const { answer, solved, records } = await app.invoke({ task: TASK }, thread);
  assert.deepEqual([answer, solved, asked.length], ['11', true, 3]);
  assert.equal(validate(records[0]).usable, true);
  assert.deepEqual(records[0].memory_metadata.reflections_in_context, [0]);

  // The same thread goes on with its lessons; another one starts without.
  await app.invoke({ task: TASK }, thread);
  assert.equal(asked.length, 4);
  const { records: own } = await app.invoke({ task: TASK }, { configurable: { thread_id: 'another' } });
  assert.deepEqual([own.length, asked.length], [1, 7]);
  const { solved: never, records: all } = await graph({ ask, check: () => 'no', attempts: 5 }).invoke({ task: TASK });
  assert.equal(never, false);
  assert.deepEqual(all.at(-1).memory_metadata.reflections_in_context, [2, 3, 4], 'the window, not all of them');
});

test('worker: a Durable Object keeps the records, also when the Worker starts anew', async (t) => {
  const start = await bundled(t, folder, 'worker.mjs', {
    settings: `bindings = [(name = "LESSONS", durableObjectNamespace = "Lessons")],
    durableObjectNamespaces = [(className = "Lessons", uniqueKey = "lessons")],
    durableObjectStorage = (localDisk = "disk"),`,
    services: `(name = "disk", disk = (path = "${folder}", writable = true))`,
  });
  if (!start) return;
  const first = await start();
  const post = async (agent, body) => {
    const response = await fetch(`${first.address}/${agent}`, { method: 'POST', body });
    return [response.status, await response.json()];
  };
  for (const [iteration, reflection_text] of ['Too long.', 'Too short.', 'No verb.', 'Two verbs.'].entries()) {
    const record = { iteration, evaluator_output: { passed: false }, self_reflection: { reflection_text } };
    const [status, { usable }] = await post('coder', JSON.stringify(record));
    assert.deepEqual([status, usable], [200, true]);
  }
  const [status, { findings }] = await post('coder', '{"notes": "no number"}');
  assert.equal(status, 422);
  assert.ok(findings.some(({ rule }) => rule === 'lenient/unusable'), JSON.stringify(findings));
  await first.stop();

  const second = await start();
  const lessons = async (agent) => (await fetch(`${second.address}/${agent}`)).text();
  assert.equal(await lessons('coder'), '[1] failure: Too short.\n\n[2] failure: No verb.\n\n[3] failure: Two verbs.\n');
  assert.equal(await lessons('tester'), '', 'each agent has its own');
});

test('browser: a page without a bundler', async (t) => {
  const { page, heard } = await opened(t, { folder, path: 'browser.html' });
  for (const text of ['Too long.', 'Too short.', 'No verb.', 'Two verbs.']) {
    await page.getByLabel('What went wrong?').fill(text);
    await page.getByRole('button', { name: 'Remember' }).click();
    await page.locator('pre', { hasText: text }).waitFor();
  }
  const held = '[1] failure: Too short.\n\n[2] failure: No verb.\n\n[3] failure: Two verbs.\n';
  assert.equal(await page.locator('pre').textContent(), held);
  await page.reload();
  await page.locator('pre', { hasText: 'Two verbs.' }).waitFor();
  assert.equal(await page.locator('pre').textContent(), held);
  assertQuiet(heard);
});

test('every recipe has a test', () => {
  const files = readdirSync(join(root, 'examples/recipes')).sort();
  assert.deepEqual(files, ['ai-sdk.mjs', 'browser.html', 'langgraph.mjs', 'openai.mjs', 'worker.mjs']);
});
