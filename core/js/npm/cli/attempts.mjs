// Attempts of a run, told to people.
import { EXIT, Refusal } from './errors.mjs';
import { inline, visible, width } from './text.mjs';
import { delta, noun, outcomeDress, reward, spark, time } from './words.mjs';

/** Names of texts that records keep, as people call them. */
const TEXTS = {
  what_worked: 'what worked',
  what_didnt_work: "what didn't work",
  suggestions_for_next_time: 'next time',
};

/** The iteration of a number. */
export function iterationOf(run, number) {
  const found = run.iterations().find((iteration) => iteration.number === number);
  if (found) return found;
  const numbers = run.iterations().map((iteration) => iteration.number);
  const hint = numbers.length > 0 ? `There is ${ranges(numbers)}.` : 'It has no attempts.';
  throw new Refusal('no-such-iteration', `Run ${run.view.key} has no attempt ${number}.`, { exit: EXIT.misuse, hint, details: { number } });
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

/** Who, what, how it went: the first lines about a run. */
export function tellRun({ run, group }, out) {
  const { view } = run;
  const { style } = out;
  out.line(`${style.bold(inline(view.key))}  ${style.dim(inline(group))}  ${outcomeDress(view.outcome, style)(said(view))}`);
  if (view.task) out.prose(view.task);
  const { rewards } = run.columns();
  const known = rewards.filter((value) => !Number.isNaN(value));
  const facts = [
    noun(view.iterations, 'attempt'),
    ...(known.length > 0 ? [`reward ${spark(rewards)} ${known.length > 1 ? `${reward(known[0])} → ` : ''}${reward(known.at(-1))}`] : []),
    ...(view.bestNumber === undefined ? [] : [`best ${reward(view.best)} at ${view.bestNumber}`]),
    noun(view.reflections, 'reflection'),
    `Ω ${view.omega ?? 'unbounded'} (${view.omegaProvenance})`,
    ...(view.findings > 0 ? [noun(view.findings, 'finding')] : []),
  ];
  out.line(`  ${facts.join(' · ')}`);
  const times = [view.startMs, view.endMs].map(time);
  if (times.some((text) => text !== '')) out.line(style.dim(`  ${times.map((text) => text || '?').join(' to ')}`));
}

/** The finer word, if there is one. */
function said({ outcome, outcomeDetail }) {
  return outcomeDetail ? `${outcome} (${inline(outcomeDetail)})` : outcome;
}

/** The first line about an attempt. */
export function tellHead(iteration, out) {
  const { style } = out;
  const facts = [
    outcomeDress(iteration.outcome, style)(said(iteration)),
    ...(iteration.reward === undefined ? [] : [`reward ${reward(iteration.reward)} ${delta(iteration.delta)}`.trim()]),
    ...(iteration.errors === undefined ? [] : [noun(iteration.errors, 'error')]),
    ...(iteration.timeMs === undefined ? [] : [style.dim(time(iteration.timeMs))]),
  ];
  out.line(`${style.bold(`Attempt ${iteration.number}`)}  ${facts.join(' · ')}`);
}

/** A heading and a text of a record: beside it if it is one line that fits, else below. */
export function tellText(heading, text, out, room = 0) {
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

/** A heading and a list of texts of a record. */
export function tellList(heading, texts, out) {
  if (!texts || texts.length === 0) return;
  out.line(`  ${out.style.cyan(heading)}`);
  for (const text of texts) {
    const [first, ...rest] = visible(text).trimEnd().split('\n');
    out.line(`    - ${first}`);
    for (const line of rest) out.line(`      ${line}`);
  }
}

/** What was planned and known before an attempt did anything. */
export function tellBefore(details, { numbers, isComputed }, out) {
  const seen = numbers.length === 0 ? 'none' : ranges(numbers);
  out.line(`  ${out.style.cyan('reflections it could see')}  ${seen}${isComputed ? ' (computed; nobody says it)' : ''}`);
  tellText('strategy', details.strategy, out);
  tellText('plan', textOf(details, 'plan'), out);
  tellText('rationale', details.rationale, out);
}

/** What came of it. */
export function tellAfter(details, out) {
  const errors = (details.errors ?? []).map(({ type, message, file, line }) => {
    const place = file ? ` (${file}${line === undefined ? '' : `:${line}`})` : '';
    return `${type}: ${message}${place}`;
  });
  tellList('errors', errors, out);
  tellList('checks', (details.checks ?? []).map(({ tool, status, exitCode }) => `${tool}: ${status}${exitCode === undefined ? '' : ` (exit ${exitCode})`}`), out);
  for (const [name, heading] of Object.entries(TEXTS)) tellText(heading, textOf(details, name), out);
  for (const reflection of details.reflections ?? []) tellReflection(reflection, out);
  tellText('strategy for the next attempt', details.strategyNext, out);
}

/** A reflection with what it adds to its text. */
export function tellReflection(reflection, out) {
  const { text, kind, rootCause, insights, lessons } = reflection;
  tellText(`reflection${kind ? ` (${inline(kind)})` : ''}`, text, out);
  const isNew = (item) => !text.includes(item);
  if (rootCause && isNew(rootCause)) tellText('root cause', rootCause, out);
  tellList('insights', insights?.filter(isNew), out);
  tellList('lessons', lessons?.filter(isNew), out);
}

function textOf(details, name) {
  const found = (details.texts ?? []).filter((text) => text.name === name);
  return found.map(({ text }) => text).join('\n');
}

/** What an action was, in one line. */
export function actionLine(action) {
  const target = action.command ?? action.path ?? action.description;
  const tool = action.tool && action.tool !== action.type ? ` (${action.tool})` : '';
  return inline(`${action.type}${tool}${target ? `  ${target}` : ''}`);
}

/** Whether it worked, in a word. */
export function actionState({ success }, style) {
  if (success === undefined) return style.dim('unknown');
  return success ? style.green('ok') : style.red('failed');
}
