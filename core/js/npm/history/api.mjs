// Everything that all entries of `hindscope/history` export, and nothing else.
export { HindscopeError } from '../error.mjs';
export { formats } from './formats.mjs';
export { History } from './history.mjs';
export { explain, insightRules } from './insight.mjs';
export { queryError } from './search.mjs';

/** Words of the codes in `columns().outcomes`. */
export const OUTCOMES = Object.freeze(['success', 'partial', 'failure', 'running', 'aborted', 'void', 'unknown']);
