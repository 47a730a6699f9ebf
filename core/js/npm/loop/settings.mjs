// Options of a loop: the configuration as the core reads it, and the functions that stay here.
import { guarded, isSignal, messageOf } from '../error.mjs';
import { ReflectionConfigError } from './failure.mjs';
import { coreHost } from './names.mjs';
import { jsonText } from './replies.mjs';
import { errorsOf, standardOf } from './standard.mjs';

const snake = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const spellings = (...names) => new Map(names.map((name) => [name, snake(name)]));

/** Members whose spelling differs. All others are handed on as they are, for the core to judge. */
const LOOP = new Map([
  ...spellings('maxIterations', 'onFailure', 'correctorMode', 'passScore', 'scoreScale', 'llmDefaults', 'judgeRetries', 'earlyStop'),
  ...spellings('attemptParams', 'deadlineMs', 'callTimeoutMs', 'failureLimits', 'historyLimit', 'unknownKeys'),
  ['generate', 'generator'],
  ['evaluate', 'evaluator'],
  ['correct', 'corrector'],
]);
const EVALUATOR = spellings('onFail', 'verificationType', 'assertFormats', 'schemaScore');
const INNER = {
  retry: spellings('initialMs', 'maxMs'),
  stall: spellings('minGain'),
  memory: spellings('loopId', 'taskDescription'),
};
const LOOPS = [LOOP, EVALUATOR, ...Object.values(INNER)];
const SINGLE = new Map([
  ...EVALUATOR,
  ...spellings('evaluatorType', 'correctorAction', 'correctorMode', 'passScore', 'scoreScale', 'judgeRetries', 'llmDefaults'),
  ...spellings('deadlineMs', 'callTimeoutMs'),
]);

/** Configurations that were read from YAML, and the objects in them: a copy of the options still has those. */
const YAML = new WeakSet();

/** Notes that a configuration was read from YAML. */
export function readFromYaml(config) {
  for (const value of [config, ...Object.values(config)]) if (typeof value === 'object' && value !== null) YAML.add(value);
  return config;
}

/**
 * Options by the names of the core, as these callers spell them: messages name what they wrote. What was read from YAML
 * has its spelling. So have other options of several words if all that are given have it, and likewise `generator`,
 * `evaluator` and `corrector`.
 */
function spellingOf(options, ...tables) {
  const names = new Map(tables.flatMap((table) => [...table].filter(([own, name]) => own !== name)));
  const given = Object.keys(options).filter((key) => options[key] !== undefined && !OURS.includes(key));
  const isYaml = [options, ...Object.values(options)].some((value) => YAML.has(value));
  const isSnake = isYaml || (given.some((key) => key.includes('_')) && !given.some((key) => /[A-Z]/.test(key)));
  const words = [...names].filter(([, name]) => !name.includes('_'));
  const isNoun = isYaml || (words.some(([, name]) => given.includes(name)) && !words.some(([own]) => given.includes(own)));
  const isCore = (name) => (name.includes('_') ? isSnake : isNoun) || given.includes(name);
  return Object.fromEntries([...names].map(([own, name]) => [name, isCore(name) && !given.includes(own) ? name : own]));
}

/** Options of the driver, which the core does not get. */
const OURS = ['llm', 'actions', 'languages', 'resolveSchema', 'signal', 'onEvent', 'now', 'at', 'loopSuffix'];

/** Options of a loop, taken apart. */
export function loopSettings(options) {
  return guarded(() => settingsOf(options), unreadable);
}

function settingsOf(options) {
  const { config: given, driver } = taken(options, LOOP);
  const callbacks = new Map();
  const config = configOf(given, callbacks);
  judgeModel(config, driver.llm);
  const hasMemory = isObject(config.memory);
  const spelling = spellingOf(options, ...LOOPS);
  const host = hostOf(hasMemory ? { ...driver, loopSuffix: driver.loopSuffix ?? unique() } : driver, spelling);
  return { ...driver, callbacks, config: jsonOf(config), host, hasMemory };
}

/** The configuration with names in place of functions. */
function configOf(given, callbacks) {
  const config = { ...given };
  for (const [key, spelling] of Object.entries(INNER)) {
    if (isObject(config[key])) config[key] = spelled(config[key], spelling, `/${key}`);
  }
  for (const key of ['generator', 'corrector']) {
    if (key in config) config[key] = called(config[key], key, callbacks);
  }
  const { evaluator } = config;
  if (Array.isArray(evaluator)) {
    config.evaluator = evaluator.map((one, at) => evaluatorOf(one, `evaluator ${at + 1}`, `/evaluator/${at}`, callbacks));
  } else if ('evaluator' in config) {
    config.evaluator = evaluatorOf(evaluator, 'evaluator', '/evaluator', callbacks);
  }
  return functionsAsText(config);
}

/** Turns functions in wrong places into texts, for the core to report: JSON would leave them out in silence. */
function functionsAsText(config) {
  for (const [key, value] of Object.entries(config)) if (typeof value === 'function' && key !== 'data') config[key] = '[function]';
  return config;
}

/** Options of an evaluation or correction by itself. `name` is that of its function. */
export function singleSettings(options, name) {
  return guarded(() => singleSettingsOf(options, name), unreadable);
}

function singleSettingsOf(options, name) {
  const { config: { state, ...params }, driver } = taken(options, SINGLE);
  const callbacks = new Map();
  if (typeof params[name] === 'function' && !standardOf(params[name])) {
    callbacks.set(name, params[name]);
    delete params[name];
    params.callback = name;
    if (name === 'evaluate') params.evaluator_type = 'custom';
  }
  if (name === 'evaluate') {
    replaceStandardSchema(params, callbacks);
    functionsAsText(params);
  }
  judgeModel(params, driver.llm);
  const host = hostOf(driver, spellingOf(options, SINGLE));
  return { ...driver, callbacks, params: jsonOf(params), state: jsonOf(state ?? null), host, hasMemory: false, isSingle: true };
}

/** A configuration without functions, and a host, for the machine by itself. */
export function plainSettings(config, host) {
  return guarded(() => {
    const { config: given, driver } = taken(config, LOOP);
    // A machine does not know the options of drivers, and reports them.
    const named = { spelling: spellingOf(config, ...LOOPS), ...host };
    return { config: jsonOf(configOf({ ...given, ...driver }, new Map())), host: jsonOf(coreHost(named)) };
  }, unreadable);
}

/** The same for one evaluation or correction. */
export function plainSingle(name, params, state, host) {
  return guarded(() => {
    // Anything else goes to the core as it is: the core answers that the request is wrong.
    const given = isObject(params) ? taken(params, SINGLE).config : params;
    if (name === 'evaluate' && isObject(given)) replaceStandardSchema(given, new Map());
    return { params: jsonOf(given ?? null), state: jsonOf(state ?? null), host: jsonOf(coreHost(host ?? {})) };
  }, unreadable);
}

function unreadable(cause) {
  return new ReflectionConfigError('config_value', `Cannot read the options: ${messageOf(cause)}`, {}, { cause });
}

function taken(options, spelling) {
  if (!isObject(options)) throw new ReflectionConfigError('config_value', 'The options of a loop must be an object.');
  const { ...config } = options;
  const driver = {};
  for (const name of OURS) {
    if (config[name] !== undefined && config[name] !== null) driver[name] = config[name];
    delete config[name];
  }
  for (const name of ['resolveSchema', 'onEvent', 'now', 'at', 'llm']) {
    if (driver[name] !== undefined && typeof driver[name] !== 'function') wrong(`/${name}`, `\`${name}\` must be a function.`);
  }
  if (driver.signal !== undefined && !isSignal(driver.signal)) wrong('/signal', '`signal` must be an AbortSignal.');
  return { config: spelled(config, spelling, ''), driver };
}

/** The members in the spelling of the core. Undefined is not given. */
function spelled(members, spelling, pointer) {
  const made = Object.create(null);
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined) continue;
    const name = spelling.get(key) ?? key;
    if (name in made) wrong(`${pointer}/${name}`, `\`${key}\` is given twice: \`${Object.keys(members).find((other) => other !== key && (spelling.get(other) ?? other) === name)}\` is the same option.`);
    made[name] = value;
  }
  return made;
}

/** A generator or corrector: a function is replaced by its name. */
function called(given, name, callbacks) {
  if (typeof given === 'function') {
    callbacks.set(name, given);
    return { callback: name };
  }
  if (!isObject(given) || typeof given.callback !== 'function') return given;
  callbacks.set(name, given.callback);
  return { ...given, callback: name };
}

function evaluatorOf(given, name, pointer, callbacks) {
  if (standardOf(given)) return evaluatorOf({ schema: given }, name, pointer, callbacks);
  if (typeof given === 'function') {
    callbacks.set(name, given);
    return { type: 'custom', callback: name };
  }
  if (!isObject(given)) return given;
  const { evaluate, ...rest } = spelled(given, EVALUATOR, pointer);
  const callback = typeof evaluate === 'function' ? evaluate : rest.callback;
  const standard = standardOf(rest.schema);
  if (typeof callback !== 'function' && standard) {
    const { schema, ...others } = rest;
    callbacks.set(name, judgeOf(standard));
    return { type: 'schema', ...others, callback: name };
  }
  if (typeof callback !== 'function') return evaluate === undefined ? rest : { ...rest, evaluate };
  callbacks.set(name, callback);
  return { type: 'custom', ...rest, callback: name };
}

/** An evaluation by itself: a schema of another library is replaced by the name of a function. */
function replaceStandardSchema(params, callbacks) {
  const standard = standardOf(params.evaluate) ?? standardOf(params.schema);
  if (!standard || params.callback !== undefined) return;
  delete params.evaluate;
  delete params.schema;
  callbacks.set('evaluate', judgeOf(standard));
  params.callback = 'evaluate';
  params.evaluator_type = 'schema';
}

/** A function that judges by a schema of another library. */
function judgeOf(standard) {
  return ({ output }) => errorsOf(standard, output);
}

/** A judge that names no model gets the one that the endpoint was made for. */
function judgeModel(config, llm) {
  if (config.llm_defaults === undefined && typeof llm?.model === 'string') {
    config.llm_defaults = { provider: 'openai', model: llm.model };
  }
}

/** What this host can do, as the core asks for it. */
function hostOf({ llm, actions, languages, signal, loopSuffix }, spelling) {
  const names = (given, what) => {
    if (given === undefined) return [];
    if (!isObject(given)) wrong(`/${what}`, `\`${what}\` must be an object that maps names to functions.`);
    return Object.keys(given).filter((name) => given[name] !== undefined);
  };
  const known = names(actions, 'actions');
  if (llm && !known.includes('llm.call')) known.push('llm.call');
  const aborted = signal?.aborted ? reasonOf(signal) : null;
  return jsonText({ llm: llm !== undefined, actions: known, languages: names(languages, 'languages'), clock: true, options: OURS, spelling, loop_suffix: loopSuffix, aborted });
}

/** A text that no other loop has, and that sorts by time. */
function unique() {
  const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase();
  const [chance] = crypto.getRandomValues(new Uint32Array(1));
  return `${time}-${chance.toString(16).padStart(8, '0')}`;
}

/** A signal that has the methods, but throws when it is listened to. */
export function deafSignal(cause) {
  return new ReflectionConfigError('config_value', `Cannot listen to \`signal\`: ${messageOf(cause)}`, { field: '/signal' }, { cause });
}

/** The reason of an abort as text; empty if it has none. */
export function reasonOf({ reason }) {
  return reason === undefined ? '' : messageOf(reason);
}

function jsonOf(value) {
  try {
    return jsonText(value) ?? 'null';
  } catch (cause) {
    throw new ReflectionConfigError('config_value', `Cannot convert the configuration to JSON: ${messageOf(cause)}`, {}, { cause });
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(field, message) {
  throw new ReflectionConfigError('config_value', message, { field });
}
