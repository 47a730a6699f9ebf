// Whether what came out of a case is what it expects: the rules of tests/loop/README.md.

/** Keys whose values must be equal as a whole, without further keys. */
const EXACT = new Set(['output', 'reflection_output', 'reflection_best', 'corrected_output', 'data', 'text']);

/** The first difference between what a case expects and what came, or undefined. */
export function difference({ expect, recommend }, outcome) {
  try {
    for (const key of ['result', 'data', 'text', 'error']) if (key in expect) match(expect[key], outcome[key], key, EXACT.has(key));
    for (const key of expect.absent ?? []) if (key in (outcome.result ?? {})) differ(`${key} is there`);
    if (expect.trace) {
      if (expect.trace.length !== outcome.trace.length) differ(`${outcome.trace.length} calls instead of ${expect.trace.length}`);
      for (const [at, call] of expect.trace.entries()) {
        match(call, outcome.trace[at], `trace/${at}`, false);
        if (call.call !== 'llm' && call.params) match(call.params, outcome.trace[at].params, `trace/${at}/params`, true);
      }
    }
    if (expect.calls) counts(expect.calls, outcome.calls, recommend !== undefined);
    return undefined;
  } catch (error) {
    if (error instanceof Difference) return error.message;
    throw error;
  }
}

/** The same for two values, as a text. */
export function differenceOf(expected, actual, place) {
  try {
    match(expected, actual, place, false);
    return undefined;
  } catch (error) {
    if (error instanceof Difference) return error.message;
    throw error;
  }
}

class Difference extends Error {}

function differ(message) {
  throw new Difference(message);
}

function counts(expected, actual, isPartial) {
  if (Object.keys(expected).length === 0 && Object.keys(actual).length > 0) differ(`there were calls: ${JSON.stringify(actual)}`);
  for (const name of ['generate', 'evaluate', 'correct', 'llm']) {
    if (isPartial && !(name in expected)) continue;
    if ((actual[name] ?? 0) !== (expected[name] ?? 0)) differ(`${actual[name] ?? 0} calls of ${name} instead of ${expected[name] ?? 0}`);
  }
}

function match(expected, actual, place, isExact) {
  const fail = () => differ(`${place}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
  if (isObject(expected)) {
    const [[name, argument] = [], ...others] = Object.entries(expected);
    if (name?.startsWith('$') && others.length === 0) return holds(name, argument, actual) || fail();
    if (!isObject(actual)) fail();
    if (isExact && Object.keys(expected).length !== Object.keys(actual).length) fail();
    for (const [key, value] of Object.entries(expected)) {
      if (!Object.hasOwn(actual, key)) fail();
      match(value, actual[key], `${place}/${key}`, isExact || EXACT.has(key));
    }
    return undefined;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) fail();
    return expected.forEach((item, at) => match(item, actual[at], `${place}/${at}`, isExact));
  }
  // 1 equals 1.0 and −0 equals 0 by themselves.
  return expected === actual || fail();
}

function holds(name, argument, actual) {
  if (name === '$any') return { text: typeof actual === 'string', list: Array.isArray(actual), number: typeof actual === 'number', object: isObject(actual) }[argument];
  if (name === '$contains') return typeof actual === 'string' && [argument].flat().every((part) => actual.includes(part));
  if (name === '$json') return typeof actual === 'string' && isSame(argument, JSON.parse(actual), true);
  return name === '$errors' && Array.isArray(actual) && areErrors(argument, [...actual]);
}

/** In any order, and no further ones. */
function areErrors(expected, left) {
  if (expected.length !== left.length) return false;
  return expected.every((one) => {
    const at = left.findIndex((error) => {
      if (!Array.isArray(one)) return isSame(one, error, false);
      return error.path === one[0] && (error.keyword ?? error.schema_path?.at(-1)) === one[1];
    });
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function isSame(expected, actual, isExact) {
  try {
    match(expected, actual, '', isExact);
    return true;
  } catch (error) {
    if (error instanceof Difference) return false;
    throw error;
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
