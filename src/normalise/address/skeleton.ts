const DIGIT = /\d/;
const DOUBLED = /(.)\1+/g;

/**
 * A word's consonants in order, the first letter always kept, doubled ones once: vowel slips and doubled letters
 * vanish. Names of fewer than three such letters, and those with digits, stay whole.
 */
export function skeleton(word: string): string {
  if (DIGIT.test(word)) return word;
  const key = word[0] + word.slice(1).replace(/[AEIOUYHW]/g, '');
  const single = key.replace(DOUBLED, '$1');
  return single.length < 3 ? word.replace(DOUBLED, '$1') : single;
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

const letters = (text: string): string => [...text].sort().join('');
