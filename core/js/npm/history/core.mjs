import { wasmOf } from '../wasm.mjs';
import * as glue from './hindscope_history.js';

export const { Handle, ask, memory, ready, start, startSync } = wasmOf(glue);
