// What a reflection loop is refused or ends with. The core makes the fields; these are the classes.
import { HindscopeError } from '../error.mjs';
import { detailsOf } from './names.mjs';

class ReflectionError extends HindscopeError {
  constructor(code, message, options = undefined) {
    super(code, message, {}, options);
  }
}

/** What nothing costs. */
const unused = () => ({
  calls: { generate: 0, evaluate: 0, correct: 0, total: 0 },
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  cost: 0,
  ms: 0,
  unknown: 0,
});

/** The configuration cannot be run. Nothing was called, except perhaps `resolveSchema`. */
export class ReflectionConfigError extends ReflectionError {
  constructor(code, message, { field = '', problems = [{ code, field, message }], usage = unused() } = {}, options = undefined) {
    super(code, message, options);
    this.field = field;
    this.problems = problems;
    this.usage = usage;
  }
}

/** Nothing was accepted, and `onFailure` is `raise`, or a call failed for good. What was achieved is all here. */
export class ReflectionFailedError extends ReflectionError {
  constructor(code, message, details, options = undefined) {
    super(code, message, options);
    Object.assign(this, details);
  }
}

/** A template cannot be rendered. Of a loop it has what was achieved. */
export class ReflectionTemplateError extends ReflectionError {
  constructor(code, message, { line, ...details } = {}) {
    super(code, message);
    if (typeof line === 'number') this.line = line;
    if ('attempts' in details) Object.assign(this, details);
  }
}

/** The machine was used wrongly. It is as it was before. */
export class ReflectionUsageError extends ReflectionError {}

// Written out: bundlers rename classes.
for (const [name, Class] of Object.entries({ ReflectionConfigError, ReflectionFailedError, ReflectionTemplateError, ReflectionUsageError })) {
  Object.defineProperty(Class.prototype, 'name', { value: name });
}

const CLASSES = {
  config: ReflectionConfigError,
  ReflectionFailedError,
  template: ReflectionTemplateError,
  usage: ReflectionUsageError,
};

/** The error that the core describes. */
export function failure({ type, code, message, field, details }, options = undefined) {
  const members = detailsOf(details);
  return new CLASSES[type](code, message, field === null || field === undefined ? members : { ...members, field }, options);
}

/** What the core says, as JSON text: an answer, or the error that it describes. */
export function answered(text) {
  const answer = JSON.parse(text);
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer) && 'error' in answer) throw failure(answer.error);
  return answer;
}
