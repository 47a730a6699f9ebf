// Finds the command that is meant, runs it, and says how it ended.
import { readFileSync } from 'node:fs';
import { COMMANDS, command } from './commands.mjs';
import { EXIT, Refusal, refusalOf } from './errors.mjs';
import { helpOf, overview } from './help.mjs';
import { parsed } from './options.mjs';
import { Out } from './out.mjs';

/** The version of the package. */
function version() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

async function answer(given, out) {
  const [name, ...rest] = given;
  if (name === '--version' || name === '-V') {
    out.line(version());
    return EXIT.fine;
  }
  if (name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
    out.text(overview(out.style, out.columns));
    return EXIT.fine;
  }
  if (name === 'help') {
    out.text(helpOf(await command(rest[0]), out.style, out.columns));
    return EXIT.fine;
  }
  if (name === undefined) {
    // Nobody asked for help: the answer is no output, and the call was none.
    out.aside(overview(out.asideStyle, out.columns));
    return EXIT.misuse;
  }
  if (name.startsWith('-')) {
    const commands = Object.keys(COMMANDS).join(', ');
    throw new Refusal('unknown-option', `There is no option ${name} before a command.`, { hint: `Commands: ${commands}.` });
  }
  const wanted = await command(name);
  const { values, positionals } = parsed(wanted, rest);
  out.isJson = values.json === true;
  if (values.help) {
    out.text(helpOf(wanted, out.style, out.columns));
    return EXIT.fine;
  }
  return wanted.run({ values, positionals, out, version: version() });
}

/** Runs a command line; gives its exit code. `host` has its streams and its environment. */
export async function run(given, host) {
  const out = new Out(host);
  // Known before anything is parsed, so that mistakes are told in the form that was asked for.
  out.isJson = given.includes('--json');
  try {
    return await answer(given, out);
  } catch (cause) {
    const refusal = refusalOf(cause);
    out.refuse(refusal);
    return refusal.exit;
  }
}
