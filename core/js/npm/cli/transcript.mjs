// What an agent did since it was last asked, from the transcript that Claude Code hands to its hooks.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { homedir } from 'node:os';
import { relative, sep } from 'node:path';
import { Refusal, unreadable } from './errors.mjs';

/** Events at whose end an agent has done its work. */
const EVENTS = ['Stop', 'SubagentStop'];

/** Only so much of the end of a transcript is read: a hook must not keep the agent waiting. */
const MOST_BYTES = 8 * 2 ** 20;

/** Tools that change a file, and their parameter that names it. */
const WRITERS = { Write: 'file_path', Edit: 'file_path', MultiEdit: 'file_path', NotebookEdit: 'notebook_path' };

/** Parameters that say best what a call is about: paths, and others. */
const PATHS = ['file_path', 'notebook_path'];
const SUBJECTS = ['command', 'pattern', 'url', 'query', 'description', 'prompt', 'skill'];

/** Longer texts are cut, which an ellipsis shows, and of more calls the first are left out, which the first action says. */
const MOST_REFLECTION = 20_000;
const MOST_TASK = 2000;
const MOST_ERROR = 500;
const MOST_ACTION = 200;
const MOST_ACTIONS = 500;

/** Whether an object is what Claude Code hands to a hook. */
export function isHookEvent(value) {
  return typeof value.hook_event_name === 'string';
}

/**
 * The iteration that ends with an event of a hook: its `loop` if the command names none, its `facts`, and whether its beginning is
 * missing, because it lies before the part of the transcript that is read (`isCut`).
 */
export function iterationOfEvent(event) {
  const { hook_event_name: name, session_id: session, agent_id: agent, cwd } = event;
  if (!EVENTS.includes(name)) throw new Refusal('invalid-request', `The hook must be ${EVENTS.join(' or ')}, not ${name}.`);
  const isSub = name === 'SubagentStop';
  const own = isSub ? event.agent_transcript_path : undefined;
  const path = own ?? event.transcript_path;
  const { entries, isWhole } = typeof path === 'string' ? entriesOf(path) : { entries: [], isWhole: true };
  // Some versions write what subagents do into the transcript of the session.
  const mine = own === undefined ? entries.filter(({ isSidechain }) => (isSidechain === true) === isSub) : entries;
  // A hook that has kept the agent from stopping has asked for something, too.
  const begin = mine.findLastIndex(event.stop_hook_active === true ? isAsked : isPrompt);
  const turn = mine.slice(Math.max(0, begin));
  const said = typeof event.last_assistant_message === 'string' ? event.last_assistant_message : lastText(turn);
  const facts = { ...factsOf(turn, cwd), ...(said.trim() !== '' && { reflection: cut(said, MOST_REFLECTION) }) };
  return { loop: isSub ? agent ?? session : session, facts, isCut: begin < 0 && !isWhole };
}

/** The entries of a transcript: JSON Lines, of which the first may be cut, and the last one is perhaps being written. */
function entriesOf(path) {
  const { text, isWhole } = endOf(path);
  const entries = [];
  for (const line of text.split('\n')) {
    try {
      entries.push(JSON.parse(line));
    } catch {
      // Half a line, or an empty one.
    }
  }
  const isMessage = (entry) => typeof entry?.message === 'object' && entry.message !== null;
  return { entries: entries.filter(isMessage), isWhole };
}

function endOf(given) {
  const path = given.replace(/^~(?=\/)/, homedir());
  let file;
  try {
    // A pipe would be waited for.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const status = fstatSync(file);
    if (!status.isFile()) throw new Error('it is not a regular file');
    const { size } = status;
    const bytes = Buffer.alloc(Math.min(size, MOST_BYTES));
    const length = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return { text: bytes.toString('utf8', 0, length), isWhole: length === size };
  } catch (cause) {
    throw unreadable(path, cause);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Whether somebody, or a hook, asked for something; results of tools are messages of the user, too. */
function isAsked({ type, isCompactSummary, message }) {
  return type === 'user' && isCompactSummary !== true && !parts(message).some((part) => part.type === 'tool_result');
}

/** Whether a person, or the agent above, asked for something. */
function isPrompt(entry) {
  return entry.isMeta !== true && isAsked(entry);
}

/** The content of a message as a list. */
function parts({ content }) {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : [];
}

function textOf(message) {
  return parts(message).flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n');
}

function lastText(entries) {
  const said = entries.filter(({ type }) => type === 'assistant').map(({ message }) => textOf(message));
  return said.findLast((text) => text.trim() !== '') ?? '';
}

function factsOf(entries, cwd) {
  const asked = entries.find(isPrompt);
  const all = entries.flatMap(({ message }) => parts(message));
  const calls = all.filter(({ type, name }) => type === 'tool_use' && typeof name === 'string');
  const failed = all.filter((part) => part.type === 'tool_result' && part.is_error === true);
  const failures = new Set(failed.map((part) => part.tool_use_id));
  const paths = calls.filter(({ id }) => !failures.has(id)).map(({ name, input }) => input?.[WRITERS[name]]);
  const local = (path) => (typeof cwd === 'string' && path.startsWith(`${cwd}${sep}`) ? relative(cwd, path) : path);
  const actions = calls.slice(-MOST_ACTIONS).map(({ name, input }) => action(name, input ?? {}, local));
  if (calls.length > MOST_ACTIONS) actions.unshift(`${calls.length - MOST_ACTIONS} calls before are left out`);
  return {
    ...(asked && { task: cut(textOf(asked.message), MOST_TASK) }),
    actions,
    errors: failed.map((part) => cut(textOf(part), MOST_ERROR)).filter((text) => text !== ''),
    filesModified: [...new Set(paths.filter((path) => typeof path === 'string').map(local))],
  };
}

/** A call of a tool in a line. */
function action(name, input, local) {
  const isText = (value) => typeof value === 'string' && value.trim() !== '';
  const path = PATHS.map((key) => input[key]).find(isText);
  const subject = path === undefined ? SUBJECTS.map((key) => input[key]).find(isText) : local(path);
  return cut(subject === undefined ? name : `${name}: ${subject.trim().split('\n')[0]}`, MOST_ACTION);
}

function cut(text, most) {
  const trimmed = text.trim();
  return trimmed.length > most ? `${trimmed.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : trimmed;
}
