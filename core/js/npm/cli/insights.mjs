// What runs teach: findings of rules, lessons, and what recurs.
import { insightRules } from '../insight.mjs';
import { ranges, tellRun } from './attempts.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { PATHS, RUN } from './help.mjs';
import { RUN_OPTIONS, chosenRuns, openRuns } from './open.mjs';
import { whole as number } from './options.mjs';
import { started } from './start.mjs';
import { table } from './style.mjs';
import { inline } from './text.mjs';
import { SEVERITIES, noun, percent, severityDress, whole } from './words.mjs';

export const usage = '[--run RUN] [--rule RULE] [--check] [PATH…]';
export const options = {
  ...RUN_OPTIONS,
  rule: { type: 'string', multiple: true, value: 'RULE', says: 'only this rule, or an area as stuck/*; may be said again' },
  omega: { type: 'string', value: 'Ω', says: 'how many reflections an attempt could see, 0..10' },
  level: { type: 'string', value: 'LEVEL', says: 'findings from this severity on; info if left out', choices: SEVERITIES },
  check: { type: 'boolean', says: 'ends with 1 if there is a finding of that level, or a warning if none is said' },
  rules: { type: 'boolean', says: 'lists every rule: what it says, when, and what it needs' },
};
export const examples = [
  ['hindscope insights runs/', 'every run: its course, what rules say of it, lessons and patterns'],
  ["hindscope insights --rule 'stuck/*' --check", 'in a script: is a loop stuck? 1 says yes'],
  ['hindscope insights --run task-001', 'one run of .aiwg/ralph'],
  ['hindscope insights --rules', 'the rules'],
];
export const notes = [
  'Every finding is a rule that anyone can run again: it names the rule and the attempts that it is drawn from. No language model is asked.',
  RUN,
  PATHS,
];
export const exits = { 1: 'with --check: there are such findings; or there is no run' };

export async function run({ values, positionals, out }) {
  if (values.rules) return tellRules(out);
  const omega = number(values.omega, 'omega', { least: 0, most: 10 });
  if (values.rule) await refuseUnknownRules(values.rule);
  const { history } = await openRuns(positionals, out);
  const ids = chosenRuns(history, values);
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
      tell({ run: one, group }, explanation, out);
    }
    out.progress(() => `explaining: ${whole(position + 1)} of ${noun(ids.length, 'run')}`);
  }
  if (out.isJson) out.json({ runs });
  else if (ids.length === 0) out.note('No run is chosen.');
  return values.check && isFound ? EXIT.negative : EXIT.fine;
}

async function rules() {
  await started();
  return insightRules();
}

/** Rules that choose nothing are mistakes of whoever wrote them. */
async function refuseUnknownRules(wanted) {
  const known = (await rules()).map(({ id }) => id);
  for (const rule of wanted) {
    const isKnown = rule.endsWith('/*') ? known.some((id) => id.startsWith(rule.slice(0, -1))) : known.includes(rule);
    if (!isKnown) throw new Refusal('invalid-option', `There is no rule ${rule}.`, { hint: '`hindscope insights --rules` lists them.' });
  }
}

async function tellRules(out) {
  const all = await rules();
  if (out.isJson) {
    out.json({ rules: all });
    return EXIT.fine;
  }
  for (const { id, says, threshold, isDefault } of all) {
    out.line(`${out.style.bold(id)}${isDefault ? '' : out.style.dim('  only when asked for')}`);
    out.prose(says);
    if (threshold) out.line(out.style.dim(`  ${threshold}`));
  }
  return EXIT.fine;
}

function tell(found, explanation, out) {
  const { style } = out;
  tellRun(found, out);
  const { course } = explanation;
  const facts = [
    course.trajectory === 'insufficient_data' ? 'course: too few rewards' : `course: ${course.trajectory} (${course.up} up, ${course.down} down, ${course.flat} flat)`,
    ...(course.degradation > 0 ? [`the last attempt is ${course.degradation.toFixed(3)} below attempt ${course.selected}`] : []),
  ];
  out.line(`  ${facts.join(' · ')}`);
  if (explanation.findings.length === 0) out.line(style.dim('  No rule has anything to say.'));
  for (const finding of explanation.findings) tellFinding(finding, out);
  tellPatterns(explanation.patterns, out);
  tellLessons(explanation.lessons, out);
}

function tellFinding({ severity, rule, message, hint, evidence, iteration }, out) {
  const { style } = out;
  const from = evidence?.length > 0 ? ranges(evidence.map(({ number: written }) => written)) : iteration;
  const attempts = from === undefined ? '' : style.dim(`  attempts ${from}`);
  out.line(`  ${severityDress(severity, style)(severity.padEnd(7))}  ${style.bold(rule)}${attempts}`);
  out.prose(message, '           ');
  if (hint) out.prose(hint, '           ');
}

function tellPatterns(patterns, out) {
  if (patterns.length === 0) return;
  const { style } = out;
  const rows = patterns.map(({ kind, description, frequency, numbers, successRate, advice }) => [
    [kind, style.cyan],
    `${whole(frequency)}×`,
    `attempts ${ranges(numbers)}`,
    successRate === undefined ? '' : `success ${percent(successRate)}`,
    advice === undefined ? '' : [advice, advice === 'inject' ? style.green : style.red],
    inline(description),
  ]);
  out.line(`  ${style.bold('what recurs')}`);
  for (const line of table([{}, { right: true }, {}, {}, {}, {}], rows, { style, columns: out.columns, indent: '    ' })) out.line(line);
}

function tellLessons(lessons, out) {
  if (lessons.length === 0) return;
  const { style } = out;
  const dress = { new: style.green, returned: style.yellow, dropped: style.red };
  const rows = lessons.map(({ number: written, state, text, since }) => [
    [String(written), style.bold],
    [state, dress[state] ?? style.dim],
    since === written ? '' : `since ${since}`,
    inline(text),
  ]);
  out.line(`  ${style.bold('lessons')}`);
  for (const line of table([{ right: true }, {}, {}, {}], rows, { style, columns: out.columns, indent: '    ' })) out.line(line);
}
