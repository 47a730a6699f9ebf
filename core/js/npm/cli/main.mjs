#!/usr/bin/env node
// The command `hindscope`.
import { run } from './run.mjs';

process.exitCode = await run(process.argv.slice(2), process);
