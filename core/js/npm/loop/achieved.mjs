// What a loop has achieved, as far as it can be known outside the wasm: the wasm may crash.
import { messageOf } from '../error.mjs';
import { failure } from './failure.mjs';

/** Texts of events with more characters than this are kept without their outputs. */
const MOST_CHARS = 2 ** 20;

const CALLS = { generate: 'generate', evaluate_llm: 'evaluate', evaluate_custom: 'evaluate', correct: 'correct' };

export class Achieved {
  /** Events as JSON texts of lists: they are read only after a crash. */
  #texts = [];
  /** The latest output of each candidate, by its number. Of earlier ones only the best is kept. */
  #outputs = new Map();
  #best = null;
  #iterations = 0;
  #calls = { generate: 0, evaluate: 0, correct: 0, total: 0 };

  begins({ type, iteration, candidate, output }) {
    this.#iterations = iteration;
    if (type === 'evaluate_custom') this.#outputs.set(candidate ?? 1, output);
    if (!(type in CALLS)) return;
    this.#calls[CALLS[type]] += 1;
    this.#calls.total += 1;
  }

  /** What a call gave, before it was read. */
  gives({ type, candidate }, value) {
    if (type === 'generate') this.#outputs.set(candidate ?? 1, value);
    if (type === 'correct') this.#outputs = new Map([[1, value?.candidate ?? value?.corrected_output ?? value]]);
  }

  happens(text) {
    // A text may have several `best` events, as each candidate may beat those before it: the last counts.
    const best = [...text.matchAll(/"seq":\d+,"type":"best","iteration":\d+(?:,"candidate":(\d+))?/g)].at(-1);
    if (best) this.#best = this.#outputs.get(Number(best[1] ?? 1)) ?? null;
    if (text.length > MOST_CHARS) this.#texts.push(JSON.stringify(JSON.parse(text).map(withoutOutputs)));
    else if (text !== '[]') this.#texts.push(text);
  }

  /** The error of a loop that nobody can ask any more. */
  lost(cause) {
    // A call after the crash fails with an error whose cause is the crash itself.
    const first = cause?.code === 'crashed' && cause.cause?.code === 'crashed' ? cause.cause : cause;
    const events = this.#texts.flatMap((text) => JSON.parse(text));
    const of = (type) => events.filter((event) => event.type === type);
    const history = of('evaluated').map(({ entry }) => ('output' in entry ? entry : { ...entry, output: null, output_omitted: true }));
    const sum = (rows, key) => rows.reduce((total, row) => total + (row[key] ?? 0), 0);
    const used = history.map(({ usage }) => usage ?? {});
    const records = of('record').map(({ record }) => record);
    const message = `The loop has stopped: ${messageOf(first)} This error has the results so far.`;
    const details = {
      history,
      best: this.#best,
      best_score: of('best').at(-1)?.score ?? null,
      errors: history.at(-1)?.errors ?? [],
      iterations: this.#iterations,
      usage: {
        calls: this.#calls,
        input_tokens: sum(used, 'input_tokens'),
        output_tokens: sum(used, 'output_tokens'),
        total_tokens: sum(used, 'total_tokens'),
        cost: sum(used, 'cost'),
        ms: sum(history, 'ms'),
        unknown: history.filter(({ usage }) => !usage).length,
      },
      stop_reason: 'crashed',
      stop_detail: messageOf(first),
      warnings: of('warning').map(({ code, message, field }) => ({ code, message, ...(field === null ? {} : { field }) })),
      ...(records.length > 0 ? { records } : {}),
    };
    return failure({ type: 'ReflectionFailedError', code: 'crashed', message, details }, { cause: first });
  }
}

function withoutOutputs({ output, ...event }) {
  if (event.type !== 'evaluated') return event;
  const { output: _, raw_output: __, ...entry } = event.entry;
  return { ...event, entry };
}
