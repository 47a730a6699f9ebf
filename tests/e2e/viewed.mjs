// `hindscope view`, started for a test, with the package of the page beside the command.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { given } from '../faces.mjs';
import { home, plainEnv, program } from '../npm/cli.mjs';

/** Unpacks the packed page into a project, in the place where npm installs it; gives the folder. */
export function addViewer(project) {
  const folder = join(project, 'node_modules/hindscope-viewer');
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', resolve(given('HINDSCOPE_VIEWER')), '-C', folder, '--strip-components=1']);
  return folder;
}

addViewer(home);

/** Serves the page until the test ends; gives its address, and how to end it before. Rejects with what was said if it is refused. */
export async function viewed(t, args, { command = [process.execPath, program, 'view'], cwd = home, env = plainEnv() } = {}) {
  const [file, ...before] = command;
  // A group of its own, which gets the signals: programs that start others get them together, as on a terminal.
  const child = spawn(file, [...before, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const ended = new Promise((end) => child.on('exit', (status, signal) => end({ status, signal })));
  let isEnding = false;
  const end = (signal = 'SIGINT') => {
    if (!isEnding) process.kill(-child.pid, signal);
    isEnding = true;
    return ended;
  };
  t.after(() => end());
  let said = '';
  child.stderr.on('data', (piece) => (said += piece));
  const line = await new Promise((done, fail) => {
    let text = '';
    child.stdout.on('data', (piece) => {
      text += piece;
      if (text.endsWith('\n')) done(text.trim());
    });
    child.on('close', (status) => {
      isEnding = true;
      fail(Object.assign(new Error(`view ended with ${status}: ${said}`), { status, said }));
    });
  });
  return { line, end };
}
