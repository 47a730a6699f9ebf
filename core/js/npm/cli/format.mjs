// Formats numbers, outcomes and times.

/** `1 run`, `2 runs`. */
export function plural(count, one, many = `${one}s`) {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

/** An integer with commas, as the sentences of the core have it: 12,345. */
export function whole(count) {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** Bytes in the unit that fits. */
export function bytes(count) {
  if (count < 1000) return plural(count, 'byte');
  const units = ['KB', 'MB', 'GB'];
  let value = count / 1000;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** A reward from 0 to 1, formatted as on the page. */
export function reward(value) {
  return isKnown(value) ? value.toFixed(3) : '–';
}

/** A change of reward with its sign; a change that rounds to 0 has none. */
export function delta(value, digits = 3) {
  if (!isKnown(value)) return '';
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : `${value > 0 ? '+' : '\u2212'}${text}`;
}

/** A share as a percentage without decimals: 100 % only for all, 0 % only for none. */
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

/** A character per reward, a dot for a missing one. Of more than 60, only the last. */
export function spark(rewards) {
  const signs = Array.from(rewards, (value) => (Number.isNaN(value) ? '·' : BLOCKS[Math.min(Math.max(Math.floor(value * 8), 0), 7)]));
  return (signs.length > 60 ? ['…', ...signs.slice(-60)] : signs).join('');
}

/** A share as a bar. */
export function bar(share, length = 20) {
  const full = Math.round((share ?? 0) * length);
  return '█'.repeat(full) + '·'.repeat(length - full);
}

/** The colour of an outcome. */
export function outcomeColour(outcome, style) {
  const colours = { success: style.green, partial: style.yellow, failure: style.red, running: style.blue, aborted: style.magenta };
  return colours[outcome] ?? style.dim;
}

/** What each letter of a trend stands for. */
const OUTCOMES = { P: 'success', '~': 'partial', F: 'failure', '>': 'running', A: 'aborted', '-': 'does not count', '?': 'unknown' };

/** The letters of a trend, each in the colour of its outcome. */
export function trend(letters, style) {
  return letters.replaceAll(/(.)\1*/g, (run, letter) => outcomeColour(OUTCOMES[letter], style)(run));
}

/** What the letters of some trends stand for, as a line below them. */
export function legend(trends) {
  const used = Object.entries(OUTCOMES).filter(([letter]) => trends.some((letters) => letters.includes(letter)));
  return used.map(([letter, outcome]) => `${letter} ${outcome}`).join(', ');
}

/** Severities, the worst first. */
export const SEVERITIES = ['error', 'warning', 'info'];

/** The colour of a severity. */
export function severityColour(severity, style) {
  return { error: style.red, warning: style.yellow }[severity] ?? style.dim;
}

/** Layouts of a window as text for a prompt. */
export const LAYOUTS = ['plain', 'aiwg-template', 'aiwg-guide', 'aiwg-memory', 'reflexion-alfworld', 'episodic'];
