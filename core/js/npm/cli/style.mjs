// Colour, if it is wanted, and tables.
import { cut, width } from './text.mjs';

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

/**
 * Lines of a table. A column is `{title, right}`; a cell is a text, or `[text, dress]`. The
 * last column takes what room is left of `columns`, and is cut there. Columns without any text are
 * left out.
 */
export function table(allHeads, allRows, { style: { dim }, columns = Infinity, indent = '' }) {
  const texts = (cell) => (Array.isArray(cell) ? cell[0] : cell) ?? '';
  const filled = allHeads.map((_, at) => allRows.some((row) => texts(row[at]) !== ''));
  const isFilled = (_, at) => filled[at];
  const [heads, rows] = [allHeads.filter(isFilled), allRows.map((row) => row.filter(isFilled))];
  const widths = heads.map(({ title = '' }, at) => rows.reduce((most, row) => Math.max(most, width(texts(row[at]))), width(title)));
  const line = (cells) => {
    let [said, used] = [indent, width(indent)];
    for (const [at, cell] of cells.entries()) {
      const isLast = at === heads.length - 1;
      const text = isLast && !heads[at].right ? cut(texts(cell), Math.max(columns - used, 8)) : texts(cell);
      const room = ' '.repeat(Math.max(widths[at] - width(text), 0));
      const dressed = Array.isArray(cell) && cell[1] ? cell[1](text) : text;
      said += heads[at].right ? room + dressed : isLast ? dressed : dressed + room;
      if (!isLast) said += '  ';
      used += widths[at] + 2;
    }
    return said.trimEnd();
  };
  const head = heads.some(({ title }) => title) ? [line(heads.map(({ title = '' }) => [title, dim]))] : [];
  return [...head, ...rows.map(line)];
}
