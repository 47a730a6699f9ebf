// Names of members on their way between the core and JavaScript. The core spells as YAML and templates do;
// JavaScript has camelCase, and results without the prefix that keeps variables of a workflow apart.
// Each name is converted only where it is known. Data of users keep their names: outputs, states,
// parameters, and what verdicts and corrections say beside the known members. Records and items of errors keep the names
// that they have in files.

const camel = (name) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
const camelCase = (...names) => Object.fromEntries(names.map((name) => [name, camel(name)]));
const reversed = (names) => Object.fromEntries(Object.entries(names).map(([from, to]) => [to, from]));

/** Converts names of members; `inner` converts values. Other values stay as they are. */
function renaming(names, inner = {}) {
  return (members) => {
    if (typeof members !== 'object' || members === null || Array.isArray(members)) return members;
    const own = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);
    return Object.fromEntries(Object.entries(members).map(([key, value]) => [own(names, key) ?? key, own(inner, key)?.(value) ?? value]));
  };
}

const STOP = camelCase('stop_reason', 'stop_detail');

/** The members of a loop's result. The others, which are those of an output, are in `output`. */
const RESULT = {
  success: 'success',
  ...STOP,
  reflection_iteration: 'iterations',
  reflection_output: 'output',
  reflection_errors: 'errors',
  reflection_history: 'attempts',
  reflection_best: 'best',
  reflection_best_score: 'score',
  reflection_suggestions: 'suggestions',
  reflection_feedback: 'feedback',
  usage: 'usage',
  warnings: 'warnings',
  records: 'records',
};

const usage = renaming(camelCase('input_tokens', 'output_tokens', 'total_tokens'));
const attempt = renaming(camelCase('output_omitted', 'raw_output', 'corrector_error'), { usage });
const attempts = (list) => list.map(attempt);
const whole = renaming(RESULT, { reflection_history: attempts, usage });
const single = renaming({ ...STOP, corrected_output: 'output' }, { usage });

/** The result of a loop, an evaluation or a correction. */
export function resultOf(members) {
  if (!('reflection_history' in members)) return single(members);
  return whole(Object.fromEntries(Object.entries(members).filter(([key]) => Object.hasOwn(RESULT, key))));
}

/** The members of an error. */
export const detailsOf = renaming({ ...STOP, history: 'attempts', best_score: 'score' }, { history: attempts, usage });

export const eventOf = renaming({ ...STOP, ...camelCase('max_iterations', 'delay_ms'), entry: 'attempt', try: 'tries' }, { entry: attempt });

export const stepOf = renaming(
  { ...camelCase('timeout_ms', 'is_last', 'budget_left'), try: 'tries' },
  { result: resultOf, error: renaming({}, { details: detailsOf }) },
);

/** Back to the core: what a record says beside its attempt, and what a host can do. */
export const coreContext = renaming(reversed(camelCase('loop_id', 'task_description')));
export const coreHost = renaming(reversed(camelCase('loop_suffix')));
