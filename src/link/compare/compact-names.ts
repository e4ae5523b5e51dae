// Compact names: the words of all records' names as numbers, about 50 bytes a record. They exclude three of four pairs without a full
// comparison, because the given names differ.
import { areSameNames } from '../../names/index.ts';
import {
  MIN_ONE_PERSON_SHARE_OF_ADDRESS_PAIRS,
  areSmallDifferencesErrors,
  type LinkStatistics,
} from './evidence.ts';
import { getCanonicalWord, getPreparedWord } from '../link-name.ts';
import type { LinkableRecord } from '../link-record.ts';
import { joinScriptsOfNames, areWordsEqualExceptTypos } from './name-similarity.ts';
import { classifySmallBirthDateDifference } from './birth-dates.ts';

export interface CompactNameStore {
  /**
   * Stores the names of a batch of records.
   * @param rows rows of the records in the batch; ascending, also from batch to batch
   */
  keep(rows: ArrayLike<number>, batch: CompactNameBatch): void;
  /** Returns the arrays in shared memory, for `createNameConflictTest` in another thread. */
  view(): CompactNamesView;
}

/**
 * Names of several records as numbers. `numbers` has for each record: 1 if it has a label (0 if not), the birth date (0 if missing), the scripts,
 * the number of names, and the names. Texts are given by their index in `texts`.
 */
export interface CompactNameBatch {
  texts: string[];
  numbers: Uint32Array;
}

/** Names of all records as numbers, by row. The arrays are in memory that threads share; only the texts are copied. */
export interface CompactNamesView {
  texts: string[];
  /** Index in `names` of the first name of each row. The names of a row end where those of the next row begin. */
  starts: Uint32Array;
  births: Uint32Array;
  scripts: Uint32Array;
  labelled: Uint32Array;
  names: Uint32Array;
}

/** Number of array entries before the words of each name: the given name (0 if missing or an initial), and the number of words. */
const HEAD = 2;

/** Creates a collector that encodes the names of records in typed arrays. `take` returns the names of all added records as one batch. */
export function createCompactNameEncoder(): {
  add(record: LinkableRecord): void;
  take(): CompactNameBatch;
} {
  const texts = dictionary();
  const numbers: number[] = [];
  return {
    add(record) {
      const { birthDate, label, linkNames } = record;
      const names = linkNames.named;
      numbers.push(Number(label !== null), birthDate === null ? 0 : texts.place(birthDate));
      numbers.push(texts.place(joinScriptsOfNames(linkNames)), names.length);
      for (const {
        fullWords: { given, words },
      } of names) {
        numbers.push(given === null ? 0 : texts.place(given), words.length);
        for (const word of words) numbers.push(texts.place(word));
      }
    },
    take: () => ({ texts: texts.all(), numbers: Uint32Array.from(numbers) }),
  };
}

/**
 * Creates an empty store of the words of all records' names, as numbers.
 * @param rows highest row plus one
 */
export function createCompactNameStore(rows: number): CompactNameStore {
  const texts = dictionary();
  const [starts, births, writings, labelled] = [rows + 1, rows, rows, rows].map(shared) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  const names = numbersShared();
  let last = 0;
  return {
    keep(of, { texts: own, numbers }) {
      const places = Uint32Array.from(own, (text, i) => (i === 0 ? 0 : texts.place(text)));
      let at = 0;
      const next = () => numbers[at++] ?? 0;
      const nextText = () => places[next()] ?? 0;
      for (let i = 0; i < of.length; i++) {
        const row = of[i] ?? 0;
        for (; last < row; last++) starts[last + 1] = names.length();
        labelled[row] = next();
        births[row] = nextText();
        writings[row] = nextText();
        for (let left = next(); left > 0; left--) {
          names.push(nextText());
          const words = next();
          names.push(words);
          for (let word = 0; word < words; word++) names.push(nextText());
        }
        starts[row + 1] = names.length();
        last = row + 1;
      }
    },
    view: () => ({ texts: texts.all(), starts, births, scripts: writings, labelled, names: names.all() }),
  };
}

/**
 * Creates a fast test of two rows. True means that `comparePair` would certainly report a conflict, because of different given names, perhaps
 * together with different birth dates. False means that only `comparePair` can tell.
 */
export function createNameConflictTest(
  { texts, starts, births, scripts: writings, labelled, names }: CompactNamesView,
  { errorRates }: Pick<LinkStatistics, 'errorRates'>,
): (a: number, b: number) => boolean {
  const { name, birth, address } = errorRates;
  const lone = name !== null && areSmallDifferencesErrors(errorRates);
  if (lone || (address !== null && address >= MIN_ONE_PERSON_SHARE_OF_ADDRESS_PAIRS)) return () => false;
  const isSame = wordsCompared(texts);
  const at = (place: number) => names[place] ?? 0;
  const canonical: string[] = [];
  const listWordsAt = (place: number): string[] => {
    const words: string[] = [];
    for (let i = place + HEAD; i < place + HEAD + at(place + 1); i++)
      words.push((canonical[at(i)] ??= getCanonicalWord(texts[at(i)] ?? '')));
    return words;
  };
  const isWordOf = (given: number, place: number) => {
    const end = place + HEAD + at(place + 1);
    for (let i = place + HEAD; i < end; i++) if (isSame(given, at(i))) return true;
    return false;
  };
  const isApart = (one: number, two: number): boolean => {
    const a = at(one);
    const b = at(two);
    return a !== 0 && b !== 0 && a !== b && !isWordOf(a, two) && !isWordOf(b, one);
  };
  /** True if two birth dates are so different that they belong to two people. */
  const areFarApart = (a: number, b: number) => {
    const one = births[a] ?? 0;
    const two = births[b] ?? 0;
    if (one === 0 || two === 0 || one === two) return false;
    const x = texts[one] ?? '';
    const y = texts[two] ?? '';
    return x.length === y.length && classifySmallBirthDateDifference(x, y) === null;
  };
  /** True if a condition holds for every combination of a name of one record and a name of the other. */
  const every = (a: number, b: number, is: (one: number, two: number) => boolean) => {
    const [endA = 0, endB = 0] = [starts[a + 1], starts[b + 1]];
    for (let one = starts[a] ?? 0; one < endA; one += HEAD + at(one + 1))
      for (let two = starts[b] ?? 0; two < endB; two += HEAD + at(two + 1)) if (!is(one, two)) return false;
    return true;
  };
  const hasName = (row: number) => starts[row] !== starts[row + 1];
  const isNoTypo = (one: number, two: number) =>
    !areWordsEqualExceptTypos(listWordsAt(one), listWordsAt(two), 'not both names');
  return (a, b) =>
    hasName(a) &&
    hasName(b) &&
    (labelled[a] === 0 || labelled[b] === 0) &&
    writings[a] === writings[b] &&
    every(a, b, isApart) &&
    ((name === null && birth === null && areFarApart(a, b)) || every(a, b, isNoTypo));
}

function dictionary() {
  const texts = [''];
  const places = new Map<string, number>();
  return {
    all: () => texts,
    place(text: string): number {
      let place = places.get(text);
      if (place === undefined) places.set(text, (place = texts.push(text) - 1));
      return place;
    },
  };
}

const shared = (count: number) =>
  new Uint32Array(new SharedArrayBuffer(count * Uint32Array.BYTES_PER_ELEMENT));

function numbersShared() {
  let all = shared(1024);
  let length = 0;
  return {
    all: () => all,
    length: () => length,
    push(number: number) {
      if (length === all.length) {
        const more = shared(length * 2);
        more.set(all);
        all = more;
      }
      all[length++] = number;
    },
  };
}

/** Maximum size of the cache of word comparisons, as an exponent: 2^18 entries. */
const MOST_BITS = 18;
/** Number of cache entries per word, as an exponent: 2^4 entries. */
const BITS_PER_WORD = 4;
const WORDS = 2 ** 25;

/** Creates a test of two words, given by their indexes in `texts`: true if they are variants of one name. The results are cached. */
function wordsCompared(texts: string[]): (a: number, b: number) => boolean {
  const bits = Math.min(MOST_BITS, Math.ceil(Math.log2(texts.length)) + BITS_PER_WORD);
  const answers = new Float64Array(2 ** bits);
  return (one, two) => {
    if (one === two) return true;
    const a = Math.min(one, two);
    const b = Math.max(one, two);
    const pair = (a * WORDS + b) * 2;
    // Knuth's multiplicative hashing.
    const place = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) >>> (32 - bits);
    const known = answers[place] ?? 0;
    if (known === pair) return false;
    if (known === pair + 1) return true;
    const same = areSameNames(getPreparedWord(texts[a] ?? ''), getPreparedWord(texts[b] ?? ''));
    answers[place] = pair + Number(same);
    return same;
  };
}
