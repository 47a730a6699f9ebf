// Everything that all entries of `hindscope/memory` export, and nothing else.
export { HindscopeError } from '../error.mjs';
export { EpisodicMemory, hookSettings } from './memory.mjs';
