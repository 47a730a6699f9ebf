// Runs a reflection loop from a YAML file.
import { accessSync, closeSync, constants, existsSync, fstatSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../error.mjs';
import { beside } from './beside.mjs';
import { EXIT, Refusal, unreadable, unwritable } from './errors.mjs';
import { standardInput } from './open.mjs';
import { whole } from './options.mjs';
import { inline, safeJson, visible } from './text.mjs';
import { plural, reward } from './format.mjs';

/** Languages of inline code, each a module that is loaded when it is needed. */
const LANGUAGES = {
  javascript: () => import('../languages/javascript.mjs'),
  python: () => import('../languages/python.mjs'),
  lua: () => import('../languages/lua.mjs'),
  prolog: () => import('../languages/prolog.mjs'),
};

export const usage = 'FILE [--state JSON] [--node NAME] [--model M] [--record FILE]';
export const takes = { least: 1, most: 1, missing: '`loop` needs a YAML file, or - for standard input.' };
export const options = {
  state: { type: 'string', short: 's', value: 'JSON', says: 'the state that templates and code see: a JSON object, or @FILE' },
  node: { type: 'string', value: 'NAME', says: 'the node to run, if the file has several' },
  model: { type: 'string', short: 'm', value: 'M', says: 'the model (default: OPENAI_MODEL)' },
  'base-url': { type: 'string', value: 'URL', says: 'the endpoint, without /chat/completions (default: OPENAI_BASE_URL)' },
  retries: { type: 'string', value: 'N', says: 'how often to repeat a request after a temporary failure (default: 2)' },
  'allow-code': { type: 'boolean', says: 'run the inline code of the file (run:); use it only for files that you trust' },
  record: { type: 'string', value: 'FILE', says: 'append a reflection memory record to a JSON Lines file when a round ends; the YAML file must configure `memory`' },
};
export const examples = [
  ["hindscope loop profile.yaml --state '{\"person\": \"Ada Lovelace\"}'", 'asks the model at OPENAI_BASE_URL, with the key OPENAI_API_KEY, until the schema accepts its answer'],
  ['hindscope loop workflow.yaml --node draft --state @case.json --record .aiwg/ralph/draft.jsonl', 'runs one node, and keeps its reflections for `hindscope history`'],
  ['hindscope loop profile.yaml --json | jq .usage', 'prints the whole result, and selects the token usage'],
];
export const notes = [
  'FILE is a node with `action: reflection.loop`, `reflection.evaluate` or `reflection.correct`, the content of its `with:`, or a document with `nodes:`.',
  'A schema may refer to other files ($ref) in the folder of FILE or below it.',
  'The output goes to standard output, a line per round to standard error. The API key is read from the environment only, and never printed.',
];
export const exits = {
  1: 'no output was accepted, or a single step failed (a loop still prints its best output, unless `on_failure` in the file says otherwise)',
  3: 'a file could not be read or written, or the model could not be reached',
};

export async function run({ values, positionals: [file], out }) {
  const retries = whole(values.retries, 'retries', { least: 0, most: 9 }) ?? 2;
  // Not by start.mjs: its flags hold for all wasm of the process, and Python does not load with them on Node 20.
  const hindscope = await import('../loop/node.mjs');
  const yaml = file === '-' ? String(await standardInput()) : text(file);
  const state = stateOf(values.state);
  // A file that cannot be written is an error before any request is paid for.
  const records = values.record === undefined ? undefined : new RecordFile(values.record);
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  process.once('SIGINT', interrupt);
  try {
    const { action, config } = hindscope.parseLoopConfig(yaml, values.node);
    const call = { 'reflection.loop': 'reflectionLoop', 'reflection.evaluate': 'reflectionEvaluate', 'reflection.correct': 'reflectionCorrect' }[action];
    const result = await hindscope[call]({
      ...config,
      state,
      llm: hindscope.openaiChat({ retries, ...(values.model && { model: values.model }), ...(values['base-url'] && { baseUrl: values['base-url'] }) }),
      ...(values['allow-code'] && { languages: languages() }),
      resolveSchema: (uri) => schemaBeside(file, uri),
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === 'record') records?.append(event.record);
        printEvent(event, out);
      },
    });
    // `evaluate` and `correct` return what is wrong with a request; only the loop throws it.
    if (action !== 'reflection.loop' && result.success === false) throw singleRefusal(result, values);
    const unreached = unreachedBy(result);
    if (out.isJson || !unreached) print(result, out);
    records?.check();
    records?.report(out);
    if (unreached && !out.isJson) throw new Refusal(unreached.code, unreached.message, { exit: EXIT.io });
    if (unreached) return EXIT.io;
    if (result.stopReason === 'aborted') return EXIT.interrupted;
    return (result.valid ?? result.success) ? EXIT.ok : EXIT.no;
  } catch (cause) {
    if (cause instanceof hindscope.ReflectionFailedError) {
      records?.check();
      records?.report(out);
    }
    throw refusalOf(cause, values, hindscope);
  } finally {
    process.off('SIGINT', interrupt);
    records?.close();
  }
}

function text(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** A document that a schema of the workflow refers to: a file in its folder or below, and nothing else. */
function schemaBeside(file, uri) {
  if (/^[a-z][a-z\d+.-]*:/i.test(uri)) throw new Error(`${uri} is an address. Only files in the folder of the workflow are read.`);
  const path = beside(file, decodeURIComponent(uri));
  if (!statSync(path).isFile()) throw new Error(`${uri} is not a file.`);
  return readFileSync(path, 'utf8');
}

/** The state: JSON, or @ and a JSON file. */
function stateOf(given = '{}') {
  const json = given.startsWith('@') ? text(given.slice(1)) : given;
  let state;
  try {
    state = JSON.parse(json);
  } catch (cause) {
    throw new Refusal('invalid-option', `--state is not valid JSON: ${messageOf(cause)}`, { cause });
  }
  if (typeof state === 'object' && state !== null && !Array.isArray(state)) return state;
  throw new Refusal('invalid-option', '--state must be a JSON object.');
}

function languages() {
  return Object.fromEntries(Object.entries(LANGUAGES).map(([name, load]) => [name, { runner: (options) => lazily(load, options) }]));
}

/** A runner whose module is loaded when its first code runs. */
function lazily(load, options) {
  let made;
  return {
    run: async (...given) => (await (made ??= load().then(({ runner }) => runner(options)))).run(...given),
    close: () => void made?.then(({ close }) => close(), () => {}),
  };
}

/** Prints a round when it ends. */
function printEvent({ type, iteration, attempt, code, message }, out) {
  if (out.isJson) return;
  const { green, red, dim } = out.asideStyle;
  if (type === 'evaluated') {
    const verdict = attempt.valid ? green('accepted') : red('rejected');
    const why = attempt.valid ? '' : ` ${dim(inline(attempt.errors?.[0]?.message ?? attempt.feedback ?? ''))}`;
    out.aside(`round ${iteration}: ${verdict}, score ${reward(attempt.score)}${why}\n`);
  } else if (type === 'warning') out.note(`${message} [${code}]`);
}

/** Whether a file ends without a line break; pipes never do. */
function isUnended(open) {
  const status = fstatSync(open);
  if (!status.isFile() || status.size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(open, last, 0, 1, status.size - 1);
  return last[0] !== 0x0a;
}

/** A file that takes a record when its round ends, so that a process that is killed loses no round. */
class RecordFile {
  #file;
  #open;
  #failure;
  #count = 0;

  /** The file is created with the first record: a loop that is refused has none. */
  constructor(file) {
    this.#file = file;
    try {
      if (existsSync(file)) this.#open = openSync(file, 'a+');
      else accessSync(`${dirname(file)}/.`, constants.W_OK);
    } catch (cause) {
      throw unwritable(file, cause);
    }
  }

  /** If a record cannot be written, the loop goes on, and `check` throws at its end. */
  append(record) {
    if (this.#failure) return;
    try {
      this.#open ??= openSync(this.#file, 'a+');
      const bytes = Buffer.from(`${isUnended(this.#open) ? '\n' : ''}${JSON.stringify(record)}\n`);
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#open, bytes, at);
      this.#count += 1;
    } catch (cause) {
      this.#failure = unwritable(this.#file, cause);
    }
  }

  check() {
    if (this.#failure) throw this.#failure;
  }

  report(out) {
    const file = inline(this.#file);
    if (this.#count > 0) out.note(`${plural(this.#count, 'record')} appended to ${file}, one for each round.`);
    else out.note(`Nothing was recorded in ${file}: only rounds of a loop whose YAML configures \`memory\` become records. Add \`memory: {name: NAME}\`.`);
  }

  close() {
    if (this.#open !== undefined) closeSync(this.#open);
  }
}

/** Prints the output of any of the three actions. */
function print(result, out) {
  if (out.isJson) {
    out.json(result);
    return;
  }
  const { output } = result;
  if (typeof output === 'string') out.line(out.isTerminal ? visible(output) : output);
  else out.line(safeJson(output ?? null, 2));
  if (!('attempts' in result)) for (const { message } of result.errors ?? []) out.note(message ?? 'Rejected.');
  if (result.usage) {
    const { calls, totalTokens: tokens } = result.usage;
    out.note(`${result.stopReason ?? (result.valid ? 'valid' : 'invalid')} after ${plural(calls.total, 'call')}, ${plural(tokens, 'token')}`);
  }
}

/** The error if the model could not be reached in any round. */
function unreachedBy({ attempts = [] }) {
  const failures = attempts.map(({ output, errors }) => (output === null ? errors?.find(({ code }) => code === 'unavailable') : undefined));
  return failures.every(Boolean) ? failures[0] : undefined;
}

/** What a single form was refused with, or failed with. */
function singleRefusal({ code, error, errors }, values) {
  const [first = {}] = errors ?? [];
  const name = code ?? first.code ?? 'reflection_failed';
  const exit = name.startsWith('config') ? EXIT.usage : EXIT.no;
  return new Refusal(name, error ?? first.message ?? 'It failed.', { exit, hint: codeHint(name, values) });
}

function codeHint(code, values) {
  const isCode = code === 'config_unknown_language' && !values['allow-code'];
  return isCode ? 'The file has inline code: --allow-code runs it.' : undefined;
}

/** What the loop was refused with, or ended with. */
function refusalOf(cause, values, { ReflectionConfigError, ReflectionFailedError, ReflectionTemplateError, ModelError }) {
  if (cause instanceof ReflectionFailedError) {
    if (cause.stopReason === 'aborted') return new Refusal(cause.code, cause.message, { exit: EXIT.interrupted, cause });
    const isUnreached = cause.code === 'call_failed' && cause.errors[0]?.code === 'unavailable';
    const [code, exit] = isUnreached ? ['unavailable', EXIT.io] : [cause.code, EXIT.no];
    const hint = cause.best === null ? undefined : `The best output, of score ${reward(cause.score ?? undefined)}: ${JSON.stringify(cause.best)}`;
    return new Refusal(code, cause.message, { exit, hint, details: { best: cause.best, errors: cause.errors, usage: cause.usage }, cause });
  }
  if (cause instanceof ReflectionConfigError) {
    const places = cause.problems.length > 1 ? cause.problems.map(({ field, message }) => `${field}: ${message}`).join('\n  ') : cause.field && `At ${cause.field}.`;
    const hint = codeHint(cause.code, values) ?? places;
    return new Refusal(cause.code, cause.message, { hint: hint || undefined, details: { problems: cause.problems }, cause });
  }
  if (cause instanceof ReflectionTemplateError) return new Refusal(cause.code, cause.message, { cause });
  if (cause instanceof ModelError) return new Refusal(cause.code, cause.message, { cause });
  return cause;
}
