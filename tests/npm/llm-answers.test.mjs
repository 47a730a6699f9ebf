// The client of chat completions, against a `fetch` of this test: requests, answers and streams in
// every form, waits, and what it lets go of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imported } from './package.mjs';
import { timersOf } from './timers.mjs';

const { ModelError, openaiChat } = await imported();

const KEY = 'sk-test-0123456789';
const LONGEST = 2 ** 31 - 1;
const bytes = new TextEncoder();

/** A model whose server gives these answers one after the other, and what it was sent. */
function model(answers, options = {}) {
  const sent = [];
  const fetch = async (url, { headers, body, signal }) => {
    sent.push({ url: String(url), headers, body: JSON.parse(body), signal });
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    return typeof answer === 'function' ? answer({ signal }) : answer.clone();
  };
  return { sent, llm: openaiChat({ baseUrl: 'https://models.example/v1', apiKey: KEY, model: 'tiny', fetch, ...options }) };
}

const completion = (message, more = {}) => Response.json({ choices: [{ message, finish_reason: 'stop' }], ...more });
const plain = completion({ content: 'x' });
const failed = (status, body = {}, headers = {}) => () => new Response(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body), { status, headers });

/** Pieces of a stream; `isOpen` never ends it. */
const streamed = (pieces, isOpen = false) => () => {
  let at = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (at < pieces.length) {
        const piece = pieces[at];
        at += 1;
        controller.enqueue(piece instanceof Uint8Array ? piece : bytes.encode(typeof piece === 'function' ? piece() : piece));
      } else if (!isOpen) controller.close();
      else return new Promise(() => {});
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
};
const event = (value) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (inner, more = {}) => ({ choices: [{ delta: inner, ...more }] });
const stop = { finish_reason: 'stop' };

/** What comes of a stream. */
const read = (pieces, isOpen) => model([streamed(pieces, isOpen)], { stream: true }).llm({ prompt: 'hi' });

/** What a call is refused with. */
async function fails(answer, options, request = { prompt: 'hi' }) {
  const error = await model([answer], options).llm(request).then((message) => assert.fail(JSON.stringify(message)), (error) => error);
  assert.ok(error instanceof ModelError, error.stack);
  return error;
}

// --- Requests ------------------------------------------------------------------------------------

test('only what the endpoint knows is sent, and what the caller has stays as it is', async () => {
  const messages = [{ role: 'user', content: 'first' }];
  const { sent, llm } = model([plain]);
  await llm({ action: 'llm.call', provider: 'openai', stream: false, top_p: undefined, seed: 7, messages, system: 's', prompt: { of: 'parts' } });
  assert.deepEqual(messages, [{ role: 'user', content: 'first' }]);
  assert.deepEqual(sent[0].body, { seed: 7, model: 'tiny', messages: [{ role: 'system', content: 's' }, ...messages, { role: 'user', content: '{"of":"parts"}' }] });
  assert.equal(sent[0].headers.accept, 'application/json');
});

test('slashes at the end of the address are none', async () => {
  for (const baseUrl of ['https://models.example/v1', 'https://models.example/v1/', 'https://models.example/v1//']) {
    const { sent, llm } = model([plain], { baseUrl });
    await llm({ prompt: 'hi' });
    assert.equal(sent[0].url, 'https://models.example/v1/chat/completions');
  }
});

test('a request decides whether it streams', async () => {
  const { sent, llm } = model([plain], { stream: true });
  await llm({ prompt: 'hi', stream: false });
  const other = model([streamed([event(delta({ content: 'y' }, stop))])]);
  assert.equal((await other.llm({ prompt: 'hi', stream: true })).content, 'y');
  assert.deepEqual([sent[0].body.stream, other.sent[0].body.stream, other.sent[0].headers.accept], [undefined, true, 'text/event-stream']);
});

test('no key is no header, and headers of the caller come last', async () => {
  const { sent, llm } = model([plain], { apiKey: '' });
  await llm({ prompt: 'hi' });
  assert.ok(!('authorization' in sent[0].headers));
  const own = model([plain], { headers: { authorization: 'Basic own' } });
  await own.llm({ prompt: 'hi' });
  assert.equal(own.sent[0].headers.authorization, 'Basic own');
});

test('a variable of the environment that is empty is none', () => {
  const names = ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_MODEL'];
  const before = { ...process.env };
  for (const name of names) process.env[name] = '';
  try {
    assert.equal(openaiChat().model, undefined);
  } finally {
    for (const name of names) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
});

// --- Waits, timers, signals ----------------------------------------------------------------------

test('its own retries wait twice as long each time, up to 30 s or as long as the server says, and none if nobody asks', async () => {
  const { setTimeout: set } = globalThis;
  const waits = [];
  globalThis.setTimeout = (run, ms) => {
    waits.push(ms);
    return set(run, ms === 120_000 ? ms : 0);
  };
  try {
    const { sent, llm } = model([failed(503)], { retries: 8 });
    await assert.rejects(llm({ prompt: 'hi' }), { code: 'status' });
    assert.equal(sent.length, 9);
    const once = model([failed(503)]);
    await assert.rejects(once.llm({ prompt: 'hi' }), { code: 'status' });
    assert.equal(once.sent.length, 1);
    await model([failed(503, {}, { 'retry-after': '45' }), plain], { retries: 1 }).llm({ prompt: 'hi' });
  } finally {
    globalThis.setTimeout = set;
  }
  assert.deepEqual(waits.filter((ms) => ms !== 120_000), [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 45_000]);
  assert.equal(waits.filter((ms) => ms === 120_000).length, 12);
});

test('timers and signals are let go of', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  let listening = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...given) => ((listening += 1), add(...given));
  signal.removeEventListener = (...given) => ((listening -= 1), remove(...given));
  const answered = await timersOf(() => model([failed(503, {}, { 'retry-after-ms': '1' }), plain], { retries: 1, timeoutMs: 2 ** 40 }).llm({ prompt: 'hi' }, { signal }));
  assert.deepEqual([answered.started, answered.left, listening], [[LONGEST, 500, LONGEST], 0, 0]);
  const waiting = await timersOf(() => model([() => (setTimeout(() => controller.abort(), 5), failed(503)())], { retries: 1 }).llm({ prompt: 'hi' }, { signal }).catch(({ code }) => code));
  assert.deepEqual([waiting.answer, waiting.left], ['aborted', 0]);
});

test('what is not read is cancelled', async () => {
  const cancelled = [];
  const body = () => new ReadableStream({ pull: (controller) => controller.enqueue(bytes.encode('data: [DONE]\n\n')), cancel: () => cancelled.push('body') });
  await model([() => new Response(body(), { headers: { 'content-type': 'text/event-stream' } })], { stream: true }).llm({ prompt: 'hi' });
  assert.equal((await fails(() => new Response(body(), { status: 302 }))).code, 'connection');
  assert.deepEqual(cancelled, ['body', 'body']);
});

test('how long to wait is said in whole milliseconds', async () => {
  assert.equal((await fails(failed(429, {}, { 'retry-after-ms': '1.6' }))).retryAfterMs, 2);
  assert.equal((await fails(failed(429, {}, { 'retry-after': '0.0015' }))).retryAfterMs, 2);
});

// --- Answers -------------------------------------------------------------------------------------

test('a message has what the server says and the loop knows', async () => {
  const calls = [{ id: 't', type: 'function', function: { name: 'f', arguments: '{}' } }];
  const answer = await model([completion({ content: null, refusal: 'No.', tool_calls: calls }, { usage: { cost: 0.25 } })]).llm({ prompt: 'hi' });
  assert.deepEqual(answer, { role: 'assistant', content: '', refusal: 'No.', tool_calls: calls, finish_reason: 'stop', usage: { cost: 0.25 } });
  for (const usage of [{}, null, 7, { prompt_tokens: 'many' }]) assert.ok(!('usage' in await model([completion({ content: '' }, { usage })]).llm({ prompt: 'hi' })));
});

test('why there is no answer is said, whoever says it, without the key', async () => {
  assert.match((await fails(failed(400, { error: `bad ${KEY}` }))).message, /400: bad …$/);
  assert.match((await fails(() => { throw Object.assign(new TypeError(`failed ${KEY}`), { cause: { code: 'ECONNREFUSED' } }); })).message, /failed … \(ECONNREFUSED\)$/);
  assert.match((await fails(() => completion(null, { error: { message: `no ${KEY}, ${KEY}, ${KEY}` } }))).message, /no …, …, …$/);
  assert.match((await fails(failed(500, Uint8Array.from([0x61, 0xc3])))).message, /: a\ufffd$/);
  for (const answer of [failed(500, 'x'.repeat(9000)), () => new Response('x'.repeat(9000))]) assert.ok((await fails(answer)).message.length < 700);
  const opaque = await fails(() => ({ type: 'opaqueredirect', status: 0, ok: false, headers: new Headers(), body: null }));
  assert.deepEqual([opaque.code, opaque.retryable], ['connection', false]);
  assert.match(opaque.message, /redirects the request\. Redirects are not followed,/);
});

test('the longest secret is struck first, and short words are none', async () => {
  const options = { apiKey: 'secret-key', headers: { 'x-other': 'secret-key-and-more', 'x-team': 'team' } };
  assert.match((await fails(failed(400, 'secret-key-and-more of team'), options)).message, /400: … of team$/);
});

test('errors are worth trying again, or not', async () => {
  const lost = await fails(streamed([event(delta({ content: 'half' }))]), { stream: true });
  const ended = await fails(streamed([event({ error: 'overloaded' })]), { stream: true });
  assert.deepEqual([lost.code, lost.kind, lost.retryable, ended.code, ended.kind, ended.retryable], ['connection', 'unavailable', true, 'answer', 'unavailable', true]);
  assert.match(ended.message, /: overloaded$/);
});

// --- Streams -------------------------------------------------------------------------------------

test('events end in every way that the standard knows', async () => {
  const text = JSON.stringify(delta({ content: 'ab', role: 'model' }, stop));
  const forms = [`data: ${text}\r\r`, `data: ${text}\n\n`, `data: ${text}\r\n\r\n`, `data:${text}\n\n`, `data: ${text}\n`, `data: ${text}`, `data:${text}`, `:note\nevent: x\ndata: ${text}\n\n`];
  for (const form of forms) {
    assert.deepEqual(await read([form]), { role: 'model', content: 'ab', finish_reason: 'stop' }, JSON.stringify(form));
    assert.equal((await read([...form])).content, 'ab', JSON.stringify(form));
  }
  const lines = text.replace('"delta"', '\ndata: "delta"');
  assert.equal((await read([`data: ${lines}\n\n`])).content, 'ab');
  assert.equal((await read([`data: ${lines}\n\n`.replaceAll('\n', '\r\n')])).content, 'ab');
  const [first, last] = [delta({ content: 'a' }), delta({ content: 'b' }, stop)].map((value) => `data: ${JSON.stringify(value)}`);
  for (const end of ['\n', '\r', '\r\n']) assert.equal((await read([`${first}${end}${end}${last}${end}${end}`])).content, 'ab', JSON.stringify(end));
  assert.equal((await read([`${first}\r\r`, last])).content, 'ab');
  // A line end stays one: what it stands in is no number.
  assert.equal((await read([`data: {"choices": [{"index": 1\ndata: 2}]}\n\n`]).catch(({ code }) => code)), 'answer');
});

test('characters may be cut', async () => {
  const pieces = [...bytes.encode(event(delta({ content: 'Grüße \u{1F4A9}' }, stop)))].map((byte) => Uint8Array.of(byte));
  assert.equal((await read(pieces)).content, 'Grüße \u{1F4A9}');
});

test('[DONE] is the end, whether the connection ends or not', async () => {
  assert.equal((await read([event(delta({ content: 'a' })), 'data: [DONE]\n\n'], true)).content, 'a');
  assert.equal((await read([event(delta({ content: 'a' })), 'data: [DONE]\n\n', event(delta({ content: 'b' }))])).content, 'a');
});

test('names and arguments of tools come in pieces, and may lack', async () => {
  const call = (more) => event(delta({ tool_calls: [{ index: 0, ...more }] }));
  const pieces = [call({ id: 't', function: { name: 'lo' } }), call({ function: { name: 'ok' } }), call({}), event(delta({}, { finish_reason: 'tool_calls' }))];
  assert.deepEqual((await read(pieces)).tool_calls, [{ id: 't', type: 'function', function: { name: 'look', arguments: '' } }]);
});

test('an answer that does not end fills no memory, however it is written', async () => {
  const long = 'z'.repeat(2 ** 20);
  const pieces = (piece) => Array.from({ length: 66 }, () => () => piece);
  const forms = {
    content: [pieces(event(delta({ content: long }))), { stream: true }],
    tools: [pieces(event(delta({ tool_calls: [{ index: 0, function: { arguments: long } }] }))), { stream: true }],
    'a line': [['data: ', ...pieces(long)], { stream: true }],
    'no stream': [pieces(long), {}],
  };
  for (const [name, [given, options]] of Object.entries(forms)) {
    const { code, retryable, message } = await fails(streamed(given, true), options);
    assert.deepEqual([code, retryable], ['answer', false], name);
    assert.match(message, /longer than/);
  }
});
