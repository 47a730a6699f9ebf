// Findings of rules over runs, lessons and recurring patterns.
import { explain, insightRules } from '../history/insight.mjs';
import { ranges, printRun } from './attempts.mjs';
import { EXIT } from './errors.mjs';
import { PATHS, RUN } from './help.mjs';
import { OPEN_OPTIONS, RUN_OPTIONS, chosenRuns, noRuns, openRuns } from './open.mjs';
import { whole as number } from './options.mjs';
import { loadEntry } from './start.mjs';
import { table } from './style.mjs';
import { inline } from './text.mjs';
import { SEVERITIES, plural, percent, severityColour, whole } from './format.mjs';

export const usage = '[--run RUN] [--rule RULE] [--check] [PATH…]';
export const options = {
  ...RUN_OPTIONS,
  rule: { type: 'string', multiple: true, value: 'RULE', says: 'apply only this rule, or a group of rules such as stuck/*; repeat for more' },
  omega: { type: 'string', value: 'Ω', says: 'assume that an attempt could see this many reflections, 0 to 10' },
  level: { type: 'string', value: 'LEVEL', says: 'the lowest severity to show (default: info)', choices: SEVERITIES },
  check: { type: 'boolean', says: 'exit with 1 if there is a finding of at least --level (default with --check: warning)' },
  rules: { type: 'boolean', says: 'list the rules, with their thresholds' },
  ...OPEN_OPTIONS,
};
export const examples = [
  ['hindscope insights runs/', 'shows for each run the trajectory, findings, lessons and patterns'],
  ["hindscope insights --rule 'stuck/*' --check", 'in a script: exits with 1 if a loop is stuck'],
  ['hindscope insights --run task-001', 'examines one run of .aiwg/ralph'],
  ['hindscope insights --rules', 'lists the rules'],
];
export const notes = [
  'Findings come from fixed rules, never from a language model: the same files always give the same findings. Each names its rule and the attempts that it is based on.',
  RUN,
  PATHS,
];
export const exits = { 1: 'no run found or selected, or with --check: a finding of at least --level' };

export async function run({ values, positionals, out }) {
  if (values.rules) return printRules(out);
  const omega = number(values.omega, 'omega', { least: 0, most: 10 });
  await loadEntry('history');
  // Refuses unknown rules before a folder is read, which may be large.
  explain([], { rules: values.rule });
  const { history } = await openRuns(positionals, out, values);
  const ids = chosenRuns(history, values);
  if (ids.length === 0) throw noRuns();
  const groups = history.groups();
  const level = SEVERITIES.indexOf(values.level ?? 'info');
  const checked = SEVERITIES.indexOf(values.level ?? 'warning');
  const runs = [];
  let isFound = false;
  for (const [position, id] of ids.entries()) {
    const one = history.run(id);
    const explanation = one.explain({ rules: values.rule, omega });
    explanation.findings = explanation.findings.filter(({ severity }) => SEVERITIES.indexOf(severity) <= level);
    isFound ||= explanation.findings.some(({ severity }) => SEVERITIES.indexOf(severity) <= checked);
    const group = groups[one.view.group].label;
    if (out.isJson) runs.push({ key: one.view.key, group, explanation });
    else {
      if (position > 0) out.line();
      print({ run: one, group }, explanation, out);
    }
    out.progress(() => `Examining: ${whole(position + 1)} of ${plural(ids.length, 'run')}`);
  }
  if (out.isJson) out.json({ runs });
  return values.check && isFound ? EXIT.no : EXIT.ok;
}

async function printRules(out) {
  await loadEntry('history');
  const all = insightRules();
  if (out.isJson) {
    out.json({ rules: all });
    return EXIT.ok;
  }
  for (const { id, says, threshold, isDefault } of all) {
    out.line(`${out.style.bold(id)}${isDefault ? '' : out.style.dim('  only with --rule')}`);
    out.prose(says);
    if (threshold) out.line(out.style.dim(`  ${threshold}`));
  }
  return EXIT.ok;
}

function print(found, explanation, out) {
  const { style } = out;
  printRun(found, out);
  const { trajectory } = explanation;
  const facts = [
    trajectory.class === 'insufficient_data' ? 'trajectory: too few rewards' : `trajectory: ${trajectory.class} (${trajectory.up} up, ${trajectory.down} down, ${trajectory.flat} flat)`,
    ...(trajectory.degradation > 0 ? [`the last reward is ${trajectory.degradation.toFixed(3)} below attempt ${trajectory.selected}`] : []),
  ];
  out.line(`  ${facts.join(' · ')}`);
  if (explanation.findings.length === 0) out.line(style.dim('  No findings.'));
  for (const finding of explanation.findings) printFinding(finding, out);
  printPatterns(explanation.patterns, out);
  printLessons(explanation.lessons, out);
}

function printFinding({ severity, rule, message, hint, evidence, iteration }, out) {
  const { style } = out;
  const from = evidence?.length > 0 ? ranges(evidence.map(({ number: written }) => written)) : iteration;
  const attempts = from === undefined ? '' : style.dim(`  attempts ${from}`);
  out.line(`  ${severityColour(severity, style)(severity.padEnd(7))}  ${style.bold(rule)}${attempts}`);
  out.prose(message, '           ');
  if (hint) out.prose(hint, '           ');
}

function printPatterns(patterns, out) {
  if (patterns.length === 0) return;
  const { style } = out;
  const rows = patterns.map(({ kind, description, frequency, uses, numbers, successRate, advice }) => [
    [kind, style.cyan],
    `${whole(kind === 'strategy' ? uses : frequency)}×`,
    `attempts ${ranges(numbers)}`,
    successRate === undefined ? '' : `success ${percent(successRate)}`,
    advice === undefined ? '' : [advice, advice === 'inject' ? style.green : style.red],
    inline(description),
  ]);
  out.line(`  ${style.bold('recurring patterns')}`);
  for (const line of table([{}, { right: true }, {}, {}, {}, {}], rows, { style, columns: out.columns, indent: '    ' })) out.line(line);
}

function printLessons(lessons, out) {
  if (lessons.length === 0) return;
  const { style } = out;
  const colours = { new: style.green, returned: style.yellow, dropped: style.red };
  const rows = lessons.map(({ number: written, state, text, since }) => [
    [String(written), style.bold],
    [state, colours[state] ?? style.dim],
    since === written ? '' : `since ${since}`,
    inline(text),
  ]);
  out.line(`  ${style.bold('lessons')}`);
  for (const line of table([{ right: true }, {}, {}, {}], rows, { style, columns: out.columns, indent: '    ' })) out.line(line);
}
