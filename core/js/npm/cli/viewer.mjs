// The page in one file, which is a package of its own: whoever never looks at it need not have its megabytes.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../error.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { version } from './version.mjs';

const NAME = 'hindscope-viewer';

/** The folder of this package. */
const HERE = resolve(fileURLToPath(new URL('..', import.meta.url)));

/**
 * The page's HTML. It is looked for beside this package and nowhere else: a page from the current folder, or from
 * one above, would be code of whoever wrote there, and it would get the history.
 */
export function viewer() {
  const wanted = version();
  const page = join(HERE, '..', NAME);
  let found;
  try {
    // Outside of `node_modules`, anybody may have put something beside this package.
    if (basename(dirname(page)) !== 'node_modules') throw Object.assign(new Error(`${HERE} is in no node_modules folder`), { code: 'ENOENT' });
    found = JSON.parse(readFileSync(join(page, 'package.json'), 'utf8')).version;
    if (found === wanted) return readFileSync(join(page, 'viewer.html'), 'utf8');
  } catch (cause) {
    const isMissing = found === undefined && cause.code === 'ENOENT';
    throw noPage(isMissing ? `The page is a package of its own, ${NAME}, which is not installed.` : `Cannot read ${NAME}: ${messageOf(cause)}`, wanted, cause);
  }
  throw noPage(`${NAME} ${found} is installed, but hindscope ${wanted} needs ${NAME} ${wanted}.`, wanted);
}

function noPage(message, wanted, cause) {
  const { hint, command } = remedy(wanted);
  const more = command === undefined ? { hint } : { hint: `${hint}: ${command}`, details: { command } };
  return new Refusal('no-page', message, { exit: EXIT.io, ...more, cause });
}

/** What helps, which depends on how this package was installed. */
function remedy(wanted) {
  const page = `${NAME}@${wanted}`;
  // npx makes a folder for the packages that it was asked for, and another one for any others.
  if (HERE.split(sep).includes('_npx')) return { hint: 'Name both packages', command: `npx -p hindscope@${wanted} -p ${page} hindscope view` };
  const [folder] = HERE.split(`${sep}node_modules${sep}`, 1);
  // What npm installs globally is in no project. Bun, pnpm and Yarn keep a package.json where they install globally.
  if (HERE === join(folder, 'node_modules', 'hindscope') && !existsSync(join(folder, 'package.json'))) return { hint: 'Install it', command: `npm install --global ${page}` };
  const way = relative(folder, process.cwd());
  const isBelow = way.split(sep)[0] !== '..' && !isAbsolute(way);
  if (folder !== HERE && isBelow) return { hint: 'Install it', command: `npm install ${page}` };
  return { hint: `Install ${page} where hindscope is installed, in ${folder}, in the way in which hindscope was installed.` };
}
