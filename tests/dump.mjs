// Everything a face can be asked, as one value. It is the same value, member by member, as
// src/dump.rs makes of the native core. Nothing here belongs to Node: packaging/ runs it in browsers
// and workers too.

/** One text for equal values: sorted members, no absent ones, no big integers, arrays as arrays. */
export function canonical(value, spaces = 0) {
  return JSON.stringify(plain(value), undefined, spaces);
}

function plain(value) {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value, plain);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => [name, plain(member)]);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Ω of the windows that are asked for, and of the one that all records are pushed into. */
const OMEGA = 3;

/** The clock of the host: 2026-04-01, after some records and before others. */
const NOW_MS = 1_775_001_600_000;

/** What relevance compares with, once the window is asked again. */
const QUERY = 'session token expiry';

/** A schema of one's own, which some records meet. */
const OWN_SCHEMA = JSON.stringify({
  type: 'object',
  required: ['iteration'],
  properties: {
    iteration: { type: 'integer', minimum: 1 },
    loop_id: { pattern: '^ralph-' },
    evaluator_output: { properties: { passed: { const: false } } },
  },
});

const SCHEMAS = ['reflection-memory', 'task-metadata', 'trajectory', 'reflection', 'attempt', 'action'];

const LAYOUTS = ['plain', 'aiwg-template', 'aiwg-guide', 'aiwg-memory', 'reflexion-alfworld', 'episodic'];

/** Rules of the windows before the attempt that was not made yet; the last is laid out in every way. */
const RULES = [
  { omega: OMEGA },
  { omega: 2, policy: 'recency' },
  { omega: 2, policy: 'relevance_weighted' },
  { omega: 1, policy: 'relevance_weighted', halfLife: 1 },
  { tokenBudget: 60 },
  { dynamicOmega: true },
  { failuresOnly: true },
  {},
];

/** Rules of the windows that all records are pushed into. */
const MEMORY_RULES = [
  { omega: OMEGA },
  { omega: OMEGA, policy: 'relevance_weighted', tokenBudget: 60, dynamicOmega: true },
];

/**
 * Asks everything. `face` has the methods of the npm package's History, with these differences:
 *
 * - `bytes(record)` gives the bytes of a record, as a host reads them;
 * - `validate(bytes, { schema, profile, now })`, `validator(schema)` for an object with `validate`
 *   and `free`, `explain(list of bytes)`, `insightRules()` and `formats()` stand beside the methods;
 * - `memory(rule)` gives a ReflectionWindow, whose `omega`, `tokenBudget` and `query` can be set;
 * - `run(id).window(at, rule)` gives `{ view, entries, render(layout) }`;
 * - a name of an outcome stands in columns, not its code.
 *
 * Misuse throws an error with a `code`.
 */
export function dump(face) {
  const records = Array.from({ length: face.recordCount }, (_, id) => id);
  const groups = face.groups();
  const own = face.validator(OWN_SCHEMA);
  const answer = {
    sources: face.sources(),
    added: face.added,
    groups: groups.map((view) => ({
      view,
      trust: face.trust(view.id) ?? null,
      retries: face.retries(view.id),
      aggregate: face.aggregate(view.id),
      headline: face.headline(view.id),
    })),
    compared: groups.length < 2 ? null : orCode(() => face.compare([groups[0].id, groups[1].id], OMEGA)),
    runs: face.runs().map((view) => dumpRun(face, view)),
    findings: face.findings(),
    findingsOf: face.sources().map(({ id }) => face.findingsOf(id)),
    eachFinding: face.eachFinding(),
    records: records.map((id) => ({
      span: face.locate(id),
      details: orCode(() => face.inspect(id, 0)),
      raw: orCode(() => face.raw(id)),
      verdicts: Object.fromEntries(SCHEMAS.map((schema) => [schema, verdicts(face, face.bytes(id), schema)])),
      own: own.validate(face.bytes(id)),
    })),
    memories: MEMORY_RULES.map((rule) => dumpMemory(face, records, rule)),
    live: face.explain(records.map((id) => face.bytes(id))),
    rules: face.insightRules(),
    formats: face.formats(),
  };
  own.free();
  return answer;
}

function verdicts(face, bytes, schema) {
  const [strict, lenient] = ['strict', 'lenient'].map((profile) =>
    face.validate(bytes, { schema, profile, now: NOW_MS }),
  );
  return { strict, lenient };
}

function dumpRun(face, view) {
  const run = face.run(view.id);
  const columns = run.columns();
  const numbers = Array.from(columns.numbers, Number);
  const next = numbers.length > 0 ? numbers.at(-1) + 1 : view.base;
  const iterations = run.iterations();
  return {
    view,
    iterations,
    reflections: run.reflections(),
    columns,
    records: Array.from(run.records()),
    about: orCode(() => run.about()),
    attempts: numbers.map((at) => run.attempt(at)),
    windows: numbers.map((at) => dumpWindow(run, at, { omega: OMEGA })),
    nextWindows: RULES.map((rule, index) =>
      dumpWindow(run, next, rule, index === RULES.length - 1 ? LAYOUTS : undefined),
    ),
    injected: [...numbers, next].map((at) => orCode(() => run.injected(at))),
    headlines: numbers.map((at) => run.attemptHeadline(at)),
    verdict: run.verdict(),
    explanation: run.explain(),
    details: iterations.map(({ record, part }) => orCode(() => face.inspect(record, part))),
  };
}

function dumpWindow(run, at, rule, layouts = ['plain']) {
  return orCode(() => {
    const window = run.window(at, rule);
    return { view: window.view, entries: window.entries, texts: texts(layouts, window) };
  });
}

function texts(layouts, window) {
  return Object.fromEntries(layouts.map((layout) => [layout, window.render(layout)]));
}

/** What a window of one's own makes of all records, in order, and of other settings after that. */
function dumpMemory(face, records, rule) {
  const window = face.memory(rule);
  const findings = records.map((id) => window.push(face.bytes(id)));
  const before = dumpState(window);
  window.omega = 2;
  window.tokenBudget = 40;
  window.query = QUERY;
  const after = dumpState(window);
  window.free();
  return { findings, before, after };
}

function dumpState(window) {
  const { omega, entries, held, evicted, dropped, tokens = null, notes } = window;
  const metadata = window.metadata();
  return { omega, entries, held, evicted, dropped, tokens, notes, texts: texts(LAYOUTS, window), metadata };
}

function orCode(ask) {
  try {
    return ask();
  } catch (error) {
    if (typeof error.code !== 'string') throw error;
    return { error: error.code };
  }
}
