// What most pairs need to be told apart by, kept of every record in some fifty bytes: given names settle three pairs of four.
import { comparePreparedNames } from '../../names/index.ts';
import { SINGLE_PERSON_SHARE, hasErrorsWithoutHouseholds, type LinkContext } from './evidence.ts';
import { getPreparedWord } from '../link-name.ts';
import type { LinkRecord } from '../link-record.ts';
import { getScripts, areWordsTyposApart } from './name-similarity.ts';
import { classifyNearDates } from './birth-dates.ts';

export interface NameOutlines {
  /** @param rows of the records of the batch, ascending over all batches */
  keep(rows: ArrayLike<number>, batch: NameOutlineBatch): void;
  /** What a thread needs to tell by them. */
  view(): NameOutlinesView;
}

/** The outlines of some records: of each whether it has a label, its birth date (0: none), its scripts, how many names it has, and these. */
export interface NameOutlineBatch {
  /** What numbers stand for, from 1 on. */
  texts: string[];
  numbers: Uint32Array;
}

/** By rows; all but the texts is in memory that threads share. */
export interface NameOutlinesView {
  texts: string[];
  /** Where the names of a row begin among `names`; those of the next row are where they end. */
  starts: Uint32Array;
  births: Uint32Array;
  scripts: Uint32Array;
  labelled: Uint32Array;
  names: Uint32Array;
}

/** Of a name: its given name (0 where it has none that is more than an initial), how many words follow, and these. */
const HEAD = 2;

export function toOutlineBatch(records: readonly LinkRecord[]): NameOutlineBatch {
  const texts = dictionary();
  const numbers: number[] = [];
  for (const record of records) {
    const { birthDate, label } = record;
    const names = record.words();
    numbers.push(Number(label !== null), birthDate === null ? 0 : texts.place(birthDate));
    numbers.push(texts.place(getScripts(record)), names.length);
    for (const { given, words } of names)
      numbers.push(
        given === null ? 0 : texts.place(given.text),
        words.length,
        ...words.map(({ text }) => texts.place(text)),
      );
  }
  return { texts: texts.all(), numbers: Uint32Array.from(numbers) };
}

/** @param rows one more than the highest row */
export function createNameOutlines(rows: number): NameOutlines {
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
 * Tells of two rows whether their given names alone make them two people, whatever else agrees: then `comparePair` has a conflict. May
 * say no where it is so.
 */
export function createConflictTest(
  { texts, starts, births, scripts: writings, labelled, names }: NameOutlinesView,
  { errorRates }: Pick<LinkContext, 'errorRates'>,
): (a: number, b: number) => boolean {
  const { name, birth, address } = errorRates;
  const lone = name !== null && hasErrorsWithoutHouseholds(errorRates);
  if (lone || (address !== null && address >= SINGLE_PERSON_SHARE)) return () => false;
  const isSame = wordsCompared(texts);
  const at = (place: number) => names[place] ?? 0;
  const nameAt = (place: number) => ({
    given: null,
    words: Array.from({ length: at(place + 1) }, (_, i) =>
      getPreparedWord(texts[at(place + HEAD + i)] ?? ''),
    ),
  });
  const isWordOf = (given: number, place: number) => {
    const end = place + HEAD + at(place + 1);
    for (let i = place + HEAD; i < end; i++) if (isSame(given, at(i))) return true;
    return false;
  };
  const isApart = (one: number, two: number): boolean => {
    const [a, b] = [at(one), at(two)];
    return a !== 0 && b !== 0 && a !== b && !isWordOf(a, two) && !isWordOf(b, one);
  };
  /** Their birth dates make them two people. */
  const areFarApart = (a: number, b: number) => {
    const [one, two] = [births[a] ?? 0, births[b] ?? 0];
    if (one === 0 || two === 0 || one === two) return false;
    const [x, y] = [texts[one] ?? '', texts[two] ?? ''];
    return x.length === y.length && classifyNearDates(x, y) === null;
  };
  /** Of every name of the one with every name of the other. */
  const every = (a: number, b: number, is: (one: number, two: number) => boolean) => {
    const [endA = 0, endB = 0] = [starts[a + 1], starts[b + 1]];
    for (let one = starts[a] ?? 0; one < endA; one += HEAD + at(one + 1))
      for (let two = starts[b] ?? 0; two < endB; two += HEAD + at(two + 1)) if (!is(one, two)) return false;
    return true;
  };
  const hasName = (row: number) => starts[row] !== starts[row + 1];
  const isNoTypo = (one: number, two: number) =>
    !areWordsTyposApart(nameAt(one), nameAt(two), 'not both names');
  return (a, b) =>
    hasName(a) &&
    hasName(b) &&
    (labelled[a] === 0 || labelled[b] === 0) &&
    writings[a] === writings[b] &&
    every(a, b, isApart) &&
    ((name === null && birth === null && areFarApart(a, b)) || every(a, b, isNoTypo));
}

/** Texts by their places, from 1 on. */
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

/** Answers kept at hand; a pair of words is looked for in one place. */
const ANSWERS = 2 ** 18;
const SHIFT = 32 - 18;
/** Places in the dictionary are below this. */
const WORDS = 2 ** 25;

/** Are two words of the dictionary one name? */
function wordsCompared(texts: string[]): (a: number, b: number) => boolean {
  const answers = new Float64Array(ANSWERS);
  return (one, two) => {
    if (one === two) return true;
    const [a, b] = one < two ? [one, two] : [two, one];
    const pair = (a * WORDS + b) * 2;
    // Knuth's multiplicative hashing.
    const place = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) >>> SHIFT;
    const known = answers[place] ?? 0;
    if (known === pair) return false;
    if (known === pair + 1) return true;
    const { same } = comparePreparedNames(getPreparedWord(texts[a] ?? ''), getPreparedWord(texts[b] ?? ''));
    answers[place] = pair + Number(same);
    return same;
  };
}
