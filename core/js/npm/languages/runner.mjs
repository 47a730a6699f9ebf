// Code of a loop, each run in a worker of its own that is ended afterwards: so nothing of one run
// is left for the next, and no endless loop outlives its time.
import { LanguageError } from './error.mjs';

/** How long code may take, if nobody says. */
const TIME_MS = 5000;
/** How long an engine may take to be ready: megabytes of wasm, perhaps over a network. */
const LOAD_MS = 120_000;
/** What a worker may use, where the runtime can say so. */
const MEMORY_MB = 256;
/** A worker that waits for code that does not come is ended. */
const SPARE_MS = 60_000;
/** Timers take no more. */
const MOST_MS = 2 ** 31 - 1;

/** `start(settings)` gives a worker: `post`, `listen(message, failure)`, `hold`, `release`, `end`. */
export function language(name, start) {
  const runner = (options) => makeRunner(name, start, settingsOf(options));
  // Made on first use: an import alone loads and starts nothing.
  let usual;
  const run = (code, given) => (usual ??= runner()).run(code, given);
  return { run, runner };
}

function makeRunner(name, start, settings) {
  let spare;
  let isClosed = false;

  function close() {
    isClosed = true;
    spare?.end();
    spare = undefined;
  }

  /** The worker that waits, or a new one. */
  function take() {
    const worker = spare ?? prepare(name, start, settings);
    spare = undefined;
    return worker;
  }

  /** Engines take up to seconds to start: the next run finds one that has. */
  function prepareNext() {
    if (isClosed || spare) return;
    const next = prepare(name, start, settings);
    spare = next;
    const forget = () => {
      if (spare === next) spare = undefined;
    };
    next.ready.catch(forget);
    next.idle(SPARE_MS, forget);
  }

  async function run(code, given = {}) {
    const { state = {}, output, signal, timeoutMs = settings.timeoutMs } = given;
    if (typeof code !== 'string' || code.trim() === '') throw new LanguageError('failed', 'The code is empty.');
    if (!isTime(timeoutMs)) throw new LanguageError('failed', '`timeoutMs` must be a number of milliseconds above 0.');
    if (isClosed) throw new LanguageError('unavailable', `This runner of ${name} is closed.`, 'unavailable');
    if (signal?.aborted) throw aborted(name);
    const request = { code, state: jsonText(state, 'state') };
    if (output !== undefined) request.output = jsonText(output, 'output');
    const worker = take();
    try {
      const text = await ask(name, worker, request, timeoutMs, signal);
      return JSON.parse(text);
    } finally {
      worker.end();
      prepareNext();
    }
  }

  return { run, close };
}

/** A worker that loads its engine. */
function prepare(name, start, settings) {
  let answered;
  let timer;
  let inner;
  let hasEnded = false;
  const stop = new Promise((_, reject) => {
    answered = reject;
  });
  stop.catch(() => {});
  let resolveReady;
  let resolveAnswer;
  const ready = Promise.race([new Promise((resolve) => (resolveReady = resolve)), stop]);
  const answer = Promise.race([new Promise((resolve) => (resolveAnswer = resolve)), stop]);
  // A failure reaches whoever waits; nobody may be waiting.
  ready.catch(() => {});
  answer.catch(() => {});
  const fail = (error) => answered(error);
  const onMessage = (message) => {
    if (message.type === 'ready') resolveReady();
    else if (message.type === 'answer') resolveAnswer(message.text);
    else fail(new LanguageError(message.code, message.message, message.code === 'unavailable' ? 'unavailable' : 'error'));
  };
  const started = (async () => {
    const worker = await start(settings);
    if (hasEnded) return worker.end();
    inner = worker;
    worker.listen(onMessage, (code, message) => fail(new LanguageError(code, `${name}: ${message}`)));
    worker.post({ type: 'load', engine: settings.engine, files: settings.files });
  })();
  started.catch((cause) => {
    fail(cause instanceof LanguageError ? cause : new LanguageError('unavailable', `${name} cannot be started: ${cause?.message}`, 'unavailable'));
  });
  return {
    ready,
    answer,
    fail,
    post: (message) => inner.post(message),
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
  const abort = () => worker.fail(aborted(name));
  signal?.addEventListener('abort', abort, { once: true });
  try {
    worker.hold();
    timer = setTimeout(() => {
      worker.fail(new LanguageError('unavailable', `${name} was not ready within ${LOAD_MS} ms.`, 'unavailable'));
    }, LOAD_MS);
    await worker.ready;
    worker.hold();
    clearTimeout(timer);
    timer = setTimeout(() => {
      worker.fail(new LanguageError('timeout', `${name}: the code took longer than ${timeoutMs} ms.`, 'timeout'));
    }, Math.min(timeoutMs, MOST_MS));
    worker.post({ type: 'run', ...request });
    return await worker.answer;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function settingsOf({ timeoutMs = TIME_MS, memoryMb = MEMORY_MB, engine, files } = {}) {
  if (!isTime(timeoutMs)) throw new LanguageError('failed', '`timeoutMs` must be a number of milliseconds above 0.');
  if (!(typeof memoryMb === 'number' && memoryMb >= 16)) throw new LanguageError('failed', '`memoryMb` must be a number ≥ 16.');
  // Whole addresses: a worker stands somewhere else than the page.
  const address = (value) => (value === undefined ? undefined : String(new URL(value, globalThis.document?.baseURI)));
  return { timeoutMs, memoryMb, engine: address(engine), files: address(files) };
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

function aborted(name) {
  return new LanguageError('aborted', `${name}: aborted.`, 'cancelled');
}
