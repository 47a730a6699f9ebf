// The cases that lie outside the repository, without those that contradict the current rules.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../faces.mjs';

export const path = join(process.env.HINDSCOPE_SHARED ?? join(root, '../shared/data'), 'loop/vectors.jsonl');
export const isMissing = !existsSync(path);

export const read = (file) => readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));

export function sharedCases() {
  const outOfDate = JSON.parse(readFileSync(new URL('out-of-date.json', import.meta.url), 'utf8'));
  const all = read(path);
  const cases = all.filter(({ id }) => !outOfDate.includes(id));
  console.log(`left out, since the rules have changed: ${outOfDate.join(', ')}`);
  assert.equal(all.length - cases.length, outOfDate.length);
  assert.ok(cases.length > 290, String(cases.length));
  return cases;
}
