// Colours and tables.
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

/** Whether a stream gets colour: FORCE_COLOR decides, then NO_COLOR, then whether it is a terminal. */
export function isColoured({ isTTY }, { FORCE_COLOR, NO_COLOR, TERM }) {
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  return isTTY === true && TERM !== 'dumb';
}

/** Functions that colour a text, or return it unchanged if the stream gets no colour. */
export function style(stream, env) {
  const has = isColoured(stream, env);
  const colour = ([on, off]) => (text) => (has && text !== '' ? `\x1b[${on}m${text}\x1b[${off}m` : text);
  return { has, ...Object.fromEntries(Object.entries(SGR).map(([name, codes]) => [name, colour(codes)])) };
}

/** The least width that the text in the last column of a table needs. */
const LEAST = 16;

/**
 * The lines of a table. A column is `{title, right, spare, least}`, a cell is a text or `[text, colour]`.
 * The last column gets the rest of the width, and is cut there. Columns without any text are left out.
 * If the table is too wide, so are columns with `spare`, the highest first, and a last line lists them.
 * `least` is the width that a column needs as the last one.
 */
export function table(allHeads, allRows, { style: { dim }, columns = Infinity, indent = '' }) {
  const texts = (cell) => (Array.isArray(cell) ? cell[0] : cell) ?? '';
  const allWidths = allHeads.map(({ title = '' }, at) => allRows.reduce((most, row) => Math.max(most, width(texts(row[at]))), width(title)));
  const filled = allHeads.map((head, at) => ({ ...head, at, width: allWidths[at] })).filter(({ at }) => allRows.some((row) => texts(row[at]) !== ''));
  const [heads, spared] = fitting(filled, columns - width(indent));
  const line = (cellOf) => {
    let [made, used] = [indent, width(indent)];
    for (const [place, head] of heads.entries()) {
      const cell = cellOf(head);
      const isLast = place === heads.length - 1;
      const text = isLast && !head.right ? cut(texts(cell), Math.max(columns - used, 8)) : texts(cell);
      const room = ' '.repeat(Math.max(head.width - width(text), 0));
      const coloured = Array.isArray(cell) && cell[1] ? cell[1](text) : text;
      made += head.right ? room + coloured : isLast ? coloured : coloured + room;
      if (!isLast) made += '  ';
      used += head.width + 2;
    }
    return made.trimEnd();
  };
  const head = heads.some(({ title }) => title) ? [line(({ title = '' }) => [title, dim])] : [];
  const names = spared.map(({ title }) => title).filter((title) => title);
  const note = names.length > 0 ? wrapped(`hidden columns: ${names.join(', ')}`, columns - width(indent)) : [];
  return [...head, ...allRows.map((row) => line(({ at }) => row[at])), ...note.map((text) => indent + dim(text))];
}

/** The columns that fit, and those that are left out. */
function fitting(heads, room) {
  const needs = ({ width: own, right, least = LEAST }, place, all) => (place < all.length - 1 ? own + 2 : right ? own : Math.min(own, least));
  const order = heads.filter(({ spare }) => spare).sort((a, b) => b.spare - a.spare);
  const spared = new Set();
  const shown = () => heads.filter((head) => !spared.has(head));
  const isFitting = () => shown().map(needs).reduce((sum, own) => sum + own, 0) <= room;
  while (order.length > 0 && !isFitting()) spared.add(order.shift());
  return [shown(), heads.filter((head) => spared.has(head))];
}
