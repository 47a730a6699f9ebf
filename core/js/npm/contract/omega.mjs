// How many reflections to hold.
import { number, pick } from '../input.mjs';
import { ask } from './core.mjs';

export function autoScale(omega, pace) {
  const now = number(omega, 'omega');
  const plain = pick(pace, { consecutiveFailures: number, meanQuality: number, iterationsToFinish: number });
  return ask((core) => core.autoScale(now, plain));
}

export function omegaAdvice() {
  return ask((core) => core.omegaAdvice());
}
