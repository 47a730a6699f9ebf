// Opening what a command line names, and finding a run in it.
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { said } from '../error.mjs';
import { pathItems } from '../files.mjs';
import { openInputs } from '../open.mjs';
import { EXIT, Refusal, alike } from './errors.mjs';
import { HOME } from './memory.mjs';
import { started } from './start.mjs';
import { bytes, noun } from './words.mjs';

/** The paths that are meant. */
export function pathsOr(paths) {
  if (paths.length > 0) return paths;
  return [existsSync(HOME) ? HOME : '.'];
}

/** The history of some paths. What cannot be read of them is said beside the answer. */
export async function openPaths(given, out, options) {
  const paths = pathsOr(given);
  // Starts the wasm: help and completion do without.
  await started();
  const meter = new Meter(out);
  const input = paths.includes('-') ? { name: 'stdin', data: await standardInput((length) => meter.took(length)) } : undefined;
  const inputs = paths.map((path) => (path === '-' ? input : path));
  const history = openInputs(inputs, options, (input) => (typeof input === 'string' ? items(input, meter) : undefined), 'paths');
  const unread = history.findings().filter(({ rule }) => rule === 'source/unreadable');
  const { sources } = history.added;
  if (unread.length > 0 && unread.length === sources) {
    throw new Refusal('unreadable-input', `Nothing of ${paths.join(', ')} could be read. ${unread[0].message}`, { exit: EXIT.unread });
  }
  const sourcesById = unread.length > 0 ? history.sources() : [];
  const shown = shownPaths(paths);
  for (const { message, source } of unread.slice(0, 3)) out.note(`${shown(sourcesById[source].path)}: ${message}`);
  if (unread.length > 3) out.note(`${unread.length - 3} more could not be read.`);
  return { history, paths };
}

/** Gives paths of sources as someone in the current folder would write them, for editors and scripts. */
export function shownPaths(paths) {
  const named = paths.filter((path) => path !== '-').map((path) => [basename(resolve(path)), path]);
  return (inner) => {
    const found = named.filter(([base]) => inner === base || inner.startsWith(`${base}/`));
    if (found.length !== 1) return inner;
    const [[base, path]] = found;
    return inner === base ? path : join(path, inner.slice(base.length + 1));
  };
}

/** Opens paths for commands that make no sense without a run. */
export async function openRuns(given, out) {
  const { history, paths } = await openPaths(given, out);
  if (history.runCount > 0) return { history, paths };
  const { sources } = history.added;
  const message = `There is no run in ${paths.join(', ')}: ${noun(sources, 'file')} opened.`;
  const hint = sources > 0 ? '`hindscope validate` says of each file what it was taken for.' : 'Name a file or folder with records of runs.';
  throw new Refusal('no-runs', message, { exit: EXIT.negative, hint });
}

/** All of standard input. */
export async function standardInput(tell = () => {}) {
  const pieces = [];
  try {
    for await (const piece of process.stdin) {
      pieces.push(piece);
      tell(piece.length);
    }
  } catch (cause) {
    throw new Refusal('unreadable-input', `Standard input cannot be read: ${said(cause)}`, { exit: EXIT.unread, cause });
  }
  return Buffer.concat(pieces);
}

/** How much was read so far. */
class Meter {
  #out;
  #files = 0;
  #bytes = 0;

  constructor(out) {
    this.#out = out;
  }

  file() {
    this.#files += 1;
  }

  took(length) {
    this.#bytes += length;
    this.#out.progress(() => `reading: ${noun(this.#files, 'file')}, ${bytes(this.#bytes)}`);
  }
}

/** Items of a path that count what is read of them. */
function items(path, meter) {
  return pathItems(path).map((item) => ({
    name: item.name,
    get size() {
      return item.size;
    },
    feed(push) {
      meter.file();
      item.feed((slice) => {
        meter.took(slice.length);
        return push(slice);
      });
    },
    read(start, end) {
      meter.took(end - start);
      return item.read(start, end);
    },
  }));
}

/** The run that is meant, with the label of its group. */
export function findRun(history, wanted) {
  const groups = history.groups();
  const runs = history.runs();
  const label = ({ group }) => groups[group].label;
  const isMeant = [
    (view) => view.key === wanted,
    (view) => `${label(view)}/${view.key}` === wanted,
    (view) => (view.aliases ?? []).some((alias) => alias === wanted || alias.slice(alias.lastIndexOf('/') + 1) === wanted),
  ];
  for (const is of isMeant) {
    const found = runs.filter(is);
    if (found.length === 1) return { run: history.run(found[0].id), group: label(found[0]) };
    if (found.length > 1) {
      const names = found.slice(0, 5).map((view) => `${label(view)}/${view.key}`);
      throw new Refusal('ambiguous-run', `${noun(found.length, 'run')} have the id ${wanted}.`, {
        hint: `Say which: ${names.join(', ')}${found.length > 5 ? ', …' : ''}.`,
        details: { run: wanted },
      });
    }
  }
  const near = alike(wanted, [...new Set(runs.map(({ key }) => key))]);
  const hint = near.length > 0 ? `There is ${near.join(', ')}.` : '`hindscope stats --runs` lists them.';
  throw new Refusal('no-such-run', `No run has the id ${wanted}.`, { hint, details: { run: wanted } });
}

/** Ids of the runs that options name: each `--run`, else those that `--query` lets through. */
export function chosenRuns(history, { run, query }) {
  if (run?.length > 0 && query !== undefined) throw new Refusal('invalid-option', 'Runs are chosen by --run or by --query, not by both.');
  if (run?.length > 0) return run.map((wanted) => findRun(history, wanted).run.view.id);
  if (query === undefined) return history.runs().map(({ id }) => id);
  return history.findRuns(query);
}

/** Options that choose runs. */
export const RUN_OPTIONS = Object.freeze({
  run: { type: 'string', short: 'r', multiple: true, value: 'RUN', says: 'only this run; may be said again' },
  query: { type: 'string', short: 'q', value: 'QUERY', says: 'only runs that a query lets through, such as outcome:failure' },
});
