// Everything that all entries of `hindscope/loop` export, and nothing else.
export { HindscopeError } from '../error.mjs';
export {
  ReflectionConfigError,
  ReflectionFailedError,
  ReflectionTemplateError,
  ReflectionUsageError,
} from './failure.mjs';
export { ModelError, openaiChat } from './llm.mjs';
export { LoopMachine } from './machine.mjs';
export {
  coerce,
  parseLoopConfig,
  reflectionCorrect,
  reflectionEvaluate,
  reflectionEvents,
  reflectionLoop,
  renderTemplate,
  toRecord,
} from './reflect.mjs';
export { Validator } from './validator.mjs';
