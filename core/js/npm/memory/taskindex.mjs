// The words of all tasks and loops, kept so that a search reads what has changed and nothing else.
import { messageOf } from '../error.mjs';
import { Handle, ask } from '../history/core.mjs';
import { bytesGiven, failed, misgiven, namesGiven } from './store.mjs';

/** Tasks or iterations that are looked at before others get a turn. */
const TURN = 1000;

const LOOPS = 'reflections/loops';
const ITERATION = /^iteration-\d+\.(?:ya?ml|json)$/;

export class TaskIndex {
  #store;
  #index;
  /** By task: what its files looked like when they were read. */
  #seen = new Map();
  /** The same by iteration of a loop. */
  #seenIterations = new Map();
  #refreshing = Promise.resolve();

  constructor(store) {
    this.#store = store;
  }

  /** Without stamps every file would have to be read each time, which the core does itself. */
  get isUsable() {
    return typeof this.#store.stamp === 'function';
  }

  /** Ids of all tasks. */
  async tasks() {
    const { folders } = await this.#list('tasks');
    return folders.filter((id) => this.#seen.has(id) || ask((core) => core.MemoryIndex.isTaskId(id)));
  }

  async search(request) {
    const findings = await this.#refresh();
    return { kind: 'found', ...JSON.parse(this.#index.ask((inner) => inner.search(request))), findings };
  }

  async similar(request) {
    const findings = await this.#refresh();
    return { kind: 'found', ...JSON.parse(this.#index.ask((inner) => inner.similar(request))), findings };
  }

  /** One after the other: a search finds what was written before it began. */
  #refresh() {
    const findings = this.#refreshing.then(() => this.#read());
    this.#refreshing = findings.catch(() => {});
    return findings;
  }

  async #read() {
    this.#index ??= new Handle('index of tasks', (core) => new core.MemoryIndex());
    const ids = await this.tasks();
    const findings = [];
    await this.#update(this.#seen, ids, findings, {
      pathsOf: (id) => [`tasks/${id}/metadata.json`, `tasks/${id}/reflections.jsonl`],
      put: (inner, id, metadata, reflections) => inner.put(id, metadata, reflections),
      remove: (inner, id) => inner.remove(id),
    });
    await this.#update(this.#seenIterations, await this.#iterations(), findings, {
      pathsOf: (path) => [path],
      put: (inner, path, bytes) => (bytes ? inner.putIteration(path, bytes) : inner.removeIteration(path)),
      remove: (inner, path) => inner.removeIteration(path),
    });
    return findings;
  }

  /** Files of all iterations of loops. */
  async #iterations() {
    const { folders } = await this.#list(LOOPS);
    const paths = [];
    for (const folder of folders) {
      const { files } = await this.#list(`${LOOPS}/${folder}`);
      for (const file of files) if (ITERATION.test(file)) paths.push(`${LOOPS}/${folder}/${file}`);
    }
    return paths;
  }

  /** Reads the files that have changed, and forgets those that are gone. */
  async #update(seen, ids, findings, { pathsOf, put, remove }) {
    for (const [at, id] of ids.entries()) {
      if (at % TURN === TURN - 1) await new Promise((go) => setTimeout(go));
      const paths = pathsOf(id);
      // First the stamps: what changes while it is read is read again next time.
      let stamp = '';
      for (const path of paths) {
        const given = this.#stamp(path);
        // A store that answers at once is not waited for: there may be thousands of tasks.
        const own = given instanceof Promise ? await given : given;
        if (typeof (own ?? '') !== 'string') throw misgiven('stamp', path, 'a string or undefined');
        stamp += `${own}|`;
      }
      if (seen.get(id) === stamp) continue;
      const bytes = await Promise.all(paths.map((path) => this.#bytes(path, findings)));
      this.#index.ask((inner) => put(inner, id, ...bytes));
      seen.set(id, stamp);
    }
    if (seen.size <= ids.length) return;
    const there = new Set(ids);
    for (const id of seen.keys()) {
      if (there.has(id)) continue;
      this.#index.ask((inner) => remove(inner, id));
      seen.delete(id);
    }
  }

  #stamp(path) {
    try {
      const stamp = this.#store.stamp(path);
      return typeof stamp?.then === 'function' ? Promise.resolve(stamp).catch(messageOf) : stamp;
    } catch (cause) {
      return messageOf(cause);
    }
  }

  async #bytes(path, findings) {
    let given;
    try {
      given = await this.#store.read(path);
    } catch (cause) {
      const message = `The file cannot be read: ${messageOf(cause)}.`;
      findings.push({ path, rule: 'memory/unreadable', severity: 'error', message });
      return undefined;
    }
    return bytesGiven(path, given)?.bytes;
  }

  async #list(path) {
    let given;
    try {
      given = await this.#store.list(path);
    } catch (cause) {
      throw failed(path, cause, 'read');
    }
    return namesGiven(path, given) ?? { files: [], folders: [] };
  }
}
