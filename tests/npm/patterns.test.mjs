// Patterns of schemas mean what they mean to V8: generated ones, with groups, repetitions, references back and
// look-around, over short texts. HINDSCOPE_PATTERNS says how many, HINDSCOPE_SEED where to begin.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { random } from '../random.mjs';
import { imported } from './package.mjs';

const { Validator } = await imported();
const count = Number(process.env.HINDSCOPE_PATTERNS ?? 2_000);
const first = Number(process.env.HINDSCOPE_SEED ?? 1);

const ATOMS = ['a', 'b', 'A', '.', '[ab]', '[^a]', '\\w', '\\b', '^', '$', ''];
const TIMES = ['*', '+', '?', '{2}', '{0,2}', '{1,3}', '{2,}', '*?', '+?', '??', '{2}?', '{0}'];
const OPEN = ['(', '(', '(', '(?:', '(?=', '(?!', '(?<=', '(?<!'];

/** A pattern, whose groups and references are those of one expression. */
function pattern(next) {
  const pick = (list) => list[next(list.length)];
  const term = (depth) => {
    const kind = next(depth > 3 ? 7 : 12);
    if (kind < 5) return pick(ATOMS);
    if (kind < 7) return { back: next(6) };
    const open = pick(OPEN);
    return [open, ...any(depth + 1), ')'];
  };
  const repeatable = (one) => (Array.isArray(one) ? ['(', '(?:'].includes(one[0]) : !['', '^', '$', '\\b'].includes(one));
  const all = (depth) =>
    Array.from({ length: 1 + next(3) }, () => term(depth)).flatMap((one) => {
      const parts = Array.isArray(one) ? one : [one];
      return repeatable(one) && next(5) < 2 ? [...parts, pick(TIMES)] : parts;
    });
  const any = (depth) => [...all(depth), ...(next(4) === 0 ? ['|', ...all(depth)] : [])];
  const parts = any(0);
  const groups = parts.filter((part) => part === '(').length;
  const text = parts.map((part) => (typeof part === 'string' ? part : groups === 0 ? 'a' : `\\${1 + (part.back % groups)}`)).join('');
  return next(3) === 0 ? text : `^${next(2) === 0 ? `(?:${text})` : text}$`;
}

function texts(next) {
  return Array.from({ length: 6 }, () => Array.from({ length: next(8) }, () => 'aabbA '[next(6)]).join(''));
}

test(`${count} patterns match what they match in V8`, { timeout: 3_600_000 }, () => {
  const differences = [];
  let [matches, judged, refused] = [0, 0, 0];
  for (let seed = first; seed < first + count; seed += 1) {
    const next = random(seed);
    const source = pattern(next);
    const regex = new RegExp(source, 'u');
    const validator = new Validator({ pattern: source });
    for (const text of ['', ...texts(next)]) {
      const { valid, findings } = validator.validate(JSON.stringify(text));
      // What takes too many steps is no verdict.
      if (!valid && findings.some(({ message }) => message.includes('too many steps'))) refused += 1;
      else {
        judged += 1;
        matches += Number(valid);
        if (valid !== regex.test(text)) differences.push(`seed ${seed}: /${source}/u on ${JSON.stringify(text)}: V8 says ${!valid}`);
      }
    }
    validator.free();
  }
  assert.deepEqual(differences.slice(0, 20), [], `${differences.length} differences`);
  // The comparison would be empty if all matched, or none, or all were refused.
  assert.ok(matches > judged / 10 && matches < (judged * 9) / 10, `${matches} of ${judged} match`);
  assert.ok(refused < count / 100, `${refused} were refused`);
});
