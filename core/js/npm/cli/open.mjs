// Opens the paths of a command line, and finds runs in them.
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { messageOf } from '../error.mjs';
import { pathItems } from '../history/files.mjs';
import { openInputs } from '../history/open.mjs';
import { EXIT, Refusal, similar } from './errors.mjs';
import { HOMES } from './memory.mjs';
import { whole as number } from './options.mjs';
import { loadEntry } from './start.mjs';
import { bytes, plural, whole } from './format.mjs';
import { named } from './text.mjs';

/** The most that `--memory` can be, in MB: WebAssembly has 4096, and answers need some. */
const MOST_MEMORY = 3072;

/** Options of all commands that open paths. */
export const OPEN_OPTIONS = Object.freeze({
  memory: { type: 'string', value: 'MB', says: `keep at most this much in memory (default: 2048, at most ${MOST_MEMORY}); what does not fit is not read, and reported` },
});

/** The given paths, or the default ones. */
export function pathsOr(paths) {
  if (paths.length > 0) return paths;
  const homes = HOMES.filter((folder) => existsSync(folder));
  return homes.length > 0 ? homes : ['.'];
}

/** Opens paths as one history. Files that cannot be read are listed on standard error. */
export async function openPaths(given, out, values, profile) {
  const memory = number(values.memory, 'memory', { least: 1, most: MOST_MEMORY });
  const paths = pathsOr(given);
  await loadEntry('history');
  const meter = new Meter(out);
  const input = paths.includes('-') ? { name: 'stdin', data: await standardInput((length) => meter.took(length)) } : undefined;
  const inputs = paths.map((path) => (path === '-' ? input : path));
  const history = openInputs(inputs, { profile, memory }, (input) => (typeof input === 'string' ? items(input, meter) : undefined), 'paths');
  const groups = history.findings();
  const shown = shownPaths(paths);
  const left = groups.find(({ rule }) => rule === 'size/memory');
  if (left) out.note(`${shown(history.sources()[left.first[0].source].path)}: ${left.first[0].message} ${memoryAdvice(left.count, memory)}`);
  const unread = groups.find(({ rule }) => rule === 'source/unreadable');
  if (unread === undefined) return { history, paths };
  const { count, first } = unread;
  const sources = history.sources();
  if (count === history.added.sources) {
    const { reason } = sources[first[0].source];
    throw new Refusal('unreadable-input', `Cannot read ${paths.join(', ')}: ${reason}`, { exit: EXIT.io });
  }
  for (const { message, source } of first) out.note(`${shown(sources[source].path)}: ${message}`);
  if (count > first.length) out.note(`${plural(count - first.length, 'more file')} could not be read without errors.`);
  return { history, paths };
}

/** What to do where the limit was reached in some files. */
export function memoryAdvice(files, memory) {
  const others = files > 1 ? `${plural(files - 1, 'more file')} ${files === 2 ? 'is' : 'are'} not read to the end. ` : '';
  if (memory !== MOST_MEMORY) return `${others}\`--memory\` raises the limit.`;
  return `${others}This limit cannot be raised. Name fewer files, or give a part of one: \`head -n 100000 FILE | hindscope COMMAND -\`.`;
}

/** Turns paths of sources into paths from the current folder, for editors and scripts. */
export function shownPaths(paths) {
  const named = paths.filter((path) => path !== '-').map((path) => [basename(resolve(path)), path]);
  return (inner) => {
    const found = named.filter(([base]) => inner === base || inner.startsWith(`${base}/`));
    if (found.length !== 1) return inner;
    const [[base, path]] = found;
    // Not by `join`: a name in an archive may have `..`, and is shown as it is.
    return inner === base ? path : `${path.replace(/\/+$/, '')}${inner.slice(base.length)}`;
  };
}

/** Opens paths for commands that need at least one run or, where `isEnough` says so, something else. */
export async function openRuns(given, out, values, isEnough = () => false) {
  const { history, paths } = await openPaths(given, out, values);
  if (history.runCount > 0 || isEnough(history)) return { history, paths };
  const { sources } = history.added;
  const where = paths.join(', ');
  const known = history.sources().some(({ format }) => format !== undefined);
  const strangers = sources === 1 ? `${where} has no format that hindscope reads.` : `None of the ${whole(sources)} files in ${where} has a format that hindscope reads.`;
  const message = sources > 0 && !known ? strangers : `No runs found in ${where} (${plural(sources, 'file')} opened).`;
  const hint = sources > 0 ? '`hindscope validate` shows the format of each file.' : 'Give a file or folder with records of runs.';
  throw new Refusal('no-runs', message, { exit: EXIT.no, hint });
}

/** All of standard input. */
export async function standardInput(onProgress = () => {}) {
  const pieces = [];
  try {
    for await (const piece of process.stdin) {
      pieces.push(piece);
      onProgress(piece.length);
    }
  } catch (cause) {
    throw new Refusal('unreadable-input', `Cannot read standard input: ${messageOf(cause)}`, { exit: EXIT.io, cause });
  }
  return Buffer.concat(pieces);
}

/** Counts what was read, for the progress line. */
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
    this.#out.progress(() => `Reading: ${plural(this.#files, 'file')}, ${bytes(this.#bytes)}`);
  }
}

/** The files of a path; the meter counts what is read of them. */
function items(path, meter) {
  return pathItems(path).map((item) => ({
    name: item.name,
    get size() {
      return item.size;
    },
    put: item.put && ((room, at, most) => {
      const length = item.put(room, at, most);
      if (length > most) return length;
      meter.file();
      meter.took(length);
      return length;
    }),
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

/** The run that a name stands for, with the label of its group. */
export function findRun(history, wanted) {
  const groups = history.groups();
  const runs = history.runs();
  const label = ({ group }) => groups[group].label;
  const isMeant = [
    (view) => view.key === wanted,
    (view) => `${label(view)}/${view.key}` === wanted,
    (view) => view.key.endsWith(`/${wanted}`),
    (view) => (view.aliases ?? []).some((alias) => alias === wanted || alias.slice(alias.lastIndexOf('/') + 1) === wanted),
  ];
  for (const is of isMeant) {
    const found = runs.filter(is);
    if (found.length === 1) return { run: history.run(found[0].id), group: label(found[0]) };
    if (found.length > 1) {
      const names = found.slice(0, 5).map((view) => named(`${label(view)}/${view.key}`));
      throw new Refusal('ambiguous-run', `The id ${named(wanted)} is not unique: ${plural(found.length, 'run')} have it.`, {
        hint: `Choose one: ${names.join(', ')}${found.length > 5 ? ', …' : ''}.`,
        details: { run: wanted },
      });
    }
  }
  const near = similar(wanted, [...new Set(runs.map(({ key }) => key))]);
  const hint = near.length > 0 ? `Did you mean ${near.map(named).join(' or ')}?` : '`hindscope stats --runs` lists the runs.';
  throw new Refusal('no-such-run', `No run has the id ${named(wanted)}.`, { hint, details: { run: wanted } });
}

/** Ids of the runs that --run or --query select; all if neither is given. */
export function chosenRuns(history, { run, query }) {
  if (run?.length > 0 && query !== undefined) throw new Refusal('invalid-option', '--run and --query cannot be combined.');
  if (run?.length > 0) return run.map((wanted) => findRun(history, wanted).run.view.id);
  if (query === undefined) return history.runs().map(({ id }) => id);
  return history.findRuns(query);
}

/** The error if --run or --query select nothing. */
export function noRuns() {
  return new Refusal('no-runs', 'No run matches --run or --query.', { exit: EXIT.no });
}

/** Options that select runs. */
export const RUN_OPTIONS = Object.freeze({
  run: { type: 'string', short: 'r', multiple: true, value: 'RUN', says: 'select this run; repeat for more' },
  query: { type: 'string', short: 'q', value: 'QUERY', says: 'select the runs that match a query, such as outcome:failure; `hindscope search --help` lists the fields, of which error: and category: do not work here' },
});
