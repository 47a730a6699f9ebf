// What every runtime is asked. It is copied into a project beside dump.mjs and runs there, whether
// that is a terminal, a page or a worker.
import { canonical, dump } from './dump.mjs';

/** Small and odd, so that records, characters and escapes are cut apart. */
const SLICE = 997;

/** What a call says while the wasm may not have been started: `ok`, or the code. */
export function early({ validate }) {
  try {
    return validate({}) && 'ok';
  } catch ({ code }) {
    return code;
  }
}

/** All answers as one text, which is the same in every runtime. */
export async function probe(hindscope, fixtures) {
  await hindscope.ready;
  const names = Object.keys(hindscope).filter((name) => !['default', 'init', 'initSync'].includes(name));
  return canonical(
    {
      exports: names.sort(),
      fixtures: Object.fromEntries(fixtures.map(({ name, files }) => [name, ask(hindscope, files)])),
      misuse: misuse(hindscope),
    },
    1,
  );
}

/** Feeds the files of a fixture by hand and asks everything. */
function ask(hindscope, files) {
  const contents = files.map(({ base64 }) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  const read = (source, start, end) => contents[source].subarray(start, end);
  const history = new hindscope.History({ read });
  for (const [index, { name }] of files.entries()) {
    const source = history.open(name);
    for (let at = 0; at < contents[index].length; at += SLICE) {
      if (!history.push(source, contents[index].subarray(at, at + SLICE))) break;
    }
    history.finish(source);
  }
  const answer = dump(face(hindscope, history, read));
  history.free();
  return answer;
}

/** A history as dump.mjs asks it. `read` gives bytes of a source. */
export function face({ OUTCOMES, ReflectionWindow, validate }, history, read) {
  return {
    sources: () => history.sources(),
    groups: () => history.groups(),
    runs: () => history.runs(),
    findings: () => history.findings(),
    recordCount: history.recordCount,
    locate: (record) => history.locate(record),
    inspect: (record, part) => history.inspect(record, part),
    raw: (record) => history.raw(record),
    run: (id) => {
      const run = history.run(id);
      return {
        iterations: () => run.iterations(),
        reflections: () => run.reflections(),
        columns: () => {
          const columns = run.columns();
          return { ...columns, outcomes: Array.from(columns.outcomes, (code) => OUTCOMES[code]) };
        },
        window: (at, rule) => run.window(at, rule),
      };
    },
    bytes: (record) => {
      const { source, start, end } = history.locate(record);
      return read(source, start, end);
    },
    validate: (record, profile) => validate(record, { profile }),
    memory: (omega) => new ReflectionWindow({ omega }),
  };
}

/** Misuse of every kind: by the wasm, by the package, and after `free`. */
function misuse({ HindscopeError, History, ReflectionWindow, openHistory, validate }) {
  const window = new ReflectionWindow();
  window.free();
  const history = new History();
  const source = history.open('a.json');
  history.finish(source);
  const cyclic = {};
  cyclic.self = cyclic;
  const calls = {
    omega: () => new ReflectionWindow({ omega: 11 }),
    option: () => validate({}, { profil: 'strict' }),
    profile: () => validate({}, { profile: 'lax' }),
    freed: () => window.render(),
    finished: () => history.push(source, 'late'),
    source: () => history.finish(7),
    run: () => history.run('nobody'),
    record: () => history.inspect(0),
    cyclic: () => validate(cyclic),
    input: () => openHistory(5),
  };
  const seen = Object.entries(calls).map(([name, call]) => {
    try {
      call();
      return [name, 'nothing was thrown'];
    } catch (error) {
      const { code, details } = error;
      const isOurs = error instanceof HindscopeError && error instanceof Error && error.name === 'HindscopeError';
      return [name, { code, details, isOurs }];
    }
  });
  history.free();
  return Object.fromEntries(seen);
}
