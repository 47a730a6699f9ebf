// What a loop leaves behind is a history: its records, opened again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../faces.mjs';
import { lines, scripted } from '../loop/scripted.mjs';
import { hindscope } from './installed.mjs';

const { openHistory, reflectionLoop, toRecord, validate } = hindscope;
const path = join(root, 'tests/loop/records.jsonl');

test('the records of the scripted loop are those that pages are shown', async () => {
  const { records, stopReason: reason } = await reflectionLoop(scripted());
  assert.equal(reason, 'valid');
  assert.equal(lines(records), readFileSync(path, 'utf8'));
  for (const record of records) {
    const { valid, findings } = validate(record, { profile: 'strict' });
    assert.deepEqual([valid, findings], [true, []]);
  }
});

test('a loop opens as a run: attempts, rewards, lessons', async () => {
  const { attempts: entries, records } = await reflectionLoop(scripted());
  const history = openHistory({ name: 'records.jsonl', data: lines(records) });
  assert.deepEqual(history.findings(), []);
  const [view, ...others] = history.runs();
  assert.deepEqual(others, []);
  const { key, task, format, outcome, iterations, firstSuccess, best, trend, omega } = view;
  assert.deepEqual(
    { key, task, format, outcome, iterations, firstSuccess, best, trend, omega },
    {
      key: 'ralph-profile-of-ada',
      task: 'Write the profile of Ada as JSON',
      format: 'reflection-memory',
      outcome: 'success',
      iterations: 3,
      firstSuccess: 2,
      best: 1,
      trend: 'FFP',
      omega: 2,
    },
  );
  const run = history.run(key);
  const rows = run.iterations();
  assert.deepEqual(rows.map(({ number }) => number), entries.map(({ iteration }) => iteration - 1));
  assert.deepEqual(rows.map(({ reward }) => reward), entries.map(({ score }) => score));
  assert.deepEqual(rows.map(({ errors }) => errors), entries.map(({ errors }) => errors.length));
  assert.deepEqual(rows.map(({ delta }) => delta), [undefined, 0, 0.2]);
  // What the loop said of its changes is what the history works out.
  assert.deepEqual(rows.map(({ stored }) => stored?.rewardChange), [undefined, 0, 0.2]);
  const lessons = [0, 1].map((ordinal) => run.attempt(ordinal).reflections.map(({ text }) => text));
  assert.deepEqual(lessons, [['The email was forgotten: both keys are required.'], ['An email needs an @ sign.']]);
  const { errors, checks, actions, verification } = run.attempt(0);
  assert.deepEqual([errors[0].rule, checks, verification], ['required', [{ tool: 'schema', status: 'fail' }], 'type_check']);
  assert.equal(actions[0].isCredited, true);
  history.free();
});

test('a result, or an error, that was stored as JSON opens as a run', async () => {
  const result = await reflectionLoop(scripted());
  const failed = await reflectionLoop({ ...scripted(), maxIterations: 2, onFailure: 'raise' }).catch((error) => error);
  for (const [made, trend] of [[result, 'FFP'], [failed, 'FF']]) {
    const history = openHistory({ name: 'result.json', data: JSON.stringify(made) });
    const [{ format, trend: found, best }] = history.runs();
    assert.deepEqual([format, found, best], ['tea-loop-result', trend, made.score]);
    assert.deepEqual(history.run(0).iterations().map(({ reward }) => reward), made.attempts.map(({ score }) => score));
    history.free();
  }
});

test('the window of a loop is the one that the history works out', async () => {
  const { records } = await reflectionLoop(scripted());
  const history = openHistory({ name: 'records.jsonl', data: lines(records) });
  const run = history.run('ralph-profile-of-ada');
  const held = [0, 1, 2].map((at) => run.window(at).held.map(({ number }) => number));
  assert.deepEqual(held, [[], [0], [0, 1]]);
  assert.deepEqual([run.window(2).omega, run.window(2).omegaProvenance], [2, 'recorded']);
  for (const at of [1, 2]) {
    const { origin, numbers, computed } = run.injected(at);
    assert.deepEqual([origin, numbers, computed], ['stated', held[at], held[at]]);
  }
  history.free();
});

test('a single entry becomes a record as the loop makes it', async () => {
  const { attempts: entries, records } = await reflectionLoop(scripted());
  const { task_description: taskDescription, loop_id: loopId } = records[0];
  const record = toRecord(entries[2], { loopId, taskDescription, at: '2026-03-01T10:00:00Z' });
  assert.deepEqual([record.iteration, record.loop_id, record.evaluator_output.passed], [2, loopId, true]);
  const history = openHistory({ name: 'one.jsonl', data: `${lines(records.slice(0, 2))}${JSON.stringify(record)}\n` });
  assert.equal(history.run(loopId).iterations()[2].outcome, 'success');
  history.free();
});
