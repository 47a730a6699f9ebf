// A run, attempt by attempt.
import { Run } from '../run.mjs';
import { iterationOf, actionLine, actionState, tellAfter, tellBefore, tellHead, tellReflection, tellRun } from './attempts.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { FORMS, formOf, writeExport } from './export.mjs';
import { PATHS, RUN } from './help.mjs';
import { findRun, openRuns, shownPaths } from './open.mjs';
import { whole as number } from './options.mjs';
import { table } from './style.mjs';
import { inline } from './text.mjs';
import { delta, noun, outcomeDress, reward, time, whole } from './words.mjs';

export const usage = 'RUN [--attempt N] [--reflections] [--export FILE] [PATH…]';
export const takes = { least: 1, missing: '`history` needs the id of a run: `hindscope stats --runs` lists them.' };
export const options = {
  attempt: { type: 'string', short: 'a', value: 'N', says: 'one attempt in full' },
  reflections: { type: 'boolean', says: 'reflections only, in full' },
  export: { type: 'string', short: 'o', value: 'FILE', says: 'writes the run to a file, whose ending says as what: .json (bundle, opens again), .jsonl (records), .csv, .md, .html' },
  force: { type: 'boolean', short: 'f', says: 'replaces that file if it is there' },
};
export const examples = [
  ['hindscope history task-001', 'a task of .aiwg/ralph: every attempt with its reward and reflection'],
  ['hindscope history task-001 --attempt 2', 'one attempt: plan, actions, errors, what was learned'],
  ['hindscope history env_3 runs/alfworld --reflections', 'the lessons of a run of any other tool'],
  ['hindscope history task-001 --export task-001.md', 'a report for others'],
];
export const notes = [RUN, PATHS, 'Numbers of attempts are as written: some loops begin at 0.'];

export async function run({ values, positionals, out }) {
  const [wanted, ...paths] = positionals;
  const at = number(values.attempt, 'attempt');
  const form = values.export === undefined ? undefined : exportForm(values, wanted);
  const { history, paths: opened } = await openRuns(paths, out);
  const found = findRun(history, wanted);
  if (form) {
    const made = await writeExport(history, { ...FORMS[form][1], runs: [found.run.view.id] }, { to: values.export, isForced: values.force }, out);
    if (out.isJson) out.json(made);
    else out.note(`${noun(made.bytes, 'byte')} written to ${made.file}`);
    return EXIT.fine;
  }
  const shown = shownPaths(opened);
  const placeOf = (record) => {
    const { path, line } = history.locate(record);
    return { path: shown(path), line };
  };
  const iterations = at === undefined ? found.run.iterations() : [iterationOf(found.run, at)];
  const details = Run.attempts(found.run, iterations.map((iteration) => iteration.number));
  const attempts = iterations.map((iteration, position) => ({ ...iteration, ...placeOf(iteration.record), details: details[position] }));
  const { view } = found.run;
  if (out.isJson) {
    const head = { run: view, group: found.group };
    if (values.reflections) out.json({ ...head, reflections: attempts.flatMap(reflectionsOf) });
    else out.json({ ...head, about: found.run.about().map(({ says }) => says).filter((says) => Object.keys(says).length > 0), attempts });
    return EXIT.fine;
  }
  tellRun(found, out);
  if (values.reflections) tellReflections(attempts, out);
  else if (at === undefined) tellAll(found.run, attempts, out);
  else tellOne(found.run, attempts[0], out);
  return EXIT.fine;
}

/** The form of the file that the run is written to. */
function exportForm(values, wanted) {
  const extra = ['attempt', 'reflections'].find((name) => values[name] !== undefined);
  if (!extra) return formOf(values.export);
  throw new Refusal('invalid-option', `--export writes the whole run, and --${extra} asks for a part of it.`, { hint: `\`history ${wanted} --${extra}… --json\` gives the part.` });
}

function reflectionsOf({ number, outcome, details, path, line }) {
  return (details.reflections ?? []).map((reflection) => ({ number, outcome, path, line, ...reflection }));
}

function tellAll(run, attempts, out) {
  const { style } = out;
  const about = run.about().map(({ says }) => says);
  const criteria = about.flatMap((says) => says.criteria ?? []);
  if (criteria.length > 0) out.line(`  ${style.cyan('done when')}  ${[...new Set(criteria)].map(inline).join('; ')}`);
  if (attempts.length === 0) {
    out.line(style.dim('  No attempt of it is recorded.'));
    return;
  }
  out.line();
  const heads = [
    { title: '#', right: true },
    { title: 'outcome' },
    { title: 'reward', right: true, spare: 1 },
    { title: 'change', right: true, spare: 2 },
    { title: 'errors', right: true, spare: 3 },
    { title: 'actions', right: true, spare: 5 },
    { title: 'findings', right: true, spare: 6 },
    { title: 'ended', spare: 4, least: 20 },
    { title: 'reflection' },
  ];
  const rows = attempts.map((attempt) => [
    [String(attempt.number), style.bold],
    [inline(attempt.outcomeDetail ?? attempt.outcome), outcomeDress(attempt.outcome, style)],
    reward(attempt.reward),
    [delta(attempt.delta), attempt.delta > 0 ? style.green : attempt.delta < 0 ? style.red : undefined],
    attempt.errors === undefined ? '' : whole(attempt.errors),
    attempt.details.actions ? whole(attempt.details.actions.length) : '',
    attempt.findings > 0 ? whole(attempt.findings) : '',
    [time(attempt.timeMs), style.dim],
    inline(attempt.details.reflections?.at(-1)?.text ?? ''),
  ]);
  for (const line of table(heads, rows, { style, columns: out.columns })) out.line(line);
}

function tellReflections(attempts, out) {
  for (const attempt of attempts) {
    for (const reflection of attempt.details.reflections ?? []) {
      out.line();
      out.line(`${out.style.bold(`[${attempt.number}]`)} ${outcomeDress(attempt.outcome, out.style)(attempt.outcome)} ${out.style.dim(`${inline(attempt.path)}:${attempt.line}`)}`);
      tellReflection(reflection, out);
    }
  }
}

function tellOne(run, attempt, out) {
  const { details } = attempt;
  out.line();
  tellHead(attempt, out);
  tellBefore(details, run.injected(attempt.number), out);
  const actions = details.actions ?? [];
  if (actions.length > 0) out.line(`  ${out.style.cyan('actions')}  ${noun(actions.length, 'action')}; \`replay\` has them in full`);
  const rows = actions.map((action, at) => [[String(at + 1), out.style.dim], actionState(action, out.style), actionLine(action)]);
  for (const line of table([{ right: true }, {}, {}], rows, { style: out.style, columns: out.columns, indent: '    ' })) out.line(line);
  tellAfter(details, out);
  out.line(out.style.dim(`  ${inline(attempt.path)}:${attempt.line}`));
}
