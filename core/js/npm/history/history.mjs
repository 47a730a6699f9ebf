// Everything that was opened, as rows.
import { HindscopeError, isOurs, messageOf } from '../error.mjs';
import { disposable } from '../handle.mjs';
import { bytesOf, callable, id, idList, pick, text, wholeNumber } from '../input.mjs';
import { Handle } from './core.mjs';
import { Export, exportOptions } from './export.mjs';
import { Run } from './run.mjs';
import { Search, searchOptions } from './search.mjs';

/** Calls the history of the wasm: for other files of this package. */
export const INNER = Symbol('inner');

/** So many findings or runs come out of the wasm at once. */
const PART = 5000;

/** A list in parts: it may have a million items, and the wasm need not hold them all at once. */
function inParts(from, end, some) {
  const all = [];
  for (let at = from; at < end; at += PART) {
    for (const item of some(at, Math.min(PART, end - at))) all.push(item);
  }
  return all;
}

export class History {
  #handle;
  #read;

  constructor(options) {
    const { read, ...plain } = pick(options, { profile: text, memory: wholeNumber, read: callable });
    this.#handle = new Handle('History', (core) => new core.History(plain));
    this.#read = read;
  }

  open(path) {
    const name = text(path, 'path');
    return this.#handle.ask((inner) => inner.open(name));
  }

  push(source, slice) {
    const own = id(source, 'source');
    const bytes = bytesOf(slice, 'the slice');
    return this.#handle.ask((inner) => inner.push(own, bytes));
  }

  finish(source) {
    const own = id(source, 'source');
    this.#handle.ask((inner) => inner.finish(own));
  }

  fail(source, reason) {
    const own = id(source, 'source');
    const why = text(reason, 'reason');
    this.#handle.ask((inner) => inner.fail(own, why));
  }

  refuse(source, rule, reason) {
    const own = id(source, 'source');
    const [kind, why] = [text(rule, 'rule'), text(reason, 'reason')];
    this.#handle.ask((inner) => inner.refuse(own, kind, why));
  }

  sources() {
    return this.#handle.ask((inner) => inner.sources());
  }

  groups() {
    return this.#handle.ask((inner) => inner.groups());
  }

  runs() {
    return this.#handle.ask((inner) => inParts(0, inner.runCount(), (at, count) => inner.runs(at, count)));
  }

  findings(options) {
    const { source } = pick(options, { source: id });
    return this.#handle.ask((inner) => (source === undefined ? inner.findings() : inner.findingsOf(source)));
  }

  eachFinding(options) {
    const { from = 0, count = Infinity } = pick(options, { from: wholeNumber, count: wholeNumber });
    return this.#handle.ask((inner) => {
      const end = Math.min(from + count, inner.findingCount());
      return inParts(from, end, (at, some) => inner.eachFinding(at, some));
    });
  }

  get added() {
    return this.#handle.ask((inner) => inner.added());
  }

  get recordCount() {
    return this.#handle.ask((inner) => inner.recordCount());
  }

  get runCount() {
    return this.#handle.ask((inner) => inner.runCount());
  }

  get findingCount() {
    return this.#handle.ask((inner) => inner.findingCount());
  }

  run(idOrKey) {
    const isKey = typeof idOrKey === 'string';
    const run = isKey ? this.#handle.ask((inner) => inner.findRun(idOrKey)) : id(idOrKey, 'run');
    if (run === undefined) {
      throw new HindscopeError('no-such-run', `No run has the key ${JSON.stringify(idOrKey)}.`, { key: idOrKey });
    }
    const view = this.#handle.ask((inner) => inner.run(run));
    return new Run(this.#handle, (record) => this.#bytesOf(record), view);
  }

  trust(group) {
    const own = this.#group(group);
    return this.#handle.ask((inner) => inner.trust(own)) ?? undefined;
  }

  retries(group) {
    const own = this.#group(group);
    return this.#handle.ask((inner) => inner.retries(own));
  }

  compare(groups, options) {
    const { attempts } = pick(options, { attempts: wholeNumber });
    const own = idList(groups, 'groups', 'group').map((group) => this.#group(group));
    return this.#handle.ask((inner) => inner.compare(own, attempts));
  }

  headline(group) {
    const own = this.#group(group);
    const runs = this.#handle.ask((inner) => inner.runsIn(own));
    if (runs.length === 0) return this.#handle.ask((inner) => inner.headline(own));
    const verdicts = this.verdicts(Array.from(runs));
    if (verdicts.length === 1) return verdicts[0].headline;
    const stuck = Uint8Array.from(verdicts, ({ stuck, isChecked }) => (stuck.length > 0 ? 2 : isChecked ? 1 : 0));
    return this.#handle.ask((inner) => inner.headlineOf(runs, stuck));
  }

  verdicts(runs) {
    const ids = runs === undefined || runs === null ? this.#allRuns() : idList(runs, 'runs', 'run');
    const { runCount } = this;
    const unknown = ids.find((run) => run >= runCount);
    if (unknown !== undefined) throw new HindscopeError('no-such-run', `No run has the id ${unknown}.`, { run: unknown });
    // What does not fit into the limit of memory is known here and not kept.
    const own = this.#compareReflections(ids);
    const all = this.#handle.ask((inner) => inParts(0, ids.length, (at, count) => inner.verdicts(ids.subarray(at, at + count))));
    return all.map((verdict) => own.get(verdict.run) ?? verdict);
  }

  aggregate(group) {
    const own = this.#group(group);
    return this.#handle.ask((inner) => inner.aggregate(own));
  }

  locate(record) {
    const own = id(record, 'record');
    return this.#handle.ask((inner) => inner.locate(own));
  }

  inspect(record, part = 0, bytes = undefined) {
    const own = this.#bytesOf(record, bytes);
    const position = id(part ?? 0, 'iteration');
    return this.#handle.ask((inner) => inner.inspect(record, position, own));
  }

  raw(record, bytes = undefined) {
    const own = this.#bytesOf(record, bytes);
    return this.#handle.ask((inner) => inner.rawText(record, own));
  }

  export(options) {
    const { runs, ...plain } = exportOptions(options);
    // These say of all runs, before the first one is read, where each was stuck.
    if (['markdown', 'report', 'json'].includes(plain.kind)) this.#compareReflections(runs ?? this.#allRuns());
    return new Export(this.#handle, (record) => this.#bytesOf(record), runs, plain);
  }

  search(query, options) {
    const plain = text(query, 'query');
    const { parts, run } = searchOptions(options);
    const read = (source, path, start, end) => this.#stretch(source, path, start, end);
    this.#compareFor(plain);
    return new Search(this.#handle, read, () => this.#handle.ask((inner) => inner.search(plain, parts, run)));
  }

  findRuns(query) {
    const plain = text(query, 'query');
    this.#compareFor(plain);
    return [...this.#handle.ask((inner) => inner.findRuns(plain))];
  }

  [INNER](call) {
    return this.#handle.ask(call);
  }

  free() {
    this.#handle.free();
    this.#read = undefined;
  }

  #allRuns() {
    return Uint32Array.from({ length: this.runCount }, (_, at) => at);
  }

  /**
   * Reads the reflections of runs that have not been compared yet, and keeps what is compared of them. A run that
   * cannot be read any more stays as it is: its verdict says so. Gives the verdicts of the others.
   */
  #compareReflections(runs) {
    const verdicts = new Map();
    for (const run of this.#handle.ask((inner) => inner.unchecked(runs))) {
      try {
        verdicts.set(run, this.run(run).verdict());
      } catch (cause) {
        if (!isOurs(cause) || !['unreadable-input', 'wrong-bytes'].includes(cause.code)) throw cause;
      }
    }
    return verdicts;
  }

  /** The same of all runs, if a query asks for what is found by that. */
  #compareFor(query) {
    if (!this.#handle.ask((inner) => inner.asksInsight(query))) return;
    if (!this.#read && this.#handle.ask((inner) => inner.unchecked(this.#allRuns())).length > 0) {
      throw new HindscopeError('unreadable-input', 'This query compares reflections, and the history cannot read its files again: pass `read` when you create it.');
    }
    this.#compareReflections(this.#allRuns());
  }

  /** The id of a group that is there. */
  #group(group) {
    const own = id(group, 'group');
    if (own < this.#handle.ask((inner) => inner.groupCount())) return own;
    throw new HindscopeError('no-such-group', `No group has the id ${own}.`, { group: own });
  }

  /** The bytes of a stretch of a source, as the reader fetches them. */
  #stretch(source, path, start, end) {
    if (!this.#read) throw new HindscopeError('unreadable-input', 'This history cannot read its files again: it was created without `read`.', { path });
    return bytesOf(this.#read(source, start, end), 'the result of `read`', { path });
  }

  /** The bytes of a record: those given, else those that the reader fetches. */
  #bytesOf(record, bytes) {
    const { source, start, end, path } = this.locate(record);
    if (bytes !== undefined && bytes !== null) return bytesOf(bytes, 'the bytes of a record', { record });
    if (!this.#read) {
      throw new HindscopeError('unreadable-input', 'This history cannot read its files again: pass `read` when you create it, or the bytes of the record now.', { record });
    }
    let answer;
    try {
      answer = this.#read(source, start, end);
    } catch (cause) {
      if (isOurs(cause)) throw cause;
      throw new HindscopeError('unreadable-input', `Cannot read ${path} again: ${messageOf(cause)}`, { record, path }, { cause });
    }
    return bytesOf(answer, 'the result of `read`', { record, path });
  }
}

disposable(History);
