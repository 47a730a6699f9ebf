// Code of a loop, in workers: one at a time in each, and a worker whose code takes too long is ended.
import { LanguageError, followed, guarded, isSignal, messageOf } from './error.mjs';

/** How long code may take, if nobody says. */
const TIME_MS = 5000;
/** How long an engine may take to be ready: megabytes of wasm, perhaps over a network. */
const LOAD_MS = 120_000;
/** What code may use, where the engine or the runtime can say so. */
const MEMORY_MB = 256;
/** A worker that waits for code that does not come is ended. */
const SPARE_MS = 60_000;
/** Timers take no more. */
const MOST_MS = 2 ** 31 - 1;

/**
 * `start(settings)` gives a worker: `post`, `listen(message, failure)`, `hold`, `release`, `end`. `isClean` says that the
 * worker of this language runs each piece of code in an engine of its own, so that it may be used again.
 */
export function language(name, start, { isClean = false } = {}) {
  const runner = (options) => makeRunner(name, start, isClean, guarded(() => settingsOf(options ?? {}), unreadable));
  // Made on first use: an import alone loads and starts nothing.
  let usual;
  const run = async (code, given) => (usual ??= runner()).run(code, given);
  return { run, runner };
}

function makeRunner(name, start, isClean, settings) {
  const staysAfter = isClean || settings.keepEngine;
  let spare;
  let isClosed = false;

  function close() {
    isClosed = true;
    spare?.end();
    spare = undefined;
  }

  /** The worker that waits, or a new one. */
  function take() {
    const waiting = spare;
    spare = undefined;
    if (waiting && !waiting.isBroken()) return waiting;
    waiting?.end();
    return prepare(name, start, settings);
  }

  /** Keeps a worker for the next run: this one, or one that gets ready meanwhile, since engines take up to seconds to start. */
  function keep(used) {
    const isWanted = !isClosed && !spare;
    const canStay = isWanted && staysAfter && !used.isBroken();
    if (!canStay) used.end();
    if (!isWanted) return;
    const next = canStay ? used : prepare(name, start, settings);
    spare = next;
    const forget = () => {
      if (spare === next) spare = undefined;
    };
    next.ready().catch(forget);
    next.idle(SPARE_MS, forget);
  }

  async function run(code, given) {
    const { state = {}, output, signal, timeoutMs = settings.timeoutMs } = guarded(() => taken(given), unreadable);
    if (typeof code !== 'string' || code.trim() === '') throw new LanguageError('failed', 'The code is empty.');
    if (!isTime(timeoutMs)) throw new LanguageError('failed', '`timeoutMs` must be a number of milliseconds above 0.');
    if (isClosed) throw new LanguageError('unavailable', `This runner of ${name} is closed.`, 'unavailable');
    if (signal?.aborted) throw aborted(name);
    const request = { code, state: jsonText(state, 'state') };
    if (output !== undefined) request.output = jsonText(output, 'output');
    const worker = take();
    try {
      return answered(await ask(name, worker, request, timeoutMs, signal));
    } finally {
      keep(worker);
    }
  }

  return { run, close };
}

function answered(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new LanguageError('failed', 'The result is not JSON.');
  }
}

/** A worker that loads its engine, and then runs one piece of code at a time. */
function prepare(name, start, settings) {
  let timer;
  let inner;
  let hasEnded = false;
  let broken;
  let waiting;
  const wait = () => {
    const promise = new Promise((resolve, reject) => {
      waiting = { resolve, reject };
    });
    // A failure reaches the caller that waits. Without one it must not end the process.
    promise.catch(() => {});
    return promise;
  };
  let ready = wait();
  /** The worker cannot be used again. */
  const fail = (error) => {
    broken ??= error;
    waiting.reject(error);
  };
  const onMessage = (message) => {
    if (message.type === 'ready') return waiting.resolve();
    const { resolve, reject } = waiting;
    if (message.type === 'answer') {
      ready = wait();
      return resolve(message.text);
    }
    const error = failed(String(message.code), String(message.message));
    if (message.isOver) return fail(error);
    ready = wait();
    reject(error);
  };
  const started = (async () => {
    const worker = await start(settings);
    if (hasEnded) return worker.end();
    inner = worker;
    worker.listen(onMessage, (code, message) => fail(failed(code, `${name}: ${message}`)));
    worker.post({ type: 'load', engine: settings.engine, files: settings.files, memoryMb: settings.memoryMb });
  })();
  started.catch((cause) => {
    fail(cause instanceof LanguageError ? cause : new LanguageError('unavailable', `${name} cannot be started: ${cause?.message}`, 'unavailable'));
  });
  return {
    /** Settles when the engine is there for the next code. */
    ready: () => ready,
    fail,
    isBroken: () => broken !== undefined,
    /** The answer to a request, as text. */
    answer(request) {
      const answer = wait();
      if (broken) waiting.reject(broken);
      else inner.post({ type: 'run', ...request });
      return answer;
    },
    hold() {
      clearTimeout(timer);
      inner?.hold();
    },
    idle(ms, forget) {
      started.then(() => inner?.release(), () => {});
      timer = setTimeout(() => {
        forget();
        this.end();
      }, ms);
      timer.unref?.();
    },
    end() {
      hasEnded = true;
      clearTimeout(timer);
      inner?.end();
    },
  };
}

/** Hands code to a worker. The time counts from when the engine is ready. */
async function ask(name, worker, request, timeoutMs, signal) {
  let timer;
  let release;
  try {
    worker.hold();
    release = followed(signal, () => worker.fail(aborted(name)), unreadable);
    timer = setTimeout(() => {
      worker.fail(new LanguageError('unavailable', `${name} was not ready within ${LOAD_MS} ms.`, 'unavailable'));
    }, LOAD_MS);
    await worker.ready();
    worker.hold();
    clearTimeout(timer);
    timer = setTimeout(() => {
      worker.fail(new LanguageError('timeout', `${name}: the code took longer than ${timeoutMs} ms.`, 'timeout'));
    }, Math.min(timeoutMs, MOST_MS));
    return await worker.answer(request);
  } finally {
    clearTimeout(timer);
    release?.();
  }
}

function taken(given) {
  const options = { ...given };
  if (options.signal && !isSignal(options.signal)) throw new LanguageError('failed', '`signal` must be an AbortSignal.');
  return options;
}

function unreadable(cause) {
  return new LanguageError('failed', `The options are not valid: ${messageOf(cause)}`);
}

function settingsOf({ timeoutMs = TIME_MS, memoryMb = MEMORY_MB, keepEngine = false, engine, files }) {
  if (!isTime(timeoutMs)) throw new LanguageError('failed', '`timeoutMs` must be a number of milliseconds above 0.');
  if (!(typeof memoryMb === 'number' && memoryMb >= 32)) throw new LanguageError('failed', '`memoryMb` must be a number ≥ 32.');
  if (typeof keepEngine !== 'boolean') throw new LanguageError('failed', '`keepEngine` must be true or false.');
  // Whole addresses: a worker stands somewhere else than the page.
  const address = (value) => (value === undefined ? undefined : String(new URL(value, globalThis.document?.baseURI)));
  return { timeoutMs, memoryMb, keepEngine, engine: address(engine), files: address(files) };
}

function isTime(value) {
  return typeof value === 'number' && value > 0;
}

/** The copy that the code gets: text, so that no object of the host leads out. */
function jsonText(value, what) {
  let text;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new LanguageError('not_json', `Cannot convert \`${what}\` to JSON: ${cause?.message}`);
  }
  return text ?? 'null';
}

function failed(code, message) {
  return new LanguageError(code, message, code === 'unavailable' ? 'unavailable' : 'error');
}

function aborted(name) {
  return new LanguageError('aborted', `${name}: aborted.`, 'cancelled');
}
