// Everything that all entries of `hindscope` export, and nothing else: what is added here is public in
// each of them.
export { HindscopeError } from '../error.mjs';
export { autoScale, omegaAdvice } from './omega.mjs';
export { isReflectionRecord, jsonSchema, validate } from './validate.mjs';
export { ReflectionWindow, render, windowOf } from './window.mjs';
