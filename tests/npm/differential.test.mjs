// Strict verdicts are those of ajv, record by record and finding by finding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compare, compareNative } from '../differential/compare.mjs';
import { given } from '../faces.mjs';
import { imported } from './package.mjs';

const { Validator, reflectionLoop, validate } = await imported();
const count = Number(process.env.HINDSCOPE_COUNT ?? 20_000);

test(`${count} mutants are judged as ajv judges them`, () => {
  const { differences, valid } = compare(validate, { count });
  assert.deepEqual(differences, []);
  // The comparison would be empty if all were valid, or none.
  assert.ok(valid > count / 20 && valid < (count * 19) / 20, `${valid} of ${count} are valid`);
});

test('so are the files of an episodic memory, and schemas of users', () => {
  const each = Math.ceil(count / 20);
  const { differences, valid } = compareNative(given('HINDSCOPE_VERDICTS'), { count: each });
  assert.deepEqual(differences, []);
  for (const [name, n] of Object.entries(valid)) assert.ok(n > each / 20 && n < (each * 19) / 20, `${name}: ${n} of ${each} are valid`);
});

test('documents of schemas are found by their address and by their `$id`, as ajv finds them', async () => {
  const step = { $id: 'http://e.org/s/step.json', $ref: 'word.json' };
  const word = { 'http://e.org/s/word.json': { type: 'null' } };
  const deep = { 'step.json': { $id: 'deep/step.json', $ref: 'word.json' }, 'deep/word.json': { type: 'null' } };
  const cases = [
    [{ $ref: 'step.json' }, { 'step.json': step, ...word }],
    [{ $ref: 'http://e.org/s/step.json' }, { 'step.json': step, ...word }],
    [{ $ref: 'step.json' }, { 'step.json': step, w: { $id: 'http://e.org/s/word.json', type: 'null' } }],
    [{ $ref: 'step.json' }, deep],
    [{ $ref: 'deep/step.json' }, deep],
    [{ allOf: [{ $ref: 'deep/step.json' }, { $ref: 'step.json' }] }, deep],
    [{ $ref: 'http://e.org/in.json#/$defs/x' }, { 'step.json': { ...step, $defs: { a: { $id: '/in.json', $defs: { x: { type: 'null' } } } } }, ...word }],
    [{ $ref: 'step.json#/$defs/a' }, { 'step.json': { $id: step.$id, $defs: { a: { $ref: 'word.json' } } }, ...word }],
    [{ $ref: 'http://e.org/s/step.json#an' }, { 'step.json': { $id: step.$id, $defs: { a: { $anchor: 'an', $ref: 'word.json' } } }, ...word }],
    [{ $ref: 'step.json' }, { 'step.json': { $id: step.$id, type: ['null', 'array'], items: { $ref: 'step.json' } } }],
    [{ $id: 'http://e.org/base/r.json', $ref: 'step.json' }, { 'http://e.org/base/step.json': step, ...word }],
    [{ $id: 'http://e.org/base/r.json', $ref: 'step.json', $defs: { n: { type: 'null' } } }, { 'http://e.org/base/step.json': { $id: step.$id, $ref: '../base/r.json#/$defs/n' } }],
    [{ type: 'null' }, { 'step.json': step }],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', $ref: 'step.json' }, { 'step.json': { $id: step.$id, allOf: [{ $ref: 'word.json' }] }, ...word }],
    // Not by the other address, nor without a document of this name, nor where two have it.
    [{ $ref: 'step.json' }, { 'step.json': step, 'word.json': { type: 'null' } }],
    [{ $ref: 'b.json' }, { 'a.json': { $id: 'b.json', type: 'null' }, 'b.json': { type: 'string' } }],
  ];
  const verdicts = (make) => {
    try {
      const isValid = make();
      return [null, 'x', [['x']]].map((value) => isValid(value));
    } catch {
      return 'refused';
    }
  };
  const loop = async (schema, schemas) => {
    const results = [];
    for (const value of [null, 'x', [['x']]]) {
      const result = await reflectionLoop({ generate: () => value, evaluate: { schema, schemas }, maxIterations: 1 }).catch(() => ({}));
      results.push(result.success);
    }
    return results.includes(undefined) ? 'refused' : results;
  };
  for (const [schema, documents] of cases) {
    const own = verdicts(() => {
      const validator = new Validator(schema, { documents });
      return (value) => validator.validate(JSON.stringify(value)).valid;
    });
    const expected = verdicts(() => {
      const ajv = new (schema.$schema ? Ajv : Ajv2020)({ strict: false });
      for (const [address, document] of Object.entries(documents)) ajv.addSchema(document, address);
      return ajv.compile(schema);
    });
    assert.deepEqual(own, expected, JSON.stringify(schema));
    assert.deepEqual(await loop(schema, documents), expected, JSON.stringify(schema));
  }
});
