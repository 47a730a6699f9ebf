// The main thread of a process in which code runs: `keeper.mjs LANGUAGE MEMORY_MB`. It starts the worker, which may do less than
// this thread, carries messages to and fro, and ends the process with the one that started it, however busy the worker is.
import process from 'node:process';
import { readLines, writeLine } from './lines.mjs';
import { startThread } from './thread.mjs';

/** What long answers take, and the machine code that is made while an engine runs. */
const LEEWAY_MB = 256;
/** How often memory is looked at. */
const WATCH_MS = 50;

const [name, given] = process.argv.slice(2);
const memoryMb = Number(given);
// A worker that could start workers could start one without these walls.
const thread = startThread(name, memoryMb, process.execArgv.filter((flag) => flag !== '--allow-worker'));
const end = () => process.kill(process.pid, 'SIGKILL');
let watch;

thread.listen((message) => {
  clearInterval(watch);
  writeLine(process.stdout, message);
}, fail);

function fail(code, message) {
  clearInterval(watch);
  writeLine(process.stdout, { type: 'failed', code, message }, end);
}

/** The engine and the runtime have limits of their own, of which buffers of JavaScript are not part. */
function watchMemory() {
  const most = process.memoryUsage.rss() + (2 * memoryMb + LEEWAY_MB) * 2 ** 20;
  clearInterval(watch);
  watch = setInterval(() => {
    if (process.memoryUsage.rss() > most) fail('out_of_memory', `the code used more than ${memoryMb} MB of memory.`);
  }, WATCH_MS);
}

readLines(process.stdin, (message) => {
  if (message.type === 'run') watchMemory();
  thread.post(message);
}, end);
// These come when the other process ends, also when it was killed.
for (const event of ['end', 'error', 'close']) process.stdin.on(event, end);
// A terminal sends this to all of its processes. The other one decides what it means.
process.on('SIGINT', () => {});
