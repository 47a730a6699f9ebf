// Runs a command line: finds the command, parses its options, and prints its errors.
import { allCommands, command, summaries } from './commands.mjs';
import { EXIT, Refusal, refusalOf } from './errors.mjs';
import { helpOf, overview } from './help.mjs';
import { parsed } from './options.mjs';
import { Out } from './out.mjs';
import { version } from './version.mjs';

async function answer(given, out) {
  const [name, ...rest] = given;
  if (name === '--version' || name === '-V') {
    out.line(version());
    return EXIT.ok;
  }
  if (name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
    out.text(overview(summaries(), out.style, out.columns));
    return EXIT.ok;
  }
  if (name === 'help') {
    out.text(helpOf(await command(rest[0]), out.style, out.columns));
    return EXIT.ok;
  }
  if (name === undefined) {
    // Help that was not asked for is an error message, not output.
    out.aside(overview(summaries(), out.asideStyle, out.columns));
    return EXIT.usage;
  }
  if (name.startsWith('-')) {
    const commands = summaries().map(([known]) => known).join(', ');
    throw new Refusal('unknown-option', `Unknown option before the command: ${name}.`, { hint: `Write the command first: ${commands}.` });
  }
  const wanted = await command(name);
  out.isJson ||= wanted.isJson === true;
  const { values, positionals } = parsed(wanted, rest);
  out.isJson = values.json === true || wanted.isJson === true;
  if (values.help) {
    out.text(helpOf(wanted, out.style, out.columns));
    return EXIT.ok;
  }
  return wanted.run({ values, positionals, out, allCommands });
}

/** Runs a command line and returns its exit code. `host` has the streams and the environment. */
export async function run(given, host) {
  const out = new Out(host);
  // Read before anything is parsed, so that errors of parsing are JSON, too.
  out.isJson = given.includes('--json');
  try {
    return await answer(given, out);
  } catch (cause) {
    const refusal = refusalOf(cause);
    out.refuse(refusal);
    return refusal.exit;
  }
}
