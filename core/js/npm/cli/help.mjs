// Help that teaches by example.
import { COMMANDS } from './commands.mjs';
import { EXIT_MEANS } from './errors.mjs';
import { optionsOf, usage } from './options.mjs';
import { width, wrapped } from './text.mjs';

/** What is easy to read, on a terminal that has as many columns. */
const COLUMNS = 100;

/** What every command that opens something says about it. */
export const PATHS =
  'PATH is a file, a folder or an archive (zip, tar, tar.gz, gz) of any format that hindscope opens, or - for standard input. ' +
  'Without one it is .aiwg/ralph if the current folder has that, else the current folder.';

/** How a run is named. */
export const RUN =
  'RUN is the id of a task or loop as `hindscope stats` lists it, or one of its other ids; where two groups have the same, GROUP/RUN.';

/** Help of the whole. */
export function overview(style, room = COLUMNS) {
  const columns = Math.min(room, COLUMNS);
  const { bold, dim } = style;
  const commands = Object.entries(COMMANDS).map(([name, [summary]]) => [name, summary]);
  return [
    'hindscope shows what an agent loop remembered, whether it learned, and where it got stuck.',
    '',
    `${bold('Usage')}  hindscope COMMAND [OPTIONS] [PATH…]`,
    '',
    ...listed(commands, columns, style),
    '',
    bold('Begin with'),
    ...examples([
      ['hindscope stats runs/', 'what is in a folder'],
      ['hindscope history task-001', 'one task of .aiwg/ralph'],
      ['hindscope view --open runs.zip', 'the same on the page, in a browser'],
    ], columns, style),
    '',
    ...wrapped(PATHS, columns),
    '',
    ...wrapped('`hindscope COMMAND --help` has options and examples; `hindscope --version` the version.', columns),
    ...exits(dim, columns),
    '',
  ].join('\n');
}

/** Help of one command. */
export function helpOf(command, style, room = COLUMNS) {
  const columns = Math.min(room, COLUMNS);
  const { bold, dim } = style;
  const options = Object.entries(optionsOf(command)).map(([name, { short, value, says, choices }]) => {
    const names = `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`;
    return [names, choices ? `${says}: ${choices.join(', ')}` : says];
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

/** Names and what they are for: beside each other, or below where there is no room. */
function listed(rows, columns, { bold }) {
  const widest = Math.max(...rows.map(([name]) => width(name)));
  const room = columns - widest - 4;
  if (room < 30) return rows.flatMap(([name, says]) => [`  ${bold(name)}`, ...wrapped(says, columns - 6).map((line) => `      ${line}`)]);
  return rows.flatMap(([name, says]) => wrapped(says, room).map((line, at) => `  ${at === 0 ? bold(name.padEnd(widest)) : ' '.repeat(widest)}  ${line}`));
}

/** Calls stay whole, to be copied. */
function examples(list, columns, { dim }) {
  return list.flatMap(([call, what]) => [`  ${call}`, ...wrapped(what, columns - 6).map((line) => dim(`      ${line}`))]);
}

function exits(dim, columns, own = {}) {
  const list = Object.entries({ ...EXIT_MEANS, ...own }).map(([code, means]) => `${code} ${means}`);
  return ['', ...wrapped(`Exit codes: ${list.join('; ')}.`, columns).map((line) => dim(line))];
}
