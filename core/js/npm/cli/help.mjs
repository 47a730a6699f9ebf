// Help that teaches by example.
import { COMMANDS } from './commands.mjs';
import { EXIT_MEANS } from './errors.mjs';
import { optionsOf, usage } from './options.mjs';
import { table } from './style.mjs';
import { wrapped } from './text.mjs';

const COLUMNS = 100;

/** What every command that opens something says about it. */
export const PATHS =
  'PATH is a file, a folder or an archive (zip, tar, tar.gz, gz) of any format that hindscope opens, or - for standard input. ' +
  'Without one it is .aiwg/ralph if the current folder has that, else the current folder.';

/** How a run is named. */
export const RUN =
  'RUN is the id of a task or loop as `hindscope stats` lists it, or one of its other ids; where two groups have the same, GROUP/RUN.';

/** Help of the whole. */
export function overview(style) {
  const { bold, dim } = style;
  const commands = Object.entries(COMMANDS).map(([name, [summary]]) => [[name, bold], summary]);
  return [
    'hindscope shows what an agent loop remembered, whether it learned, and where it got stuck.',
    '',
    `${bold('Usage')}  hindscope COMMAND [OPTIONS] [PATH…]`,
    '',
    ...table([{}, {}], commands, { style, indent: '  ' }),
    '',
    bold('Begin with'),
    ...examples([
      ['hindscope stats runs/', 'what is in a folder'],
      ['hindscope history task-001', 'one task of .aiwg/ralph'],
      ['hindscope view --open runs.zip', 'the same on the page, in a browser'],
    ], style),
    '',
    ...prose(PATHS),
    '',
    ...prose('`hindscope COMMAND --help` has options and examples; `hindscope --version` the version.'),
    ...exits(dim),
    '',
  ].join('\n');
}

/** Help of one command. */
export function helpOf(command, style) {
  const { bold, dim } = style;
  const options = Object.entries(optionsOf(command)).map(([name, { short, value, says, choices }]) => {
    const names = `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`;
    return [[names, bold], choices ? `${says}: ${choices.join(', ')}` : says];
  });
  const widest = Math.max(...options.map(([[names]]) => names.length));
  const lines = options.flatMap(([[names], says]) =>
    wrapped(says, COLUMNS - widest - 4).map((line, at) => `  ${at === 0 ? bold(names.padEnd(widest)) : ' '.repeat(widest)}  ${line}`),
  );
  return [
    `${command.summary}.`,
    '',
    `${bold('Usage')}  ${usage(command)}`,
    '',
    bold('Examples'),
    ...examples(command.examples, style),
    '',
    bold('Options'),
    ...lines,
    ...(command.notes ?? []).flatMap((note) => ['', ...prose(note)]),
    ...exits(dim, command.exits),
    '',
  ].join('\n');
}

function examples(list, { dim }) {
  return list.flatMap(([call, what]) => [`  ${call}`, dim(`      ${what}`)]);
}

function prose(text) {
  return wrapped(text, COLUMNS);
}

function exits(dim, own = {}) {
  const list = Object.entries({ ...EXIT_MEANS, ...own }).map(([code, means]) => `${code} ${means}`);
  return ['', ...wrapped(`Exit codes: ${list.join('; ')}.`, COLUMNS).map((line) => dim(line))];
}
