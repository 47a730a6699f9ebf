// The package says what the native core says, byte for byte, about every fixture.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { canonical, dump, fixtures, native } from '../faces.mjs';
import { imported } from './package.mjs';

const { OUTCOMES, ReflectionWindow, openHistory, validate } = await imported();

function face(path) {
  const history = openHistory(path);
  const bytes = (record) => {
    const { path: name, start, end } = history.locate(record);
    return readFileSync(join(dirname(path), name)).subarray(start, end);
  };
  return {
    sources: () => history.sources(),
    groups: () => history.groups(),
    runs: () => history.runs(),
    findings: () => history.findings(),
    recordCount: history.recordCount,
    locate: (record) => history.locate(record),
    inspect: (record, part) => history.inspect(record, part),
    raw: (record) => history.raw(record),
    run: (id) => {
      const run = history.run(id);
      return {
        iterations: () => run.iterations(),
        reflections: () => run.reflections(),
        columns: () => {
          const columns = run.columns();
          return { ...columns, outcomes: Array.from(columns.outcomes, (code) => OUTCOMES[code]) };
        },
        window: (at, rule) => run.window(at, rule),
      };
    },
    bytes,
    validate: (record, profile) => validate(record, { profile }),
    memory: (omega) => new ReflectionWindow({ omega }),
    free: () => history.free(),
  };
}

for (const [name, path] of fixtures()) {
  test(name, () => {
    const history = face(path);
    const own = dump(history);
    history.free();
    // Compared as text, printed as lines: a difference shows where it is.
    assert.equal(canonical(own, 1), canonical(native(path), 1));
  });
}
