// The types of records, written from the JSON Schemas that judge them: core/js/npm/contract/records.d.ts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../faces.mjs';

/** Name of each type, and what it is. */
const TYPES = {
  'reflection-memory': ['ReflectionRecord', 'One iteration of a loop: what it did, how it was judged and what it learned.'],
  'task-metadata': ['TaskMetadata', '`metadata.json` of a task of an episodic memory: what the task is and how far it has come.'],
  trajectory: ['TaskTrajectory', '`trajectory.json` of a task: every attempt in a few facts.'],
  reflection: ['TaskReflection', 'A line of `reflections.jsonl` of a task: what an attempt taught.'],
  attempt: ['TaskAttempt', '`attempt.json` of an attempt: its plan, how it went and how it ended.'],
  action: ['TaskAction', 'A line of `actions.jsonl` of an attempt: one call of a tool, with why and what came of it.'],
};

/** What schemas leave to the name of a member: every loop downloads them. */
const SAID_BY_NAME = {
  actions_performed: 'How many actions were taken.',
  attempts: 'The attempts, in order.',
  details: 'More of it.',
  estimated_iterations: 'How many iterations it may take.',
  event: 'What happened.',
  execution: 'How it went.',
  iteration: 'Number of the iteration.',
  iterations: 'How many iterations there were.',
  milestones: 'What happened on the way.',
  outcome: 'How it ended.',
  plan: 'What was to be tried.',
  quality: 'Quality of the work by then.',
  quality_history: 'Quality by iteration.',
  reflection_type: 'What the reflection looks for.',
  status: 'Where it stands, or how it ended.',
  success: 'Whether it worked.',
  suggestions_for_next_time: 'What to do in the next attempt.',
  tags: 'Labels.',
  what_didnt_work: 'What did not help.',
  what_worked: 'What helped.',
};

const HEAD = `/**
 * The records of loops and of episodic memories, written from their JSON Schemas, which \`jsonSchema\` gives.
 * Records may have further members.
 *
 * @module
 */
`;

const PLAIN = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean' };

function typeOf(schema, indent) {
  if (schema.enum) return schema.enum.map((word) => `'${word}'`).join(' | ');
  if (schema.type === 'array') {
    const item = typeOf(schema.items, indent);
    return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type !== 'object') return PLAIN[schema.type];
  return schema.properties ? members(schema, indent) : 'Record<string, unknown>';
}

function members({ properties, required = [] }, indent) {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([name, schema]) => {
    const type = typeOf(schema, inner);
    return [...comment(name, schema, inner), `${inner}${name}${required.includes(name) ? '' : '?'}: ${type};`];
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** What a member says, and what the type cannot: its limits and default. */
function comment(name, { description = SAID_BY_NAME[name], minimum, maximum, pattern, format, default: usual }, indent) {
  const range = minimum === undefined ? '' : maximum === undefined ? `At least ${minimum}.` : `${minimum} to ${maximum}.`;
  const said = [
    description && `${description.replace(/\.$/, '')}.`,
    range,
    pattern && `Matches \`${pattern}\`.`,
    format === 'date-time' && 'A date and time of RFC 3339, with its zone.',
    usual !== undefined && `Default ${JSON.stringify(usual)}.`,
  ].filter(Boolean);
  return said.length === 0 ? [] : [`${indent}/** ${said.join(' ')} */`];
}

/** The whole file of types. */
export function recordTypes() {
  const read = (kind) => JSON.parse(readFileSync(join(root, `core/schemas/${kind}.json`), 'utf8'));
  const types = Object.entries(TYPES).map(([kind, [name, says]]) => `/** ${says} */\nexport interface ${name} ${members(read(kind), '')}\n`);
  const kinds = Object.entries(TYPES).map(([kind, [name]]) => `  /** A record of the kind \`${kind}\`. */\n  '${kind}': ${name};`);
  const map = `/** The type of each kind of record that {@link RecordSchema} names. */\nexport interface RecordTypes {\n${kinds.join('\n')}\n}\n`;
  return [HEAD, ...types, map].join('\n');
}
