// Replies to the machine, as JSON text.
import { messageOf } from './error.mjs';

const KINDS = new Set(['error', 'timeout', 'unavailable', 'cancelled']);
const RETRYABLE = new Set([408, 425, 429]);

/** Timers take no more. */
export const MOST_MS = 2 ** 31 - 1;

/** Stands for a value that has no JSON. */
const NONE = Symbol('no JSON');

/** Integers that JSON cannot hold travel as text. */
const exact = (_, value) => (typeof value === 'bigint' ? String(value) : value);

/** Halves of surrogate pairs in JSON; what is an escaped backslash begins no escape. */
const HALVES = /(\\\\)|\\ud[89a-f][\da-f]{2}/g;

/** JSON text for the core, to which halves of surrogate pairs are no text. */
export function wellFormed(text) {
  return text.includes('\\ud') ? text.replaceAll(HALVES, (_, backslash) => backslash ?? '\ufffd') : text;
}

/** The same of a value; undefined if it has none, as of a function. */
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

/** A call has thrown. */
export function errorReply(cause, more) {
  const reply = { type: 'error', message: messageOf(cause) };
  try {
    reply.kind = KINDS.has(cause?.kind) ? cause.kind : cause?.name === 'TimeoutError' ? 'timeout' : 'error';
    const status = cause?.status;
    reply.retryable = typeof cause?.retryable === 'boolean' ? cause.retryable : RETRYABLE.has(status) || (status >= 500 && status < 600);
    const wait = cause?.retryAfterMs ?? cause?.retry_after_ms;
    if (typeof wait === 'number' && wait >= 0) reply.retry_after_ms = Math.min(wait, MOST_MS);
  } catch {
    // Something that throws when it is looked at.
  }
  const text = wellFormed(JSON.stringify(reply));
  return `${text.slice(0, -1)}${carried(more)}}`;
}

/** A reply that somebody made by hand, in either spelling. */
export function handmadeReply(reply) {
  if (typeof reply !== 'object' || reply === null) return json(reply);
  const { value, retryAfterMs, ...others } = reply;
  if (others.type === 'value' && 'value' in reply) {
    const text = json(value);
    return text === NONE ? json({ ...others, type: 'too_deep' }) : `${json(others).slice(0, -1)},"value":${text}${notFinite(value)}}`;
  }
  const text = json(retryAfterMs === undefined ? others : { ...others, retry_after_ms: retryAfterMs });
  return text === NONE ? 'null' : text;
}

/** Usage in either spelling, added to earlier usage; undefined as long as there is none. */
export function addUsage(before, given) {
  if (typeof given !== 'object' || given === null) return before;
  let sum = before;
  for (const [camel, snake] of [['inputTokens', 'input_tokens'], ['outputTokens', 'output_tokens'], ['totalTokens', 'total_tokens'], ['cost', 'cost']]) {
    const amount = given[camel] ?? given[snake];
    if (typeof amount === 'number' && amount >= 0 && amount < Infinity) sum = { ...sum, [snake]: (sum?.[snake] ?? 0) + amount };
  }
  return sum;
}
