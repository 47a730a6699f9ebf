// The texts of --help.
import { EXIT_MEANS } from './errors.mjs';
import { optionsOf, usage } from './options.mjs';
import { width, wrapped } from './text.mjs';

/** Longer lines are hard to read, even where a terminal has room for them. */
const COLUMNS = 100;

/** What the PATH of a command may be. */
export const PATH = 'PATH is a file, a folder, an archive (zip, tar, tar.gz, gz), or - for standard input. The content decides the format.';

/** The same for commands that need no PATH. */
export const PATHS = `${PATH} Without a PATH, hindscope reads .aiwg/ralph and .aiwg/ralph-external (where the agent framework aiwg keeps its memory) in the current folder, or the current folder if there is neither.`;

/** How to name a run. */
export const RUN = 'RUN is the id of a task or loop, as `hindscope stats --runs` lists it. If two groups have a run of that id, write GROUP/RUN.';

/** The help of `hindscope` itself. `commands` are pairs of a name and a summary. */
export function overview(commands, style, room = COLUMNS) {
  const columns = Math.min(room, COLUMNS);
  const { bold, dim } = style;
  return [
    'hindscope shows what an agent loop remembered, whether it learned, and where it got stuck.',
    '',
    `${bold('Usage')}  hindscope COMMAND [OPTIONS] [PATH…]`,
    '',
    ...listed(commands, columns, style),
    '',
    bold('Examples'),
    ...examples([
      ['hindscope stats runs/', 'counts what a folder holds'],
      ['hindscope history task-001', 'shows one task of .aiwg/ralph'],
      ['hindscope view --open runs.zip', 'shows an archive in the browser'],
    ], columns, style),
    '',
    ...wrapped(PATHS, columns),
    '',
    ...wrapped('An attempt is one try of an agent at a task, or one iteration of a loop. Findings call it an iteration.', columns),
    '',
    ...wrapped('`hindscope COMMAND --help` shows options and examples, `hindscope --version` the version.', columns),
    ...exits(dim, columns),
    '',
  ].join('\n');
}

/** The help of one command. */
export function helpOf(command, style, room = COLUMNS) {
  const columns = Math.min(room, COLUMNS);
  const { bold, dim } = style;
  const options = Object.entries(optionsOf(command)).map(([name, { short, value, says, choices }]) => {
    const names = `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`;
    return [names, choices ? `${says}. Values: ${choices.join(', ')}` : says];
  });
  return [
    ...wrapped(`${command.summary}.`, columns),
    '',
    `${bold('Usage')}  ${usage(command)}`,
    '',
    bold('Examples'),
    ...examples(command.examples, columns, style),
    '',
    bold('Options'),
    ...listed(options, columns, style),
    ...(command.notes ?? []).flatMap((note) => ['', ...wrapped(note, columns)]),
    ...exits(dim, columns, command.exits),
    '',
  ].join('\n');
}

/** Names and their descriptions in two columns, or below each other on a narrow terminal. */
function listed(rows, columns, { bold }) {
  const widest = Math.max(...rows.map(([name]) => width(name)));
  const room = columns - widest - 4;
  if (room < 30) return rows.flatMap(([name, says]) => [`  ${bold(name)}`, ...wrapped(says, columns - 6).map((line) => `      ${line}`)]);
  return rows.flatMap(([name, says]) => wrapped(says, room).map((line, at) => `  ${at === 0 ? bold(name.padEnd(widest)) : ' '.repeat(widest)}  ${line}`));
}

/** Commands are never wrapped, so that they can be copied. */
function examples(list, columns, { dim }) {
  return list.flatMap(([call, what]) => [`  ${call}`, ...wrapped(what, columns - 6).map((line) => dim(`      ${line}`))]);
}

function exits(dim, columns, own = {}) {
  const list = Object.entries({ ...EXIT_MEANS, ...own }).map(([code, means]) => `${code} ${means}`);
  return ['', ...wrapped(`Exit codes: ${list.join('; ')}.`, columns).map((line) => dim(line))];
}
