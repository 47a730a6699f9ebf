// Schemas of other libraries, by the interface that they share (https://standardschema.dev).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fails, hindscope } from './installed.mjs';

const { LoopMachine, Validator, coerce, reflectionEvaluate, reflectionLoop } = hindscope;

/** A schema that wants an object with a list `a/b` of numbers, as a library would make it. */
function numbers({ later = false, callable = false } = {}) {
  const judged = (value) => {
    const list = value?.['a/b'];
    if (!Array.isArray(list)) return { issues: [{ message: 'no list', path: [{ key: 'a/b' }] }] };
    const at = list.findIndex((item) => typeof item !== 'number');
    return at < 0 ? { value } : { issues: [{ message: 'no number', path: ['a/b', at] }] };
  };
  const validate = later ? async (value) => judged(value) : judged;
  return Object.assign(callable ? () => 'of the library' : {}, { '~standard': { version: 1, vendor: 'test', validate } });
}
const wrong = { 'a/b': [1, 'x'] };
const right = { 'a/b': [1, 2] };

test('a loop is judged by it, at once or later, alone or beside others', async () => {
  for (const schema of [numbers(), numbers({ later: true }), numbers({ callable: true })]) {
    for (const evaluate of [schema, { schema }, { type: 'schema', schema, name: 'shape' }, [{ schema }, () => true]]) {
      const outputs = [wrong, right];
      const { success, output, attempts: [first], warnings } = await reflectionLoop({ generate: () => outputs.shift(), evaluate });
      assert.deepEqual([success, output, warnings], [true, right, []]);
      const [{ message, code, path, pointer }] = first.errors;
      assert.deepEqual({ message, code, path, pointer }, { message: 'no number', code: 'schema', path: 'a/b.1', pointer: '/a~1b/1' });
    }
  }
});

test('texts are parsed for it', async () => {
  const evaluate = numbers();
  const parsed = await reflectionLoop({ generate: () => JSON.stringify(right), evaluate });
  assert.deepEqual([parsed.success, parsed.output, parsed.warnings[0].code], [true, right, 'text_parsed']);
  const failed = await reflectionLoop({ generate: () => 'no idea', evaluate: { schema: { '~standard': { validate: () => ({ issues: [{ message: 'no object' }] }) } } }, maxIterations: 1 });
  assert.match(failed.errors[0].message, /^no object .*parse: 'json'/);
  const llm = () => ({ content: `So: ${JSON.stringify(right)}` });
  assert.equal((await reflectionLoop({ generate: { action: 'llm.call', prompt: 'x' }, evaluate, llm })).success, true);
});

test('one evaluation is judged by it', async () => {
  for (const asked of [{ schema: numbers({ later: true }) }, { evaluate: numbers({ callable: true }) }]) {
    const { valid, success, errors } = await reflectionEvaluate({ data: wrong, ...asked });
    assert.deepEqual([valid, success, errors[0].path], [false, true, 'a/b.1']);
    assert.equal((await reflectionEvaluate({ data: right, ...asked })).valid, true);
  }
  const machine = LoopMachine.evaluate({ data: right, schema: numbers() });
  const [{ type, callback }] = machine.steps();
  assert.deepEqual([type, callback], ['evaluate_custom', 'evaluate']);
  machine.free();
});

test('a Validator asks it', () => {
  const validator = new Validator(numbers());
  assert.equal(validator.validate(right).valid, true);
  for (const record of [wrong, JSON.stringify(wrong), new TextEncoder().encode(JSON.stringify(wrong))]) {
    const { valid, usable, findings } = validator.validate(record);
    assert.deepEqual([valid, usable], [false, false]);
    assert.deepEqual(findings, [{ rule: 'strict/standard-schema', severity: 'error', pointer: '/a~1b/1', message: 'no number' }]);
  }
  assert.equal(validator.validate('{"a/b":').findings.some(({ rule }) => rule === 'strict/standard-schema'), false);
  validator.free();
  fails('freed', () => validator.validate(right));
  const later = fails('invalid-schema', () => new Validator(numbers({ later: true })).validate(right));
  assert.match(later.message, /reflectionEvaluate/);
  const throws = { '~standard': { validate: () => { throw new TypeError('kaput'); } } };
  assert.match(fails('invalid-schema', () => new Validator(throws).validate(1)).message, /kaput/);
  const silent = { '~standard': { validate: () => ({ issues: [] }) } };
  assert.equal(new Validator(silent).validate(1).usable, false);
});

test('a path may be a list of any class', async () => {
  class Path extends Array {
    constructor(...keys) {
      super();
      this.push(...keys);
    }
  }
  const whole = { '~standard': { validate: () => ({ issues: [{ message: 'no object', path: new Path() }] }) } };
  const { errors: [{ path, pointer }] } = await reflectionEvaluate({ data: 1, schema: whole });
  assert.deepEqual([path, pointer], ['', '']);
});

test('a JSON Schema that hides the interface of its origin is a JSON Schema', async () => {
  const schema = Object.defineProperty({ type: 'integer' }, '~standard', { value: numbers()['~standard'], enumerable: false });
  assert.equal(coerce(schema, '7').value, 7);
  assert.equal(new Validator(schema).validate(7).valid, true);
  const { success, output } = await reflectionLoop({ generate: () => '7', parse: 'text', evaluate: { schema } });
  assert.deepEqual([success, output], [true, 7]);
});

test('what cannot use it says so', () => {
  assert.throws(() => coerce(numbers(), {}), { code: 'config_value' });
});

test('a Validator warns of what it does not check', () => {
  const { warnings } = new Validator({ properties: { a: { requird: [] } }, format: 'shoe-size', 'x-ours': 1 });
  assert.deepEqual(warnings.map(({ rule, pointer }) => [rule, pointer]), [['schema/keyword', '/properties/a/requird'], ['schema/format', '/format']]);
  assert.match(warnings[0].message, /Did you mean `required`/);
  assert.deepEqual(new Validator(numbers()).warnings, []);
});
