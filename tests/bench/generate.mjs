// A long reflection-memory history as JSON Lines, the same bytes every time.
//
// Records are as an agent loop writes them: actions with diffs, a test runner's output, errors
// with stack traces, a reflection with insights and lessons. Sums, windows, deltas and times agree
// with each other, so a reader has nothing to complain about and is timed on its plain path.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Bytes in one "MB" here: decimal, as in MB/s. */
const MB = 1e6;
/** 20,000 records at 91 MB. */
const MEAN_RECORD = (91 * MB) / 20_000;
const OMEGA = 3;

/** A small xorshift generator: the history must not depend on a platform's Math.random. */
class Random {
  #state;
  constructor(seed) {
    this.#state = seed >>> 0 || 1;
  }
  next() {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state / 2 ** 32;
  }
  below(limit) {
    return Math.floor(this.next() * limit);
  }
  between(low, high) {
    return low + this.below(high - low + 1);
  }
  of(list) {
    return list[this.below(list.length)];
  }
}

const AREAS = ['auth', 'billing', 'search', 'import', 'export', 'cache', 'queue', 'report', 'upload', 'session'];
const THINGS = ['token', 'invoice', 'query', 'row', 'page', 'entry', 'job', 'chart', 'chunk', 'cookie'];
const VERBS = ['parse', 'load', 'merge', 'retry', 'flush', 'validate', 'render', 'resolve', 'split', 'collect'];
const CAUSES = [
  ['edge_case_miss', 'the empty list was never considered', 'Add a test for the empty list before touching the code'],
  ['incorrect_assumption', 'the response was assumed to be an array', 'Check the type at the boundary and fail early'],
  ['integration_error', 'the mock and the service disagree about null', 'Record a real response and use it in the test'],
  ['logic_error', 'the loop stops one element too early', 'Write the invariant above the loop — then the condition follows'],
  ['incomplete_implementation', 'only the first of three call sites was changed', 'Search for every caller before changing a signature'],
  ['configuration_error', 'the test ran against the old build', 'Clean the output folder in the test script'],
];
const LESSONS = [
  'Read the whole stack trace before changing anything; the first frame is rarely the cause.',
  'One change per attempt makes the next failure readable.',
  'A value that may be absent is not the same as an empty one.',
  'When two tests fail for one reason, fix the reason and not the tests.',
  'Names of the form “tmp” hide what a value is; rename before reasoning.',
  'Dates without a zone are a bug waiting for another machine — always write the offset.',
];

/** Writes whole loops, one record after the other, until it is stopped. */
class Loop {
  #random;
  #index;
  #iteration = 0;
  #length;
  #total;
  #passedTests;
  #errors = 0;
  #reward;
  #time;

  constructor(random, index) {
    this.#random = random;
    this.#index = index;
    this.#length = random.between(8, 24);
    this.#total = random.between(24, 60);
    this.#passedTests = random.between(2, 10);
    this.#time = Date.UTC(2026, 0, 5, 8) + index * 3_600_000;
    this.area = random.of(AREAS);
    this.thing = random.of(THINGS);
  }

  get isOver() {
    return this.#iteration === this.#length;
  }

  /** The next record, about as long as wished. */
  next(length) {
    const random = this.#random;
    const number = this.#iteration;
    const isLast = number === this.#length - 1;
    const step = isLast ? this.#total : random.between(-1, 4);
    this.#passedTests = Math.min(this.#total - (isLast ? 0 : 1), Math.max(1, this.#passedTests + step));
    const failed = this.#total - this.#passedTests;
    const reward = rounded(this.#passedTests / this.#total);
    const errors = this.#listErrors(Math.min(failed, 3));
    const [category, cause, insight] = random.of(CAUSES);
    const verb = random.of(VERBS);
    const name = `${verb}${capital(this.thing)}`;
    const file = `/src/${this.area}/${name}.ts`;
    const test = `/test/unit/${this.area}/${name}.test.ts`;

    // Half of the room goes into what was changed, a third into what the tests said.
    const diff = this.#diff(file, name, length * 0.42);
    const time = (minutes) => new Date(this.#time + minutes * 60_000).toISOString();
    const actions = [
      {
        type: 'code_modification',
        description: `Changed ${name}, as ${cause}`,
        file_path: file,
        changes: diff,
        timestamp: time(1),
      },
      {
        type: 'code_modification',
        description: `Covered ${name} where the ${this.thing} is missing`,
        file_path: test,
        changes: this.#diff(test, `${name} test`, length * 0.1),
        timestamp: time(4),
      },
      {
        type: 'test_execution',
        description: `Ran the ${this.area} tests`,
        command: `npm test -- --filter ${this.area}/${name}`,
        timestamp: time(6),
      },
    ];
    const window = range(Math.max(0, number + 1 - OMEGA), number + 1);
    const before = range(Math.max(0, number - OMEGA), number);
    const record = {
      loop_id: `ralph-${this.area}-${this.thing}-${String(this.#index).padStart(5, '0')}`,
      iteration: number,
      timestamp: time(8),
      task_description: `Make ${this.area} work when the ${this.thing} is missing, empty or late`,
      actor_output: {
        actions,
        rationale: `The last run failed because ${cause}. I change ${name} in one place and let the tests decide.`,
        strategy: random.of(['smallest change first', 'test first', 'reproduce, then repair', 'simplify, then repair']),
        files_modified: [file, test],
        total_changes: {
          files_changed: 2,
          lines_added: actions[0].changes.additions + actions[1].changes.additions,
          lines_deleted: actions[0].changes.deletions + actions[1].changes.deletions,
        },
      },
      evaluator_output: {
        passed: isLast,
        verification_type: 'unit_tests',
        results: [
          {
            tool: 'npm test',
            status: isLast ? 'pass' : 'fail',
            exit_code: isLast ? 0 : 1,
            stdout: this.#stdout(name, failed, length * 0.2),
            duration_ms: random.between(900, 9000),
          },
        ],
        errors,
        reward_signal: reward,
        metrics: {
          tests_passed: this.#passedTests,
          tests_failed: failed,
          tests_total: this.#total,
          coverage_percentage: rounded(40 + 50 * reward),
        },
      },
      self_reflection: {
        reflection_text:
          (isLast
            ? `In attempt ${number} I changed ${name}, and all ${this.#total} tests passed: until then ${cause}. `
            : `In attempt ${number} I changed ${name}, and ${failed} of ${this.#total} tests failed: ${cause}. `) +
          `The ${this.thing} comes from ${random.of(AREAS)} and may be absent there, which I had not looked at. ` +
          `Next I will ${lower(insight)}, then run only the ${this.area} tests, and only after they pass all of them.`,
        credit_assignment: isLast
          ? {}
          : { failing_action_indices: [random.below(2)], root_cause: cause, failure_category: category },
        causal_reasoning: `Since ${cause}, ${name} got what it could not ${verb}, and everything after it failed.`,
        actionable_insights: [insight, `Log the ${this.thing} once where it enters ${this.area}`],
        lessons_learned: [random.of(LESSONS), random.of(LESSONS)],
        confidence: rounded(0.5 + random.next() * 0.35),
        related_reflections: before,
      },
      memory_metadata: {
        omega_capacity: OMEGA,
        current_memory_size: window.length,
        reflections_in_context: window,
        window_policy: 'fifo',
        total_reflections_generated: number + 1,
      },
      context_injected: before.length > 0,
      previous_reflections_used: before,
    };
    if (number > 0) {
      const change = rounded(reward - this.#reward);
      record.performance_delta = {
        reward_change: change,
        error_count_change: errors.length - this.#errors,
        is_improvement: change > 0,
      };
    }
    this.#reward = reward;
    this.#errors = errors.length;
    this.#time += random.between(9, 30) * 60_000;
    this.#iteration += 1;
    return record;
  }

  #listErrors(count) {
    return range(0, count).map((place) => {
      const line = this.#random.between(10, 400);
      const file = `/test/unit/${this.area}/${this.thing}-${place}.test.ts`;
      return {
        type: 'test_failure',
        message: `expected the ${this.thing}, got undefined ("${this.area}" case ${line})`,
        file,
        line,
        stack_trace: `AssertionError: expected the ${this.thing}\n    at Context.<anonymous> (${file}:${line}:12)\n    at run (/node_modules/runner/lib/run.js:88:5)`,
        severity: 'error',
        rule: `${this.area}-${this.thing}-${line}`,
      };
    });
  }

  #diff(file, name, length) {
    const lines = [];
    let additions = 0;
    let deletions = 0;
    for (let size = 0; size < length || lines.length === 0; ) {
      const number = this.#random.between(1, 900);
      const line = this.#random.of([
        ` \tconst ${this.thing}${number} = await ${name}(input[${number}], { retries: ${number % 7} });`,
        `+\tif (${this.thing}${number} === undefined) return [];`,
        `+\tlog.debug("${name}: ${this.thing}", ${this.thing}${number} ?? "none");`,
        `-\treturn ${this.thing}${number}.map((it) => it.value);`,
        `+\treturn (${this.thing}${number} ?? []).map((it) => it.value);`,
        ` \t// ${this.area} → ${this.thing}: see case ${number}`,
      ]);
      additions += Number(line[0] === '+');
      deletions += Number(line[0] === '-');
      size += line.length;
      lines.push(line);
    }
    const head = `--- a${file}\n+++ b${file}\n@@ -1,${lines.length - additions} +1,${lines.length - deletions} @@\n`;
    return { additions, deletions, diff: `${head}${lines.join('\n')}\n` };
  }

  #stdout(name, failed, length) {
    const lines = [`> test ${this.area}`, ''];
    for (let size = 0; size < length; ) {
      const line = `  ✓ ${name} keeps ${this.thing} ${this.#random.between(1, 999)} (${this.#random.between(1, 80)} ms)`;
      size += line.length;
      lines.push(line);
    }
    lines.push('', `  ${this.#passedTests} passing`, `  ${failed} failing`);
    return lines.join('\n');
  }
}

const range = (from, to) => Array.from({ length: to - from }, (_, index) => from + index);
const rounded = (value) => Math.round(value * 10_000) / 10_000;
const capital = (word) => word[0].toUpperCase() + word.slice(1);
const lower = (text) => text[0].toLowerCase() + text.slice(1);

/** The history: its bytes, and how many records they are. */
function generate(megabytes) {
  const random = new Random(0x5eed);
  const count = Math.max(1, Math.round((megabytes * MB) / MEAN_RECORD));
  const chunks = [];
  let written = 0;
  let loop;
  let loops = 0;
  // What a record takes whatever is wished, learned as we go so that the sum comes out.
  let fixed = 2600;
  for (let index = 0; index < count; index += 1) {
    if (!loop || loop.isOver) loop = new Loop(random, loops++);
    const mean = (megabytes * MB - written) / (count - index);
    const wished = Math.max(0, mean - fixed) * (0.4 + 1.2 * random.next());
    const line = Buffer.from(`${JSON.stringify(loop.next(wished))}\n`);
    written += line.length;
    fixed += (line.length - wished - fixed) / 50;
    chunks.push(line);
  }
  return { bytes: Buffer.concat(chunks), count };
}

/**
 * The history of about this many megabytes, kept in `folder` for the next time. The name of the
 * file holds a hash of this program, so that a change to it never meets an old history.
 */
export function history(megabytes, folder) {
  const program = readFileSync(fileURLToPath(import.meta.url));
  const version = createHash('sha256').update(program).digest('hex').slice(0, 12);
  const file = path.join(folder, `history-${megabytes}mb-${version}.jsonl`);
  if (existsSync(file)) {
    const bytes = readFileSync(file);
    let count = 0;
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1;
    return { file, bytes, count };
  }
  const { bytes, count } = generate(megabytes);
  mkdirSync(folder, { recursive: true });
  // In two steps, so that a half-written file is never taken for a whole one.
  writeFileSync(`${file}.part`, bytes);
  renameSync(`${file}.part`, file);
  return { file, bytes, count };
}
