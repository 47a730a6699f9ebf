// Everything that is open, searched.
import { queryError } from '../search.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { PATHS } from './help.mjs';
import { findRun, openPaths, shownPaths } from './open.mjs';
import { whole as number } from './options.mjs';
import { started } from './start.mjs';
import { inline, visible } from './text.mjs';
import { bytes, noun, whole } from './words.mjs';

const PARTS = ['task', 'reflection', 'lessons', 'actions', 'errors', 'output', 'raw', 'text'];

export const usage = 'QUERY [--part PART] [--run RUN] [--limit N] [PATH…]';
export const takes = { least: 1, missing: '`search` needs a query.' };
export const options = {
  part: { type: 'string', short: 'p', multiple: true, value: 'PART', says: 'searches only this; may be said again; everything but output and raw if left out', choices: PARTS },
  run: { type: 'string', short: 'r', value: 'RUN', says: 'searches only this run' },
  limit: { type: 'string', short: 'n', value: 'N', says: 'stops after so many hits' },
};
export const examples = [
  ['hindscope search timeout', 'the word in tasks, reflections, lessons, actions and errors of .aiwg/ralph'],
  ["hindscope search '\"connection reset\" outcome:failure' runs/", 'a phrase, in attempts that failed'],
  ["hindscope search 'reward<0.5 delta<0 iter:3..9' runs/", 'attempts by numbers: worse than before, and below one half'],
  ["hindscope search 'error:TypeError -flaky' --part output --limit 20 runs/", 'outputs of tools, too; the first 20 hits'],
];
export const notes = [
  'QUERY is the query language of the page. Words must all occur in an attempt, "a phrase" as it is, -word not at all. ' +
    'Fields: run: source: outcome: reward<0.5 delta<0 iter:3..9 error: category: finding: has:reward. Case does not count. ' +
    'A query that begins with a dash comes after --.',
  PATHS,
];
export const exits = { 1: 'nothing was found' };

export async function run({ values, positionals, out }) {
  const [query, ...paths] = positionals;
  const most = number(values.limit, 'limit', { least: 1 }) ?? Infinity;
  // Before anything is read.
  await started();
  refuseMistake(query);
  const { history, paths: opened } = await openPaths(paths, out);
  const only = values.run === undefined ? undefined : findRun(history, values.run).run.view.id;
  const search = history.search(query, { parts: values.part, run: only });
  const sources = history.sources();
  const [keys, groups] = [history.runs(), history.groups()];
  const shown = shownPaths(opened);
  const told = (hit) => {
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
    const hit = told(found);
    if (out.isJson) hits.push(hit);
    else before = tellHit(hit, before, out);
    out.progress(() => `searching: ${noun(count, 'hit')}, ${bytes(search.progress.bytes)} of ${bytes(search.progress.total)}`);
  }
  const { progress } = search;
  if (out.isJson) {
    out.json({ query, hits, isMore, progress });
    return count > 0 ? EXIT.fine : EXIT.negative;
  }
  if (progress.unread > 0) out.note(`${noun(progress.unread, 'record')} could not be read again and are not searched.`);
  if (isMore) out.note(`The first ${noun(most, 'hit')}; without --limit all come.`);
  else out.note(count === 0 ? `Nothing is found for ${query}.` : `${noun(count, 'hit')} in ${noun(progress.runs, 'run')}.`);
  return count > 0 ? EXIT.fine : EXIT.negative;
}

/** A query with a mistake is shown with the mistake underlined. */
function refuseMistake(query) {
  const mistake = queryError(query);
  if (!mistake) return;
  const lead = inline(query.slice(0, mistake.start)).length + Number(/\s$/.test(query.slice(0, mistake.start)));
  const wrong = Math.max(inline(query.slice(mistake.start, mistake.end)).length, 1);
  const shown = `${inline(query)}\n  ${' '.repeat(lead)}${'^'.repeat(wrong)}`;
  throw new Refusal('invalid-query', mistake.message, { hint: shown, details: { ...mistake, query } });
}

/** A hit below the head of its attempt; gives that head. */
function tellHit(hit, before, out) {
  const { style } = out;
  const place = `${inline(hit.path)}:${hit.line}`;
  const number = hit.number === undefined ? '' : ` ${hit.number}`;
  const head = hit.key === undefined ? place : `${hit.group}/${hit.key}${number}`;
  if (head !== before) {
    if (before !== undefined) out.line();
    out.line(hit.key === undefined ? style.bold(place) : `${style.bold(`${inline(hit.key)}${number}`)}  ${style.dim(place)}`);
  }
  const more = hit.count > 1 ? style.dim(` (${whole(hit.count)}×)`) : '';
  out.line(`  ${style.cyan(inline(hit.name))}${more}  ${marked(hit, style)}`);
  return head;
}

/** The excerpt in one line, with what matches in colour, or in brackets where there is none. */
function marked({ excerpt, marks, hasBefore, hasAfter }, style) {
  const mark = (text) => (style.has ? style.bold(style.red(text)) : `[${text}]`);
  let [said, at] = [hasBefore ? '…' : '', 0];
  const flat = (text) => visible(text).replaceAll(/\s*\n\s*|\t/g, ' ');
  for (const { start, end } of marks) {
    said += flat(excerpt.slice(at, start)) + mark(flat(excerpt.slice(start, end)));
    at = end;
  }
  return said.trimStart() + flat(excerpt.slice(at)) + (hasAfter ? '…' : '');
}
