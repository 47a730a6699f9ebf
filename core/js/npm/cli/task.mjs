// Keeps tasks and attempts in a memory: a call of the memory each, JSON in and out, for agents in any language.
import { EXIT, Refusal } from './errors.mjs';
import { HOME, jsonObject, openMemory } from './memory.mjs';
import { standardInput } from './open.mjs';

/** What each verb takes beside the task, and whether it takes one. */
const VERBS = Object.freeze({
  init: { needs: 'the task', call: (memory, task) => memory.initTask(task) },
  start: { task: true, call: (memory, task, options) => memory.startAttempt(task, options) },
  log: { task: true, needs: 'the action', call: (memory, task, { attempt, ...action }) => memory.logAction(task, action, { attempt }) },
  result: { task: true, needs: 'the result', call: (memory, task, result) => memory.addResult(task, result) },
  complete: { task: true, needs: 'how the attempt ended', call: (memory, task, ending) => memory.completeAttempt(task, ending) },
  recall: { task: true, call: (memory, task, filter) => memory.queryHistory(task, filter) },
  list: { call: (memory, { query = '', ...filter }) => memory.search(query, filter) },
});

export const usage = 'VERB [TASK] [JSON] [--memory FOLDER]';
export const takes = { least: 1, most: 3, missing: '`task` needs a verb.', first: Object.keys(VERBS) };
/** Answers and errors are JSON without being asked for it. */
export const isJson = true;
export const options = {
  memory: { type: 'string', value: 'FOLDER', says: `the folder of the memory (default: ${HOME}); \`init\` creates it` },
};
export const examples = [
  ['hindscope task init \'{"description": "Make the build green.", "tags": ["build"]}\'', 'creates a task; its id is `task` of the answer'],
  ['hindscope task start task-001 \'{"agent": "coder"}\'', 'begins an attempt; `plan` of the answer has the lessons of earlier attempts'],
  ['hindscope task log task-001 \'{"type": "bash", "params": {"command": "make"}, "success": false, "error": "exit 2"}\'', 'adds an action to the latest attempt'],
  ['hindscope task result task-001 \'{"iteration": 1, "name": "report.txt", "text": "2 of 3 passed"}\'', 'keeps a file that an iteration has made, in results/iter-001 of the latest attempt; `base64` instead of `text` for what is no text'],
  ['hindscope task complete task-001 \'{"outcome": "failure", "reflection": "Run make clean first."}\'', 'ends the latest attempt with `outcome` success, failure or timeout; `reflection` may be left out, and is a text, or has `observation`, `analysis`, `learning` and `actionItems`'],
  ['hindscope task recall task-001 \'{"outcome": "failure", "limit": 20}\'', 'prints what the task remembers; files of iterations are listed, and with `results` true come with what they hold'],
  ['hindscope task list \'{"status": "running"}\'', 'lists tasks; with `query`, those that share words with it'],
];
export const notes = [
  'VERB is init JSON, start TASK [JSON], log TASK JSON, result TASK JSON, complete TASK JSON, recall TASK [JSON] or list [JSON]. JSON is an object, or - for standard input.',
  'The properties of JSON are those of `initTask`, `startAttempt`, `logAction`, `addResult`, `completeAttempt`, `queryHistory` and `search` of `EpisodicMemory` in the npm package (hindscope/memory). `log` takes `attempt`, too. Answers and errors are JSON. `list` with a query is the search that the layout of aiwg has the folder index/embeddings for: it compares words, and hindscope writes no embeddings.',
];

export async function run({ values, positionals: [verb, ...rest], out }) {
  const { task: hasTask = false, needs, call } = VERBS[verb];
  const [task, json, ...more] = hasTask ? rest : [undefined, ...rest];
  const refused = (code, message) => new Refusal(code, message, { hint: `Usage: hindscope task ${usage}` });
  if (hasTask && task === undefined) throw refused('missing-argument', `\`task ${verb}\` needs the id of a task.`);
  if (needs && json === undefined) throw refused('missing-argument', `\`task ${verb}\` needs ${needs} as JSON.`);
  if (more.length > 0) throw refused('too-many-arguments', `Unexpected argument: ${more[0]}.`);
  const given = json === '-' ? jsonObject(String(await standardInput()), 'Standard input', 'task') : jsonObject(json ?? '{}', 'JSON', 'task');
  if (hasTask && 'task' in given) throw refused('invalid-request', `Unexpected property \`task\`: the task is ${task}.`);
  const memory = await openMemory(values.memory ?? HOME, verb === 'init');
  out.json(await (hasTask ? call(memory, task, given) : call(memory, given)));
  return EXIT.ok;
}
