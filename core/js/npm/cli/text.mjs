// Makes text of records safe for a terminal: control characters, changes of the reading direction and
// invisible characters are replaced by their names. The page does the same (web/src/visible_text.rs).
import { plural } from './format.mjs';

const C0 = [
  'NUL', 'SOH', 'STX', 'ETX', 'EOT', 'ENQ', 'ACK', 'BEL', 'BS', 'TAB', 'LF', 'VT', 'FF', 'CR', 'SO', 'SI',
  'DLE', 'DC1', 'DC2', 'DC3', 'DC4', 'NAK', 'SYN', 'ETB', 'CAN', 'EM', 'SUB', 'ESC', 'FS', 'GS', 'RS', 'US',
];

// Control characters, directions, invisible spaces and fillers, unusual line ends, annotations, tags and
// variation selectors. Line feeds and tabs do no harm.
const HIDDEN =
  '\\u{0}-\\u{8}\\u{b}-\\u{1f}\\u{7f}-\\u{9f}\\u{ad}\\u{34f}\\u{61c}\\u{115f}\\u{1160}\\u{17b4}\\u{17b5}\\u{180b}-\\u{180f}' +
  '\\u{200b}-\\u{200f}\\u{2028}-\\u{202e}\\u{2060}-\\u{206f}\\u{3164}\\u{feff}\\u{ffa0}\\u{fff0}-\\u{fffb}' +
  '\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}';
const HIDDEN_ALL = new RegExp(`[${HIDDEN}]`, 'gu');
const IS_HIDDEN = new RegExp(`^[${HIDDEN}]`, 'u');

function label(sign) {
  const code = sign.codePointAt(0);
  if (code < 32) return `[${C0[code]}]`;
  return code === 127 ? '[DEL]' : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** A text with its lines and tabs; invisible characters become names in brackets. */
export function visible(text) {
  return String(text)
    .toWellFormed()
    .replace(HIDDEN_ALL, (sign, at, whole) => {
      if (sign === '\u200c' || sign === '\u200d') return joins(whole, at) ? sign : label(sign);
      return sign === '\r' && whole[at + 1] === '\n' ? '' : label(sign);
    });
}

/** Whether a joiner is between characters that it can join: emoji, and scripts that use joiners. */
function joins(whole, at) {
  const can = (sign) => sign !== undefined && sign > '\u{7f}' && !IS_HIDDEN.test(sign);
  const before = /[^]$/u.exec(whole.slice(Math.max(at - 2, 0), at))?.[0];
  const behind = /^[^]/u.exec(whole.slice(at + 1, at + 3))?.[0];
  return can(before) && can(behind);
}

/** The same in one line, for names and table cells. */
export function inline(text) {
  return visible(text).replaceAll(/\s*\n\s*|\t/g, ' ').trim();
}

/** Names are printed up to this many characters. */
const MOST_OF_NAME = 200;

/** A name in one line. A very long one is cut. */
export function named(text) {
  return shortened(inline(text), MOST_OF_NAME);
}

/** A text of at most `most` characters. A longer one is cut, and its length is said. */
export function shortened(text, most) {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}… (${plural(text.length, 'character')})`;
}

/** JSON that is safe for a terminal: invisible characters are escaped, so it parses to the same value. */
export function safeJson(value, indent) {
  const escaped = (sign) => sign.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return JSON.stringify(value, undefined, indent).toWellFormed().replace(HIDDEN_ALL, escaped);
}

/** Made on first use, since that takes a while. */
let graphemes;
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115e\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}])|\ufe0f/u;
const MARK = /^\p{M}+$/u;

function widthOf(grapheme) {
  return MARK.test(grapheme) ? 0 : WIDE.test(grapheme) ? 2 : 1;
}

function* segments(text) {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { segment } of graphemes.segment(text)) yield segment;
}

/** The width of a line on a terminal. */
export function width(text) {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const segment of segments(text)) columns += widthOf(segment);
  return columns;
}

/** A line cut to at most `most` columns, with an ellipsis where it was cut. */
export function cut(text, most) {
  if (width(text) <= most) return text;
  let [kept, columns] = ['', 0];
  for (const segment of segments(text)) {
    columns += widthOf(segment);
    if (columns > most - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** A text wrapped at spaces to lines of at most `most` columns; its own line breaks stay. */
export function wrapped(text, most) {
  if (!Number.isFinite(most)) return text.split('\n');
  return text.split('\n').flatMap((line) => {
    if (width(line) <= most) return [line];
    const lines = [];
    const [lead] = /^\s*/.exec(line);
    let open = '';
    for (const word of line.slice(lead.length).split(' ')) {
      if (open !== '' && width(lead) + width(open) + 1 + width(word) > most) {
        lines.push(lead + open);
        open = word;
      } else open = open === '' ? word : `${open} ${word}`;
    }
    return [...lines, lead + open];
  });
}
