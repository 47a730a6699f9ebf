// The component as dump.mjs asks it. Nothing here belongs to Node: a browser runs it, too.

/** Opens `[name, bytes]` pairs, each in slices of 64 KiB. */
export function open({ History }, files, profile = 'lenient') {
  const history = new History(profile);
  for (const [name, bytes] of files) {
    const source = history.open(name);
    for (let at = 0; at < bytes.length; at += 1 << 16) {
      if (history.push(source, bytes.subarray(at, at + (1 << 16))) === 'enough') break;
    }
    history.finish(source);
  }
  return history;
}

/** Gives a handle back. */
export function free(handle) {
  handle[Symbol.dispose ?? Symbol.for('dispose')]();
}

/** A rule as WIT spells it: it has no underscores. */
function worded({ policy, ...rule }) {
  return { ...rule, ...(policy && { policy: policy.replaceAll('_', '-') }) };
}

/** A word as the records spell it. */
const underscored = (word) => word.replaceAll('-', '_');

/** An explanation as the records spell it. */
function spelled({ trajectory, ...explanation }) {
  return { ...explanation, trajectory: { ...trajectory, class: underscored(trajectory.class) } };
}

/** An error with the code of its payload. */
function coded(ask) {
  try {
    return ask();
  } catch (error) {
    if (error.payload === undefined) throw error;
    throw Object.assign(new Error(error.payload.message), { code: error.payload.code });
  }
}

/** All interfaces but that of the loop as one object: no two of them have a name in common. */
export function together({ loops, ...others }) {
  return Object.assign({}, ...Object.values(others));
}

/** What dump.mjs asks, over the interfaces in one object. */
export function face(api, files) {
  const history = open(api, files);
  const bytes = (record) => {
    const { source, start, end } = history.locate(record);
    return files[source][1].subarray(Number(start), Number(end));
  };
  const loaded = (run, needs) => {
    const loadedRun = history.loadRun(run);
    for (const { record } of needs(loadedRun)) loadedRun.load(record, bytes(record));
    return loadedRun;
  };
  const run = (id) => {
    const loadedRun = loaded(id, (loadedRun) => loadedRun.needs());
    return {
      iterations: () => history.iterations(id),
      reflections: () => history.reflections(id),
      columns: () => history.columns(id),
      records: () => history.records(id),
      about: () => {
        const loadedRun = loaded(id, (loadedRun) => loadedRun.needsAbout());
        const about = loadedRun.about().map(({ record, says }) => ({ record, says: JSON.parse(says) }));
        free(loadedRun);
        return about;
      },
      attempt: (at) => {
        const loadedRun = loaded(id, (loadedRun) => loadedRun.needsOf(BigInt(at)));
        const attempt = JSON.parse(loadedRun.attempt(BigInt(at)));
        free(loadedRun);
        return attempt;
      },
      window: (at, rule) =>
        coded(() => {
          const [number, words] = [BigInt(at), worded(rule)];
          const view = loadedRun.window(number, words);
          const entries = loadedRun.entries(view.held);
          const options = loadedRun.renderOptions(number, words);
          return { view: { ...view, policy: underscored(view.policy) }, entries, render: (layout) => api.render(entries, layout, options) };
        }),
      injected: (at) => coded(() => loadedRun.injected(BigInt(at))),
      attemptHeadline: (at) => loadedRun.attemptHeadline(BigInt(at)),
      verdict: () => {
        const loadedRun = loaded(id, (loadedRun) => loadedRun.needsSketches());
        const verdict = loadedRun.verdict();
        free(loadedRun);
        return verdict;
      },
      // With what the rules need and nothing else.
      explain: () => {
        const loadedRun = loaded(id, (loadedRun) => loadedRun.needsFor());
        const explanation = spelled(loadedRun.explain());
        free(loadedRun);
        return explanation;
      },
    };
  };
  const memory = (rule) => {
    const window = api.ReflectionWindow.create(worded(rule));
    return {
      push: (record) => window.push(record),
      get omega() { return window.omega(); },
      set omega(omega) { window.setOmega(omega); },
      set tokenBudget(budget) { window.setTokenBudget(budget); },
      set query(query) { window.setQuery(query); },
      get entries() { return window.entries(); },
      get held() { return window.held(); },
      get evicted() { return window.evicted(); },
      get dropped() { return window.dropped(); },
      get tokens() { return window.tokens(); },
      get notes() { return window.notes(); },
      render: (layout) => window.render(layout),
      // The record spells its members with underscores, WIT cannot.
      metadata: () => {
        const { windowPolicy, ...metadata } = window.metadata();
        const all = Object.entries({ ...metadata, windowPolicy: underscored(windowPolicy) });
        return Object.fromEntries(all.map(([name, value]) => [name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), value]));
      },
      free: () => free(window),
    };
  };
  return {
    sources: () => history.sources(),
    groups: () => history.groups(),
    trust: (group) => history.trust(group),
    retries: (group) => history.retries(group),
    compare: (groups, attempts) => coded(() => history.compare(Uint32Array.from(groups), attempts)),
    headline: (group) => {
      for (const view of history.runs()) if (view.group === group) run(view.id).verdict();
      return history.headline(group);
    },
    aggregate: (group) => history.aggregate(group),
    runs: () => history.runs(),
    findings: () => history.findings(),
    findingsOf: (source) => history.findingsOf(source),
    eachFinding: () => history.eachFinding(0, 0xffff_ffff),
    added: history.added(),
    recordCount: history.recordCount(),
    locate: (record) => history.locate(record),
    inspect: (record, part) => JSON.parse(coded(() => history.inspect(record, part, bytes(record)))),
    raw: (record) => coded(() => history.rawText(record, bytes(record))),
    run,
    bytes,
    validate: (record, { now, ...options }) => api.validate(record, { ...options, nowMs: now }),
    validator: (schema) => {
      const validator = api.Validator.create(schema);
      return { validate: (record) => validator.validate(record), free: () => free(validator) };
    },
    explain: (records) => spelled(api.explain(records)),
    insightRules: () => api.insightRules(),
    formats: () => api.formats(),
    memory,
  };
}

/** WIT has no absent lists: here an empty list and an absent one are the same. */
export function withoutEmpty(value) {
  return JSON.parse(JSON.stringify(value), (_, member) =>
    Array.isArray(member) && member.length === 0 ? undefined : member,
  );
}
