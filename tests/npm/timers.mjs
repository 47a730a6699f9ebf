// Timers that a call starts, and those that it leaves behind.

/** `started` are their times in milliseconds; `left` is how many the call has neither cleared nor waited for. */
export async function timersOf(call) {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const open = new Set();
  const started = [];
  globalThis.setTimeout = (run, ms, ...given) => {
    const timer = set((...all) => {
      open.delete(timer);
      run(...all);
    }, ms, ...given);
    open.add(timer);
    started.push(ms);
    return timer;
  };
  globalThis.clearTimeout = (timer) => {
    open.delete(timer);
    clear(timer);
  };
  try {
    const answer = await call();
    return { answer, started, left: open.size };
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
    for (const timer of open) clear(timer);
  }
}
