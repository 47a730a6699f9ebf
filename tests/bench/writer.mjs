// One of several processes that write to the same episodic memory: node writer.mjs FOLDER NUMBER MS.
// Writes actions to a task of its own until the time is over, and prints how long each call took, as JSON.
import { part, words } from './tree.mjs';

const { EpisodicMemory } = await part('memory/node.mjs');
const { DirectoryStore } = await part('memory/directory.mjs');

const [folder, number, ms] = process.argv.slice(2);
const memory = await EpisodicMemory.open(new DirectoryStore(folder));
const { task } = await memory.initTask({ description: `Writer ${number}.` });
await memory.startAttempt(task);
const times = [];
for (const end = performance.now() + Number(ms); performance.now() < end; ) {
  const start = performance.now();
  await memory.logAction(task, { type: 'edit', output: words(8), success: true });
  times.push(performance.now() - start);
}
console.log(JSON.stringify(times));
