const DIGIT = /\d/;
const SILENT = 'AEIOUYH';
const DOUBLED = /(.)\1+/g;

/**
 * A word's consonants in order, the first letter always kept, doubled ones once: vowel typos and doubled letters
 * vanish. Names of fewer than three such letters, and those with digits, stay whole.
 */
export function skeleton(word: string): string {
  if (word === '' || DIGIT.test(word)) return word;
  let key = word[0] ?? '';
  let last = key;
  for (let index = 1; index < word.length; index += 1) {
    const letter = word[index] ?? '';
    if (letter === last || SILENT.includes(letter)) continue;
    key += letter;
    last = letter;
  }
  return key.length < 3 ? word.replace(DOUBLED, '$1') : key;
}

/**
 * One or two keys of a street's bare name: letters of its start and of its end, each set in alphabetical order
 * so that swapped neighbours meet. Names with digits, where one digit is another street, have one exact key.
 */
export function coreKeys(name: string): string[] {
  if (DIGIT.test(name) || name.length < 3) return [name];
  const word = name.replace(DOUBLED, '$1');
  const length = word.length < 6 ? 3 : 4;
  const start = letters(word.slice(0, length));
  const end = letters(word.slice(-length));
  return word.length <= 4 && start === end ? [`^${start}`] : [`^${start}`, `${end}$`];
}

/** Letters in alphabetical order; a small insertion sort, because a call of `sort` costs more than all the rest. */
function letters(text: string): string {
  let sorted = '';
  for (const letter of text) {
    let at = sorted.length;
    while (at > 0 && (sorted[at - 1] ?? '') > letter) at -= 1;
    sorted = sorted.slice(0, at) + letter + sorted.slice(at);
  }
  return sorted;
}
