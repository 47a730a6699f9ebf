// Cases for the machine of the loop itself, over any face: replies to steps, one after the other. The
// format stands in tests/fixtures/loop/README.md; tests/src/loops/steps.rs plays them natively.
import { mismatch } from './compare.mjs';

/**
 * Plays a case as it stands, and again with a snapshot and a restore before every reply: both must go
 * as expected and end alike.
 *
 * `face.start(case)` and `face.restore(case, bytes)` give a machine with the methods of npm's
 * `LoopMachine`, and with `state(id)`; steps, replies, events and errors have the JSON form of the
 * core. `face.refusal(error)` is what was thrown, in that form. Gives the first difference, or
 * undefined.
 */
export function stepDifference(one, face) {
  try {
    const straight = play(one, face, false);
    if (one.is_timed) return undefined;
    const restored = play(one, face, true);
    if (straight !== restored) return `with snapshots it goes differently: ${straight} ${restored}`;
    return undefined;
  } catch (error) {
    if (error instanceof Difference) return error.message;
    throw error;
  }
}

class Difference extends Error {}

function differ(message) {
  throw new Difference(message);
}

function compare(expected, actual, place) {
  const told = mismatch(expected, actual, place);
  if (told) differ(told);
}

function play(one, face, hasSnapshots) {
  let run;
  try {
    run = face.start(one);
  } catch (error) {
    const refusal = face.refusal(error);
    if (!one.error) differ(`it does not start: ${JSON.stringify(refusal)}`);
    compare(one.error, refusal, 'error');
    return JSON.stringify(refusal);
  }
  if (one.error) differ(`it starts, in place of ${JSON.stringify(one.error)}`);
  const events = [];
  for (const [number, item] of one.steps.entries()) {
    for (let time = 0; time < (item.times ?? 1); time += 1) {
      if (hasSnapshots) run = again(run, one, face);
      step(run, item, face, `step ${number}`);
      events.push(...run.events());
    }
  }
  events.push(...run.events());
  for (const [at, { seq }] of events.entries()) if (seq !== at + 1) differ(`event ${seq} is not number ${at + 1}`);
  if (one.events) compare(one.events, events, 'events');
  if (one.types) compare(one.types, events.map(({ type }) => type), 'types');
  const last = run.steps();
  if (one.end) {
    if (last.length !== 1) differ(`it has not ended: ${JSON.stringify(last)}`);
    compare(one.end, last[0], 'end');
    for (const key of one.absent ?? []) if (key in (last[0].result ?? {})) differ(`${key} is there`);
  } else {
    compare(one.pending ?? [], last, 'pending');
  }
  run.free();
  return JSON.stringify({ last, events });
}

/** The same machine, from its bytes. */
function again(run, one, face) {
  const restored = face.restore(one, run.snapshot());
  const seen = (machine) => machine.steps().map((step) => ({ step, state: machine.state(step.id) ?? null }));
  compare(seen(run), seen(restored), 'restored');
  run.free();
  return restored;
}

function step(run, item, face, place) {
  if ('abort' in item) return void run.abort(item.abort);
  if ('late' in item) return late(run, item, face, place);
  const steps = run.steps();
  const found = steps.find(({ type, candidate }) => !['done', 'failed'].includes(type) && candidate === (item.candidate ?? candidate));
  if (!found) differ(`${place}: no such step is pending: ${JSON.stringify(steps)}`);
  if (item.expect) compare(item.expect, found, place);
  if (item.state) compare(item.state, run.state(found.id), `${place} state`);
  for (const key of item.state_lacks ?? []) if (key in run.state(found.id)) differ(`${place}: the state has ${key}`);
  if ('pending' in item && steps.length !== item.pending) differ(`${place}: ${steps.length} steps are pending`);
  return void run.resume(found.id, replyOf(item));
}

/** A reply to a step that is not pending: `code` is the error, nothing if it is ignored. */
function late(run, item, face, place) {
  const before = new TextDecoder().decode(run.snapshot());
  let code;
  try {
    run.resume(item.late, replyOf(item));
  } catch (error) {
    ({ code } = face.refusal(error));
  }
  if (code !== item.code) differ(`${place}: ${code} in place of ${item.code}`);
  if (new TextDecoder().decode(run.snapshot()) !== before) differ(`${place}: the loop is not as it was`);
}

/** `reply` in full, or one of the short forms `value` and `error`, with whatever else stands there. */
function replyOf({ reply = {}, ...item }) {
  return {
    ...reply,
    ...('value' in item ? { type: 'value', value: item.value } : {}),
    ...('error' in item ? { type: 'error', message: item.error } : {}),
  };
}
