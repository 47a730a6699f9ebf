// Numbers, outcomes and times as people read them.

/** `1 run`, `2 runs`. */
export function noun(count, one, many = `${one}s`) {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

/** A whole number with its thousands apart. */
export function whole(count) {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
}

/** Bytes in the unit that fits. */
export function bytes(count) {
  if (count < 1000) return noun(count, 'byte');
  const units = ['KB', 'MB', 'GB'];
  let value = count / 1000;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** A reward 0..1, as the page writes it. */
export function reward(value) {
  return isKnown(value) ? value.toFixed(3) : '–';
}

/** A change of reward, with its sign. What rounds to nothing has none. */
export function delta(value) {
  if (!isKnown(value)) return '';
  const text = Math.abs(value).toFixed(3);
  return Number(text) === 0 ? text : `${value > 0 ? '+' : '\u2212'}${text}`;
}

/** A share in whole per cent, which says 100 only of all and 0 only of none. */
export function percent(share) {
  if (!isKnown(share)) return '–';
  const rounded = Math.round(share * 100);
  return `${share < 1 && rounded === 100 ? 99 : share > 0 && rounded === 0 ? 1 : rounded} %`;
}

function isKnown(value) {
  return value !== undefined && !Number.isNaN(value);
}

/** A point in time, in UTC. */
export function time(ms) {
  if (ms === undefined || !Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return '';
  return new Date(ms).toISOString().replace('T', ' ').replace(/(:\d\d)\.\d+Z$/, '$1Z').replace(/:00Z$/, 'Z');
}

const BLOCKS = '▁▂▃▄▅▆▇█';

/** Rewards in order, a sign each; a dot where there is none. At most 60, the last ones. */
export function spark(rewards) {
  const signs = Array.from(rewards, (value) => (Number.isNaN(value) ? '·' : BLOCKS[Math.min(Math.max(Math.floor(value * 8), 0), 7)]));
  return (signs.length > 60 ? ['…', ...signs.slice(-60)] : signs).join('');
}

/** A share as a bar. */
export function bar(share, length = 20) {
  const full = Math.round((share ?? 0) * length);
  return '█'.repeat(full) + '·'.repeat(length - full);
}

/** How an outcome is dressed. */
export function outcomeDress(outcome, style) {
  const dress = { success: style.green, partial: style.yellow, failure: style.red, running: style.blue, aborted: style.magenta };
  return dress[outcome] ?? style.dim;
}

/** The letters of a trend, each as its outcome. */
export function trend(letters, style) {
  const words = { P: 'success', '~': 'partial', F: 'failure', '>': 'running', A: 'aborted' };
  return letters.replaceAll(/(.)\1*/g, (run, letter) => outcomeDress(words[letter], style)(run));
}

/** Severities, the worst first. */
export const SEVERITIES = ['error', 'warning', 'info'];

/** How a severity is dressed. */
export function severityDress(severity, style) {
  return { error: style.red, warning: style.yellow }[severity] ?? style.dim;
}

/** Texts of a window for a prompt. */
export const LAYOUTS = ['plain', 'aiwg-template', 'aiwg-guide', 'aiwg-memory', 'reflexion-alfworld', 'episodic'];
