// Everything that all entries export, and nothing else: what is added here is public in each of
// them.
export { HindscopeError } from './error.mjs';
export {
  ReflectionConfigError,
  ReflectionFailedError,
  ReflectionTemplateError,
  ReflectionUsageError,
} from './failure.mjs';
export { formats } from './formats.mjs';
export { History } from './history.mjs';
export { explain, insightRules } from './insight.mjs';
export { ModelError, openaiChat } from './llm.mjs';
export { LoopMachine } from './machine.mjs';
export { EpisodicMemory } from './memory.mjs';
export { queryError } from './search.mjs';
export { autoScale, omegaAdvice } from './omega.mjs';
export {
  coerce,
  correctReflection,
  evaluateReflection,
  parseLoopConfig,
  reflectionCorrect,
  reflectionEvaluate,
  reflectionEvents,
  reflectionLoop,
  renderTemplate,
  toRecord,
} from './reflect.mjs';
export { isReflectionRecord, jsonSchema, validate, Validator } from './validate.mjs';
export { ReflectionWindow, render, windowOf } from './window.mjs';

/** Words of the codes in `columns().outcomes`. */
export const OUTCOMES = Object.freeze(['success', 'partial', 'failure', 'running', 'aborted', 'void', 'unknown']);
