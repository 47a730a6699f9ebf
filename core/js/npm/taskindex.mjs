// The words of all tasks, kept so that a search reads what has changed and nothing else.
import { ask } from './core.mjs';
import { Handle } from './handle.mjs';
import { messageOf } from './error.mjs';

/** Tasks that are looked at before others get a turn. */
const TURN = 1000;

export class TaskIndex {
  #store;
  #index;
  /** By task: what its files looked like when they were read. */
  #seen = new Map();
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
    const { folders } = (await this.#store.list('tasks')) ?? { folders: [] };
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
    for (const [at, id] of ids.entries()) {
      if (at % TURN === TURN - 1) await new Promise((go) => setTimeout(go));
      const paths = [`tasks/${id}/metadata.json`, `tasks/${id}/reflections.jsonl`];
      // First the stamps: what changes while it is read is read again next time.
      let stamp = '';
      for (const path of paths) {
        const own = this.#stamp(path);
        // A store that answers at once is not waited for: there may be thousands of tasks.
        stamp += `${own instanceof Promise ? await own : own}|`;
      }
      if (this.#seen.get(id) === stamp) continue;
      const [metadata, reflections] = await Promise.all(paths.map((path) => this.#bytes(path, findings)));
      this.#index.ask((inner) => inner.put(id, metadata, reflections));
      this.#seen.set(id, stamp);
    }
    if (this.#seen.size > ids.length) {
      const there = new Set(ids);
      for (const id of this.#seen.keys()) {
        if (there.has(id)) continue;
        this.#index.ask((inner) => inner.remove(id));
        this.#seen.delete(id);
      }
    }
    return findings;
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
    try {
      return (await this.#store.read(path))?.bytes;
    } catch (cause) {
      const message = `The file cannot be read: ${messageOf(cause)}.`;
      findings.push({ path, rule: 'memory/unreadable', severity: 'error', message });
      return undefined;
    }
  }
}
