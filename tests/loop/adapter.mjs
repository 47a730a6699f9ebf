// Cases of the reflection loop, run over the built npm package: data in, data out.
//
// Each function takes the `input` of a case in the format of tests/loop/README.md, and gives
// `{result}`, `{data}`, `{text}` or `{error: {type, history?}}`, with `trace` (every callback in its
// order, with what it was handed) and `calls` (how often each was called).
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../faces.mjs';

const folder = process.env.HINDSCOPE_PACKAGE ?? join(root, 'target/npm/hindscope');
export const hindscope = await import(pathToFileURL(join(folder, 'loop/node.mjs')).href);

/** Languages that the host has in these cases. */
const LANGUAGES = ['python', 'lua', 'prolog'];

export async function loop(input) {
  const player = new Player(input);
  const { files: _, ...config } = input;
  if (isFilled(config.generator)) config.generator = party(config.generator, 'generate');
  if (isFilled(config.corrector)) config.corrector = party(config.corrector, 'correct');
  if (config.evaluator?.script) {
    const { script: __, ...evaluator } = config.evaluator;
    config.evaluator = evaluator.type === 'custom' ? { ...evaluator, run: 'evaluate' } : evaluator;
  }
  return player.play(() => hindscope.reflectionLoop({ ...config, ...player.host() }));
}

export async function evaluate(input) {
  const player = new Player(input);
  const { params, state, script } = input;
  const kind = params.evaluator_type ?? params.type;
  const code = kind === 'custom' && script && !('run' in params) ? { run: 'evaluate' } : {};
  return player.play(() => hindscope.reflectionEvaluate({ ...params, ...code, ...stated(state), ...player.host() }));
}

export async function correct(input) {
  const player = new Player(input);
  const ways = {};
  for (const way of input.via?.split('+') ?? []) {
    if (way === 'action') ways.corrector_action = 'test.correct';
    if (way === 'run') ways.run = 'correct';
    if (way === 'prompt') ways.prompt = 'Correct it.';
  }
  return player.play(() => hindscope.reflectionCorrect({ ...input.params, ...ways, ...stated(input.state), ...player.host() }));
}

export async function coerce({ schema, data }) {
  return { data: hindscope.coerce(schema, data).value };
}

export async function template({ template: text, state }) {
  try {
    return { text: hindscope.renderTemplate(text, state) };
  } catch (error) {
    return { error: named(error) };
  }
}

/** Plays the scripts of a case: call k plays step k, the last one repeats. */
class Player {
  #input;
  #trace = [];
  #calls = {};

  constructor(input) {
    this.#input = input;
  }

  host() {
    const run = (code, { state, output }) => {
      if (code === 'generate') return this.#called('generate', { params: {}, state }, 'generator', state);
      if (code === 'correct') return this.#called('correct', { params: {}, state }, 'corrector', state);
      const seen = { ...state };
      if (!Object.hasOwn(this.#input.state ?? {}, 'output')) delete seen.output;
      return this.#called('evaluate', { output, state: seen }, 'evaluator', state);
    };
    return {
      actions: {
        'test.generate': (params, { state }) => this.#called('generate', { params, state }, 'generator', state),
        'test.correct': (params, { state }) => this.#called('correct', { params, state }, 'corrector', state),
      },
      languages: Object.fromEntries(LANGUAGES.map((name) => [name, run])),
      ...(this.#input.llm_unavailable ? {} : { llm: (request) => this.#called('llm', { params: request }, 'evaluator', {}) }),
      resolveSchema: (uri) => {
        const text = this.#input.files?.[uri];
        if (text === undefined) throw new Error(`there is no file ${uri}`);
        return text;
      },
    };
  }

  async play(run) {
    const before = JSON.stringify(this.#input);
    const outcome = await run().then((result) => ({ result }), (error) => ({ error: named(error) }));
    if (JSON.stringify(this.#input) !== before) throw new Error('the input was changed');
    return { ...outcome, trace: this.#trace, calls: this.#calls };
  }

  #called(call, handed, owner, state) {
    this.#trace.push(structuredClone({ call, ...handed }));
    const script = this.#input[owner]?.script ?? this.#input.script;
    const count = (this.#calls[call] = (this.#calls[call] ?? 0) + 1);
    const step = script[Math.min(count, script.length) - 1];
    if (step.raise) throw Object.assign(new Error(step.raise.message), { type: step.raise.type });
    if ('return_state' in step) return state?.[step.return_state] ?? null;
    return decoded(step.return);
  }
}

/** A generator or corrector as the case has it. */
function party({ raw, via, params, script: _, ...rest }, name) {
  if (raw !== undefined) return raw;
  return via === 'run' ? { ...rest, run: name } : { ...rest, ...params, action: `test.${name}` };
}

function isFilled(given) {
  return typeof given === 'object' && given !== null && Object.keys(given).length > 0;
}

function stated(state) {
  return state === undefined ? {} : { state };
}

/** `{"$float": "NaN"}` and the like stand for numbers that JSON cannot write. */
function decoded(value) {
  if (Array.isArray(value)) return value.map(decoded);
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.$float === 'string') return Number(value.$float);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decoded(inner)]));
}

function named(error) {
  if (error instanceof hindscope.ReflectionConfigError) return { type: 'config' };
  if (error instanceof hindscope.ReflectionTemplateError) return { type: 'template' };
  if (error instanceof hindscope.ReflectionFailedError) return { type: 'ReflectionFailedError', history: error.attempts };
  throw error;
}
