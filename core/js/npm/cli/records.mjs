// JSON values in a text: the whole, the items of a list, or one a line.

/** Each with its text, and the line where it begins or its position in the list. */
export function framed(text) {
  const plain = text.replace(/^\u{feff}/u, '');
  const whole = attempt(plain);
  if (Array.isArray(whole)) return whole.map((value, position) => ({ text: JSON.stringify(value), position }));
  if (whole !== undefined) return [{ text: plain, line: 1 }];
  const lines = plain.split(/\r?\n/);
  const filled = lines.map((line, at) => ({ text: line, line: at + 1 })).filter(({ text: line }) => line.trim() !== '');
  // A value over several lines that does not parse is one mistake, not one a line.
  const isLines = filled.length > 1 && filled.some(({ text: line }) => attempt(line) !== undefined && /^\s*[{[]/.test(line));
  return isLines ? filled : [{ text: plain, line: 1 }];
}

function attempt(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
