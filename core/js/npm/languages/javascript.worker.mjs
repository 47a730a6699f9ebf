// JavaScript in a worker, in an engine of its own: QuickJS as wasm. Text in, text out. The engine knows no function of this
// realm, so what code can reach is what the engine gives it, in a memory that has a limit.
import { messageOf, serve } from './serve.mjs';

/** What the engine asks of its memory. */
const PAGES = { initial: 256, maximum: 32_768 };

/** Runs inside the engine. Its own names are taken before the code can change them. */
const INSIDE = `(() => {
  const { parse, stringify } = JSON;
  let answer;
  const fail = (cause) => {
    try {
      const isError = cause instanceof Error;
      const line = isError && /code\\.js:(\\d+)/.exec(cause.stack)?.[1];
      answer = 'E' + (isError ? cause.name + ': ' + cause.message + (line ? ' (line ' + line + ')' : '') : 'thrown: ' + stringify(cause));
    } catch {
      answer = 'Ean exception without a message';
    }
  };
  const say = (value) => {
    try {
      // Integers that JSON cannot hold travel as text.
      answer = 'V' + (stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? 'null');
    } catch (cause) {
      fail(cause);
    }
  };
  return {
    go(code, state, output) {
      try {
        const value = output === undefined ? code(parse(state)) : code(parse(state), parse(output));
        if (value !== null && typeof value === 'object' && typeof value.then === 'function') Promise.resolve(value).then(say, fail);
        else say(value);
      } catch (cause) {
        fail(cause);
      }
    },
    answer: () => answer,
  };
})()`;

/** Without `return`, a variable of that name is the answer. */
const TAIL = "\n;return typeof result === 'undefined' ? undefined : result;";

serve(async ({ engine, files }) => {
  const { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } =
    // Bundlers look for a name that stands by itself.
    engine ? await import(/* @vite-ignore */ engine) : await import('quickjs-emscripten');
  const place = files && { wasmLocation: new URL('emscripten-module.wasm', files).href };
  /** An engine in which no code has run. */
  let context;

  async function renew() {
    const wasmMemory = new WebAssembly.Memory(PAGES);
    const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory, ...place }));
    context = quickjs.newContext();
  }

  function run({ code, state, output }) {
    try {
      const text = answerOf(context, code, state, output);
      return text.startsWith('EInternalError: out of memory') ? 'M' : text;
    } catch (cause) {
      // The engine itself gave up: its stack or its memory came to an end.
      return `E${messageOf(cause)}`;
    }
  }

  await renew();
  return { run, renew };
});

/** What the code answers, as text: V and JSON, or E and what went wrong. Nothing is freed: the engine is thrown away as a whole. */
function answerOf(context, code, state, output) {
  const { runtime } = context;
  const inside = context.unwrapResult(context.evalCode(INSIDE));
  const names = output === undefined ? 'state' : 'state, output';
  const compiled = context.evalCode(`(function (${names}) {${code}${TAIL}})`, 'code.js');
  if (compiled.error) {
    const { name = 'Error', message = 'the code cannot be read', lineNumber } = context.dump(compiled.error) ?? {};
    return `E${name}: ${message}${lineNumber ? ` (line ${lineNumber})` : ''}`;
  }
  const given = [state, output].filter((text) => text !== undefined).map((text) => context.newString(text));
  context.unwrapResult(context.callFunction(context.getProp(inside, 'go'), context.undefined, compiled.value, ...given));
  context.unwrapResult(runtime.executePendingJobs());
  const answer = context.unwrapResult(context.callFunction(context.getProp(inside, 'answer'), context.undefined));
  // There are no timers: once nothing is left to run, nothing can settle a promise.
  return context.typeof(answer) === 'string' ? context.getString(answer) : 'EThe promise that the code returns never settles.';
}
