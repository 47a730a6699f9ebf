// Cases for the machine by itself: replies to steps, one after the other. Their format stands in
// tests/fixtures/loop/README.md.
import { differenceOf } from './compare.mjs';

const ANY = { llm: true, actions: 'any', languages: 'any', clock: true };

/** The first difference from what a case expects, played straight and with a snapshot before each reply. */
export function checkSteps(hindscope, one) {
  try {
    const straight = play(hindscope, one, false);
    if (one.is_timed) return undefined;
    const restored = play(hindscope, one, true);
    check(JSON.stringify(straight) === JSON.stringify(restored), `with snapshots it goes differently: ${JSON.stringify(restored)}`);
    return undefined;
  } catch (error) {
    return `${one.id}: ${error instanceof Different ? error.message : error.stack}`;
  }
}

class Different extends Error {}

function check(holds, message) {
  if (!holds) throw new Different(message);
}

function matches(expected, actual, place) {
  const difference = differenceOf(expected, actual, place);
  check(difference === undefined, difference);
}

function play(hindscope, one, hasSnapshots) {
  const host = one.host ?? ANY;
  let machine;
  try {
    machine = start(hindscope, one, host);
  } catch (error) {
    check(error instanceof hindscope.ReflectionConfigError, error.stack);
    const { code, message, field, problems, usage } = error;
    const reported = { type: 'config', code, message, field, details: { problems, usage } };
    matches(one.error ?? null, reported, 'error');
    return reported;
  }
  check(!one.error, `it starts, instead of ${JSON.stringify(one.error)}`);
  const events = [];
  for (const [number, step] of (one.steps ?? []).entries()) {
    for (let times = step.times ?? 1; times > 0; times -= 1) {
      if (hasSnapshots) machine = again(hindscope, one, host, machine);
      answer(machine, step, `step ${number}`);
      events.push(...machine.events());
    }
  }
  events.push(...machine.events());
  events.forEach(({ seq }, at) => check(seq === at + 1, `event ${seq} is not number ${at + 1}`));
  if (one.events) matches(one.events, events, 'events');
  if (one.types) matches(one.types, events.map(({ type }) => type), 'types');
  const last = machine.steps();
  if (one.end) {
    check(last.length === 1, `it has not ended: ${JSON.stringify(last)}`);
    matches(one.end, last[0], 'end');
    for (const key of one.absent ?? []) check(!(key in last[0].result), `${key} is there`);
  } else {
    matches(one.pending ?? [], last, 'pending');
  }
  const end = { last: last.map((step) => ({ ...step })), events };
  machine.free();
  return end;
}

function start({ LoopMachine }, { op, params, state, config, now }, host) {
  return op ? LoopMachine[op](params, state, host, now) : new LoopMachine(config, host, now);
}

/** The same loop, from its bytes. */
function again({ LoopMachine }, { op, params, state, config }, host, machine) {
  const bytes = machine.snapshot();
  const restored = LoopMachine.restore(op ? { op, params, state: state ?? null } : config, host, bytes);
  const [before, after] = [machine, restored].map((one) => JSON.stringify(one.steps().map((step) => [step, step.state])));
  check(before === after, `it is another one when it is restored: ${before} ${after}`);
  machine.free();
  return restored;
}

function answer(machine, play, place) {
  if ('abort' in play) return void machine.abort(play.abort);
  if ('late' in play) return late(machine, play, place);
  const steps = machine.steps();
  const step = steps.find(({ type, candidate }) => !['done', 'failed'].includes(type) && (play.candidate === undefined || candidate === play.candidate));
  check(step, `${place}: no such step is pending: ${JSON.stringify(steps)}`);
  if (play.expect) matches(play.expect, step, place);
  if (play.state) matches(play.state, step.state, `${place} state`);
  for (const key of play.state_lacks ?? []) check(!(key in step.state), `${place}: the state has ${key}`);
  if (play.pending !== undefined) check(steps.length === play.pending, `${place}: ${steps.length} steps are pending`);
  return void machine.resume(step.id, reply(play));
}

/** A reply to a step that is not pending: `code` is the error, nothing if it is ignored. */
function late(machine, play, place) {
  const before = Buffer.from(machine.snapshot());
  let code;
  try {
    machine.resume(play.late, reply(play));
  } catch (error) {
    ({ code } = error);
  }
  check(code === play.code, `${place}: ${code}`);
  check(before.equals(machine.snapshot()), `${place}: the loop is not as it was`);
}

/** `reply` in full, or one of the short forms `value` and `error`, with whatever else stands there. */
function reply(play) {
  const made = { ...play.reply };
  if ('value' in play) Object.assign(made, { type: 'value', value: play.value });
  if ('error' in play) Object.assign(made, { type: 'error', message: play.error });
  return made;
}
