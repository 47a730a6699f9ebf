// What every runtime is asked. It is copied into a project beside dump.mjs and face.mjs and runs
// there, whether that is a terminal, a page or a worker.
import { canonical, dump } from './dump.mjs';
import { face } from './face.mjs';

/** What each entry exports for itself. */
const STARTING = ['default', 'ready', 'init', 'initSync'];

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

/** All entries as one object. What several export is the same thing, but for what starts their wasm. */
export function joined(...entries) {
  const all = Object.assign({}, ...entries);
  for (const entry of entries) {
    for (const [name, value] of Object.entries(entry)) {
      if (!STARTING.includes(name) && all[name] !== value) throw new Error(`there is more than one ${name}`);
    }
  }
  return Object.assign(all, { ready: Promise.all(entries.map(({ ready }) => ready)) });
}

/** All answers as one text, which is the same in every runtime. */
export async function probe(hindscope, fixtures) {
  await hindscope.ready;
  const names = Object.keys(hindscope).filter((name) => !['default', 'init', 'initSync'].includes(name));
  return canonical(
    {
      exports: names.sort(),
      files: await opened(hindscope),
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

/** Names of files that the runtime made itself: in Bun a File says that it is a Blob. */
async function opened({ openFiles }) {
  const record = '{"loop_id": "ralph-a", "iteration": 1, "self_reflection": {"reflection_text": "Again."}}';
  const history = await openFiles([new File([record], 'a.json'), { name: 'b.json', data: new Blob([record]) }]);
  const names = history.sources().map(({ path, state }) => `${path}: ${state}`);
  history.free();
  return names;
}

/** Misuse of every kind: by the wasm, by the package, and after `free`. */
function misuse({ HindscopeError, History, ReflectionWindow, Validator, explain, openHistory, validate }) {
  const window = new ReflectionWindow();
  window.free();
  const history = new History();
  const source = history.open('a.json');
  history.finish(source);
  const counting = new ReflectionWindow({ tokenBudget: 9, countTokens: () => NaN });
  const lesson = { iteration: 1, evaluator_output: { passed: false }, self_reflection: { reflection_text: 'Slower.' } };
  const cyclic = {};
  cyclic.self = cyclic;
  const calls = {
    omega: () => new ReflectionWindow({ omega: 11 }),
    option: () => validate({}, { profil: 'strict' }),
    profile: () => validate({}, { profile: 'lax' }),
    schema: () => new Validator({ type: 'anything' }),
    rules: () => explain([], { rules: 'stuck/*' }),
    counter: () => counting.push(lesson),
    group: () => history.trust(0),
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
  counting.free();
  return Object.fromEntries(seen);
}
