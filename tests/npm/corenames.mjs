// The loop of the package in the names of the core, in which the cases of tests/loop and
// tests/fixtures/loop are written. Names are converted wherever they stand: what the package may leave
// alone is tested in reflect.test.mjs.

const CORE = {
  stopReason: 'stop_reason', stopDetail: 'stop_detail',
  inputTokens: 'input_tokens', outputTokens: 'output_tokens', totalTokens: 'total_tokens',
  outputOmitted: 'output_omitted', rawOutput: 'raw_output', correctorError: 'corrector_error',
  maxIterations: 'max_iterations', delayMs: 'delay_ms', timeoutMs: 'timeout_ms', isLast: 'is_last', budgetLeft: 'budget_left',
};

function named(value) {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [CORE[key] ?? key, named(inner)]));
}

/** A result. What the core also says of it in other words is added; the component's tests check that it does. */
export function coreResult(result) {
  if (!('attempts' in result)) return named('valid' in result ? result : { ...result, corrected_output: result.output });
  const { output, errors, attempts, best, score, suggestions, feedback, iterations, ...others } = named(result);
  const reflection = { iteration: iterations, output, errors, history: attempts, best, best_score: score, suggestions, feedback };
  const spread = typeof output === 'object' && output !== null && !Array.isArray(output) ? output : { result: output };
  return {
    ...Object.fromEntries(Object.entries(spread).filter(([name]) => !['exhausted', 'stop_detail'].includes(name))),
    ...others,
    valid: result.success,
    ...(result.success ? {} : { exhausted: true }),
    ...Object.fromEntries(Object.entries(reflection).map(([name, value]) => [`reflection_${name}`, value])),
  };
}

function coreStep(step) {
  const { tries, result, error, ...members } = step;
  const made = { ...named(members), try: tries };
  if (result) made.result = coreResult(result);
  if (error) {
    const { attempts, score, ...details } = error.details;
    made.error = { ...error, details: named(attempts ? { ...details, history: attempts, best_score: score } : details) };
  }
  return Object.defineProperty(made, 'state', { get: () => step.state });
}

function coreEvent({ attempt, tries, ...members }) {
  return named({ ...members, ...(attempt && { entry: attempt }), ...(tries && { try: tries }) });
}

function packageReply({ usage, ...reply }) {
  if (!usage) return reply;
  const { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens, ...others } = usage;
  return { ...reply, usage: { inputTokens, outputTokens, totalTokens, ...others } };
}

function packageHost(host) {
  if (!('loop_suffix' in (host ?? {}))) return host;
  const { loop_suffix: loopSuffix, ...others } = host;
  return { ...others, loopSuffix };
}

/** The package, with a `LoopMachine` and configuration errors in the names of the core. */
export function inCoreNames(hindscope) {
  const machineOf = (make) => {
    let machine;
    try {
      machine = make(hindscope.LoopMachine);
    } catch (error) {
      if (error.usage) error.usage = named(error.usage);
      throw error;
    }
    const steps = (list) => list.map(coreStep);
    return {
      steps: () => steps(machine.steps()),
      resume: (id, reply) => steps(machine.resume(id, packageReply(reply))),
      abort: (reason) => steps(machine.abort(reason)),
      events: () => machine.events().map(coreEvent),
      snapshot: () => machine.snapshot(),
      free: () => machine.free(),
    };
  };
  function LoopMachine(config, host, now) {
    return machineOf((Machine) => new Machine(config, packageHost(host), now));
  }
  for (const form of ['evaluate', 'correct']) LoopMachine[form] = (params, state, host, now) => machineOf((Machine) => Machine[form](params, state, packageHost(host), now));
  LoopMachine.restore = (config, host, snapshot) => machineOf((Machine) => Machine.restore(config, packageHost(host), snapshot));
  return { ...hindscope, LoopMachine };
}
