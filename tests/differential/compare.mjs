// The strict verdict against the reference validator: ajv 2020 with full formats.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { root } from '../faces.mjs';
import { join } from 'node:path';
import { mutant } from './mutants.mjs';

const require = createRequire(import.meta.url);
const { Ajv2020 } = require('ajv/dist/2020.js');
const addFormats = require('ajv-formats').default;

const schema = JSON.parse(readFileSync(join(root, 'core/schemas/reflection-memory.json'), 'utf8'));
const ajv = new Ajv2020({ allErrors: true });
addFormats(ajv);
const check = ajv.compile(schema);

/** What ajv says of a text: pairs of pointer and keyword, sorted. */
function reference(text) {
  if (check(JSON.parse(text))) return [];
  return check.errors.map((e) => `${e.instancePath} ${e.keyword}`).sort();
}

/** The same of hindscope. */
function ours(validate, text) {
  const { valid, findings } = validate(text, { profile: 'strict' });
  const strict = findings.filter((f) => f.rule.startsWith('strict/'));
  const pairs = strict.map((f) => `${f.pointer} ${f.rule.slice('strict/'.length)}`).sort();
  if (valid !== (pairs.length === 0)) throw new Error(`valid is ${valid}, but the findings are ${JSON.stringify(findings)}`);
  return pairs;
}

/**
 * Compares `count` mutants; gives the first few that differ, and how many were valid, so that a
 * generator that makes only one kind would be noticed.
 */
export function compare(validate, { count, seed = 1 }) {
  const differences = [];
  let valid = 0;
  for (let index = 0; index < count; index += 1) {
    const text = mutant(seed, index);
    const expected = reference(text);
    valid += Number(expected.length === 0);
    let found;
    try {
      found = ours(validate, text);
    } catch (error) {
      found = [String(error)];
    }
    if (expected.join('\n') !== found.join('\n')) {
      differences.push({ index, text, ajv: expected, hindscope: found });
      if (differences.length === 10) break;
    }
  }
  return { differences, valid };
}
