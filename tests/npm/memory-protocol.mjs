// Random work on a memory, and what is found of it afterwards: for stores that stop on the way.
import { random } from '../random.mjs';
import { hindscope } from './installed.mjs';

const { openHistory } = hindscope;

/** A clock that moves in odd steps, now and then back. */
export function clock(seed) {
  const next = random(seed);
  let ms = Date.UTC(2026, 2, 5, 9);
  return () => (ms += next(8) === 0 ? -60_000 : 1000 * next(90));
}

/** Steps of an agent, or of several: each knows what it kept, to be found again. */
export function protocol(seed, length) {
  const next = random(seed);
  const of = (list) => list[next(list.length)];
  const tasks = [];
  const steps = [];
  let mark = 0;
  const open = new Map();
  for (let at = 0; at < length; at += 1) {
    const task = tasks.length > 0 ? of(tasks) : undefined;
    const what = tasks.length === 0 || (tasks.length < 3 && next(8) === 0) ? 'init' : open.get(task) ? of(['log', 'log', 'log', 'log', 'end', 'add', 'status', 'reflect']) : of(['start', 'start', 'start', 'reflect']);
    const label = `m${(mark += 1)}`;
    if (what === 'init') {
      const id = `task-00${tasks.length + 1}`;
      tasks.push(id);
      steps.push({ what, task: id, label, call: (memory) => memory.initTask({ id, description: `${label} sort`, tags: ['t'] }) });
    } else if (what === 'start') {
      open.set(task, true);
      const options = of([{}, { agent: 'coder' }, { plan: { approach: 'Ü', steps: ['a'] } }, { withoutReflections: true }, { similar: 2 }]);
      steps.push({ what, task, label, call: (memory) => memory.startAttempt(task, options) });
    } else if (what === 'log') {
      const action = { type: of(['bash', 'read', 'edit']), params: { label }, success: next(2) === 0, output: '…\n'.repeat(next(9)), iteration: 1 + next(3), quality: next(11) / 10 };
      steps.push({ what, task, label, call: (memory) => memory.logAction(task, action) });
    } else if (what === 'end') {
      open.set(task, false);
      const ending = { outcome: of(['failure', 'failure', 'timeout', 'success']), reflection: { learning: label }, finalQuality: next(11) / 10 };
      steps.push({ what, task, label, call: (memory) => memory.completeAttempt(task, ending) });
    } else if (what === 'add') {
      steps.push({ what, task, label, call: (memory) => memory.addReflection(task, { learning: label }) });
    } else if (what === 'status') {
      const status = of(['paused', 'running']);
      steps.push({ what, task, label, call: (memory) => memory.setStatus(task, status) });
    } else {
      steps.push({ what, label, call: (memory) => memory.reflect('ralph-001', { outcome: of(['failure', 'partial', 'success']), reflection: label }) });
    }
  }
  return steps;
}

/** The labels that are found of everything that was to be kept. */
export async function labelsOf(memory, store) {
  const labels = new Set();
  for (const task of store.list('tasks')?.folders ?? []) {
    const { files, folders } = store.list(`tasks/${task}`);
    // A folder that was made for a task that never came.
    if (files.length + folders.length === 0) continue;
    const { metadata, attempts, reflections } = await memory.queryHistory(task);
    if (metadata) labels.add(String(metadata.description).split(' ')[0]);
    for (const { actions } of attempts) for (const { params } of actions) labels.add(params.label);
    for (const { learning } of reflections) labels.add(learning);
  }
  for (const file of store.list('reflections/loops/ralph-001')?.files ?? []) {
    const text = new TextDecoder().decode(store.read(`reflections/loops/ralph-001/${file}`).bytes);
    for (const [label] of text.matchAll(/\bm\d+\b/g)) labels.add(label);
  }
  return labels;
}

/** Whether a step keeps something of its own. */
export const keeps = ({ what }) => ['init', 'log', 'end', 'add', 'reflect'].includes(what);

/** What a doctor found. */
export const faults = ({ findings }) => findings.map(({ path, rule, message }) => `${path}: ${rule} ${message}`);

/** What is wrong with the history that the files are, but for files that only keep what could not be used. */
export function oddities(items) {
  const history = openHistory(items);
  const paths = history.sources().map(({ path }) => path);
  const odd = history.eachFinding().filter(({ source, severity }) => severity !== 'info' && !paths[source]?.includes('.broken-'));
  history.free();
  return odd.map(({ rule, source, message }) => `${paths[source]}: ${rule} ${message}`);
}
