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

/**
 * Asks everything. `face` has the methods of the npm package's History, and `bytes(record)`,
 * `validate(bytes, profile)` and `memory(omega)` beside them.
 */
export function dump(face) {
  const records = Array.from({ length: face.recordCount }, (_, id) => id);
  return {
    sources: face.sources(),
    groups: face.groups(),
    runs: face.runs().map((view) => dumpRun(face, view)),
    findings: face.findings(),
    records: records.map((id) => ({
      span: face.locate(id),
      details: orCode(() => face.inspect(id, 0)),
      raw: orCode(() => face.raw(id)),
      strict: face.validate(face.bytes(id), 'strict'),
      lenient: face.validate(face.bytes(id), 'lenient'),
    })),
    memory: dumpMemory(face, records),
  };
}

function dumpRun(face, view) {
  const run = face.run(view.id);
  const columns = run.columns();
  const numbers = Array.from(columns.numbers, Number);
  const next = numbers.length > 0 ? numbers.at(-1) + 1 : view.base;
  const window = (at, rule) =>
    orCode(() => {
      const { text, ...found } = windowOf(run, at, rule);
      return { view: found, text };
    });
  const iterations = run.iterations();
  return {
    view,
    iterations,
    reflections: run.reflections(),
    columns,
    windows: [
      ...numbers.map((at) => window(at, { omega: OMEGA })),
      window(next, { omega: OMEGA }),
      window(next, {}),
    ],
    details: iterations.map(({ record, part }) => orCode(() => face.inspect(record, part))),
  };
}

function windowOf(run, at, rule) {
  const window = run.window(at, rule);
  return { ...window, text: window.text };
}

function dumpMemory(face, records) {
  const window = face.memory(OMEGA);
  const findings = records.map((id) => window.push(face.bytes(id)));
  const { entries, held, evicted } = window;
  const answer = { findings, entries, held, evicted, text: window.render('plain'), metadata: window.metadata() };
  window.free();
  return answer;
}

function orCode(ask) {
  try {
    return ask();
  } catch (error) {
    if (typeof error.code !== 'string') throw error;
    return { error: error.code };
  }
}
