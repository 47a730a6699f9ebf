import { wasmOf } from '../wasm.mjs';
import * as glue from './hindscope.js';

export const { Handle, ask, ready, start, startSync } = wasmOf(glue);
