// The version of the package.
import { readFileSync } from 'node:fs';

export function version() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
