// The installed package, and what its tests say of it again and again.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { root } from '../faces.mjs';
import { imported, projectWithEngines } from './package.mjs';

/** The folder of a project that depends on the package. */
export const consumer = projectWithEngines();
export const hindscope = await imported(consumer);
const { HindscopeError, validate } = hindscope;

export const fixture = (path) => join(root, 'tests/fixtures', path);

/** A record that the schema accepts. */
export function record(changes = {}) {
  return {
    loop_id: 'ralph-demo',
    iteration: 0,
    timestamp: '2026-03-01T09:00:00Z',
    actor_output: { actions: [], rationale: 'Change one thing.' },
    evaluator_output: { passed: false, verification_type: 'unit_tests' },
    self_reflection: { reflection_text: 'The cache was read before it was filled.' },
    memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
    ...changes,
  };
}

/** Fails with this code, as an error of the package, and gives the error. */
export function fails(code, call) {
  let caught;
  try {
    call();
  } catch (error) {
    caught = error;
  }
  return isOurs(code, caught);
}

/** The same of a call that answers later. */
export async function rejects(code, call) {
  let caught;
  try {
    await call();
  } catch (error) {
    caught = error;
  }
  return isOurs(code, caught);
}

function isOurs(code, caught) {
  assert.ok(caught instanceof HindscopeError, `threw ${caught}`);
  assert.equal(caught.code, code, caught.message);
  assert.equal(caught.name, 'HindscopeError');
  assert.ok(caught instanceof Error && caught.message.length > 10);
  assert.deepEqual(Object.getPrototypeOf(caught.details), Object.prototype);
  return caught;
}

/** The package does its work: asked after everything that might have hurt it. */
export function works() {
  assert.equal(validate(record(), { profile: 'strict' }).valid, true);
}
