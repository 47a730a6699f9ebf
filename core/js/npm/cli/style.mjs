// Colour, if it is wanted, and tables.
import { cut, width, wrapped } from './text.mjs';

const SGR = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
};

/** Whether a stream gets colour: FORCE_COLOR says so, NO_COLOR says no, else terminals do. */
export function isColoured({ isTTY }, { FORCE_COLOR, NO_COLOR, TERM }) {
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  return isTTY === true && TERM !== 'dumb';
}

/** Functions that dress a text for a stream, or leave it. */
export function style(stream, env) {
  const has = isColoured(stream, env);
  const dress = ([on, off]) => (text) => (has && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text);
  return { has, ...Object.fromEntries(Object.entries(SGR).map(([name, codes]) => [name, dress(codes)])) };
}

/** So many columns a text at the end of a line needs to say something. */
const LEAST = 16;

/**
 * Lines of a table. A column is `{title, right, spare, least}`; a cell is a text, or `[text, dress]`. The
 * last column takes what room is left of `columns`, and is cut there. Columns without any text are
 * left out; so are those with `spare` where there is no room, of the highest first, and a last line says
 * which. `least` is what a column needs at the end of a line.
 */
export function table(allHeads, allRows, { style: { dim }, columns = Infinity, indent = '' }) {
  const texts = (cell) => (Array.isArray(cell) ? cell[0] : cell) ?? '';
  const allWidths = allHeads.map(({ title = '' }, at) => allRows.reduce((most, row) => Math.max(most, width(texts(row[at]))), width(title)));
  const filled = allHeads.map((head, at) => ({ ...head, at, width: allWidths[at] })).filter(({ at }) => allRows.some((row) => texts(row[at]) !== ''));
  const [heads, spared] = fitting(filled, columns - width(indent));
  const line = (cellOf) => {
    let [said, used] = [indent, width(indent)];
    for (const [place, head] of heads.entries()) {
      const cell = cellOf(head);
      const isLast = place === heads.length - 1;
      const text = isLast && !head.right ? cut(texts(cell), Math.max(columns - used, 8)) : texts(cell);
      const room = ' '.repeat(Math.max(head.width - width(text), 0));
      const dressed = Array.isArray(cell) && cell[1] ? cell[1](text) : text;
      said += head.right ? room + dressed : isLast ? dressed : dressed + room;
      if (!isLast) said += '  ';
      used += head.width + 2;
    }
    return said.trimEnd();
  };
  const head = heads.some(({ title }) => title) ? [line(({ title = '' }) => [title, dim])] : [];
  const names = spared.map(({ title }) => title).filter((title) => title);
  const note = names.length > 0 ? wrapped(`no room for ${names.join(', ')}`, columns - width(indent)) : [];
  return [...head, ...allRows.map((row) => line(({ at }) => row[at])), ...note.map((text) => indent + dim(text))];
}

/** The columns that are shown, and those that can be spared and have no room. */
function fitting(heads, room) {
  const needs = ({ width: own, right, least = LEAST }, place, all) => (place < all.length - 1 ? own + 2 : right ? own : Math.min(own, least));
  const order = heads.filter(({ spare }) => spare).sort((a, b) => b.spare - a.spare);
  const spared = new Set();
  const shown = () => heads.filter((head) => !spared.has(head));
  const isFitting = () => shown().map(needs).reduce((sum, own) => sum + own, 0) <= room;
  while (order.length > 0 && !isFitting()) spared.add(order.shift());
  return [shown(), heads.filter((head) => spared.has(head))];
}
