// Edit distance for typing errors. The whole project uses this one distance.

/** Removes the letters that two words have in common at the start and at the end. Returns the rest of both. */
export function removeCommonPrefixAndSuffix(a: string, b: string): [string, string] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let end = 0;
  while (end < most - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/**
 * Returns the number of typing errors between two words: letters inserted, left out, changed, or swapped with their neighbour. Above `limit`, returns
 * `limit` + 1. Method: optimal string alignment (Damerau 1964, Levenshtein 1966).
 */
export function getTypoDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const [x, y] = removeCommonPrefixAndSuffix(a, b);
  if (x.length === 0 || y.length === 0) return x.length + y.length;
  // The words differ at both ends, so one error is one letter or two swapped letters.
  if (limit === 1 && Math.max(x.length, y.length) > 2) return 2;
  return alignmentDistance(x, y, limit);
}

/** Maximum length of words whose distance is computed in preallocated rows. */
const LONGEST = 64;
const ROWS = [newRow(LONGEST), newRow(LONGEST), newRow(LONGEST)] as const;

function newRow(length: number): Int32Array {
  return new Int32Array(length + 1);
}

function alignmentDistance(x: string, y: string, limit: number): number {
  const n = y.length;
  let [older, old, row] = n > LONGEST ? [newRow(n), newRow(n), newRow(n)] : ROWS;
  for (let j = 0; j <= n; j++) old[j] = j;
  for (let i = 1; i <= x.length; i++) {
    const letter = x.charCodeAt(i - 1);
    const before = x.charCodeAt(i - 2);
    let least = (row[0] = i);
    for (let j = 1; j <= n; j++) {
      const same = letter === y.charCodeAt(j - 1);
      let cost = Math.min((old[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (old[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && letter === y.charCodeAt(j - 2) && before === y.charCodeAt(j - 1))
        cost = Math.min(cost, (older[j - 2] ?? 0) + 1);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return limit + 1;
    [older, old, row] = [old, row, older];
  }
  return Math.min(old[n] ?? 0, limit + 1);
}

/** Returns the known word that is most similar to a word, ignoring case, hyphens, underscores and spaces. Undefined if none is similar. */
export function findNearestWord(word: string, known: readonly string[]): string | undefined {
  if (word.length > 40) return undefined;
  const plain = toBareWord(word);
  let best: string | undefined;
  let limit = Math.max(2, Math.floor(plain.length / 3));
  for (const candidate of known) {
    const distance = getTypoDistance(plain, toBareWord(candidate), limit);
    if (distance <= limit) [best, limit] = [candidate, distance - 1];
  }
  return best;
}

const toBareWord = (word: string) => word.toLowerCase().replace(/[-_\s]/g, '');

/** Patterns of letters that look like another letter, each with this letter. */
const LOOK_ALIKES: readonly (readonly [RegExp, string])[] = [
  [/vv/g, 'w'],
  [/rn/g, 'm'],
  [/cl/g, 'd'],
  [/0/g, 'o'],
  [/[1i|]/g, 'l'],
  [/5/g, 's'],
];

/** Converts a text to lower case and replaces letters that look alike by one of them. Texts that look alike get equal keys. */
export function toLookAlikeKey(text: string): string {
  let outline = text;
  for (const [pattern, letter] of LOOK_ALIKES) outline = outline.replace(pattern, letter);
  return outline;
}
