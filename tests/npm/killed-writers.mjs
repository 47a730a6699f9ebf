// Processes that write to one episodic memory in a folder, are killed while they do, and what is found afterwards.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consumer, hindscope } from './installed.mjs';
import { faults } from './memory-protocol.mjs';
import { importedEntry, scratch } from './package.mjs';

const { EpisodicMemory } = hindscope;
const { DirectoryStore } = await importedEntry(consumer, 'hindscope/stores/directory');

const SHARED = 'task-001';
/** The task that a writer has for itself; all share the first one. */
const ownTask = (who) => `task-${String(who + 2).padStart(3, '0')}`;
const outputOf = (n) => 'x'.repeat(n % 300);

const WRITER = `import { EpisodicMemory } from 'hindscope/memory';
import { DirectoryStore } from 'hindscope/stores/directory';
const [root, own, who, life, count] = process.argv.slice(2);
const memory = await EpisodicMemory.open(new DirectoryStore(root, { flush: false }));
for (let n = 0; n < Number(count); n += 1) {
  await memory.logAction(n % 5 === 4 ? own : '${SHARED}', { type: 'edit', params: { who: Number(who), life: Number(life), n }, output: 'x'.repeat(n % 300) });
  process.stdout.write(\`\${n}\\n\`);
}
`;
writeFileSync(join(consumer, 'writer.mjs'), WRITER);

/** A memory with a task for all writers, and one for each. */
export class WrittenMemory {
  /** All processes that were ever started: who they are, and what they say was written. */
  writers = [];

  static async open(count) {
    const made = new WrittenMemory();
    made.store = new DirectoryStore(join(scratch(), 'memory'), { flush: false });
    made.memory = await EpisodicMemory.open(made.store);
    for (let at = -1; at < count; at += 1) {
      const { task } = await made.memory.initTask({ description: at < 0 ? 'All.' : `Writer ${at}.` });
      await made.memory.startAttempt(task);
    }
    made.count = count;
    return made;
  }

  /** Starts a process that writes `calls` actions. */
  start(who, calls) {
    const life = this.writers.length;
    const child = spawn(process.execPath, ['writer.mjs', this.store.root, ownTask(who), who, life, calls].map(String), { cwd: consumer, stdio: ['ignore', 'pipe', 'pipe'] });
    const writer = { child, who, life, acknowledged: 0, said: '' };
    // Numbers come one after the other, a line each; a piece may end in the middle of one.
    child.stdout.setEncoding('utf8').on('data', (text) => (writer.acknowledged += text.split('\n').length - 1));
    child.stderr.setEncoding('utf8').on('data', (text) => (writer.said += text));
    writer.ended = new Promise((resolve) => child.on('close', (status, signal) => resolve(signal ?? status)));
    this.writers.push(writer);
    return writer;
  }

  /** Those that have not ended. */
  get living() {
    return this.writers.filter(({ child }) => child.exitCode === null && child.signalCode === null);
  }

  /**
   * One round: all writers live and write, and then some are killed at a random moment. Where one of them has ended by
   * itself, its error is thrown.
   */
  async round(victims, next) {
    for (let who = 0; who < this.count; who += 1) {
      if (!this.living.some((writer) => writer.who === who)) this.start(who, Infinity);
    }
    const { living } = this;
    while (living.some(({ acknowledged }) => acknowledged < 5)) {
      const failed = living.find(({ child }) => (child.exitCode ?? child.signalCode) !== null);
      if (failed) throw new Error(failed.said);
      await pause(5);
    }
    await pause(next(40));
    await killed(Array.from({ length: victims }, () => living.splice(next(living.length), 1)[0]));
  }

  /** Kills all that live. */
  stop() {
    return killed(this.living);
  }

  /**
   * What a doctor leaves of the memory, once all writers have ended: how many calls were acknowledged, which of them are lost,
   * what is there twice, and what is torn: damage, a part of an action, or more than one that was not acknowledged.
   */
  async outcome() {
    await this.memory.doctor({ mend: true });
    const torn = faults(await this.memory.doctor());
    const places = new Map();
    for (let who = -1; who < this.count; who += 1) {
      const task = who < 0 ? SHARED : ownTask(who);
      const { attempts } = await this.memory.queryHistory(task);
      for (const { params, output } of attempts[0].actions) {
        const name = `${params.life}/${params.n}`;
        places.set(name, (places.get(name) ?? 0) + 1);
        const isWhole = this.writers[params.life]?.who === params.who && (output ?? '') === outputOf(params.n);
        if (!isWhole || task !== (params.n % 5 === 4 ? ownTask(params.who) : SHARED)) torn.push(`${task}: ${name}`);
      }
    }
    const doubled = [...places].filter(([, times]) => times > 1).map(([name]) => name);
    const lost = [];
    let acknowledged = 0;
    for (const writer of this.writers) {
      acknowledged += writer.acknowledged;
      // Whoever was killed may have written one more than it could say.
      const most = writer.acknowledged + 1;
      const has = (n) => places.delete(`${writer.life}/${n}`);
      for (let n = 0; n < most; n += 1) if (!has(n) && n < writer.acknowledged) lost.push(`${writer.life}/${n}`);
    }
    torn.push(...places.keys());
    return { acknowledged, lost, doubled, torn };
  }
}

async function killed(writers) {
  for (const { child } of writers) child.kill('SIGKILL');
  for (const { ended, said } of writers) {
    const how = await ended;
    if (how !== 'SIGKILL') throw new Error(`A writer ended with ${how}: ${said}`);
  }
}

const pause = (ms) => new Promise((go) => setTimeout(go, ms));
