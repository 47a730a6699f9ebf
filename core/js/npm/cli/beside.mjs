// Paths that a workflow names: they lead into its own folder, and nowhere else.
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** Where a path leads that stands in the workflow `file`, with all links followed. Nothing has to be there. */
export function beside(file, path) {
  if (file === '-') throw new Error('A workflow of standard input has no folder in which the file could be.');
  const folder = realpathSync(dirname(file));
  const at = real(join(folder, path));
  if (at !== folder && !at.startsWith(folder.endsWith(sep) ? folder : folder + sep)) throw new Error(`${path} is outside the folder of the workflow.`);
  return at;
}

function real(path) {
  for (let there = path; ; there = dirname(there)) {
    // A link that leads to nothing is there, and following it fails.
    if (lstatSync(there, { throwIfNoEntry: false })) return join(realpathSync(there), relative(there, path));
  }
}
