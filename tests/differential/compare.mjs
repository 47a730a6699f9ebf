// The strict verdict against the reference validator: ajv 2020 with full formats.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { root } from '../faces.mjs';
import { join } from 'node:path';
import { mutant, mutantOf } from './mutants.mjs';
import { CASES } from './schemas.mjs';

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

/**
 * The same of all other schemas, asked of the native core (`hindscope-verdicts`): the faces hand its
 * answers on. As sets, since ajv repeats itself in branches; and without what ajv says of the items
 * that `contains` did not find.
 */
export function compareNative(program, { count, seed = 1 }) {
  const differences = [];
  const valid = {};
  for (const { name, question, schema, value, texts } of CASES) {
    const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictTuples: false });
    addFormats(ajv);
    const check = ajv.compile(schema);
    const mutants = Array.from({ length: count }, (_, index) => mutantOf(value, texts, seed, index));
    const input = mutants.map((text) => `${JSON.stringify({ ...question, text })}\n`).join('');
    const { stdout, stderr, status } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 1 << 30 });
    if (status !== 0) throw new Error(`${program}: ${stderr}`);
    const answers = stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
    valid[name] = 0;
    for (const [index, text] of mutants.entries()) {
      let isValid;
      try {
        isValid = check(JSON.parse(text, beyond));
      } catch {
        continue; // its comparison of values calls their `toString`, which may be a member
      }
      valid[name] += Number(isValid);
      const errors = isValid ? [] : check.errors.filter((e) => !e.schemaPath.includes('/contains/'));
      const expected = sorted(errors.map((e) => `${e.instancePath} ${e.keyword.replace(' ', '-')}`));
      const found = sorted(answers[index].pairs);
      if (answers[index].valid !== isValid || expected.join('\n') !== found.join('\n')) {
        differences.push({ schema: name, index, text, ajv: expected, hindscope: found });
        if (differences.length === 10) return { differences, valid };
      }
    }
  }
  return { differences, valid };
}

/** A number beyond every double counts as null, as the documentation of `Validator` says. */
function beyond(_, value) {
  return value === Infinity || value === -Infinity ? null : value;
}

function sorted(pairs) {
  return [...new Set(pairs)].sort();
}
