// `cargo xtask differential`: any number of mutants, from any seed.
import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compare, compareNative } from './compare.mjs';
import { given } from '../faces.mjs';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const [count, seed] = [values.count, values.seed].map(Number);
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed)) {
  console.error('--count takes a number from 1, --seed a whole number');
  process.exit(2);
}
const { validate } = await import(pathToFileURL(join(given('HINDSCOPE_PACKAGE'), 'contract/node.mjs')).href);
const { differences, valid } = compare(validate, { count, seed });
for (const difference of differences) console.log(JSON.stringify(difference, null, 1));
console.log(`${count} mutants of seed ${seed}, ${valid} valid: ${differences.length ? 'ajv disagrees' : 'no difference from ajv'}`);

const own = compareNative(given('HINDSCOPE_VERDICTS'), { count: Math.ceil(count / 10), seed });
for (const difference of own.differences) console.log(JSON.stringify(difference, null, 1));
const cases = Object.entries(own.valid).map(([name, n]) => `${name} ${n}`).join(', ');
console.log(`${Math.ceil(count / 10)} mutants of each other schema (valid: ${cases}): ${own.differences.length ? 'ajv disagrees' : 'no difference from ajv'}`);
process.exitCode = differences.length || own.differences.length ? 1 : 0;
