import { wasmOf } from '../wasm.mjs';
import * as glue from './hindscope_loop.js';

export const { Handle, ask, ready, start, startSync } = wasmOf(glue);
