// The package as dump.mjs asks it.

/** A verdict without the record, which only this face hands back. */
const bare = ({ record, ...verdict }) => verdict;

/** A history as dump.mjs asks it. `read` gives bytes of a source. */
export function face({ OUTCOMES, ReflectionWindow, Validator, explain, formats, insightRules, validate }, history, read) {
  const same = ['sources', 'groups', 'runs', 'findings', 'eachFinding', 'locate', 'inspect', 'raw', 'trust', 'retries', 'aggregate', 'headline'];
  return {
    ...Object.fromEntries(same.map((name) => [name, (...asked) => history[name](...asked)])),
    compare: (groups, attempts) => history.compare(groups, { attempts }),
    findingsOf: (source) => history.findings({ source }),
    added: history.added,
    recordCount: history.recordCount,
    run: (id) => {
      const run = history.run(id);
      return {
        iterations: () => run.iterations(),
        reflections: () => run.reflections(),
        columns: () => {
          const columns = run.columns();
          return { ...columns, outcomes: Array.from(columns.outcomes, (code) => OUTCOMES[code]) };
        },
        records: () => run.records(),
        about: () => run.about(),
        attempt: (at) => run.attempt(at),
        window: (at, rule) => {
          const window = run.window(at, rule);
          return { view: { ...window }, entries: window.entries, render: (layout) => window.render(layout) };
        },
        injected: (at) => run.injected(at),
        explain: () => run.explain(),
        attemptHeadline: (at) => run.attemptHeadline(at),
        verdict: () => run.verdict(),
      };
    },
    bytes: (record) => {
      const { source, start, end } = history.locate(record);
      return read(source, start, end);
    },
    validate: (...asked) => bare(validate(...asked)),
    validator: (schema) => {
      const own = new Validator(schema);
      return { validate: (record) => bare(own.validate(record)), free: () => own.free() };
    },
    memory: (rule) => new ReflectionWindow(rule),
    explain,
    insightRules,
    formats,
  };
}
