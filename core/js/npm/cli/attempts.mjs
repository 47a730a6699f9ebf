// Prints the attempts of a run.
import { EXIT, Refusal } from './errors.mjs';
import { inline, named, shortened, visible, width, wrapped } from './text.mjs';
import { delta, plural, outcomeColour, reward, spark, time } from './format.mjs';

/** A run's task is printed up to this many characters; `--json` has all of it. */
const MOST_OF_TASK = 2000;

/** Headings for texts of records, by their names in the records. */
const TEXTS = {
  what_worked: 'what worked',
  what_didnt_work: "what didn't work",
  suggestions_for_next_time: 'next time',
};

/** The attempt that has this number. */
export function iterationOf(run, number) {
  const found = run.iterations().find((iteration) => iteration.number === number);
  if (found) return found;
  const numbers = run.iterations().map((iteration) => iteration.number);
  const hint = numbers.length > 0 ? `It has ${numbers.length === 1 ? 'attempt' : 'attempts'} ${ranges(numbers)}.` : 'It has no attempts.';
  throw new Refusal('no-such-iteration', `Run ${run.view.key} has no attempt ${number}.`, { exit: EXIT.usage, hint, details: { number } });
}

/** `1..3, 5`. */
export function ranges(numbers) {
  const parts = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = parts.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([from, to]) => (from === to ? from : to === from + 1 ? `${from}, ${to}` : `${from}..${to}`)).join(', ');
}

/** Prints the first lines about a run: its id and verdict, task, group, outcome and the main figures. */
export function printRun({ run, group }, out) {
  const { view } = run;
  const { style } = out;
  for (const line of wrapped(`${named(view.key)}  ${run.verdict().headline.says}`, out.columns)) out.line(style.bold(line));
  if (view.task) out.prose(shortened(view.task, MOST_OF_TASK));
  const { rewards } = run.columns();
  const known = rewards.filter((value) => !Number.isNaN(value));
  const facts = [
    ...(group === '' ? [] : [style.dim(named(group))]),
    outcomeColour(view.outcome, style)(outcomeText(view)),
    attemptsText(run.columns().numbers, view.format),
    ...(known.length > 0 ? [`reward ${spark(rewards)} ${known.length > 1 ? `${reward(known[0])} → ` : ''}${reward(known.at(-1))}`] : []),
    ...(view.bestNumber === undefined || known.length < 2 ? [] : [`best ${reward(view.best)} at ${view.bestNumber}`]),
    plural(view.reflections, 'reflection'),
    ...(view.reflections > 0 ? [windowSize(view)] : []),
    ...(view.findings > 0 ? [plural(view.findings, 'problem')] : []),
  ];
  out.line(`  ${facts.join(' · ')}`);
  for (const { says } of run.about()) if (says.refutation) out.prose(`The reward of the run is refuted: ${says.refutation}.`);
  const [start, end] = [view.startMs, view.endMs].map(time);
  const when = start && end ? `${start} to ${end}` : start ? `from ${start}` : end ? `until ${end}` : '';
  if (when !== '') out.line(style.dim(`  ${when}`));
}

/** How many attempts there are, and their numbers where those are not 1, 2, 3, …, so that nobody takes one for a count. */
function attemptsText(numbers, format) {
  if (numbers.length === 0) return 'no attempt recorded';
  // Of a search, a log keeps these, however many it tried.
  if (format === 'tree-search-log') return numbers.length > 1 ? 'its first and its last program' : 'its first program';
  const isUsual = numbers.every((number, at) => number === at + 1);
  return `${plural(numbers.length, 'attempt')}${isUsual ? '' : ` (${numbers.length === 1 ? 'number ' : ''}${ranges(numbers)})`}`;
}

/** How many reflections an attempt can see, and how this is known. */
export function windowSize({ omega, omegaProvenance }) {
  const size = typeof omega === 'number' ? `window of ${plural(omega, 'reflection')}` : 'unbounded window';
  return `${size} (${omegaProvenance})`;
}

/** The outcome, with the more precise word of the record if it has one, and what attempts say otherwise. */
function outcomeText({ outcome, outcomeDetail, outcomeNote }) {
  const detail = outcomeDetail ? ` (${inline(outcomeDetail)})` : '';
  return `${outcome}${detail}${outcomeNote ? `: ${outcomeNote}` : ''}`;
}

/** Prints the first line about an attempt. */
export function printHead(iteration, out) {
  const { style } = out;
  const facts = [
    outcomeColour(iteration.outcome, style)(outcomeText(iteration)),
    ...(iteration.reward === undefined ? [] : [`reward ${reward(iteration.reward)} ${delta(iteration.delta)}`.trim()]),
    ...(iteration.errors === undefined ? [] : [plural(iteration.errors, 'error')]),
    ...(iteration.timeMs === undefined ? [] : [style.dim(time(iteration.timeMs))]),
  ];
  out.line(`${style.bold(`Attempt ${iteration.number}`)}  ${facts.join(' · ')}`);
}

/** Prints a text of a record, beside its heading if it is one line that fits, else below. */
export function printText(heading, text, out, room = 0) {
  if (!text) return;
  const lines = visible(text).trimEnd().split('\n');
  const lead = `  ${heading.padEnd(room)}  `;
  if (lines.length === 1 && width(lead) + width(lines[0]) <= Math.min(out.columns, 120)) {
    out.line(`  ${out.style.cyan(heading.padEnd(room))}  ${lines[0]}`);
    return;
  }
  out.line(`  ${out.style.cyan(heading)}`);
  out.prose(text, '    ');
}

/** Prints a heading and a list of texts of a record. */
export function printList(heading, texts, out) {
  if (!texts || texts.length === 0) return;
  out.line(`  ${out.style.cyan(heading)}`);
  for (const text of texts) {
    const [first, ...rest] = visible(text).trimEnd().split('\n');
    out.line(`    - ${first}`);
    for (const line of rest) out.line(`      ${line}`);
  }
}

/** Prints what an attempt knew and planned before its first action. */
export function printBefore(details, { numbers, isComputed }, out) {
  const seen = numbers.length === 0 ? 'none' : ranges(numbers);
  out.line(`  ${out.style.cyan('visible reflections')}  ${seen}${isComputed ? ' (computed, not recorded)' : ''}`);
  printText('strategy', details.strategy, out);
  printText('plan', textOf(details, 'plan'), out);
  printText('rationale', details.rationale, out);
}

/** Prints the result of an attempt. */
export function printAfter(details, out) {
  const errors = (details.errors ?? []).map(({ type, message, file, line }) => {
    const place = file ? ` (${file}${line === undefined ? '' : `:${line}`})` : '';
    return `${type}: ${message}${place}`;
  });
  printList('errors', errors, out);
  printList('checks', (details.checks ?? []).map(({ tool, status, exitCode }) => `${tool}: ${status}${exitCode === undefined ? '' : ` (exit ${exitCode})`}`), out);
  for (const [name, heading] of Object.entries(TEXTS)) printText(heading, textOf(details, name), out);
  for (const reflection of details.reflections ?? []) printReflection(reflection, out);
  printText('strategy for the next attempt', details.strategyNext, out);
}

/** Prints a reflection, and those of its fields that its text does not contain. */
export function printReflection(reflection, out) {
  const { text, kind, rootCause, insights, lessons } = reflection;
  printText(`reflection${kind ? ` (${inline(kind)})` : ''}`, text, out);
  const isNew = (item) => !text.includes(item);
  if (rootCause && isNew(rootCause)) printText('root cause', rootCause, out);
  printList('insights', insights?.filter(isNew), out);
  printList('lessons', lessons?.filter(isNew), out);
}

function textOf(details, name) {
  const found = (details.texts ?? []).filter((text) => text.name === name);
  return found.map(({ text }) => text).join('\n');
}

/** An action in one line. */
export function actionLine(action) {
  const target = action.command ?? action.path ?? action.description;
  const tool = action.tool && action.tool !== action.type ? ` (${action.tool})` : '';
  return inline(`${action.type}${tool}${target ? `  ${target}` : ''}`);
}

/** Whether an action succeeded, in a word. */
export function actionState({ success }, style) {
  if (success === undefined) return style.dim('unknown');
  return success ? style.green('ok') : style.red('failed');
}
