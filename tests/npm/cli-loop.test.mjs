// `hindscope loop`: workflows of YAML, with a model that is a server of this test.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { answers, hindscope, home, installed, plainEnv, program, refuses } from './cli.mjs';
import { completions } from './completions.mjs';

const LOOP = `action: reflection.loop
with:
  generator: {action: llm.call, prompt: "A profile of {{ state.person }} as JSON"}
  evaluator: {type: schema, schema: {type: object, required: [name, born], properties: {born: {type: integer}}}}
  max_iterations: 3
  memory: {loop_id: ralph-profile}
`;
writeFileSync(join(home, 'profile.yaml'), LOOP);
writeFileSync(join(home, 'code.yaml'), 'action: reflection.loop\nwith: {generator: {run: "return 3", language: javascript}, evaluator: {type: schema, schema: {minimum: 2}}}\n');

const ADA = ['--state', '{"person": "Ada"}'];

/**
 * A model that gives these answers one after the other, and leaves a request open where one is undefined. Returns
 * the arguments for the program, and a promise of that request.
 */
async function model(t, answers) {
  const asked = [];
  let reach;
  const reached = new Promise((resolve) => (reach = resolve));
  const address = await completions(t, (_, body) => {
    asked.push(JSON.parse(body));
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    if (answer === undefined) reach();
    return answer;
  });
  return { asked, reached, args: ['--model', 'tiny', '--base-url', `${address}/v1`] };
}

/** Runs the loop without blocking this process, which is its model. */
async function loop(args, watch = () => {}, env = {}) {
  const child = spawn(process.execPath, [program, 'loop', ...args], { cwd: home, env: plainEnv(env), stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (piece) => (stdout += piece));
  child.stderr.on('data', (piece) => (stderr += piece));
  watch(child);
  const [status] = await once(child, 'close');
  return { status, stdout, stderr };
}

const recorded = (file) => readFileSync(join(home, file), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));

test('rounds until the schema accepts', async (t) => {
  const { asked, args } = await model(t, ['{"name": "Ada"}', '{"name": "Ada", "born": 1815}']);
  const { status, stdout, stderr } = await loop(['profile.yaml', ...ADA, '--record', 'records.jsonl', ...args]);
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), { name: 'Ada', born: 1815 });
  assert.match(stderr, /^round 1: rejected, score 0\.000 .*born.*\nround 2: accepted, score 1\.000\n.*valid after 2 calls, 18 tokens\n.*2 records appended to records\.jsonl, one for each round\.\n$/);
  assert.match(JSON.stringify(asked[0]), /A profile of Ada as JSON/);
  const records = recorded('records.jsonl');
  assert.deepEqual(records.map(({ iteration, evaluator_output: { passed } }) => [iteration, passed]), [[0, false], [1, true]]);
  for (const { loop_id: id } of records) assert.match(id, /^ralph-profile-\d{8}t\d{6}-[0-9a-f]{8}$/);
  const { files: [{ findings }] } = JSON.parse(answers(['validate', 'records.jsonl', '--json']));
  assert.deepEqual(findings, [], 'what is recorded has no finding');
});

test('without a memory nothing is recorded, and that is said', async (t) => {
  const { args } = await model(t, ['{"name": "Ada", "born": 1815}', '{}']);
  writeFileSync(join(home, 'forgetful.yaml'), LOOP.replace(/  memory: .*\n/, '  on_failure: raise\n'));
  for (const status of [0, 1]) {
    const ended = await loop(['forgetful.yaml', ...ADA, '--record', 'none.jsonl', ...args]);
    assert.equal(ended.status, status, ended.stderr);
    assert.match(ended.stderr, /Nothing was recorded in none\.jsonl: .*`memory`/);
  }
  assert.ok(!existsSync(join(home, 'none.jsonl')));
});

test('every loop is a run of its own', async (t) => {
  const { args } = await model(t, ['{"name": "Ada"}', '{"name": "Ada", "born": 1815}']);
  for (let time = 0; time < 3; time += 1) assert.equal((await loop(['profile.yaml', ...ADA, '--record', 'thrice.jsonl', ...args])).status, 0);
  assert.equal(new Set(recorded('thrice.jsonl').map(({ loop_id: id }) => id)).size, 3);
});

test('a loop that is killed has recorded the rounds that ended', async (t) => {
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGKILL']) {
    const { args, reached } = await model(t, ['{"name": "Ada"}', '{"name": "Ada"}', undefined]);
    const file = `${signal}.jsonl`;
    await loop(['profile.yaml', ...ADA, '--record', file, ...args], (child) => reached.then(() => child.kill(signal)));
    assert.deepEqual(recorded(file).map(({ iteration }) => iteration), [0, 1], signal);
  }
});

test('a loop that is refused leaves no file', async () => {
  writeFileSync(join(home, 'refused.yaml'), 'action: reflection.loop\nwith: {generator: {run: "return 3", language: javascript}, evaluator: {type: schema, schema: true}, memory: {name: x}}\n');
  const { status } = await loop(['refused.yaml', '--record', 'refused.jsonl']);
  assert.deepEqual([status, existsSync(join(home, 'refused.jsonl'))], [2, false]);
});

test('records go behind what is there, and a file that takes none is said before anybody is asked', async (t) => {
  const { asked, args } = await model(t, ['{"name": "Ada", "born": 1815}']);
  writeFileSync(join(home, 'unended.jsonl'), '{"own": 1}');
  assert.equal((await loop(['profile.yaml', ...ADA, '--record', 'unended.jsonl', ...args])).status, 0);
  const lines = readFileSync(join(home, 'unended.jsonl'), 'utf8').trimEnd().split('\n');
  assert.deepEqual(lines.map((line) => Object.keys(JSON.parse(line))[0]), ['own', 'loop_id']);
  const calls = asked.length;
  const { status, stdout, stderr } = await loop(['profile.yaml', ...ADA, '--record', 'nowhere/records.jsonl', ...args]);
  assert.deepEqual([status, stdout, asked.length], [3, '', calls]);
  assert.match(stderr, /\[unwritable-output\]/);
  // What fails only when it is written costs no answer.
  const full = await loop(['profile.yaml', ...ADA, '--record', '/dev/full', ...args]);
  assert.equal(full.status, 3, full.stderr);
  assert.deepEqual(JSON.parse(full.stdout), { name: 'Ada', born: 1815 });
});

test('in JSON, and where nothing is accepted', async (t) => {
  const { args } = await model(t, ['{"name": "\\u001b[2J"}']);
  const { status, stdout, stderr } = await loop(['profile.yaml', ...ADA, '--json', ...args]);
  assert.deepEqual([status, stderr], [1, '']);
  const { success, stopReason: reason, attempts: history } = JSON.parse(stdout);
  assert.deepEqual([success, reason, history.length], [false, 'exhausted', 3]);
  const plain = await loop(['profile.yaml', ...ADA, ...args]);
  assert.equal(plain.status, 1);
  assert.doesNotMatch(plain.stdout + plain.stderr, /\x1b/);
});

test('a model that is not there is no answer', async () => {
  const args = ['profile.yaml', ...ADA, '--model', 'tiny', '--base-url', 'http://127.0.0.1:9/v1', '--retries', '0'];
  const { status, stdout, stderr } = await loop(args);
  assert.deepEqual([status, stdout], [3, '']);
  assert.match(stderr, /cannot be reached[^]*\[unavailable\]/);
  const json = await loop([...args, '--json']);
  const { error } = JSON.parse(json.stderr);
  assert.deepEqual([json.status, json.stdout, error.code, error.details.errors.length], [3, '', 'unavailable', 1]);
});

test('Ctrl-C ends it with what it has', async (t) => {
  const { args, reached } = await model(t, [undefined]);
  const { status } = await loop(['profile.yaml', ...ADA, ...args], (child) => reached.then(() => child.kill('SIGINT')));
  assert.equal(status, 130);
});

test('code runs only where it is allowed', async () => {
  assert.match(refuses(2, 'config_unknown_language', ['loop', 'code.yaml']).hint ?? '', /--allow-code/);
  assert.equal(JSON.parse(answers(['loop', 'code.yaml', '--allow-code', '--json'])).success, true);
});

const CODE = {
  javascript: ['return { sum: state.numbers.reduce((sum, n) => sum + n) };', 'return output.sum === 6;'],
  lua: ['local sum = 0\nfor _, n in ipairs(state.numbers) do sum = sum + n end\nreturn { sum = sum }', 'return output.sum == 6'],
  prolog: ['sum_list(State.numbers, Sum), Result = _{sum: Sum}.', 'Output.sum =:= 6.'],
  python: ['return {"sum": sum(state["numbers"])}', 'return output["sum"] == 6'],
};

for (const [language, [generator, evaluator]] of Object.entries(CODE)) {
  test(`code in ${language} generates and evaluates`, () => {
    const file = `${language}.yaml`;
    const block = (code) => `|\n${code.replaceAll(/^/gm, '      ')}`;
    writeFileSync(
      join(home, file),
      `action: reflection.loop
with:
  generator:
    language: ${language}
    run: ${block(generator)}
  evaluator:
    type: custom
    language: ${language}
    run: ${block(evaluator)}
`,
    );
    const { status, stdout, stderr } = hindscope(['loop', file, '--allow-code', '--state', '{"numbers": [1, 2, 3]}']);
    assert.deepEqual([status, stdout], [0, '{\n  "sum": 6\n}\n'], stderr);
    // Nothing that Node or an engine says of itself comes between.
    assert.match(stderr, /^round 1: accepted, score 1\.000\n.*\n$/);
  });
}

test('of several nodes one is named, and a single form that is wrong is refused', () => {
  const node = (name, code) => `  - name: ${name}\n    action: reflection.loop\n    with: {generator: {run: "${code}", language: javascript}, evaluator: {type: schema, schema: true}}\n`;
  writeFileSync(join(home, 'nodes.yaml'), `nodes:\n${node('first', 'return 1')}${node('second', 'return 2')}`);
  assert.equal(JSON.parse(answers(['loop', 'nodes.yaml', '--node', 'second', '--allow-code'])), 2);
  writeFileSync(join(home, 'single.yaml'), 'action: reflection.evaluate\nwith: {data: 1, evaluator_type: schema}\n');
  refuses(2, 'config_schema_missing', ['loop', 'single.yaml']);
});

test('what cannot be run is refused', () => {
  refuses(3, 'unreadable-input', ['loop', 'nowhere.yaml']);
  refuses(2, 'invalid-option', ['loop', 'profile.yaml', '--state', '[]']);
  refuses(2, 'invalid-option', ['loop', 'profile.yaml', '--state', '{']);
  refuses(3, 'unreadable-input', ['loop', 'profile.yaml', '--state', '@nowhere.json']);
  writeFileSync(join(home, 'broken.yaml'), 'action: [');
  assert.match(hindscope(['loop', 'broken.yaml']).stderr, /unclosed bracket[^]*\[config_\w+\]/);
});

test('a schema may refer to files beside the workflow, and to nothing else', () => {
  mkdirSync(join(home, 'flow/schemas'), { recursive: true });
  writeFileSync(join(home, 'flow/schemas/a.json'), '{"$ref": "b.yaml#/definitions/small"}');
  writeFileSync(join(home, 'flow/schemas/b.yaml'), 'definitions: {small: {maximum: 3}}\n');
  writeFileSync(join(home, 'outside.json'), '{}');
  symlinkSync(join(home, 'outside.json'), join(home, 'flow/link.json'));
  const workflow = (ref) => writeFileSync(join(home, 'flow/flow.yaml'), `action: reflection.loop\nwith: {generator: {run: "return 3", language: javascript}, evaluator: {type: schema, schema: {$ref: ${JSON.stringify(ref)}}}}\n`);
  workflow('schemas/a.json');
  assert.equal(JSON.parse(answers(['loop', 'flow/flow.yaml', '--allow-code', '--json'])).success, true);
  for (const [ref, why] of [
    ['../outside.json', /outside the folder/], ['link.json', /outside the folder/], ['schemas', /is not a file/],
    ['none.json', /ENOENT/], ['https://example.invalid/a.json', /is an address/], [`file://${home}/outside.json`, /is an address/],
  ]) {
    workflow(ref);
    assert.match(refuses(2, 'config_schema_unresolved', ['loop', 'flow/flow.yaml', '--allow-code']).message, why, ref);
  }
});

test('a template of a workflow has no environment', async (t) => {
  const { asked, args } = await model(t, ['{}']);
  const env = { OPENAI_API_KEY: 'sk-loop-0123456789', HINDSCOPE_ANY: 'any-0123456789' };
  const secrets = [...Object.values(env), home];
  const prompt = (text) => writeFileSync(join(home, 'env.yaml'), `action: reflection.loop\nwith: {generator: {action: llm.call, prompt: ${JSON.stringify(text)}}, evaluator: {type: schema, schema: true}}\n`);
  const ask = async () => {
    const ended = await loop(['env.yaml', ...args], undefined, env);
    for (const secret of secrets) assert.ok(![ended.stdout, ended.stderr, JSON.stringify(asked)].join().includes(secret), secret);
    return ended;
  };
  const names = ['HINDSCOPE_ANY', 'OPENAI_API_KEY', 'PWD', 'env', 'environ', 'ENV', 'process', 'os', 'globals', 'self', 'state.env', 'state.PWD'];
  prompt(names.map((name) => `{{ ${name} | default('none') }}`).join(','));
  assert.equal((await ask()).status, 0);
  assert.equal(asked.pop().messages[0].content, names.map(() => 'none').join(','));
  for (const name of ['env.HOME', 'process.env.HOME', 'env["HOME"]']) {
    prompt(`{{ ${name} }}`);
    const { status, stderr } = await ask();
    assert.deepEqual([status, asked.length], [2, 0], name);
    assert.match(stderr, /is undefined[^]*\[template_failed\]/, name);
  }
});

test('a workflow calls the stated endpoint, and no other that it names', async (t) => {
  const calls = [];
  const other = await completions(t, ({ url }) => {
    calls.push(url);
    return '{"valid": true, "score": 1}';
  });
  const addresses = ['base_url', 'baseUrl', 'base-url', 'url', 'api_base', 'endpoint', 'host', 'provider', 'proxy', 'fetch'];
  const step = (more) => JSON.stringify({ ...Object.fromEntries(addresses.map((name) => [name, `${other}/v1`])), headers: { authorization: 'Bearer other', host: 'other' }, api_key: 'other', apiKey: 'other', ...more });
  const judge = { type: 'llm', prompt: 'Judge {{ state.reflection_output }}' };
  const workflow = (evaluator) => `action: reflection.loop
with:
  generator: ${step({ action: 'llm.call', prompt: 'Write.' })}
  corrector: ${step({ action: 'llm.call', prompt: 'Write it again.' })}
  evaluator: ${evaluator}
  max_iterations: 2
`;
  const headers = [];
  const address = await completions(t, (request) => {
    headers.push(request.headers);
    return headers.length % 2 === 1 ? 'Once.' : '{"valid": false, "score": 0, "reason": "Short."}';
  });
  const run = (text) => {
    writeFileSync(join(home, 'elsewhere.yaml'), text);
    return loop(['elsewhere.yaml', '--model', 'tiny', '--base-url', `${address}/v1`], undefined, { OPENAI_API_KEY: 'sk-own-0123456789' });
  };
  // A judge that names an address is refused before anybody is asked.
  const refused = await run(workflow(step(judge)));
  assert.deepEqual([refused.status, headers.length, calls], [2, 0, []], refused.stderr);
  for (const name of [...addresses, 'headers', 'api_key']) assert.ok(refused.stderr.includes(`/evaluator/${name}: Unknown option`), name);
  const { status, stderr } = await run(workflow(JSON.stringify(judge)));
  assert.deepEqual([status, headers.length, calls], [1, 4, []], stderr);
  for (const { authorization, host } of headers) assert.deepEqual([authorization, `http://${host}`], ['Bearer sk-own-0123456789', address]);
});

const SECRET = 'sk-loop-ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const answered = (message) => (response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ choices: [{ message }], usage: { total_tokens: 9 } }));
};
/** What the model's server does, and how the command ends. */
const ENDS = {
  success: [answered({ content: '{"name": "Ada", "born": 1815}' }), 0],
  'a failure of the schema': [answered({ content: '{"name": "Ada"}' }), 1],
  'a refusal': [answered({ content: null, refusal: 'I will not.' }), 1],
  'a key that is wrong, and said again': [
    (response) => {
      response.writeHead(401, `No ${SECRET}`, { 'content-type': 'application/json', 'x-key': SECRET });
      response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${SECRET}.` } }));
    },
    1,
  ],
  'a connection that is lost': [
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write(`{"error": "${SECRET}`, () => response.destroy());
    },
    3,
  ],
  'a signal while it waits': [(response, reach) => reach(), 130],
};

for (const [name, [answer, expected]] of Object.entries(ENDS)) {
  test(`the API key is in nothing that is written: ${name}`, async (t) => {
    let reach;
    let keys = [];
    const server = createServer((request, response) => {
      keys.push(request.headers.authorization);
      request.resume().on('end', () => answer(response, () => reach()));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const baseUrl = `http://127.0.0.1:${server.address().port}/v1`;
    const isClean = (text, where) => assert.ok(!/sk-loop|[A-Z]{20}/.test(text), `${where}: ${text}`);
    const wasSent = () => {
      assert.ok(keys.length > 0 && keys.every((key) => key === `Bearer ${SECRET}`), 'it was sent to the model');
      keys = [];
    };
    const file = `key-${expected}-${name.length}.jsonl`;
    for (const args of [[], ['--json']]) {
      const ended = await loop(
        ['profile.yaml', ...ADA, '--record', file, '--model', 'tiny', '--retries', '0', '--base-url', baseUrl, ...args],
        (child) => (reach = () => child.kill('SIGINT')),
        { OPENAI_API_KEY: SECRET },
      );
      assert.equal(ended.status, expected, ended.stderr);
      isClean(ended.stdout, 'standard output');
      isClean(ended.stderr, 'standard error');
      wasSent();
    }
    const hasRecords = existsSync(join(home, file));
    assert.equal(hasRecords, expected !== 130, 'rounds that ended are recorded');
    if (hasRecords) {
      isClean(readFileSync(join(home, file), 'utf8'), 'records');
      for (const form of ['history', 'csv', 'markdown', 'html']) isClean(answers(['convert', '--to', form, file]), form);
    }

    const { openaiChat, parseLoopConfig, reflectionLoop } = await import(pathToFileURL(join(installed, 'loop/node.mjs')));
    const controller = new AbortController();
    reach = () => controller.abort();
    const events = [];
    const { config } = parseLoopConfig(LOOP);
    const llm = openaiChat({ baseUrl, apiKey: SECRET, model: 'tiny' });
    const result = await reflectionLoop({ ...config, state: { person: 'Ada' }, llm, signal: controller.signal, onEvent: (event) => events.push(event) }).catch((error) => error);
    wasSent();
    assert.ok(events.length > 1, 'it has events');
    isClean(JSON.stringify(events), 'events');
    isClean(inspect([result, llm], { depth: Infinity, showHidden: true }), 'what it gives or throws');
  });
}
