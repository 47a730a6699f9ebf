// The memory of the component as a host drives it, with the methods of the npm package that the tests call.
import { free } from './face.mjs';

/** Asks a call until it answers; reads and writes go to a store of the npm package. */
export function ask({ MemoryCall }, store, request) {
  const call = MemoryCall.start(JSON.stringify(request));
  for (let needs = call.needs(); needs.length > 0; needs = call.needs()) {
    for (const { kind, path, lenBytes } of needs) call.supply(path, found(store, kind, path, lenBytes));
  }
  const { answer, findings, writes } = MemoryCall.finish(call);
  for (const { kind, path, was, bytes } of writes) store.write(path, bytes, { kind, was: was && Number(was) });
  return { ...JSON.parse(answer), findings: findings.map(({ path, finding }) => ({ path, ...finding })) };
}

function found(store, kind, path, lenBytes) {
  if (kind === 'folder') {
    const names = store.list(path);
    return names === undefined ? { tag: 'absent' } : { tag: 'folder', val: { others: [], ...names } };
  }
  const file = store.read(path, lenBytes && Number(lenBytes));
  if (file === undefined) return { tag: 'absent' };
  if (kind === 'file') return { tag: 'file', val: file.bytes };
  return { tag: 'tail', val: { bytes: file.bytes, lenBytes: BigInt(file.lenBytes) } };
}

/** A memory over a store; `now` gives milliseconds. */
export function memoryOf(memories, store, now) {
  const asked = (call) => (request) => ask(memories, store, { call, now: new Date(now()).toISOString(), ...request });
  const read = (call) => (request) => ask(memories, store, { call, ...request });
  const similarTasks = (task, options) => read('similar-tasks')({ ...options, task });
  return {
    initTask: asked('init-task'),
    startAttempt: (task, { similar, ...options } = {}) => {
      const lessons = similar && similarTasks(task, { limit: similar }).tasks.flatMap(({ lessons }) => lessons.slice(0, 1));
      return asked('start-attempt')({ ...options, task, similar: lessons });
    },
    logAction: (task, action) => asked('log-action')({ task, action }),
    addResult: (task, result) => asked('add-result')({ ...result, task }),
    completeAttempt: (task, ending) => asked('complete-attempt')({ ...ending, task }),
    addReflection: (task, reflection) => asked('add-reflection')({ task, reflection }),
    setStatus: (task, status) => asked('set-status')({ task, status }),
    queryHistory: (task, filter) => read('query-history')({ ...filter, task }),
    search: (query, options) => read('search-tasks')({ ...options, query }),
    similarTasks,
    improvement: () => read('track-improvement')({}),
    reflect: (loop, iteration) => asked('reflect')({ ...iteration, loop }),
    doctor: () => asked('doctor')({}),
  };
}

/** The words of a memory's tasks and iterations, as a host that searches often keeps them. */
export function indexOf({ MemoryIndex }, store) {
  const index = new MemoryIndex();
  const bytes = (path) => store.read(path)?.bytes;
  for (const task of store.list('tasks')?.folders ?? []) {
    index.put(task, bytes(`tasks/${task}/metadata.json`), bytes(`tasks/${task}/reflections.jsonl`));
  }
  for (const loop of store.list('reflections/loops')?.folders ?? []) {
    const folder = `reflections/loops/${loop}`;
    for (const name of store.list(folder).files) index.putIteration(`${folder}/${name}`, bytes(`${folder}/${name}`));
  }
  return {
    search: (query) => JSON.parse(index.search(JSON.stringify({ query }))),
    similar: (task) => JSON.parse(index.similar(JSON.stringify({ task }))),
    index,
    free: () => free(index),
  };
}
