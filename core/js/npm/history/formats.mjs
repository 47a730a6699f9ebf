// What can be opened.
import { ask } from './core.mjs';

export function formats() {
  return ask((core) => core.formats());
}
