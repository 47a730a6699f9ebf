// Records, broken in every way that a schema can find.
//
// A mutant is JSON text, not a value: numbers like 1e400 or 3.0 and repeated names exist in text
// only. The same seed gives the same mutants everywhere.

/** A number's own spelling, which JSON.stringify would not keep. */
class Lexeme {
  constructor(text) {
    this.text = text;
  }
}

class Random {
  #state;
  constructor(seed) {
    this.#state = (seed * 2654435761) >>> 0 || 1;
  }
  next() {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state / 2 ** 32;
  }
  below(n) {
    return Math.floor(this.next() * n);
  }
  pick(list) {
    return list[this.below(list.length)];
  }
}

/** JSON text of a value that may hold lexemes, and members written twice (`\u0000twice`). */
export function write(value) {
  if (value instanceof Lexeme) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (value && typeof value === 'object') {
    const members = Object.entries(value).flatMap(([name, v]) =>
      v instanceof Twice ? [[name, v.first], [name, v.second]] : [[name, v]],
    );
    return `{${members.map(([name, v]) => `${JSON.stringify(name)}:${write(v)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

class Twice {
  constructor(first, second) {
    this.first = first;
    this.second = second;
  }
}

const full = () => ({
  loop_id: 'ralph-cache-keys-2026-03-01',
  iteration: 2,
  timestamp: '2026-03-01T09:12:00Z',
  task_description: 'Normalise cache keys',
  actor_output: {
    actions: [
      {
        type: 'code_modification',
        description: 'Lower the key on write',
        file_path: 'src/cache.rs',
        changes: { additions: 3, deletions: 1, diff: '@@ -1 +1 @@\n-a\n+b\n' },
        timestamp: '2026-03-01T09:10:00.5+01:00',
      },
      { type: 'test_execution', description: 'Run the tests', command: 'cargo test' },
    ],
    rationale: 'Keys differed only in case.',
    strategy: 'Smallest change first',
    files_modified: ['src/cache.rs'],
    total_changes: { files_changed: 1, lines_added: 3, lines_deleted: 1 },
  },
  evaluator_output: {
    passed: false,
    verification_type: 'unit_tests',
    results: [{ tool: 'cargo test', status: 'fail', exit_code: 101, stdout: 'é ✓ 😀', stderr: '', duration_ms: 2340 }],
    errors: [
      { type: 'test_failure', message: 'evicts oldest', file: 'tests/cache.rs', line: 41, column: 5, severity: 'error', rule: 'r1', stack_trace: 'at x\n' },
      { type: 'other', message: 'm' },
    ],
    reward_signal: 0.75,
    metrics: { tests_passed: 9, tests_failed: 3, tests_total: 12, coverage_percentage: 81.5, lint_errors: 0, lint_warnings: 1, type_errors: 0 },
  },
  self_reflection: {
    reflection_text: 'I normalised keys on read but not on write.',
    credit_assignment: { failing_action_indices: [0], root_cause: 'One side only', failure_category: 'incomplete_implementation' },
    causal_reasoning: 'Old entries kept their case.',
    actionable_insights: ['Normalise in insert() too'],
    lessons_learned: ['Both sides or none'],
    confidence: 0.8,
    related_reflections: [1],
  },
  memory_metadata: { omega_capacity: 3, current_memory_size: 2, reflections_in_context: [1, 2], window_policy: 'fifo', total_reflections_generated: 2 },
  context_injected: true,
  previous_reflections_used: [1],
  performance_delta: { reward_change: 0.25, error_count_change: -1, is_improvement: true },
  notes: 'n',
});

/** Only what the schema requires. */
const bare = () => {
  const { loop_id, iteration, timestamp, actor_output, evaluator_output, self_reflection, memory_metadata } = full();
  return {
    loop_id,
    iteration,
    timestamp,
    actor_output: { actions: [], rationale: actor_output.rationale },
    evaluator_output: { passed: true, verification_type: evaluator_output.verification_type },
    self_reflection: { reflection_text: self_reflection.reflection_text },
    memory_metadata: { omega_capacity: memory_metadata.omega_capacity, current_memory_size: 0 },
  };
};

const NUMBERS = ['0', '-0', '-1', '1', '0.5', '1.5', '3.0', '3.10', '1e2', '1E+2', '1.5e1', '12e-1', '1e300', '1e400', '-1e400',
  '1e-400', '9007199254740993', '12345678901234567890123', '0.30000000000000004', '10', '11', '100', '100.0000001', '1.0000000000000002'];
const TIMES = ['2026-03-01T09:00:00Z', '2026-03-01t09:00:00z', '2026-03-01 09:00:00Z', '2026-03-01\u00a009:00:00Z',
  '2026-03-01\u302009:00:00Z', '2026-03-01T09:00:00', '2026-03-01', '09:00:00Z', '2026-03-01T09:00Z', '2026-03-01T24:00:00Z',
  '2026-03-01T23:59:60Z', '2026-03-01T10:30:60Z', '2026-03-01T18:59:60-05:00', '2026-03-01T00:59:60+01:00',
  '2026-03-01T09:00:61Z', '2026-02-29T00:00:00Z', '2024-02-29T00:00:00Z', '1900-02-29T00:00:00Z', '2000-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z', '2026-00-01T00:00:00Z', '2026-13-01T00:00:00Z', '0000-01-01T00:00:00Z', '12026-01-01T00:00:00Z',
  '2026-03-01T09:00:00.Z', '2026-03-01T09:00:00.123456789Z', '2026-03-01T09:00:00+05', '2026-03-01T09:00:00+0530',
  '2026-03-01T09:00:00+05:30', '2026-03-01T09:00:00-00:00', '2026-03-01T09:00:00+24:00', '2026-03-01T09:00:00+05:60',
  '2026-03-01T09:00:00+5', '2026-03-01T09:00:00+053', ' 2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z ', '2026-03-01T09:00:00Z\n',
  '2026-03-01TT09:00:00Z', '2026-03-01T9:00:00Z', '2026-3-01T09:00:00Z', '٢٠٢٦-03-01T09:00:00Z', '2026-03-01T09:00:00\u221205:00',
  '2026-03-01T09:00:00,5Z', '2026-03-01T09:00:00UTC', '', 'yesterday'];
const TEXTS = ['', ' ', 'ralph-', 'ralph-a', 'ralph-A', 'ralph-a\n', 'xralph-a', 'ralph--', 'ralph-é', 'RALPH-a', 'ralph-a b',
  'fifo', 'FIFO', 'pass', 'other', 'lint', 'error', '3', 'true', 'null', '\u0000', '\ud83d\ude00', 'a"b\\c/d', '__proto__'];

function anything(random, depth = 0) {
  switch (random.below(depth > 2 ? 6 : 9)) {
    case 0: return null;
    case 1: return random.next() < 0.5;
    case 2: return new Lexeme(random.pick(NUMBERS));
    case 3: return random.pick(TEXTS);
    case 4: return random.pick(TIMES);
    case 5: return [];
    case 6: return {};
    case 7: return Array.from({ length: 1 + random.below(3) }, () => anything(random, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: 1 + random.below(3) }, () => [random.pick(['type', 'message', 'tool', 'x', 'passed']), anything(random, depth + 1)]),
      );
  }
}

/** Every object and list of a record. */
function places(value, found = []) {
  if (value && typeof value === 'object' && !(value instanceof Lexeme) && !(value instanceof Twice)) {
    found.push(value);
    for (const inner of Object.values(value)) places(inner, found);
  }
  return found;
}

function mutate(record, random, texts) {
  const place = random.pick(places(record));
  const names = Object.keys(place);
  const name = random.pick(names.length ? names : ['x']);
  switch (random.below(9)) {
    case 0: // missing
      if (Array.isArray(place)) place.splice(0, 1);
      else delete place[name];
      break;
    case 1: // extra
      if (Array.isArray(place)) place.push(anything(random));
      else place[random.pick(['extra', 'toString', 'constructor', 'Type', 'rewardSignal'])] = anything(random);
      break;
    case 2: // repeated
      if (Array.isArray(place)) place.push(place[0] ?? 1);
      else if (names.length) place[name] = new Twice(anything(random), place[name]);
      break;
    case 3:
      if (names.length) place[name] = new Lexeme(random.pick(NUMBERS));
      break;
    case 4:
      if (names.length) place[name] = random.pick(texts);
      break;
    case 5:
      if (names.length) place[name] = random.pick(TIMES);
      break;
    case 6: // where it hurts
      if (record && typeof record === 'object' && !Array.isArray(record)) record.timestamp = random.pick(TIMES);
      break;
    default:
      if (names.length) place[name] = anything(random);
  }
}

/** A generator for mutant number `index` of a seed. */
function seeded(seed, index) {
  const random = new Random(seed * 1_000_003 + index + 1);
  for (let i = 0; i < 4; i += 1) random.next();
  return random;
}

/** What `make` gives, broken at up to three places: none at all, too, as valid records have to pass. */
function broken(random, make, texts) {
  if (random.below(200) === 0) return write(anything(random));
  const record = make(random);
  const count = random.below(4);
  for (let i = 0; i < count; i += 1) mutate(record, random, texts);
  return write(record);
}

/** Mutant number `index` of a seed: a reflection-memory record as JSON text. */
export function mutant(seed, index) {
  return broken(seeded(seed, index), (random) => (random.next() < 0.7 ? full() : bare()), TEXTS);
}

/** The same of any value, with texts that its schema has an opinion on. */
export function mutantOf(value, texts, seed, index) {
  return broken(seeded(seed, index), () => structuredClone(value), [...texts, ...texts, ...TEXTS]);
}
