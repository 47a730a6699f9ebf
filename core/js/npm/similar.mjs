// What a mistyped name may have meant.

/** The known names that a mistyped word may have meant, the most similar first. */
export function similar(word, known, most = 3) {
  const lower = word.toLowerCase();
  const ranked = known.map((name) => [distance(lower, name.toLowerCase()), name]);
  const near = ([steps, name]) => steps <= Math.max(1, Math.floor(name.length / 3)) || name.toLowerCase().includes(lower);
  return ranked
    .filter(near)
    .sort(([a], [b]) => a - b)
    .slice(0, most)
    .map(([, name]) => name);
}

/** The number of edits between two words; exchanging two neighbours is one. Long words are not compared. */
function distance(a, b) {
  if (a.length > 100 || b.length > 100) return Infinity;
  let [before, last] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + Number(a[i - 1] !== b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}
