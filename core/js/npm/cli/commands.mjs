// Every command there is. A command is a module of its own, loaded when it is called for.
import { Refusal, alike } from './errors.mjs';

/** What each command does in a few words, and where it is. In the order of the overview. */
export const COMMANDS = Object.freeze({
  stats: ['Runs, outcomes, success at each attempt and rewards', () => import('./stats.mjs')],
  history: ['A run, attempt by attempt, with its reflections', () => import('./history.mjs')],
  replay: ['The actions of an attempt: why, what was expected, what came of it', () => import('./replay.mjs')],
  search: ['Search everything that is open', () => import('./search.mjs')],
  insights: ['Where runs are stuck, what became of lessons, what recurs', () => import('./insights.mjs')],
  window: ['Which reflections an attempt could see', () => import('./window.mjs')],
  validate: ['Judge files of records, leniently or by the schema', () => import('./validate.mjs')],
  reflect: ['After an iteration: keep its reflection, say what the next one is told', () => import('./reflect.mjs')],
  doctor: ['Inspect a memory on disk, and mend it', () => import('./doctor.mjs')],
  loop: ['Run a reflection loop that a YAML file configures', () => import('./loop.mjs')],
  convert: ['Write what is open as bundle, CSV, Markdown, HTML, SVG or JSON', () => import('./convert.mjs')],
  view: ['Open the page with a history in it', () => import('./view.mjs')],
  completion: ['Completion for bash, zsh or fish', () => import('./completion.mjs')],
});

/** The command of a name. */
export async function command(name) {
  if (!Object.hasOwn(COMMANDS, name)) {
    const near = alike(name, Object.keys(COMMANDS));
    const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : '`hindscope --help` lists them.';
    throw new Refusal('unknown-command', `There is no command ${name}.`, { hint });
  }
  const [summary, load] = COMMANDS[name];
  return { name, summary, ...(await load()) };
}
