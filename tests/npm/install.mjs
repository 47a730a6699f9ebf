// Installs the packed tarball into an empty folder, once for all files of tests (see `project` in package.mjs):
//
//   HINDSCOPE_TGZ=… node tests/npm/install.mjs target/installed
import { mkdirSync, rmSync } from 'node:fs';
import { install } from './package.mjs';

const folder = process.argv[2];
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
install(folder);
