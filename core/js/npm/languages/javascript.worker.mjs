// JavaScript in Node: a context of its own inside a worker whose own realm has lost everything.
import vm from 'node:vm';
import { freezeRealm } from './disarm.mjs';
import { serve } from './serve.mjs';

/** Runs inside the context. Only texts and functions of the context pass its border. */
const INSIDE = `
  const { parse, stringify } = JSON;
  let answer;
  const fail = (cause) => {
    try {
      // What \`import()\` rejects with is no error of this context.
      const isError = cause instanceof Error || typeof cause?.message === 'string';
      answer = 'E' + (isError ? cause.name + ': ' + cause.message : 'thrown: ' + stringify(cause));
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
`;

/** Without `return`, a variable of that name is the answer. */
const TAIL = "\n;return typeof result === 'undefined' ? undefined : result;";

const { compileFunction, createContext } = vm;
const soon = setTimeout;

serve(() => {
  // Without a prototype, so that the context's global inherits from the context's own Object.
  const parsingContext = createContext(Object.create(null));
  const { go, answer } = compileFunction(INSIDE, [], { parsingContext })();
  return async ({ code, state, output }) => {
    freezeRealm();
    let compiled;
    try {
      const names = output === undefined ? ['state'] : ['state', 'output'];
      compiled = compileFunction(code + TAIL, names, { parsingContext, filename: 'code.js' });
    } catch (cause) {
      throw `${cause.name}: ${cause.message}`;
    }
    go(compiled, state, output);
    // A promise that never settles is ended with the worker.
    while (answer() === undefined) await new Promise((resolve) => soon(resolve, 1));
    const text = answer();
    if (text[0] === 'E') throw text.slice(1);
    return text.slice(1);
  };
});
