// The machine of a loop by itself: it asks, and whoever has it answers.
import { guarded, messageOf } from '../error.mjs';
import { disposable } from '../handle.mjs';
import { bytesOf } from '../input.mjs';
import { Handle } from './core.mjs';
import { ReflectionConfigError, ReflectionUsageError, answered, failure } from './failure.mjs';
import { eventOf, stepOf } from './names.mjs';
import { handmadeReply } from './replies.mjs';
import { plainSettings, plainSingle } from './settings.mjs';

/** The handle of a machine of the wasm, or the error that it was refused with. */
export function machineOf(make) {
  const handle = new Handle('LoopMachine', (core) => make(core.LoopMachine));
  const refusal = handle.ask((inner) => inner.refusal);
  if (refusal === undefined) return handle;
  handle.free();
  throw failure(JSON.parse(refusal).error);
}

/** Tells the constructor that it is given a handle. */
const MADE = Symbol('made');

class LoopStep {
  #handle;
  #state;

  constructor(handle, members) {
    this.#handle = handle;
    Object.assign(this, members);
  }

  /** Made when it is looked at. Once the step was answered there is none, unless it was looked at before. */
  get state() {
    this.#state ??= this.#handle.ask((inner) => inner.state(this.id));
    return this.#state === undefined ? undefined : JSON.parse(this.#state);
  }
}

export class LoopMachine {
  #handle;

  constructor(config, host, now) {
    if (config === MADE) {
      this.#handle = host;
      return;
    }
    const plain = plainSettings(config, host);
    const moment = momentOf(now);
    this.#handle = machineOf((Machine) => Machine.start(plain.config, plain.host, moment));
  }

  static evaluate(params, state, host, now) {
    return single('evaluate', params, state, host, now);
  }

  static correct(params, state, host, now) {
    return single('correct', params, state, host, now);
  }

  static restore(config, host, snapshot) {
    const plain = plainSettings(config, host);
    const bytes = bytesOf(snapshot, 'A snapshot');
    return new LoopMachine(MADE, machineOf((Machine) => Machine.restore(plain.config, plain.host, bytes)));
  }

  steps() {
    return this.#steps((inner) => inner.steps());
  }

  resume(id, reply) {
    // What is no id becomes one on its way.
    if (!(Number.isInteger(id) && id > 0 && id < 2 ** 32)) throw new ReflectionUsageError('unknown_step', 'The id of a step must be an integer ≥ 1.');
    const text = guarded(() => handmadeReply(reply), (cause) => new ReflectionUsageError('reply_invalid', `Cannot read the reply: ${messageOf(cause)}`, { cause }));
    return this.#steps((inner) => inner.resume(id, text));
  }

  events() {
    return JSON.parse(this.#handle.ask((inner) => inner.events())).map(eventOf);
  }

  abort(reason = '') {
    return this.#steps((inner) => inner.abort(messageOf(reason)));
  }

  snapshot() {
    return this.#handle.ask((inner) => inner.snapshot());
  }

  free() {
    this.#handle.free();
  }

  #steps(call) {
    return answered(this.#handle.ask(call)).map((step) => new LoopStep(this.#handle, stepOf(step)));
  }
}

function single(name, params, state, host, now) {
  const plain = plainSingle(name, params, state, host);
  const moment = momentOf(now);
  return new LoopMachine(MADE, machineOf((Machine) => Machine[name](plain.params, plain.state, plain.host, moment)));
}

function momentOf(now) {
  if (now === undefined || now === null || Number.isFinite(now)) return now;
  throw new ReflectionConfigError('config_value', '`now` must be a number of milliseconds.', { field: '/now' });
}

disposable(LoopMachine);
