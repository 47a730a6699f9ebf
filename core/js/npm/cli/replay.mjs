// Shows the actions of an attempt, one after the other.
import { actionState, iterationOf, printAfter, printBefore, printHead, printText } from './attempts.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { PATHS, RUN } from './help.mjs';
import { Keys } from './keys.mjs';
import { OPEN_OPTIONS, findRun, openRuns } from './open.mjs';
import { whole as number } from './options.mjs';
import { inline, named, visible } from './text.mjs';
import { plural } from './format.mjs';

/** How many lines of an output or diff are shown without --full. */
const MOST_LINES = 20;

export const usage = 'RUN [--attempt N] [--step] [PATH…]';
export const takes = { least: 1, missing: '`replay` needs the id of a run. `hindscope stats --runs` lists the ids.' };
export const options = {
  attempt: { type: 'string', short: 'a', value: 'N', says: 'the number of the attempt (default: the last one)' },
  step: { type: 'boolean', short: 's', says: 'wait for a key after each action: space or → for the next, ← for the previous, q to quit' },
  full: { type: 'boolean', says: `show outputs and diffs in full, not only their first ${MOST_LINES} lines` },
  ...OPEN_OPTIONS,
};
export const examples = [
  ['hindscope replay task-001 --attempt 2', 'shows each action: reason, expected result, actual result'],
  ['hindscope replay task-001 --attempt 2 --step', 'shows one action at a time, controlled by keys'],
  ["hindscope replay task-001 --json | jq '.attempt.actions[] | select(.success == false)'", 'selects the actions that failed'],
];
export const notes = [RUN, PATHS];

export async function run({ values, positionals, out }) {
  const [wanted, ...paths] = positionals;
  if (values.step && (out.isJson || !out.isTerminal || process.stdin.isTTY !== true)) {
    throw new Refusal('no-terminal', '--step needs a terminal for input and output, and cannot be combined with --json.', { hint: 'Without --step, all actions are printed at once.' });
  }
  const asked = number(values.attempt, 'attempt');
  const { history } = await openRuns(paths, out, values);
  const { run, group } = findRun(history, wanted);
  const last = run.iterations().at(-1);
  const at = asked ?? last?.number;
  if (at === undefined) throw new Refusal('no-such-iteration', `Run ${run.view.key} has no attempts.`, { exit: EXIT.no });
  const iteration = iterationOf(run, at);
  const attempt = run.attempt(at);
  const injected = run.injected(at);
  if (out.isJson) {
    out.json({ run: run.view, group, at, injected, attempt });
    return EXIT.ok;
  }
  out.line(`${out.style.bold(named(run.view.key))}  ${out.style.dim(named(group))}`);
  const actions = attempt.actions ?? [];
  const scenes = [
    () => {
      printHead(iteration, out);
      printBefore(attempt, injected, out);
      if (actions.length === 0) out.line(out.style.dim('  No actions recorded.'));
    },
    ...actions.map((action, position) => () => printAction(action, position, actions.length, values.full, out)),
    () => {
      out.line(out.style.bold(`Outcome of attempt ${at}: ${iteration.outcome}`));
      printAfter(attempt, out);
    },
  ];
  if (values.step) return stepped(scenes, out);
  for (const [position, scene] of scenes.entries()) {
    if (position > 0) out.line();
    scene();
  }
  return EXIT.ok;
}

function printAction(action, position, count, isFull, out) {
  const { style } = out;
  const tool = action.tool && action.tool !== action.type ? ` (${action.tool})` : '';
  const time = action.time ? style.dim(`  ${inline(action.time)}`) : '';
  out.line(`${style.bold(`Action ${position + 1} of ${count}`)}  ${inline(action.type + tool)}  ${actionState(action, style)}${time}`);
  if (action.isCredited) out.line(`  ${style.red('the reflection names this action as failing')}`);
  const print = (heading, text) => printText(heading, text, out, 8);
  print('what', action.description);
  print('file', action.path);
  print('command', action.command);
  print('why', action.reasoning);
  print('expected', action.expected);
  print('actual', actual(action, isFull));
  if (!action.command && !action.path) print('params', action.params);
  printDiff(action.diff, isFull, out);
}

/** The result of an action: its output, or only whether it succeeded. */
function actual({ output, success }, isFull) {
  if (output) return shortened(output, isFull);
  if (success === undefined) return 'not recorded';
  return success ? 'succeeded without output' : 'failed without output';
}

function printDiff(diff, isFull, out) {
  if (!diff) return;
  const { style } = out;
  out.line(`  ${style.cyan('diff')}`);
  const colours = { '+': style.green, '-': style.red, '@': style.magenta };
  for (const line of visible(shortened(diff, isFull)).trimEnd().split('\n')) out.line(`    ${(colours[line[0]] ?? String)(line)}`);
}

function shortened(text, isFull) {
  const lines = text.trimEnd().split('\n');
  if (isFull || lines.length <= MOST_LINES) return text;
  return [...lines.slice(0, MOST_LINES), `… ${plural(lines.length - MOST_LINES, 'more line')} (--full shows all)`].join('\n');
}

/** Shows scene by scene, controlled by keys. */
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
  return EXIT.ok;
}
