// Schemas beside that of reflection-memory records: the files of an episodic memory, and a handful
// that a user might bring. Each comes with a value that it allows, to be broken.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../faces.mjs';

const time = '2026-03-05T09:00:00Z';

const ours = {
  'task-metadata': {
    id: 'task-014', description: 'Cache keys', completion_criteria: 'All green', created: time, updated: time, completed: time,
    status: 'running', current_attempt: 2, total_attempts: 3, tags: ['cache'], related_tasks: ['task-013'],
  },
  trajectory: {
    task_id: 'task-014',
    attempts: [
      {
        attempt_id: 1, started: time, ended: time, outcome: 'failure', plan: 'Lower keys', actions: 4, iterations: 2,
        milestones: [{ timestamp: time, event: 'first green', details: 'unit tests' }], final_quality: 0.5, completion_percent: 50,
      },
      { attempt_id: 2 },
    ],
  },
  reflection: {
    timestamp: time, attempt_id: 2, observation: 'o', analysis: 'a', learning: 'l', action_items: ['one', 'two'],
    triggered_by: 'failure', reflection_type: 'error-analysis',
  },
  attempt: {
    id: 2, task_id: 'task-014', started: time, ended: time,
    plan: { approach: 'p', steps: ['s'], estimated_iterations: 2 },
    execution: { agent: 'coder', iterations: 2, actions_performed: 9, quality_history: [{ iteration: 1, quality: 0.4, delta: 0 }] },
    outcome: { status: 'failure', reason: 'two checks red', final_quality: 0.7, completion_percent: 70.5 },
    what_worked: ['w'], what_didnt_work: [], suggestions_for_next_time: ['s'],
  },
  action: {
    timestamp: time, iteration: 1, type: 'bash', tool: 'shell', params: { command: 'ls' }, success: false, output: '', error: 'e',
    reasoning: 'r', expected_outcome: 'x',
  },
};

const uuid = '123e4567-e89b-12d3-a456-426614174000';

const own = {
  formats: {
    schema: {
      type: 'object',
      required: ['id', 'mail'],
      additionalProperties: false,
      properties: {
        id: { type: 'string', format: 'uuid' },
        mail: { type: 'string', format: 'email' },
        site: { type: ['string', 'boolean'], format: 'uri' },
        day: { format: 'date' },
        hour: { format: 'time' },
        at: { format: 'date-time', type: 'string' },
        hosts: { type: 'array', items: { format: 'ipv4' } },
      },
    },
    value: { id: uuid, mail: 'a@b.cd', site: 'https://a.b/c?d=e#f', day: '2026-03-05', hour: '09:00:00Z', at: time, hosts: ['127.0.0.1'] },
    texts: [
      uuid, uuid.toUpperCase(), `urn:uuid:${uuid}`, uuid.slice(1), `{${uuid}}`, uuid.replaceAll('-', ''),
      'a@b', 'a.b+c@d-e.fr', '.a@b.c', 'a..b@c.d', 'a@-b.c', 'a@b-.c', 'a@b..c', '"a"@b.c', 'é@b.c', 'a@é.c', "o'x@b.c", 'a@b.c ', 'a@b@c.d',
      'mailto:a@b.c', 'urn:x', 'x:', 'x:/', 'file:///a', '//a/b', '/a', 'a', 'http://a b', 'http://[::1]:80/', 'http://[::g]', 'http://[v1.a]',
      'http://u:p@h:80/x', 'http://h:x/', 'http://[::1]:x', 'x://u@[::1]/', 'x:/[::1]', 'x:%41', 'x:%4', '1a:b', 'http://a"b', 'x:é', 'http://', 'http:///', 'a:b:c', 'x:a#b#c', 'x:?q?', 'x:#',
      'x:/a//b', 'x:/[', 'http://a@b@c', '2024-02-29', '2023-02-29', '2026-3-5', '2026-03-05 ', '09:00:00', '09:00:00z', '23:59:60Z', '22:59:60-01:00',
      '24:00:00Z', '09:00Z', '09:00:00.5+0530', '1.2.3.4', '1.2.3.256', '01.2.3.4', '1.2.3',
    ],
  },
  branches: {
    schema: {
      type: 'object',
      properties: {
        // No null: a number that no double holds is Infinity to ajv, and null to serde_json.
        kind: { enum: ['cat', 'dog', 7, false] },
        pet: {
          oneOf: [
            { type: 'object', required: ['meows'], properties: { meows: { type: 'boolean' } } },
            { type: 'object', required: ['barks'], properties: { barks: { type: 'integer', minimum: 1 } } },
            { type: 'array', maxItems: 2, items: { type: 'string' } },
          ],
        },
        size: { anyOf: [{ type: 'integer', exclusiveMinimum: 0 }, { type: 'string', pattern: '^[0-9]+(cm|mm)$' }] },
        age: { allOf: [{ type: 'number' }, { minimum: 0 }, { maximum: 30 }] },
        notes: { not: { type: 'object', required: ['secret'] } },
      },
      if: { required: ['kind'], properties: { kind: { const: 'dog' } } },
      then: { required: ['age'], properties: { age: { exclusiveMaximum: 20 } } },
      else: { properties: { size: { type: 'string' } } },
    },
    value: { kind: 'cat', pet: { meows: true, barks: 0 }, size: '30cm', age: 4, notes: { a: 1 } },
    texts: ['dog', 'cat', '3mm', 'mm', '٣mm'],
  },
  texts: {
    schema: {
      type: 'object',
      minProperties: 2,
      maxProperties: 6,
      propertyNames: { maxLength: 9, pattern: '^[a-z_]+$' },
      properties: {
        short: { type: 'string', minLength: 2, maxLength: 4 },
        word: { type: 'string', pattern: '^\\w+$' },
        emoji: { pattern: '^.$' },
        look: { pattern: '^(?!no)[\\s\\S]*$' },
      },
      patternProperties: { '^n_': { type: 'number' }, _s$: { type: 'string' } },
      additionalProperties: { type: 'boolean' },
      dependentRequired: { word: ['short', 'emoji'], look: ['word'] },
    },
    value: { short: 'abc', word: 'w_1', emoji: '😀', look: 'yes', n_a: 1, ok: true },
    texts: ['a', 'ab', 'abcde', '😀😀', '😀', 'é', 'no', 'now', 'a b', '', 'A'],
  },
  lists: {
    schema: {
      type: 'object',
      properties: {
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 1 },
        bag: { type: 'array', uniqueItems: true, minItems: 1, maxItems: 4, items: { type: ['string', 'number', 'object', 'array'] } },
        some: { type: 'array', contains: { type: 'string' }, minContains: 1, maxContains: 2 },
        none: false,
        empty: { type: 'object', additionalProperties: false },
      },
    },
    value: { pair: ['a', 1], bag: [1, '1', { a: 1 }, [1]], some: ['a', 1], empty: {} },
    texts: ['a', 'b'],
  },
  tree: {
    schema: {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', minLength: 1 },
            weight: { $ref: '#/$defs/weight' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
            fixed: { const: { a: [1, 2] } },
          },
          // Without a constraint: where one fails, ajv still counts the member as evaluated.
          allOf: [{ properties: { tag: {} } }],
          unevaluatedProperties: false,
        },
        weight: { type: 'number', minimum: 0, maximum: 1 },
      },
    },
    value: { name: 'a', weight: 0.5, tag: 't', fixed: { a: [1, 2] }, children: [{ name: 'b', children: [{ name: 'c', weight: 1 }] }] },
    texts: ['', 'a'],
  },
};

/** What is compared: a name, what hindscope is asked with, the schema for ajv, a value, texts to break it with. */
export const CASES = [
  ...Object.entries(ours).map(([word, value]) => {
    const schema = JSON.parse(readFileSync(join(root, `core/schemas/${word}.json`), 'utf8'));
    return { name: word, question: { schema: word }, schema, value, texts: [] };
  }),
  ...Object.entries(own).map(([name, { schema, value, texts }]) => ({ name, question: { own: schema }, schema, value, texts })),
];
