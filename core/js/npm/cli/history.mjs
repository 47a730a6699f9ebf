// Shows a run attempt by attempt.
import { Run } from '../history/run.mjs';
import { iterationOf, actionLine, actionState, printAfter, printBefore, printHead, printReflection, printRun } from './attempts.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { FORMS, formOf, writeExport } from './export.mjs';
import { PATHS, RUN } from './help.mjs';
import { OPEN_OPTIONS, findRun, openRuns, shownPaths } from './open.mjs';
import { whole as number } from './options.mjs';
import { table } from './style.mjs';
import { inline, named } from './text.mjs';
import { bytes, delta, plural, outcomeColour, reward, time, whole } from './format.mjs';

export const usage = 'RUN [--attempt N] [--reflections] [--export FILE] [PATH…]';
export const takes = { least: 1, missing: '`history` needs the id of a run. `hindscope stats --runs` lists the ids.' };
export const options = {
  attempt: { type: 'string', short: 'a', value: 'N', says: 'show one attempt in full' },
  reflections: { type: 'boolean', says: 'show only the reflections, in full' },
  export: { type: 'string', short: 'o', value: 'FILE', says: 'write the run to FILE; the extension decides the form: .hindscope.jsonl, .json (attempts), .jsonl (records), .csv, .md, .html, .svg' },
  force: { type: 'boolean', short: 'f', says: 'overwrite FILE if it exists' },
  ...OPEN_OPTIONS,
};
export const examples = [
  ['hindscope history task-001', 'shows a task of .aiwg/ralph: each attempt with its reward and reflection'],
  ['hindscope history task-001 --attempt 2', 'shows one attempt: plan, actions, errors and reflections'],
  ['hindscope history env_3 runs/alfworld --reflections', 'shows the reflections of a run in another folder'],
  ['hindscope history task-001 --export task-001.md', 'writes a report'],
];
export const notes = [RUN, PATHS, 'Attempts keep the numbers of their file: some loops start at 0.'];

export async function run({ values, positionals, out }) {
  const [wanted, ...paths] = positionals;
  const at = number(values.attempt, 'attempt');
  const form = values.export === undefined ? undefined : exportForm(values, wanted);
  const { history, paths: opened } = await openRuns(paths, out, values);
  const found = findRun(history, wanted);
  if (form) {
    const made = await writeExport(history, { ...FORMS[form][1], runs: [found.run.view.id] }, { to: values.export, isForced: values.force }, out);
    if (out.isJson) out.json(made);
    else out.note(`Wrote ${bytes(made.bytes)} to ${made.file}.`);
    return EXIT.ok;
  }
  const shown = shownPaths(opened);
  const placeOf = (record) => {
    const { path, line } = history.locate(record);
    return { path: shown(path), line };
  };
  const iterations = at === undefined ? found.run.iterations() : [iterationOf(found.run, at)];
  const details = Run.attempts(found.run, iterations.map((iteration) => iteration.number));
  const attempts = iterations.map((iteration, position) => ({ ...iteration, ...placeOf(iteration.record), details: details[position] }));
  const written = at === undefined && values.reflections ? [...earlier(history, found.run, placeOf), ...attempts] : attempts;
  const { view } = found.run;
  if (out.isJson) {
    const head = { run: view, group: found.group, verdict: found.run.verdict() };
    if (at !== undefined) head.headline = found.run.attemptHeadline(at);
    if (values.reflections) out.json({ ...head, reflections: written.flatMap(reflectionsOf) });
    else out.json({ ...head, about: found.run.about().map(({ says }) => says).filter((says) => Object.keys(says).length > 0), attempts });
    return EXIT.ok;
  }
  printRun(found, out);
  if (values.reflections) printReflections(written, out);
  else if (at === undefined) printAll(found.run, attempts, out);
  else printOne(found.run, attempts[0], out);
  return EXIT.ok;
}

/** The form for the extension of the file that the run is written to. */
function exportForm(values, wanted) {
  const extra = ['attempt', 'reflections'].find((name) => values[name] !== undefined);
  if (!extra) return formOf(values.export);
  throw new Refusal('invalid-option', `--export writes the whole run; it cannot be combined with --${extra}.`, { hint: `Print the part with \`hindscope history ${wanted} --${extra}${extra === 'attempt' ? ` ${values.attempt}` : ''} --json\`.` });
}

/** Attempts whose own records are not open, with the reflections of theirs that later records repeat. */
function earlier(history, run, placeOf) {
  const open = new Set(run.iterations().map((iteration) => iteration.number));
  const others = run.reflections().filter(({ number }) => !open.has(number));
  return others.map(({ number, record, part }) => {
    const reflections = history.inspect(record, part).reflections?.filter((reflection) => reflection.part === part);
    return { number, outcome: 'unknown', ...placeOf(record), details: { reflections } };
  });
}

function reflectionsOf({ number, outcome, details, path, line }) {
  return (details.reflections ?? []).map((reflection) => ({ number, outcome, path, line, ...reflection }));
}

function printAll(run, attempts, out) {
  const { style } = out;
  const about = run.about().map(({ says }) => says);
  const criteria = about.flatMap((says) => says.criteria ?? []);
  if (criteria.length > 0) out.line(`  ${style.cyan('done when')}  ${[...new Set(criteria)].map(inline).join('; ')}`);
  if (attempts.length === 0) {
    out.line(style.dim('  No attempts recorded.'));
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
    { title: 'problems', right: true, spare: 6 },
    { title: 'ended', spare: 4, least: 20 },
    { title: 'reflection' },
  ];
  const rows = attempts.map((attempt) => [
    [String(attempt.number), style.bold],
    [inline(attempt.outcomeDetail ?? attempt.outcome), outcomeColour(attempt.outcome, style)],
    attempt.details.refutation ? [`${reward(attempt.reward)}!`, style.yellow] : reward(attempt.reward),
    [delta(attempt.delta), attempt.delta > 0 ? style.green : attempt.delta < 0 ? style.red : undefined],
    attempt.errors === undefined ? '' : whole(attempt.errors),
    attempt.details.actions ? whole(attempt.details.actions.length) : '',
    attempt.findings > 0 ? whole(attempt.findings) : '',
    [time(attempt.timeMs), style.dim],
    inline(attempt.details.reflections?.at(-1)?.text ?? ''),
  ]);
  for (const line of table(heads, rows, { style, columns: out.columns })) out.line(line);
  for (const { number: written, reward: value, details } of attempts) {
    if (details.refutation) out.prose(`! The reward of attempt ${written}, ${reward(value)}, is refuted by its own record: ${details.refutation}.`);
  }
}

function printReflections(attempts, out) {
  for (const attempt of attempts) {
    for (const reflection of attempt.details.reflections ?? []) {
      out.line();
      out.line(`${out.style.bold(`[${attempt.number}]`)} ${outcomeColour(attempt.outcome, out.style)(attempt.outcome)} ${out.style.dim(`${named(attempt.path)}:${attempt.line}`)}`);
      printReflection(reflection, out);
    }
  }
}

function printOne(run, attempt, out) {
  const { details } = attempt;
  out.line();
  out.prose(run.attemptHeadline(attempt.number).says, '');
  printHead(attempt, out);
  if (details.refutation) out.prose(`The reward is refuted by its own record: ${details.refutation}.`);
  printBefore(details, run.injected(attempt.number), out);
  const actions = details.actions ?? [];
  if (actions.length > 0) out.line(`  ${out.style.cyan('actions')}  ${plural(actions.length, 'action')}; \`hindscope replay\` shows them in full`);
  const rows = actions.map((action, at) => [[String(at + 1), out.style.dim], actionState(action, out.style), actionLine(action)]);
  for (const line of table([{ right: true }, {}, {}], rows, { style: out.style, columns: out.columns, indent: '    ' })) out.line(line);
  printAfter(details, out);
  out.line(out.style.dim(`  ${named(attempt.path)}:${attempt.line}`));
}
