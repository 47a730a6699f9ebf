// Replies to the machine, as JSON text.
import { messageOf } from '../error.mjs';
import { MOST_MS, wellFormed } from '../input.mjs';

const KINDS = new Set(['error', 'timeout', 'unavailable', 'cancelled']);
const RETRYABLE = new Set([408, 425, 429]);

/** Statuses that the same request would get again. */
export const FATAL_STATUSES = new Set([400, 401, 403, 404]);

/** Codes of Node and Bun: no server listens at the address, or the host does not exist. */
const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|ConnectionRefused)$/;

/** Messages of each runtime for a failure of the network: `fetch` and the bodies of its answers throw a TypeError for it. */
const NETWORK = /^(failed to fetch|fetch failed|load failed|terminated$|network|the (network|internet) connection|error (sending request|trying to connect|reading a body|decoding response body)|request or response body error)/i;

/** Errors that are mistakes of the program, beside the TypeError. */
const MISTAKES = /^(ReferenceError|ReflectionConfigError|AI_(LoadAPIKey|LoadSetting|NoSuchModel|NoSuchProvider)Error)$/;

/** Clients wrap errors in errors: at most this many of them are looked at. */
const MOST_CAUSES = 8;

/** Whether no server answers at the address, or `fetch` refuses its port. */
export function isUnreachable(cause) {
  return causesOf(cause).some(({ code, message }) => UNREACHABLE.test(String(code)) || /connection refused|^bad port$/i.test(String(message)));
}

/** Whether trying again cannot help after what a call has thrown. */
function isFatal(cause) {
  if (typeof cause?.fatal === 'boolean') return cause.fatal;
  if (cause?.retryable === true) return false;
  if (causesOf(cause).some(({ status, statusCode }) => FATAL_STATUSES.has(status ?? statusCode)) || isUnreachable(cause)) return true;
  return MISTAKES.test(cause?.name) || (cause?.name === 'TypeError' && !NETWORK.test(String(cause.message)));
}

function causesOf(cause) {
  const causes = [];
  for (let one = cause; typeof one === 'object' && one !== null && causes.length < MOST_CAUSES; one = one.cause ?? one.lastError) causes.push(one);
  return causes;
}

/** Stands for a value that has no JSON. */
const NONE = Symbol('no JSON');

/** Integers that JSON cannot hold travel as text. */
const exact = (_, value) => (typeof value === 'bigint' ? String(value) : value);

/** JSON text of a value for the core; undefined if it has none, as of a function. */
export function jsonText(value) {
  let text;
  try {
    text = JSON.stringify(value);
  } catch {
    // Another try, for BigInts. Others fail again.
    text = JSON.stringify(value, exact);
  }
  return text && wellFormed(text);
}

/** JSON of whatever a callback gives; `NONE` if it has none, as of a cycle, a function or a Map. */
function json(value) {
  if (value === undefined) return 'null';
  if (value instanceof Map || value instanceof Set) return NONE;
  try {
    return jsonText(value) ?? NONE;
  } catch {
    return NONE;
  }
}

/** The most levels that the core reads. */
const MOST_LEVELS = 128;

/** Whether a value that was refused has more levels than the core takes, or goes round in a circle. */
export function isTooDeep(value, level = 1, budget = { values: 1e6 }) {
  if (typeof value !== 'object' || value === null || (budget.values -= 1) < 0) return false;
  if (level > MOST_LEVELS) return true;
  try {
    return Object.values(value).some((inner) => isTooDeep(inner, level + 1, budget));
  } catch {
    return false;
  }
}

/** The place of a verdict's score that is NaN or infinite, for the core: JSON has only null for it. */
function notFinite(value) {
  if (typeof value === 'number') return Number.isFinite(value) ? '' : ',"not_finite":[""]';
  const score = typeof value === 'object' && value !== null ? value.score : undefined;
  return typeof score !== 'number' || Number.isFinite(score) ? '' : ',"not_finite":["/score"]';
}

/** What every reply may carry, each with its comma. */
function carried({ usage, ms, now, at }) {
  let text = '';
  if (usage) text += `,"usage":${JSON.stringify(usage)}`;
  if (ms !== undefined) text += `,"ms":${ms}`;
  if (now !== undefined) text += `,"now":${now}`;
  if (at !== undefined) text += `,"at":${wellFormed(JSON.stringify(at))}`;
  return text;
}

/** A call has returned. */
export function valueReply(value, isVerdict, more) {
  const text = json(value);
  if (text === NONE) return `{"type":"too_deep"${carried(more)}}`;
  return `{"type":"value","value":${text}${isVerdict ? notFinite(value) : ''}${carried(more)}}`;
}

/** A call has thrown. `isReading`: the call has answered, and its answer cannot be read. */
export function errorReply(cause, more, isReading = false) {
  const reply = { type: 'error', message: messageOf(cause) };
  try {
    reply.kind = KINDS.has(cause?.kind) ? cause.kind : cause?.name === 'TimeoutError' ? 'timeout' : 'error';
    reply.fatal = !isReading && isFatal(cause);
    const status = cause?.status ?? cause?.statusCode;
    reply.retryable = typeof cause?.retryable === 'boolean' ? cause.retryable : RETRYABLE.has(status) || (status >= 500 && status < 600);
    const wait = cause?.retryAfterMs ?? cause?.retry_after_ms;
    if (typeof wait === 'number' && wait >= 0) reply.retry_after_ms = Math.min(wait, MOST_MS);
  } catch {
    // Something that throws when it is looked at.
  }
  const text = wellFormed(JSON.stringify(reply));
  return `${text.slice(0, -1)}${carried(more)}}`;
}

/** A reply that somebody made by hand, in either spelling. The core refuses what is none. */
export function handmadeReply(reply) {
  if (typeof reply !== 'object' || reply === null) return 'null';
  const { value, retryAfterMs, ...others } = reply;
  if (others.type === 'value' && 'value' in reply) {
    const text = json(value);
    return text === NONE ? json({ ...others, type: 'too_deep' }) : `${json(others).slice(0, -1)},"value":${text}${notFinite(value)}}`;
  }
  const text = json(retryAfterMs === undefined ? others : { ...others, retry_after_ms: retryAfterMs });
  return text === NONE ? 'null' : text;
}

/** Names of what a call cost, of OpenAI, the AI SDK and Anthropic. Counts that include the cache come first. */
const USAGE = {
  input_tokens: ['prompt_tokens', 'promptTokens', 'input_tokens', 'inputTokens'],
  output_tokens: ['output_tokens', 'completion_tokens', 'outputTokens', 'completionTokens'],
  total_tokens: ['total_tokens', 'totalTokens'],
  cost: ['cost'],
};

/** Counts of these names include the cache already; LiteLLM writes them beside those of the cache. */
const WHOLE = ['prompt_tokens', 'promptTokens'];

/** Anthropic counts tokens of its cache apart from the others. */
const CACHED = ['cache_creation_input_tokens', 'cache_read_input_tokens', 'cacheCreationInputTokens', 'cacheReadInputTokens'];

/** A number ≥ 0, or the `total` of an object: newer versions of the AI SDK say more than the sum. */
function amount(given) {
  const number = given?.total ?? given;
  return typeof number === 'number' && number >= 0 && number < Infinity ? number : undefined;
}

/** Usage in any spelling, by the names of the loop; undefined if nothing in it is known. */
export function usageOf(given) {
  if (typeof given !== 'object' || given === null) return undefined;
  const usage = {};
  for (const [name, spellings] of Object.entries(USAGE)) {
    const known = spellings.map((one) => amount(given[one])).find((one) => one !== undefined);
    if (known !== undefined) usage[name] = known;
  }
  const isWhole = WHOLE.some((one) => amount(given[one]) !== undefined);
  const cached = CACHED.map((one) => amount(given[one])).filter((one) => one !== undefined);
  if (cached.length > 0 && !isWhole) usage.input_tokens = cached.reduce((sum, one) => sum + one, usage.input_tokens ?? 0);
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** Usage in any spelling, added to earlier usage; undefined as long as there is none. */
export function addUsage(before, given) {
  const usage = usageOf(given);
  if (!before || !usage) return before ?? usage;
  const sum = { ...before };
  for (const [name, number] of Object.entries(usage)) sum[name] = (sum[name] ?? 0) + number;
  return sum;
}
