// The package says what the native core says, byte for byte, about every fixture.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { canonical, dump, fixtures, native } from '../faces.mjs';
import { face } from './face.mjs';
import { imported } from './package.mjs';

const hindscope = await imported();

for (const [name, path] of fixtures()) {
  test(name, () => {
    const history = hindscope.openHistory(path);
    const paths = history.sources().map(({ path: name }) => join(dirname(path), name));
    const read = (source, start, end) => readFileSync(paths[source]).subarray(start, end);
    const own = dump(face(hindscope, history, read));
    history.free();
    // Compared as text, printed as lines: a difference shows where it is.
    assert.equal(canonical(own, 1), canonical(native(path), 1));
  });
}
