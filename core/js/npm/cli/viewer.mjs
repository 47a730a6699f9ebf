// The page in one file, which is a package of its own: whoever never looks at it need not have its megabytes.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../error.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { version } from './version.mjs';

const NAME = 'hindscope-viewer';

/**
 * The page's HTML. It is looked for where this package is installed and nowhere else: a page from the current
 * folder would be code of whoever sent that folder, and it would get the history.
 */
export function viewer() {
  const wanted = version();
  const require = createRequire(import.meta.url);
  let found;
  try {
    found = require(`${NAME}/package.json`).version;
    if (found === wanted) return readFileSync(require.resolve(`${NAME}/viewer.html`), 'utf8');
  } catch (cause) {
    const isMissing = found === undefined && cause?.code === 'MODULE_NOT_FOUND';
    throw noPage(isMissing ? `The page is a package of its own, ${NAME}, which is not installed.` : `Cannot read ${NAME}: ${messageOf(cause)}`, wanted, cause);
  }
  throw noPage(`${NAME} ${found} is installed, but hindscope ${wanted} needs ${NAME} ${wanted}.`, wanted);
}

function noPage(message, wanted, cause) {
  const { does, command } = remedy(wanted);
  return new Refusal('no-page', message, { exit: EXIT.io, hint: `${does}: ${command}`, details: { command }, cause });
}

/** The one command that helps, which depends on how this package was installed. */
function remedy(wanted) {
  const page = `${NAME}@${wanted}`;
  const here = fileURLToPath(new URL('../', import.meta.url));
  // npx makes a folder for the packages that it was asked for, and another one for any others.
  if (here.split(sep).includes('_npx')) return { does: 'Name both packages', command: `npx -p hindscope@${wanted} -p ${page} hindscope view` };
  // Packages that are installed globally are in no project.
  const [folder] = here.split(`${sep}node_modules${sep}`, 1);
  const isProject = existsSync(join(folder, 'package.json'));
  return { does: 'Install it', command: `npm install ${isProject ? '' : '--global '}${page}` };
}
