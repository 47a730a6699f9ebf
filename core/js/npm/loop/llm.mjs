// A model behind any endpoint that speaks the chat completions of OpenAI: `llm` of a loop.
import { HindscopeError, followed, guarded, isOurs, isSignal, messageOf as reasonOf } from '../error.mjs';
import { MOST_MS } from '../input.mjs';
import { similar } from '../similar.mjs';
import { FATAL_STATUSES, isUnreachable, usageOf } from './replies.mjs';

/** Milliseconds for one answer, if nobody says. */
const TIME_MS = 120_000;

/**
 * Base delay of the backoff between retries, in ms; it doubles with each retry, up to `MOST_WAIT_MS`. These
 * are retries of the client itself: a loop does not see them, and has its own.
 */
const WAIT_MS = 500;
const MOST_WAIT_MS = 30_000;

/** Options of the client. */
const OPTIONS = ['baseUrl', 'apiKey', 'model', 'timeoutMs', 'retries', 'stream', 'headers', 'fetch'];

/** How the address of the endpoint is given, for messages. */
const BASE_URL = '`baseUrl` (command line: --base-url, environment: OPENAI_BASE_URL)';

/** What a loop's `llm.call` and judges may say beside `prompt`, and what is handed on as it is. */
const OURS = new Set(['action', 'prompt', 'messages', 'model', 'provider', 'system', 'stream']);

/** Answers beyond this are refused, before they fill the memory. */
const MOST_CHARS = 64 * 2 ** 20;
const MOST_TOOLS = 1024;

export class ModelError extends HindscopeError {
  /** `kind`, `retryable`, `fatal` and `retryAfterMs` are what a reply to the loop says. */
  constructor(code, message, { kind = 'error', retryable = false, fatal = code === 'config', retryAfterMs, status } = {}, options = undefined) {
    super(code, message, {}, options);
    this.kind = kind;
    this.retryable = retryable;
    this.fatal = fatal;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
    if (status !== undefined) this.status = status;
  }
}

Object.defineProperty(ModelError.prototype, 'name', { value: 'ModelError' });

export function openaiChat(options) {
  const settings = guarded(() => settingsOf(options ?? {}), (cause) => unreadable('options', cause));
  async function llm(request, call) {
    const signal = guarded(() => signalOf(call), (cause) => unreadable('signal', cause));
    const body = guarded(() => bodyOf(request, settings), (cause) => unreadable('request', cause));
    for (let tried = 0; ; tried += 1) {
      try {
        return await once(settings, body, signal);
      } catch (error) {
        if (!error.retryable || tried >= settings.retries) throw error;
        await pause(Math.max(error.retryAfterMs ?? 0, Math.min(MOST_WAIT_MS, WAIT_MS * 2 ** tried)), signal);
      }
    }
  }
  // What a loop asks of a judge that names no model.
  return Object.assign(llm, settings.model === undefined ? {} : { model: settings.model });
}

function unreadable(what, cause) {
  return new ModelError('config', `Cannot read the ${what} of the model: ${reasonOf(cause)}`, {}, { cause });
}

/** The signal of a call, if it has one. */
function signalOf(call) {
  const signal = call?.signal ?? undefined;
  if (signal !== undefined && !isSignal(signal)) throw new ModelError('config', 'The `signal` of a request to the model must be an AbortSignal.');
  return signal;
}

/** Listens to the signal of a call; gives what ends that. */
function heard(signal, act) {
  return followed(signal, act, (cause) => unreadable('signal', cause));
}

/** A misspelt option would be a request to another address, or without the key. */
function refuseUnknown(options) {
  if (typeof options !== 'object' || Array.isArray(options)) throw new ModelError('config', 'The options of the model must be an object.');
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name) && options[name] !== undefined);
  if (unknown === undefined) return;
  const [meant] = similar(unknown, OPTIONS);
  throw new ModelError('config', `Unknown option \`${unknown}\`. ${meant ? `Did you mean \`${meant}\`?` : `The options are ${OPTIONS.join(', ')}.`}`);
}

function settingsOf(options) {
  refuseUnknown(options);
  const environment = globalThis.process?.env ?? {};
  const given = (value, name) => value ?? (environment[name] || undefined);
  const baseUrl = given(options.baseUrl, 'OPENAI_BASE_URL') ?? 'https://api.openai.com/v1';
  let address;
  try {
    address = new URL(`${String(baseUrl).replace(/\/+$/, '')}/chat/completions`);
  } catch {
    throw new ModelError('config', `${BASE_URL} must be a URL.`);
  }
  if (!/^https?:$/.test(address.protocol)) throw new ModelError('config', `${BASE_URL} must start with http: or https:.`);
  const timeoutMs = options.timeoutMs ?? TIME_MS;
  if (!(typeof timeoutMs === 'number' && timeoutMs > 0)) throw new ModelError('config', '`timeoutMs` must be a number above 0.');
  const retries = options.retries ?? 0;
  if (!(Number.isInteger(retries) && retries >= 0)) throw new ModelError('config', '`retries` must be an integer ≥ 0.');
  return {
    address,
    apiKey: given(options.apiKey, 'OPENAI_API_KEY'),
    model: given(options.model, 'OPENAI_MODEL'),
    timeoutMs,
    retries,
    stream: options.stream === true,
    headers: options.headers,
    fetch: options.fetch ?? globalThis.fetch,
  };
}

/** The request of a loop, in the words of the endpoint. */
function bodyOf(request, settings) {
  const { prompt, system, messages } = request;
  const model = request.model ?? settings.model;
  if (typeof model !== 'string' || model === '') throw new ModelError('config', 'No model is given. Set `model` in the request or in the options (command line: --model), or the environment variable OPENAI_MODEL.');
  const list = Array.isArray(messages) ? [...messages] : [];
  if (typeof system === 'string') list.unshift({ role: 'system', content: system });
  if (prompt !== undefined && prompt !== null) list.push({ role: 'user', content: typeof prompt === 'string' ? prompt : JSON.stringify(prompt) });
  if (list.length === 0) throw new ModelError('config', 'The request has neither `prompt` nor `messages`.');
  const rest = Object.fromEntries(Object.entries(request).filter(([key, value]) => !OURS.has(key) && value !== undefined));
  const stream = typeof request.stream === 'boolean' ? request.stream : settings.stream;
  return { stream, text: JSON.stringify({ ...rest, model, messages: list, ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}) }) };
}

async function once(settings, { stream, text }, signal) {
  const clock = new AbortController();
  let isAborted = false;
  const release = heard(signal, () => {
    isAborted = true;
    clock.abort();
  });
  const timer = setTimeout(() => clock.abort(), Math.min(settings.timeoutMs, MOST_MS));
  // Browsers and workers refuse to fetch as a method of anything else.
  const { fetch } = settings;
  let response;
  try {
    response = await fetch(settings.address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: stream ? 'text/event-stream' : 'application/json',
        ...(settings.apiKey ? { authorization: `Bearer ${settings.apiKey}` } : {}),
        ...settings.headers,
      },
      body: text,
      signal: clock.signal,
      // A key is for one host; whoever answers with another address does not get it. Some workers
      // know no `error` here.
      redirect: 'manual',
    });
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) throw redirected(response);
    if (!response.ok) throw await refused(response, settings);
    return stream ? await streamed(response, settings) : message(await textOf(response), settings);
  } catch (cause) {
    if (isAborted) throw new ModelError('aborted', 'The request to the model was aborted.', { kind: 'cancelled' });
    if (clock.signal.aborted) {
      throw new ModelError('timeout', `The model did not answer within ${settings.timeoutMs} ms.`, { kind: 'timeout', retryable: true });
    }
    if (isOurs(cause)) throw cause;
    const { said, fatal } = lookedAt(cause);
    throw new ModelError('connection', `The model cannot be reached: ${kept(said, settings)}`, { kind: 'unavailable', retryable: !fatal, fatal });
  } finally {
    clearTimeout(timer);
    release();
    // What is not read any more is not sent any more.
    response?.body?.cancel().catch(() => {});
  }
}

function redirected({ status }) {
  const message = `The model's server redirects the request${status ? ` (status ${status})` : ''}. Redirects are not followed, since the API key is for one host: set ${BASE_URL} to the final address.`;
  return new ModelError('connection', message, { kind: 'unavailable', fatal: true });
}

/** What an answer that is an error says, and whether it is worth trying again. */
async function refused(response, settings) {
  const { status } = response;
  let said = '';
  try {
    const text = await textOf(response);
    said = text;
    const error = JSON.parse(text)?.error;
    said = (typeof error === 'string' ? error : error?.message) ?? text;
  } catch {
    // No JSON, or cut: the text as far as it came.
  }
  const retryable = status === 408 || status === 425 || status === 429 || status >= 500;
  const kind = status === 408 || status === 504 ? 'timeout' : retryable ? 'unavailable' : 'error';
  const retryAfterMs = waitOf(response.headers);
  const text = kept(String(said), settings).slice(0, 500);
  return new ModelError('status', `The model's server answered with status ${status}${text && `: ${text}`}`, { kind, retryable, fatal: FATAL_STATUSES.has(status), retryAfterMs, status });
}

/** Seconds, a date, or milliseconds in the header that some servers add. */
function waitOf(headers) {
  const exact = Number(headers.get('retry-after-ms') ?? NaN);
  if (exact >= 0) return whole(exact);
  const after = headers.get('retry-after');
  if (after === null) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(after)) return whole(Number(after) * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : whole(Math.max(0, date - Date.now()));
}

/** Milliseconds that can be waited for. */
function whole(ms) {
  return Math.min(Math.round(ms), MOST_MS);
}

/** The answer as a message of the loop. */
function message(text, settings) {
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    throw broken('is not valid JSON', text, settings);
  }
  const choice = answer?.choices?.[0];
  if (typeof choice?.message !== 'object' || choice.message === null) {
    const said = answer?.error?.message;
    if (typeof said === 'string') throw new ModelError('answer', `The model's server answered with an error: ${kept(said, settings)}`);
    throw broken('contains no message', text, settings);
  }
  return messageOf(choice.message, choice.finish_reason, answer);
}

/** Only what a loop calls a message: other keys would make it an output like any other. */
function messageOf({ role, content, refusal, tool_calls }, finish, { model, id, usage }) {
  const made = { role: role ?? 'assistant', content: content ?? '' };
  if (refusal) made.refusal = refusal;
  if (tool_calls) made.tool_calls = tool_calls;
  if (finish) made.finish_reason = finish;
  if (model) made.model = model;
  if (id) made.id = id;
  const counted = usageOf(usage);
  if (counted) {
    const { input_tokens: input, output_tokens: output } = counted;
    if (input !== undefined && output !== undefined) counted.total_tokens ??= input + output;
    made.usage = counted;
  }
  return made;
}

/** Server-sent events, put together to the message that they are pieces of. */
async function streamed(response, settings) {
  const type = response.headers.get('content-type') ?? '';
  // Servers that cannot stream answer at once.
  if (type.startsWith('application/json')) return message(await textOf(response), settings);
  const about = {};
  let role;
  let finish;
  let content = '';
  let refusal = '';
  let isDone = false;
  const tools = new Map();
  let length = 0;
  for await (const data of events(response)) {
    if (data === '[DONE]') {
      isDone = true;
      break;
    }
    let piece;
    try {
      piece = JSON.parse(data);
    } catch {
      throw broken('contains a part that is not valid JSON', data, settings);
    }
    if (piece?.error) {
      const said = typeof piece.error === 'string' ? piece.error : piece.error.message;
      throw new ModelError('answer', `The model's server ended the stream with an error: ${kept(String(said), settings)}`, { kind: 'unavailable', retryable: true });
    }
    for (const key of ['id', 'model', 'usage']) if (piece?.[key]) about[key] = piece[key];
    const choice = piece?.choices?.[0];
    const { content: more, refusal: refused, tool_calls: calls } = choice?.delta ?? {};
    if (typeof more === 'string') {
      content += more;
      length += more.length;
    }
    if (typeof refused === 'string') {
      refusal += refused;
      length += refused.length;
    }
    for (const call of Array.isArray(calls) ? calls : []) length += join(tools, call);
    if (length > MOST_CHARS) throw tooLong();
    if (tools.size > MOST_TOOLS) throw broken('calls too many tools', data, settings);
    role ??= choice?.delta?.role;
    finish ??= choice?.finish_reason ?? undefined;
  }
  if (!isDone && finish === undefined) {
    throw new ModelError('connection', 'The connection to the model was lost before the answer was complete.', { kind: 'unavailable', retryable: true });
  }
  return messageOf({ role, content, refusal, tool_calls: inOrder(tools) }, finish, about);
}

/** A call of a tool comes in pieces too: its arguments are one text. Gives how long the piece is. */
function join(tools, call) {
  const { index = 0, id, type, function: called } = call ?? {};
  if (!tools.has(index)) tools.set(index, { id, type: type ?? 'function', function: { name: '', arguments: '' } });
  const [name, text] = [String(called?.name ?? ''), String(called?.arguments ?? '')];
  const tool = tools.get(index).function;
  tool.name += name;
  tool.arguments += text;
  return name.length + text.length;
}

/** The server numbers the calls, and may leave numbers out. */
function inOrder(tools) {
  if (tools.size === 0) return undefined;
  return [...tools].sort(([a], [b]) => a - b).map(([, tool]) => tool);
}

/** The data of each event; several lines of one are one text. */
async function* events(response) {
  let rest = '';
  let isHalf = false;
  let data = [];
  let length = 0;
  for await (const text of texts(response)) {
    rest += text;
    if (rest.length > MOST_CHARS) throw tooLong();
    // A long line in many pieces is looked at once, when it has ended.
    if (!isHalf && !/[\r\n]/.test(text)) continue;
    isHalf = text.endsWith('\r');
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) {
      if (line === '' && data.length > 0) {
        yield data.join('\n');
        data = [];
        length = 0;
      } else if (line.startsWith('data:')) {
        data.push(line.slice(line[5] === ' ' ? 6 : 5));
        length += line.length;
        if (length > MOST_CHARS) throw tooLong();
      }
    }
  }
  // The last one may lack its empty line.
  if (rest.startsWith('data:')) data.push(rest.slice(5).trim());
  if (data.length > 0) yield data.join('\n');
}

/** Reads piece by piece: not every runtime can iterate over a stream. */
async function* texts(response) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      yield done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

async function textOf(response) {
  let all = '';
  for await (const text of texts(response)) {
    all += text;
    if (all.length > MOST_CHARS) throw tooLong();
  }
  return all;
}

function broken(what, text, settings) {
  return new ModelError('answer', `The answer of the model's server ${what}: ${kept(String(text), settings).slice(0, 200)}`, { retryable: true });
}

function tooLong() {
  return new ModelError('answer', 'The answer of the model is longer than 64 million characters.');
}

/** Nothing that we say holds the key, whoever put it there. Before it is cut: half a key is one too. */
function kept(text, { apiKey, headers }) {
  const given = [apiKey, ...Object.values(headers ?? {})].filter((value) => typeof value === 'string');
  // A header is its words too, as of `Bearer …`.
  const secrets = given.flatMap((value) => [value, ...value.split(/\s+/)]).filter((secret) => secret.length >= 8);
  secrets.sort((a, b) => b.length - a.length);
  return secrets.reduce((safe, secret) => safe.replaceAll(secret, '…'), text);
}

/** `fetch` says why in its cause. */
function saidBy(cause) {
  const { message: text = String(cause), cause: inner } = cause ?? {};
  const why = inner?.code ?? inner?.message;
  return why ? `${text} (${why})` : text;
}

/** What a `fetch` of callers throws may throw when it is looked at. */
function lookedAt(cause) {
  try {
    return { said: String(saidBy(cause)), fatal: isUnreachable(cause) };
  } catch {
    return { said: reasonOf(cause), fatal: false };
  }
}

async function pause(ms, signal) {
  let timer;
  let release;
  try {
    await new Promise((resolve, reject) => {
      timer = setTimeout(resolve, Math.min(ms, MOST_MS));
      release = heard(signal, () => reject(new ModelError('aborted', 'The request to the model was aborted.', { kind: 'cancelled' })));
    });
  } finally {
    clearTimeout(timer);
    release?.();
  }
}
