// The members of what the package answers are those that its types declare: answers are written into a program as
// literals of their types, where TypeScript refuses members that are missing, too many or of another type.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../faces.mjs';
import { ENTRIES, imported, importedEntry, project, tsc, typeFiles } from './package.mjs';

const consumer = project();
const { EpisodicMemory, LoopMachine, ReflectionWindow, explain, formats, insightRules, omegaAdvice, openHistory, queryError, validate, windowOf } =
  await imported(consumer);
const { InMemoryStore } = await importedEntry(consumer, 'hindscope/stores/memory');

/** Answers by the names of their types. */
const answers = new Map();

/** Keeps an answer, unless there is one of its form: with the same members and the same short texts. */
function keep(type, ...given) {
  const kept = answers.get(type) ?? new Map();
  answers.set(type, kept);
  for (const answer of given.filter((answer) => answer !== undefined)) {
    const text = JSON.stringify(answer);
    const form = text.replaceAll(/-?\d[\d.e+-]*/g, '0').replaceAll(/"(?:[^"\\]|\\.){24,}"(?!:)/g, '""').replaceAll(/(\{[^{}]*\})(?:,\1)+/g, '$1');
    if (!kept.has(form)) kept.set(form, text);
  }
}

/** Whatever throws one of our errors has no answer here. */
function answered(ask) {
  try {
    return ask();
  } catch (error) {
    assert.equal(error.name, 'HindscopeError', error.stack);
    return undefined;
  }
}

function keepHistory() {
  const history = openHistory(join(root, 'tests/fixtures'));
  keep('SourceView', ...history.sources());
  keep('SourceTotals', history.added);
  keep('FindingGroup', ...history.findings());
  keep('Finding', ...history.eachFinding());
  for (const group of history.groups()) {
    keep('GroupView', group);
    keep('EvaluatorTrust', history.trust(group.id));
    keep('RetryImprovement', history.retries(group.id));
    keep('GroupAggregate', history.aggregate(group.id));
    keep('Headline', history.headline(group.id));
    for (const other of history.groups()) {
      keep('ExperimentComparison', answered(() => history.compare([group.id, other.id])));
    }
  }
  keep('RunVerdict', ...history.verdicts());
  for (const view of history.runs()) {
    const run = history.run(view.id);
    keep('RunView', view);
    keep('IterationView', ...run.iterations());
    keep('RunStatement', ...run.about());
    keep('RunExplanation', run.explain());
    keep('ReflectionRef', ...run.reflections());
    keep('RecordSpan', ...run.records().map((record) => history.locate(record)));
    keep('AttemptDetails', ...run.records().map((record) => answered(() => history.inspect(record))));
    for (const { number } of run.iterations()) {
      keep('AttemptDetails', answered(() => run.attempt(number)));
      keep('InjectedReflections', run.injected(number));
      for (const rule of [{}, { policy: 'relevance_weighted', tokenBudget: 9 }, { dynamicOmega: true }]) {
        const window = run.window(number, rule);
        keep('WindowView', window);
        keep('WindowEntry', ...window.entries);
      }
    }
  }
  const search = history.search('the');
  keep('SearchHit', ...search, ...history.search('outcome:failure'));
  keep('SearchProgress', search.progress);
  history.free();
  keep('QueryError', ...['rewrd<1', '"x', 'reward:', 'reward<x', 'reward:5..1', 'outcome:nice'].map((query) => queryError(query)));
  keep('FormatInfo', ...formats());
  keep('InsightRule', ...insightRules());
}

function keepContract() {
  const records = ['Clear the cache.', 'clear the cache', 'Port was wrong.'].map((reflection_text, iteration) => ({
    iteration,
    evaluator_output: { passed: false },
    self_reflection: { reflection_text, lessons_learned: ['Look first.'] },
  }));
  for (const record of [...records, {}, '{"iteration": 1,}', '']) keep('Validation', validate(record), validate(record, { profile: 'strict' }));
  keep('WindowOf', windowOf(records, { omega: 1 }), windowOf([...records, {}], { tokenBudget: 9, policy: 'relevance_weighted' }));
  const window = ReflectionWindow.from(records);
  keep('WindowState', window.toJSON());
  keep('MemoryMetadata', window.metadata());
  window.free();
  keep('OmegaAdvice', ...omegaAdvice());
  keep('RunExplanation', explain(records), explain([]));
}

/** A loop with retries, failures, conversions, a corrector and records. */
function keepLoop() {
  const machine = new LoopMachine(
    {
      generator: { callback: true },
      evaluator: { schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 9 } } } },
      corrector: { callback: true },
      maxIterations: 4,
      memory: { name: 'demo' },
      events: 'full',
      retry: { max: 1, initial_ms: 1 },
    },
    { clock: true },
    0,
  );
  const replies = [{ type: 'error', message: 'busy', retryable: true }, { type: 'value', value: '{"n": "5"}' }, { type: 'value', value: { candidate: { n: 7 } } }];
  let steps = machine.steps();
  for (let at = 0; steps.length > 0 && steps[0].type !== 'done'; at++) {
    assert.ok(at < 99, 'the loop ends');
    keep('LoopEvent', ...machine.events());
    // The state is read when it is looked at; JSON leaves it out.
    keep('LoopStep', ...steps.map((step) => ({ ...step, state: {} })));
    const reply = steps[0].type === 'wait' ? { type: 'value', value: null } : replies[at % replies.length];
    steps = machine.resume(steps[0].id, { ...reply, now: at, at: '2026-03-10T12:00:00Z', usage: { inputTokens: 3 } });
  }
  keep('LoopEvent', ...machine.events());
  keep('LoopResult', steps[0].result);
  machine.free();
}

async function keepMemory() {
  const memory = await EpisodicMemory.open(new InMemoryStore(), { now: () => Date.UTC(2026, 2, 10) });
  keep('TaskAnswer', await memory.initTask({ id: 'a', description: 'Fix the cache.' }), await memory.initTask({ id: 'b', description: 'Fix the cache key.' }));
  for (const outcome of ['failure', 'success']) {
    keep('AttemptAnswer', await memory.startAttempt('a'));
    keep('ActionAnswer', await memory.logAction('a', { type: 'bash', success: false }));
    keep('CompletedAnswer', await memory.completeAttempt('a', { outcome, reflection: { learning: 'Clear the cache first.' } }));
    keep('ReflectedAnswer', await memory.addReflection('a', { learning: 'Clear the cache first.' }));
  }
  keep('TaskAnswer', await memory.setStatus('b', 'paused'));
  keep('IterationAnswer', await memory.reflect('ralph-x', { outcome: 'failure', reflection: 'Clear the cache.', strategyChange: 'Look at the key.' }));
  keep('IterationAnswer', await memory.reflect('x', { outcome: 'failure', errors: ['E1'] }));
  keep('TaskHistory', await memory.queryHistory('a'), await memory.queryHistory('b'));
  keep('FoundTasks', await memory.search('cache'), await memory.similarTasks('b'));
  keep('ImprovementAnswer', await memory.improvement());
  keep('HealthAnswer', await memory.doctor());
}

test('answers are what their types say', async () => {
  keepHistory();
  keepContract();
  keepLoop();
  await keepMemory();
  const declared = Object.entries(ENTRIES).map(([folder, entry]) => [entry, typeFiles(join(consumer, 'node_modules/hindscope', folder)).join('\n')]);
  const lines = [...answers].flatMap(([type, kept], at) => {
    assert.ok(kept.size > 0, `no ${type}`);
    // What all entries have is declared beside their folders.
    const [entry] = declared.find(([, text]) => new RegExp(`^export (?:interface|type) ${type}\\b`, 'm').test(text)) ?? [ENTRIES.contract];
    return [`import type { ${type} } from '${entry}';`, `export const of${at}: ${type}[] = [`, ...Array.from(kept.values(), (text) => `${text},`), '];'];
  });
  writeFileSync(join(consumer, 'answers.ts'), lines.join('\n'));
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--module', 'nodenext'];
  const { stdout, status } = spawnSync(tsc, [...flags, 'answers.ts'], { cwd: consumer, encoding: 'utf8' });
  assert.equal(status, 0, stdout.slice(0, 4000));
});
