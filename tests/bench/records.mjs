// Histories to open, as people have them: each of about so many bytes, the same bytes every time. Records
// come in loops of ten attempts, of which the last one succeeds.

import { random } from '../random.mjs';

const EACH = 10;
const ENGLISH = 'The parser dropped the last token when the input ended inside a string, so two of nine tests failed. ';
const FRENCH = 'La clé du cache ignorait la région, donc le deuxième test a lu ce que le premier avait écrit à côté. ';
const CHINESE = '缓存键忽略了区域设置，因此第二个测试读取了第一个测试写入的内容。';
const CODE = 'fn main() {\n\tlet path = "C:\\\\tmp\\\\x.json";\n\tprintln!("{}", path);\n\tif let Some("a") = at { return Err("\u001b[31mno key\u001b[0m"); }\n}\n';

const time = (index) => new Date(1.7e12 + index * 6e4).toISOString();
const place = (index) => ({ loop: `ralph-run-${Math.floor(index / EACH)}`, iteration: index % EACH });

/** A valid record of reflection memory, of 1.7 KB unless the text is another one. */
export function record(index, text = ENGLISH.repeat(9)) {
  const { loop, iteration } = place(index);
  const passed = iteration === EACH - 1;
  return {
    loop_id: loop,
    iteration,
    timestamp: time(index),
    task_description: 'Make the parser keep the last token.',
    actor_output: {
      actions: [
        { type: 'code_modification', description: 'Keep the token', file_path: 'src/parser.rs' },
        { type: 'test_execution', description: 'Run the tests', command: 'cargo test' },
      ],
      rationale: 'The last failure names the end of the input.',
    },
    evaluator_output: {
      passed,
      verification_type: 'unit_tests',
      errors: passed ? [] : [{ type: 'test_failure', message: 'the last token is missing' }],
      reward_signal: iteration / (EACH - 1),
      metrics: { tests_passed: iteration, tests_failed: EACH - 1 - iteration, tests_total: EACH - 1 },
    },
    self_reflection: { reflection_text: `${text}(${index})`, lessons_learned: ['Test the end.'], confidence: 0.5 },
    memory_metadata: { omega_capacity: 3, current_memory_size: Math.min(3, iteration), window_policy: 'fifo' },
  };
}

/** The same in 300 bytes. */
export function small(index) {
  const { loop, iteration } = place(index);
  return {
    loop_id: loop,
    iteration,
    timestamp: time(index),
    actor_output: { actions: [], rationale: '' },
    evaluator_output: { passed: iteration === EACH - 1, verification_type: 'lint' },
    self_reflection: { reflection_text: `Try ${index}.` },
    memory_metadata: { omega_capacity: 3, current_memory_size: Math.min(3, iteration) },
  };
}

/** 113 bytes that lack three members. */
export function tiny(index) {
  const { loop, iteration } = place(index);
  return { loop_id: loop.replace('run-', ''), iteration, timestamp: `${time(index).slice(0, 19)}Z`, self_reflection: { reflection_text: 'x' } };
}

/** One deviation a record, as nearly all real ones have. */
export const DEVIATIONS = {
  'no time zone': (r) => ({ ...r, timestamp: r.timestamp.slice(0, 19) }),
  'an extra member': (r) => ({ ...r, cost_usd: 0.25 }),
  'a missing member': ({ memory_metadata, ...r }) => r,
  'a number as text': (r) => ({ ...r, iteration: String(r.iteration) }),
  'a reward out of range': (r) => ({ ...r, evaluator_output: { ...r.evaluator_output, reward_signal: 55 } }),
  'another id': (r) => ({ ...r, loop_id: `loop-${r.loop_id}` }),
};

export function allDeviations(made) {
  return Object.values(DEVIATIONS).reduce((r, deviate) => deviate(r), made);
}

/** A run of two small attempts, with four deviations each. */
export function shortRun(index) {
  const { memory_metadata, ...made } = small(index);
  const deviating = { ...made, timestamp: made.timestamp.slice(0, 19), session: 'abc', iteration: String(index % 2) };
  return { ...deviating, loop_id: `task-${Math.floor(index / 2)}`, task_description: 'Keep the last token.' };
}

/** Members of every object in another order in each record. */
function shuffled(value, below) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => shuffled(item, below));
  const members = Object.entries(value);
  for (let at = members.length - 1; at > 0; at -= 1) {
    const other = below(at + 1);
    [members[at], members[other]] = [members[other], members[at]];
  }
  return Object.fromEntries(members.map(([name, item]) => [name, shuffled(item, below)]));
}

/** Texts of a few words to 16 KB in four languages; some records say more than others. */
function mixed(index, below) {
  const text = [ENGLISH, FRENCH, CHINESE, CODE][below(4)];
  const made = record(index, text.repeat(1 + below(2 ** below(8))));
  if (below(2)) made.actor_output.strategy = 'smallest change first';
  if (below(2)) made.self_reflection.actionable_insights = [text, FRENCH].slice(below(2));
  if (below(3)) delete made.evaluator_output.metrics;
  return made;
}

export const TEXTS = {
  'texts full of escapes': CODE.repeat(8),
  'French texts': FRENCH.repeat(9),
  'Chinese texts': CHINESE.repeat(10),
  'texts of 20 KB': ENGLISH.repeat(200),
};

export function inAnotherOrder() {
  const below = random(7);
  return (index) => shuffled(record(index), below);
}

export function ofAllKinds() {
  const below = random(11);
  return (index) => mixed(index, below);
}

/** One file of JSON Lines, of so many bytes or records. */
export function lines(make, bytes, name = 'history.jsonl', most = Infinity) {
  const parts = [];
  let [size, count] = [0, 0];
  while (size < bytes && count < most) {
    parts.push(Buffer.from(`${JSON.stringify(make(count))}\n`));
    size += parts.at(-1).length;
    count += 1;
  }
  return { sources: [{ name, data: Buffer.concat(parts) }], records: count };
}

/** Whole files until there are so many bytes. `make` gives what is in one, and how many records that is. */
function files(make, bytes) {
  const sources = [];
  let [size, records] = [0, 0];
  while (size < bytes) {
    const { name, text, count = 1 } = make(sources.length);
    const data = Buffer.from(text);
    sources.push({ name, data });
    size += data.length;
    records += count;
  }
  return { sources, records };
}

/** So many files of one record each, a folder a loop. */
export function smallFiles(count) {
  const sources = Array.from({ length: count }, (_, index) => {
    const { loop, iteration } = place(index);
    return { name: `reflections/${loop}/${String(iteration).padStart(3, '0')}.json`, data: Buffer.from(JSON.stringify(record(index))) };
  });
  return { sources, records: count };
}

const LESSON = 'The loop compared each element with its neighbour only, so pairs that lie apart were never seen. Next time I will compare every pair before I return, and try the empty list first.';
const PROMPT = 'from typing import List\n\n\ndef close(numbers: List[float], limit: float) -> bool:\n    """ Whether two of the numbers are closer to each other than the limit.\n    >>> close([1.0, 2.0, 3.0], 0.5)\n    False\n    >>> close([1.0, 2.8, 3.0], 0.3)\n    True\n    """\n';
const SOLUTION = '    for i in range(len(numbers)):\n        for j in range(i + 1, len(numbers)):\n            if abs(numbers[i] - numbers[j]) < limit:\n                return True\n    return False';
const TESTS = '\n\nMETADATA = {\n    \'author\': \'us\'\n}\n\n\ndef check(candidate):\n    assert candidate([1.0, 2.0, 3.9], 0.3) == False\n    assert candidate([1.0, 2.0, 2.2], 0.3) == True\n    assert candidate([1.1, 2.2, 3.1, 4.1], 1.0) == True\n\n';

/** Reflexion's log of programming tasks, a task a line. */
export function programmingLog(bytes) {
  const task = (index) => ({
    task_id: `Bench/${index}`,
    prompt: PROMPT,
    entry_point: 'close',
    canonical_solution: SOLUTION,
    test: TESTS,
    is_solved: index % 3 > 0,
    reflections: Array.from({ length: index % 5 }, (_, at) => `${LESSON} (${index}, ${at})`),
    solution: SOLUTION,
  });
  return lines(task, bytes, 'humaneval-py._reflexion_5_gpt-4_pass_at_k_1_py.jsonl');
}

/** Reflexion's results of an experiment: a file a trial, an array each. Memory grows until a task is solved. */
export function envResults(bytes) {
  const [tasks, trials] = [134, 15];
  const solvedAt = (task) => (task * 7) % 20;
  return files((number) => {
    const trial = number % trials;
    const results = Array.from({ length: tasks }, (_, task) => ({
      name: `env_${task}`,
      memory: Array.from({ length: Math.min(3, trial, solvedAt(task)) }, (_, at) => ` ${LESSON} (${task}, ${at})`),
      is_success: trial >= solvedAt(task),
    }));
    const name = `run-${Math.floor(number / trials)}/env_results_trial_${trial}.json`;
    return { name, text: JSON.stringify(results, null, 4), count: tasks };
  }, bytes);
}

/** An iteration of a session of aiwg, stored twice as its writer does. */
function iterations(number, session) {
  const folder = '/home/dev/project/.aiwg/ralph-external';
  const learning = `Iteration ${number}: token validation did not handle expired tokens`;
  const one = {
    number,
    sessionId: session,
    promptFile: `${folder}/prompts/${number}-prompt.md`,
    stdoutFile: `${folder}/outputs/${number}-stdout.log`,
    stderrFile: `${folder}/outputs/${number}-stderr.log`,
    exitCode: 0,
    duration: 119 + number,
    status: 'incomplete',
    analysis: {
      completed: false,
      success: null,
      failureClass: 'tests_failing',
      completionPercentage: 30 + (number % 60),
      shouldContinue: true,
      learnings: learning,
      artifactsModified: ['src/auth/login.ts'],
      blockers: ['3 tests failing'],
      nextApproach: 'Add expiry check before signature verification',
    },
    learnings: [learning],
    filesModified: ['src/auth/login.ts'],
    progress: 'Add expiry check before signature verification',
    preSnapshot: null,
    checkpointSummary: { total: 1, checkpoints: [{ number: 1, timestamp: time(number), duration: 0, gitStatus: { modified: 0, staged: 0, untracked: 1 } }], totalDuration: 146 },
    toolCallCount: 0,
    errorCount: 0,
    assessment: null,
    strategy: null,
    healthReport: null,
  };
  return [one, { ...one, status: 'error', exitCode: -1, analysis: null }];
}

function loopState(number, count) {
  const id = `7c212a8f-e572-4d8b-a421-${String(number).padStart(12, '0')}`;
  const state = {
    version: '1.0.0',
    loopId: id,
    objective: `Fix authentication tests of service ${number}`,
    completionCriteria: 'npm test passes',
    status: 'limit_reached',
    maxIterations: count,
    currentIteration: count,
    startTime: time(number),
    lastUpdate: time(number + 60),
    sessionId: id,
    currentPid: null,
    iterations: Array.from({ length: count }, (_, at) => iterations(at + 1, id)).flat(),
    filesModified: ['src/auth/login.ts'],
    config: { model: 'opus', budgetPerIteration: 2, timeoutMinutes: 60, enableCheckpoints: true, memory: 3, crossTask: true },
  };
  return JSON.stringify(state, null, 2);
}

/** States of aiwg's loops: an object a file, of five iterations. */
export function loopStates(bytes) {
  return files((number) => ({ name: `loops/loop-${number}/session-state.json`, text: loopState(number, 5) }), bytes);
}

/** One loop that went on: all of it in one object. */
export function longLoopState(bytes) {
  const each = loopState(0, 100).length / 100;
  return files(() => ({ name: 'loops/loop-0/session-state.json', text: loopState(0, Math.ceil(bytes / each) + 1) }), bytes);
}

function teaResult(index) {
  const output = { mail: `kim${index}@example.org`, summary: ENGLISH.repeat(2) };
  const attempt = (iteration, valid) => ({
    iteration,
    output: valid ? output : { summary: `${ENGLISH}(${index}, ${iteration})` },
    score: valid ? 1.0 : 0.0,
    valid,
    errors: valid ? [] : [{ path: '', message: '\'mail\' is a required property', schema_path: 'required' }],
  });
  return {
    reflection_iteration: 3,
    reflection_output: output,
    reflection_errors: [],
    reflection_history: [attempt(1, false), attempt(2, false), attempt(3, true)],
    reflection_best: output,
    reflection_best_score: 1.0,
    success: true,
    valid: true,
    ...output,
  };
}

/** Results of the_edge_agent's loop, one a line. */
export function teaLines(bytes) {
  return lines(teaResult, bytes, 'results.jsonl');
}

/** The same as one array. */
export function teaArray(bytes) {
  const { sources: [{ data }], records } = teaLines(bytes);
  const text = `[\n${data.toString().trimEnd().replaceAll('\n', ',\n')}\n]\n`;
  return { sources: [{ name: 'results.json', data: Buffer.from(text) }], records };
}

/** Files that people have, in folders of their own until there are so many bytes: copies that no digest finds equal. */
export function repeated(originals, bytes) {
  const sources = [];
  for (let [copy, size] = [0, 0]; size < bytes; copy += 1) {
    const mark = copy.toString(2).replaceAll('0', ' ').replaceAll('1', '\t');
    for (const { name, text } of originals) {
      const data = Buffer.from(`${text.trimEnd()}${mark}\n`);
      sources.push({ name: `copy-${copy}/${name}`, data });
      size += data.length;
    }
  }
  return { sources };
}
