// The client of chat completions, against a server that this test starts.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, beforeEach, test } from 'node:test';
import { imported } from './package.mjs';

const { ModelError, openaiChat } = await imported();

const KEY = 'sk-test-0123456789';

/** What the server was asked, and what it does next. */
let asked = [];
let answers = [];

const server = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  asked.push({ method: request.method, url: request.url, headers: request.headers, body: JSON.parse(body) });
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  await answer(response, request);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const baseUrl = `http://127.0.0.1:${server.address().port}/v1`;
after(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
});

const json = (status, value, headers = {}) => (response) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
};
const completion = (content, more = {}) => ({
  id: 'c1',
  model: 'tiny-1',
  object: 'chat.completion',
  created: 1,
  choices: [{ index: 0, message: { role: 'assistant', content, annotations: [] }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  ...more,
});
const stream = (pieces, end = () => {}) => async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const piece of pieces) {
    response.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  end(response);
  if (!response.destroyed) response.end();
};
const event = (value) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content, more = {}) => event({ id: 'c1', model: 'tiny-1', choices: [{ index: 0, delta: { content }, ...more }] });
const never = () => new Promise(() => {});

const chat = (options) => openaiChat({ baseUrl, apiKey: KEY, model: 'tiny', ...options });

/** What a call is refused with. Nothing of it holds the key. */
async function fails(options, request = { prompt: 'hi' }, given = undefined) {
  const error = await chat(options)(request, given).then((answer) => assert.fail(JSON.stringify(answer)), (error) => error);
  assert.ok(error instanceof ModelError && error.name === 'ModelError', error.stack);
  assert.doesNotMatch(`${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause ?? ''}`, /sk-test/);
  return error;
}

test('a prompt becomes a message, and the answer a message of the loop', async () => {
  answers = [json(200, completion('hello'))];
  const answer = await chat()({ prompt: 'hi', system: 'be brief', temperature: 0.5, response_format: { type: 'json_object' } });
  assert.deepEqual(answer, {
    role: 'assistant',
    content: 'hello',
    finish_reason: 'stop',
    model: 'tiny-1',
    id: 'c1',
    usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
  });
  const [{ method, url, headers, body }] = asked;
  assert.deepEqual([method, url, headers.authorization, headers['content-type']], ['POST', '/v1/chat/completions', `Bearer ${KEY}`, 'application/json']);
  assert.deepEqual(body, {
    temperature: 0.5,
    response_format: { type: 'json_object' },
    model: 'tiny',
    messages: [{ role: 'system', content: 'be brief' }, { role: 'user', content: 'hi' }],
  });
});

test('messages and a model of the request count, and further headers are sent', async () => {
  answers = [json(200, completion('x', { usage: { input_tokens: 1, output_tokens: 2 } }))];
  const messages = [{ role: 'system', content: 's' }, { role: 'user', content: 'u' }];
  const answer = await chat({ headers: { 'x-team': 'a' }, baseUrl: `${baseUrl}//` })({ model: 'large', messages, prompt: 'then' });
  assert.deepEqual(answer.usage, { input_tokens: 1, output_tokens: 2, total_tokens: 3 });
  assert.equal(asked[0].headers['x-team'], 'a');
  assert.deepEqual(asked[0].body, { model: 'large', messages: [...messages, { role: 'user', content: 'then' }] });
});

test('the environment has address, key and model, and options come before it', async () => {
  answers = [json(200, completion('x'))];
  const before = { ...process.env };
  Object.assign(process.env, { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: KEY, OPENAI_MODEL: 'from-env' });
  try {
    await openaiChat()({ prompt: 'a' });
    await openaiChat({ model: 'option', apiKey: 'other-key-123' })({ prompt: 'b' });
    assert.equal(openaiChat().model, 'from-env');
  } finally {
    for (const name of ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_MODEL']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
  assert.deepEqual(asked.map(({ headers, body }) => [headers.authorization, body.model]), [[`Bearer ${KEY}`, 'from-env'], ['Bearer other-key-123', 'option']]);
});

test('a stream is put together, however it was cut', async () => {
  const text = 'Grüße \u{1F4A9}';
  const usage = event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } });
  const whole = [event({ choices: [{ delta: { role: 'assistant' } }] }), ': comment\n\n', delta(text), delta('!', { finish_reason: 'stop' }), usage, 'data: [DONE]\n\n'].join('');
  const bytes = Buffer.from(whole.replaceAll('\n', '\r\n'));
  for (const size of [1, 7, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
    answers = [async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of pieces) response.write(piece);
      response.end();
    }];
    const answer = await chat({ stream: true })({ prompt: 'hi' });
    assert.equal(answer.content, `${text}!`, `pieces of ${size}`);
    assert.deepEqual([answer.usage.total_tokens, answer.finish_reason, answer.model], [3, 'stop', 'tiny-1']);
  }
  assert.deepEqual([asked[0].body.stream, asked[0].body.stream_options], [true, { include_usage: true }]);
});

test('calls of tools come in pieces', async () => {
  const piece = (call, more) => event({ choices: [{ delta: { tool_calls: [{ index: 0, ...call }] }, ...more }] });
  answers = [stream([piece({ id: 't1', function: { name: 'look', arguments: '{"a"' } }), piece({ function: { arguments: ':1}' } }, { finish_reason: 'tool_calls' })])];
  const { tool_calls: [call] } = await chat({ stream: true })({ prompt: 'hi' });
  assert.deepEqual(call, { id: 't1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } });
});

test('a stream that does not end its events, or numbers its tools as it likes, fills no memory', async () => {
  const lines = Buffer.from(`data: ${'z'.repeat(2 ** 20)}\n`);
  answers = [async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let n = 0; n < 80 && !response.destroyed; n += 1) if (!response.write(lines)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    response.end();
  }];
  const long = await fails({ stream: true });
  assert.deepEqual([long.code, long.retryable], ['answer', false]);
  assert.match(long.message, /longer than/);

  const tool = (index, more) => event({ choices: [{ delta: { tool_calls: [{ index, function: { name: `t${index}` } }] }, ...more }] });
  answers = [stream([tool(30_000_000), tool(2, { finish_reason: 'tool_calls' })])];
  const { tool_calls: calls } = await chat({ stream: true })({ prompt: 'hi' });
  assert.deepEqual(calls.map(({ function: { name } }) => name), ['t2', 't30000000']);
  answers = [stream([Array.from({ length: 3000 }, (_, index) => tool(index)).join('')])];
  assert.equal((await fails({ stream: true })).code, 'answer');
  answers = [stream([event({ choices: [{ delta: { tool_calls: 7 } }] }), event({ choices: [{ delta: { tool_calls: [null] }, finish_reason: 'stop' }] })])];
  assert.equal((await chat({ stream: true })({ prompt: 'hi' })).tool_calls.length, 1);
});

test('a server that cannot stream answers at once', async () => {
  answers = [json(200, completion('whole'))];
  assert.equal((await chat({ stream: true })({ prompt: 'hi' })).content, 'whole');
});

test('a stream that breaks off is no answer', async () => {
  answers = [stream([delta('half')], (response) => response.destroy())];
  const lost = await fails({ stream: true });
  assert.deepEqual([lost.code, lost.kind, lost.retryable], ['connection', 'unavailable', true]);
  answers = [stream([delta('half')])];
  assert.equal((await fails({ stream: true })).code, 'connection');
  answers = [stream(['data: {"choices": [\n\n'])];
  assert.equal((await fails({ stream: true })).code, 'answer');
  answers = [stream([delta('half'), event({ error: { message: `overloaded ${KEY}` } })])];
  const ended = await fails({ stream: true });
  assert.deepEqual([ended.code, ended.retryable], ['answer', true]);
  assert.match(ended.message, /overloaded …/);
});

test('statuses say whether to try again', async () => {
  for (const [status, kind, retryable] of [[400, 'error', false], [401, 'error', false], [404, 'error', false], [408, 'timeout', true], [425, 'unavailable', true], [429, 'unavailable', true], [500, 'unavailable', true], [503, 'unavailable', true], [504, 'timeout', true]]) {
    answers = [json(status, { error: { message: `Incorrect API key provided: ${KEY}` } })];
    const error = await fails();
    assert.deepEqual([error.code, error.status, error.kind, error.retryable, error.fatal], ['status', status, kind, retryable, [400, 401, 403, 404].includes(status)]);
    assert.match(error.message, new RegExp(`${status}: Incorrect API key provided: …`));
  }
  answers = [json(502, '<html>Bad gateway</html>')];
  assert.match((await fails()).message, /502: <html>Bad gateway/);
});

test('Retry-After as seconds, as a date, and in milliseconds', async () => {
  const wait = async (headers) => {
    answers = [json(429, {}, headers)];
    return (await fails()).retryAfterMs;
  };
  assert.equal(await wait({ 'retry-after': '2' }), 2000);
  assert.equal(await wait({ 'retry-after-ms': '150', 'retry-after': '2' }), 150);
  // A date has whole seconds. The wait was measured somewhere between these two times.
  const begun = Date.now();
  const date = new Date(begun + 10_000).toUTCString();
  const inTen = await wait({ 'retry-after': date });
  assert.ok(inTen >= Math.max(0, Date.parse(date) - Date.now()) && inTen <= Date.parse(date) - begun, String(inTen));
  assert.equal(await wait({ 'retry-after': new Date(0).toUTCString() }), 0);
  assert.equal(await wait({ 'retry-after': 'soon' }), undefined);
  assert.equal(await wait({}), undefined);
});

test('a wait that no timer can hold is a long one', async () => {
  for (const headers of [{ 'retry-after': '3000000' }, { 'retry-after': '9'.repeat(400) }, { 'retry-after-ms': 'Infinity' }, { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }]) {
    answers = [json(429, {}, headers)];
    assert.equal((await fails()).retryAfterMs, 2 ** 31 - 1);
    asked = [];
    const controller = new AbortController();
    const [busy] = answers;
    answers = [(response) => {
      busy(response);
      setTimeout(() => controller.abort(), 40);
    }];
    assert.equal((await fails({ retries: 3 }, { prompt: 'hi' }, { signal: controller.signal })).code, 'aborted');
    assert.equal(asked.length, 1, JSON.stringify(headers));
  }
});

test('retries of its own, as long as the server says, and no more than asked for', async () => {
  answers = [json(503, {}, { 'retry-after-ms': '1' }), json(429, {}, { 'retry-after': '0' }), json(200, completion('third'))];
  assert.equal((await chat({ retries: 2 })({ prompt: 'hi' })).content, 'third');
  assert.equal(asked.length, 3);
  asked = [];
  answers = [json(500, {})];
  await fails({ retries: 1 });
  assert.equal(asked.length, 2);
  asked = [];
  answers = [json(400, {})];
  await fails({ retries: 5 });
  assert.equal(asked.length, 1);
});

test('an answer that does not come ends by its time, one that is not wanted by a signal', async () => {
  answers = [never];
  const late = await fails({ timeoutMs: 100 });
  assert.deepEqual([late.code, late.kind, late.retryable], ['timeout', 'timeout', true]);
  answers = [stream([delta('a')], never), never];
  answers = [async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(delta('a'));
    await never();
  }];
  assert.equal((await fails({ timeoutMs: 100, stream: true })).code, 'timeout');
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  const aborted = await fails({}, { prompt: 'hi' }, { signal: controller.signal });
  assert.deepEqual([aborted.code, aborted.kind, aborted.retryable], ['aborted', 'cancelled', false]);
  assert.equal((await fails({}, { prompt: 'hi' }, { signal: AbortSignal.abort() })).code, 'aborted');
  answers = [json(503, {}, { 'retry-after': '60' })];
  const waiting = new AbortController();
  setTimeout(() => waiting.abort(), 50);
  assert.equal((await fails({ retries: 3 }, { prompt: 'hi' }, { signal: waiting.signal })).code, 'aborted');
});

test('what is no answer says so', async () => {
  const cases = ['{"choices": [', '', 'null', '[]', '{}', '{"choices": []}', '{"choices": [{"message": null}]}'];
  for (const text of cases) {
    answers = [json(200, text)];
    const error = await fails();
    assert.deepEqual([error.code, error.kind, error.retryable], ['answer', 'error', true], text);
  }
  answers = [json(200, { error: { message: 'no such model' } })];
  assert.match((await fails()).message, /no such model/);
  answers = [json(200, completion(null))];
  assert.equal((await chat()({ prompt: 'hi' })).content, '');
});

test('a key is in no message, wherever a text is cut', async () => {
  const secret = 'sk-proj-ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
  for (const before of [150, 190, 199, 460, 490, 499]) {
    const echo = `${'x'.repeat(before)}${secret} is wrong`;
    for (const [status, body] of [[401, echo], [401, { error: { message: echo } }], [200, echo], [200, { error: { message: echo } }]]) {
      answers = [json(status, body)];
      for (const given of [{ apiKey: secret }, { apiKey: '', headers: { authorization: `Bearer ${secret}` } }]) {
        const { message } = await chat(given)({ prompt: 'hi' }).catch((error) => error);
        assert.doesNotMatch(message, /sk-p/, `${status} ${before}`);
        assert.ok(message.length < 1000);
      }
    }
  }
});

test('nobody there, and a redirection that would carry the key away', async () => {
  const gone = await fails({ baseUrl: 'http://127.0.0.1:9/v1' });
  assert.deepEqual([gone.code, gone.kind, gone.retryable, gone.fatal], ['connection', 'unavailable', false, true]);
  answers = [(response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:9/' });
    response.end();
  }];
  const sent = await fails();
  assert.deepEqual([sent.code, sent.retryable], ['connection', false]);
  assert.match(sent.message, /redirects the request \(status 307\)/);
  answers = [(response) => response.destroy()];
  assert.equal((await fails()).code, 'connection');
});

test('options that make no sense are refused before anything is sent', async () => {
  for (const options of [{ baseUrl: 'no address' }, { baseUrl: 'file:///etc' }, { timeoutMs: 0 }, { timeoutMs: 'x' }, { retries: -1 }, { retries: 1.5 }]) {
    assert.throws(() => chat(options), { name: 'ModelError', code: 'config' }, JSON.stringify(options));
  }
  for (const request of [{}, { prompt: null }, { messages: [] }]) assert.equal((await fails({}, request)).code, 'config');
  assert.equal((await fails({ model: '' })).code, 'config');
  assert.throws(() => chat({ baseURL: 'http://127.0.0.1:9/v1' }), { code: 'config', message: /`baseURL`.*`baseUrl`/ });
  assert.throws(() => chat({ zzzzzzzzzz: 1 }), { code: 'config', message: /The options are baseUrl, / });
  assert.deepEqual(asked, []);
});

test('a signal that is none is refused, and one that cannot be let go of loses no answer', async () => {
  const throwing = (method) => Object.assign(new AbortController().signal, { [method]: () => { throw 1; } });
  const call = { get signal() { throw 1; } };
  for (const given of [{ signal: 'x' }, { signal: { addEventListener() {} } }, { signal: throwing('addEventListener') }, call]) {
    await assert.rejects(chat()({ prompt: 'x' }, given), { name: 'ModelError', code: 'config', message: /signal/ });
  }
  assert.deepEqual(asked, []);
  answers = [json(200, completion('x'))];
  for (const given of ['x', null, { signal: null }, { signal: throwing('removeEventListener') }]) {
    assert.equal((await chat()({ prompt: 'x' }, given)).content, 'x');
  }
});

test('fetch is no method of ours: browsers and workers refuse that', async () => {
  const { fetch } = globalThis;
  const seen = [];
  globalThis.fetch = function (url, { redirect }) {
    seen.push(this, redirect);
    return Promise.resolve(Response.json(completion('x')));
  };
  try {
    await chat()({ prompt: 'hi' });
    await chat({ fetch: globalThis.fetch })({ prompt: 'hi' });
  } finally {
    globalThis.fetch = fetch;
  }
  assert.deepEqual(seen, [undefined, 'manual', undefined, 'manual']);
});

test('a fetch of the caller is used', async () => {
  const urls = [];
  const own = async (url, { body }) => {
    urls.push(String(url), JSON.parse(body).model);
    return Response.json(completion('own'));
  };
  assert.equal((await chat({ fetch: own, baseUrl: 'https://models.example/v1' })({ prompt: 'hi' })).content, 'own');
  assert.deepEqual(urls, ['https://models.example/v1/chat/completions', 'tiny']);
});

test('what throws when it is looked at is an error of the model', async () => {
  const odd = { get message() { throw 1; }, toString() { throw 2; } };
  const fetch = async () => { throw odd; };
  const model = (more) => openaiChat({ baseUrl, model: 'm', apiKey: KEY, ...more });
  await assert.rejects(model()({ messages: [{ toJSON() { throw odd; } }] }), { name: 'ModelError', code: 'config' });
  await assert.rejects(model({ fetch })({ prompt: 'x' }), { name: 'ModelError', code: 'connection' });
});
