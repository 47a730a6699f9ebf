// Splits a text into JSON values: one value, the items of an array, or one per line.

/** Each value with its text, where it starts, and its position in an array. */
export function framed(text) {
  const plain = text.replace(/^\u{feff}/u, '');
  const first = { line: 1, column: 1, offset: Buffer.byteLength(text) - Buffer.byteLength(plain) };
  const whole = attempt(plain);
  if (Array.isArray(whole)) return placed(plain, itemsOf(plain), first).map((item, position) => ({ ...item, position }));
  const lines = whole === undefined ? placed(plain, linesOf(plain), first) : [];
  // A value over several lines that does not parse is one error, not one per line.
  const isLines = lines.length > 1 && lines.some(({ text: line }) => attempt(line) !== undefined && /^\s*[{[]/.test(line));
  return isLines ? lines : [{ ...first, text: plain }];
}

function attempt(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where each item of an array starts and ends, in valid JSON. */
function* itemsOf(json) {
  let [depth, start, isText] = [0, json.indexOf('[') + 1, false];
  for (const { 0: mark, index } of json.matchAll(/\\.|["[\]{},]/g)) {
    if (mark === '"') isText = !isText;
    if (isText) continue;
    if ((mark === ',' || mark === ']') && depth === 1) {
      yield [start, index];
      start = index + 1;
    }
    if (mark === '[' || mark === '{') depth += 1;
    if (mark === ']' || mark === '}') depth -= 1;
  }
}

function* linesOf(text) {
  let start = 0;
  for (const { 0: end, index } of text.matchAll(/\r?\n|$/g)) {
    yield [start, index];
    start = index + end.length;
  }
}

/** The ranges of a text that are not blank, with their positions; the text itself starts at `first`. */
function placed(text, stretches, first) {
  let { line, column, offset } = first;
  let at = 0;
  const found = [];
  for (const [start, end] of stretches) {
    const own = text.slice(start, end);
    if (own.trim() === '') continue;
    const before = text.slice(at, start);
    const lines = before.split('\n');
    line += lines.length - 1;
    column = lines.at(-1).length + (lines.length > 1 ? 1 : column);
    offset += Buffer.byteLength(before);
    at = start;
    found.push({ text: own, line, column, offset });
  }
  return found;
}
