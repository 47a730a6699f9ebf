// What a loop teaches while it runs.
import { EXPLAIN_OPTIONS, pick, recordsBytes } from '../input.mjs';
import { ask } from './core.mjs';

export function explain(records, options) {
  const plain = pick(options, EXPLAIN_OPTIONS);
  const { bytes, ends } = recordsBytes(records);
  return ask((core) => core.explain(bytes, ends, plain));
}

export function insightRules() {
  return ask((core) => core.insightRules());
}
