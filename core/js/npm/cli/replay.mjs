// The actions of an attempt, one after the other.
import { actionState, iterationOf, tellAfter, tellBefore, tellHead, tellText } from './attempts.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { PATHS, RUN } from './help.mjs';
import { Keys } from './keys.mjs';
import { findRun, openRuns } from './open.mjs';
import { whole as number } from './options.mjs';
import { inline, visible } from './text.mjs';
import { noun } from './words.mjs';

/** Lines of an output or diff that are shown without --full. */
const MOST_LINES = 20;

export const usage = 'RUN [--attempt N] [--step] [PATH…]';
export const takes = { least: 1, missing: '`replay` needs the id of a run: `hindscope stats --runs` lists them.' };
export const options = {
  attempt: { type: 'string', short: 'a', value: 'N', says: 'which attempt, by its number; the last one if left out' },
  step: { type: 'boolean', short: 's', says: 'waits for a key before each action: space or → goes on, ← back, q ends' },
  full: { type: 'boolean', says: `outputs and diffs in full; otherwise their first ${MOST_LINES} lines` },
};
export const examples = [
  ['hindscope replay task-001 --attempt 2', 'every action: why it was done, what was expected, what came of it'],
  ['hindscope replay task-001 --attempt 2 --step', 'the same by keyboard, one action at a time'],
  ["hindscope replay task-001 --json | jq '.attempt.actions[] | select(.success == false)'", 'the actions that failed'],
];
export const notes = [RUN, PATHS];

export async function run({ values, positionals, out }) {
  const [wanted, ...paths] = positionals;
  if (values.step && (out.isJson || !out.isTerminal || process.stdin.isTTY !== true)) {
    throw new Refusal('no-terminal', '--step waits for keys, and there is no terminal.', { hint: 'Without --step all actions come at once.' });
  }
  const asked = number(values.attempt, 'attempt');
  const { history } = await openRuns(paths, out);
  const { run, group } = findRun(history, wanted);
  const last = run.iterations().at(-1);
  const at = asked ?? last?.number;
  if (at === undefined) throw new Refusal('no-such-iteration', `Run ${run.view.key} has no attempt that could be replayed.`, { exit: EXIT.negative });
  const iteration = iterationOf(run, at);
  const attempt = run.attempt(at);
  const injected = run.injected(at);
  if (out.isJson) {
    out.json({ run: run.view, group, at, injected, attempt });
    return EXIT.fine;
  }
  out.line(`${out.style.bold(inline(run.view.key))}  ${out.style.dim(inline(group))}`);
  const actions = attempt.actions ?? [];
  const scenes = [
    () => {
      tellHead(iteration, out);
      tellBefore(attempt, injected, out);
      if (actions.length === 0) out.line(out.style.dim('  No action of it is recorded.'));
    },
    ...actions.map((action, position) => () => tellAction(action, position, actions.length, values.full, out)),
    () => {
      out.line(out.style.bold(`Outcome of attempt ${at}`));
      tellAfter(attempt, out);
    },
  ];
  if (values.step) return stepped(scenes, out);
  for (const [position, scene] of scenes.entries()) {
    if (position > 0) out.line();
    scene();
  }
  return EXIT.fine;
}

function tellAction(action, position, count, isFull, out) {
  const { style } = out;
  const tool = action.tool && action.tool !== action.type ? ` (${action.tool})` : '';
  const time = action.time ? style.dim(`  ${inline(action.time)}`) : '';
  out.line(`${style.bold(`Action ${position + 1} of ${count}`)}  ${inline(action.type + tool)}  ${actionState(action, style)}${time}`);
  if (action.isCredited) out.line(`  ${style.red('named as failing by the reflection')}`);
  const tell = (heading, text) => tellText(heading, text, out, 8);
  tell('what', action.description);
  tell('file', action.path);
  tell('command', action.command);
  tell('why', action.reasoning);
  tell('expected', action.expected);
  tell('actual', actual(action, isFull));
  if (!action.command && !action.path) tell('params', action.params);
  tellDiff(action.diff, isFull, out);
}

/** What came of it: its output, else only whether it worked. */
function actual({ output, success }, isFull) {
  if (output) return shortened(output, isFull);
  if (success === undefined) return 'not recorded';
  return success ? 'it worked, without output' : 'it failed, without output';
}

function tellDiff(diff, isFull, out) {
  if (!diff) return;
  const { style } = out;
  out.line(`  ${style.cyan('diff')}`);
  const dress = { '+': style.green, '-': style.red, '@': style.magenta };
  for (const line of visible(shortened(diff, isFull)).trimEnd().split('\n')) out.line(`    ${(dress[line[0]] ?? String)(line)}`);
}

function shortened(text, isFull) {
  const lines = text.trimEnd().split('\n');
  if (isFull || lines.length <= MOST_LINES) return text;
  return [...lines.slice(0, MOST_LINES), `… ${noun(lines.length - MOST_LINES, 'line')} more: --full shows them`].join('\n');
}

/** Scene by scene, as keys ask for them. */
async function stepped(scenes, out) {
  const keys = new Keys(process.stdin);
  try {
    for (let at = 0; at < scenes.length; ) {
      out.line();
      scenes[at]();
      if (at === scenes.length - 1) break;
      out.text(out.style.dim(`\n  ${at + 1}/${scenes.length}  space or → next, ← back, e end, q quit `));
      const key = await keys.next();
      out.text('\r\x1b[K');
      if (key === 'interrupt') return EXIT.interrupted;
      if (key === 'q') break;
      if (key === 'e') at = scenes.length - 1;
      else if (key === 'back') at = Math.max(at - 1, 0);
      else at += 1;
    }
  } finally {
    keys.end();
  }
  return EXIT.fine;
}
