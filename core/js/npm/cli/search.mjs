// Searches the text of runs.
import { queryError } from '../history/search.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { PATHS } from './help.mjs';
import { OPEN_OPTIONS, findRun, openPaths, shownPaths } from './open.mjs';
import { whole as number } from './options.mjs';
import { loadEntry } from './start.mjs';
import { inline, named, visible } from './text.mjs';
import { bytes, plural, whole } from './format.mjs';

const PARTS = ['task', 'reflection', 'lessons', 'actions', 'errors', 'output', 'raw', 'text'];

export const usage = 'QUERY [--part PART] [--run RUN] [--limit N] [PATH…]';
export const takes = { least: 1, missing: '`search` needs a query.' };
export const options = {
  part: { type: 'string', short: 'p', multiple: true, value: 'PART', says: 'search only this part; repeat for more (default: all but output and raw)', choices: PARTS },
  run: { type: 'string', short: 'r', value: 'RUN', says: 'search only this run' },
  limit: { type: 'string', short: 'n', value: 'N', says: 'stop after this many hits' },
  ...OPEN_OPTIONS,
};
export const examples = [
  ['hindscope search timeout', 'searches tasks, reflections, lessons, actions and errors of .aiwg/ralph for a word'],
  ["hindscope search '\"connection reset\" outcome:failure' runs/", 'searches failed attempts for a phrase'],
  ["hindscope search 'reward<0.5 delta<0 iter:3..9' runs/", 'finds attempts 3 to 9 whose reward is below 0.5 and lower than the one before'],
  ["hindscope search 'error:TypeError -flaky' --part output --limit 20 runs/", 'searches the output of tools; stops after 20 hits'],
];
export const notes = [
  'QUERY finds attempts, tasks of runs, and files without runs that contain all its words; "a phrase" must occur exactly, -word must not occur. Case is ignored. Put -- before a QUERY that starts with a dash.',
  'Fields of a QUERY: run:task-001 (a part of the id or task of the run); source:loop.jsonl (path of a file, or label of the group); outcome:failure; reward<0.5; delta<0 (the change of the reward); iter:3..9 (the number of the attempt); error:TypeError; category:logic (the failure category of a reflection); finding:lenient/type (a rule or severity, as `hindscope validate` lists it); has: and one of reward, delta, error, reflection, finding, outcome.',
  'Some values of --part: task is the id, task and criteria of a run; output is what tools and checks printed, and texts such as solutions; raw is records as they are stored; text is files without runs.',
  PATHS,
];
export const exits = { 1: 'nothing found' };

export async function run({ values, positionals, out }) {
  const [query, ...paths] = positionals;
  const most = number(values.limit, 'limit', { least: 1 }) ?? Infinity;
  // A mistake in the query is reported before any file is read.
  await loadEntry('history');
  refuseMistake(query);
  const { history, paths: opened } = await openPaths(paths, out, values);
  const only = values.run === undefined ? undefined : findRun(history, values.run).run.view.id;
  const search = history.search(query, { parts: values.part, run: only });
  const sources = history.sources();
  const [keys, groups] = [history.runs(), history.groups()];
  const shown = shownPaths(opened);
  const placed = (hit) => {
    const view = hit.run === undefined ? undefined : keys[hit.run];
    const place = hit.record === undefined ? { path: sources[hit.source].path } : history.locate(hit.record);
    return { ...hit, ...(view && { key: view.key, group: groups[view.group].label }), path: shown(place.path), line: hit.line ?? place.line };
  };
  const hits = [];
  let [count, before] = [0, undefined];
  let isMore = false;
  for (const found of search) {
    if (count === most) {
      isMore = true;
      break;
    }
    count += 1;
    const hit = placed(found);
    if (out.isJson) hits.push(hit);
    else before = printHit(hit, before, out);
    out.progress(() => `Searching: ${plural(count, 'hit')}, ${bytes(search.progress.bytes)} of ${bytes(search.progress.total)}`);
  }
  const { progress } = search;
  if (out.isJson) {
    out.json({ query, hits, isMore, progress });
    return count > 0 ? EXIT.ok : EXIT.no;
  }
  if (progress.unread > 0) out.note(`${plural(progress.unread, 'record')} could not be read again, and were not searched.`);
  if (isMore) out.note(`Stopped after ${plural(most, 'hit')} (--limit).`);
  else out.note(count === 0 ? `No hits for ${query}.` : `${plural(count, 'hit')} in ${plural(progress.runs, 'run')}.`);
  return count > 0 ? EXIT.ok : EXIT.no;
}

/** Refuses a query with a mistake, and underlines the mistake. */
function refuseMistake(query) {
  const mistake = queryError(query);
  if (!mistake) return;
  const lead = inline(query.slice(0, mistake.start)).length + Number(/\s$/.test(query.slice(0, mistake.start)));
  const wrong = Math.max(inline(query.slice(mistake.start, mistake.end)).length, 1);
  const shown = `${inline(query)}\n  ${' '.repeat(lead)}${'^'.repeat(wrong)}`;
  throw new Refusal('invalid-query', mistake.message, { hint: shown, details: { ...mistake, query } });
}

/** Prints a hit, below the heading of its attempt unless that is `before`; returns the heading. */
function printHit(hit, before, out) {
  const { style } = out;
  // The id of a run belongs to no single line.
  const place = [named(hit.path), ...(hit.line === undefined ? [] : [hit.line])].join(':');
  const number = hit.number === undefined ? '' : ` ${hit.number}`;
  const head = hit.key === undefined ? place : `${hit.group}/${hit.key}${number}`;
  if (head !== before) {
    if (before !== undefined) out.line();
    out.line(hit.key === undefined ? style.bold(place) : `${style.bold(`${named(hit.key)}${number}`)}  ${style.dim(place)}`);
  }
  const more = hit.count > 1 ? style.dim(` (${whole(hit.count)}×)`) : '';
  out.line(`  ${style.cyan(inline(hit.name))}${more}  ${marked(hit, style)}`);
  return head;
}

/** The excerpt in one line; matches are in colour, or in brackets if colour is off. */
function marked({ excerpt, marks, hasBefore, hasAfter }, style) {
  const mark = (text) => (style.has ? style.bold(style.red(text)) : `[${text}]`);
  let [text, at] = [hasBefore ? '…' : '', 0];
  const flat = (text) => visible(text).replaceAll(/\s*\n\s*|\t/g, ' ');
  for (const { start, end } of marks) {
    text += flat(excerpt.slice(at, start)) + mark(flat(excerpt.slice(start, end)));
    at = end;
  }
  return text.trimStart() + flat(excerpt.slice(at)) + (hasAfter ? '…' : '');
}
