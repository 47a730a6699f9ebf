// The table of commands. Each is a module of its own, loaded when it is called for; none of them imports
// this file.
import { Refusal, similar } from './errors.mjs';

/** What each command does, and its module; in the order of `hindscope --help`. */
const COMMANDS = Object.freeze({
  stats: ['Count runs, outcomes, success by attempt, and rewards', () => import('./stats.mjs')],
  history: ['Show a run attempt by attempt, with its reflections', () => import('./history.mjs')],
  replay: ['Show the actions of an attempt: reason, expected result, actual result', () => import('./replay.mjs')],
  search: ['Search tasks, reflections, actions and errors', () => import('./search.mjs')],
  insights: ['Find stuck loops, forgotten lessons and recurring patterns', () => import('./insights.mjs')],
  compare: ['Compare experiments over the same tasks: which solved more, and how sure that is', () => import('./compare.mjs')],
  window: ['Show which reflections an attempt could see', () => import('./window.mjs')],
  validate: ['Check files of records, leniently or against a JSON Schema', () => import('./validate.mjs')],
  reflect: ['Store the reflection of an iteration, and print the lessons for the next one', () => import('./reflect.mjs')],
  task: ['Keep tasks and attempts in a memory: JSON in and out, for any language', () => import('./task.mjs')],
  doctor: ['Check a memory folder, and repair it', () => import('./doctor.mjs')],
  loop: ['Run a reflection loop from a YAML file', () => import('./loop.mjs')],
  convert: ['Export runs as history, CSV, Markdown, HTML, SVG or JSON', () => import('./convert.mjs')],
  view: ['Show a history in the browser', () => import('./view.mjs')],
  completion: ['Print the completion script for bash, zsh or fish', () => import('./completion.mjs')],
});

/** The command of that name, loaded. */
export async function command(name) {
  if (!Object.hasOwn(COMMANDS, name)) {
    const near = similar(name, Object.keys(COMMANDS));
    const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : '`hindscope --help` lists the commands.';
    throw new Refusal('unknown-command', `Unknown command: ${name}.`, { hint });
  }
  const [summary, load] = COMMANDS[name];
  return { name, summary, ...(await load()) };
}

/** All commands, loaded. */
export function allCommands() {
  return Promise.all(Object.keys(COMMANDS).map(command));
}

/** Name and summary of each command. */
export function summaries() {
  return Object.entries(COMMANDS).map(([name, [summary]]) => [name, summary]);
}
