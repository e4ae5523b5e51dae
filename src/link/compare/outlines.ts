// What most pairs need to be told apart by, kept of every record in some fifty bytes: given names settle three pairs of four.
import { comparePrepared } from '../../names/index.ts';
import { ALONE } from '../error-rates.ts';
import { wordNamed } from '../named.ts';
import type { LinkRecord } from '../record.ts';
import type { LinkContext } from './evidence.ts';
import { scripts, wordsTyposApart } from './name-likeness.ts';
import { nearDates } from './near.ts';

export interface Outlines {
  /** Rows ascending. */
  keep(record: LinkRecord): void;
  /**
   * Tells of two rows whether their given names alone make them two people, whatever else agrees: then `comparePair` has a conflict. May
   * say no where it is so.
   */
  settling(context: Pick<LinkContext, 'errorRates'>): (a: number, b: number) => boolean;
}

/** A name's given name (0 where it has none that is more than an initial), how many words follow, and these: places in a dictionary. */
const HEAD = 2;

/** @param rows one more than the highest row */
export function outlinesFor(rows: number): Outlines {
  const [words, dates, writings] = [dictionary(), dictionary(), dictionary()];
  const starts = new Uint32Array(rows + 1);
  const births = new Uint32Array(rows);
  const scriptsOf = new Uint32Array(rows);
  const labelled = new Uint8Array(rows);
  const names = numbers();
  const isSame = wordsCompared(words);
  const nameAt = (place: number) => {
    const all = Array.from({ length: names.at(place + 1) }, (_, i) =>
      wordNamed(words.text(names.at(place + HEAD + i))),
    );
    return { given: null, words: all };
  };
  const isWordOf = (given: number, place: number) => {
    const end = place + HEAD + names.at(place + 1);
    for (let i = place + HEAD; i < end; i++) if (isSame(given, names.at(i))) return true;
    return false;
  };
  const isApart = (one: number, two: number): boolean => {
    const [a, b] = [names.at(one), names.at(two)];
    return a !== 0 && b !== 0 && a !== b && !isWordOf(a, two) && !isWordOf(b, one);
  };
  const mayBeDated = (a: number, b: number) => {
    const [one, two] = [births[a] ?? 0, births[b] ?? 0];
    if (one === 0 || two === 0) return false;
    const [x, y] = [dates.text(one), dates.text(two)];
    return x.startsWith(y) || y.startsWith(x) || nearDates(x, y) !== null;
  };
  /** Of every name of the one with every name of the other. */
  const every = (a: number, b: number, is: (one: number, two: number) => boolean) => {
    const [endA = 0, endB = 0] = [starts[a + 1], starts[b + 1]];
    for (let one = starts[a] ?? 0; one < endA; one += HEAD + names.at(one + 1))
      for (let two = starts[b] ?? 0; two < endB; two += HEAD + names.at(two + 1))
        if (!is(one, two)) return false;
    return true;
  };
  const hasName = (row: number) => starts[row] !== starts[row + 1];
  const isNoTypo = (one: number, two: number) => !wordsTyposApart(nameAt(one), nameAt(two));
  let last = 0;
  return {
    keep(record) {
      for (; last < record.row; last++) starts[last + 1] = names.length();
      labelled[record.row] = Number(record.label !== null);
      births[record.row] = record.birthDate === null ? 0 : dates.place(record.birthDate);
      scriptsOf[record.row] = writings.place(scripts(record));
      for (const { given, words: all } of record.words()) {
        names.push(given === null ? 0 : words.place(given.text));
        names.push(all.length);
        for (const { text } of all) names.push(words.place(text));
      }
      starts[record.row + 1] = names.length();
      last = record.row + 1;
    },
    settling({ errorRates: { name, address } }) {
      if (name !== null || (address !== null && address >= ALONE)) return () => false;
      return (a, b) =>
        hasName(a) &&
        hasName(b) &&
        (labelled[a] === 0 || labelled[b] === 0) &&
        scriptsOf[a] === scriptsOf[b] &&
        every(a, b, isApart) &&
        !(mayBeDated(a, b) && !every(a, b, isNoTypo));
    },
  };
}

/** Texts by their places, from 1 on. */
function dictionary() {
  const texts = [''];
  const places = new Map<string, number>();
  return {
    text: (place: number) => texts[place] ?? '',
    place(text: string): number {
      let place = places.get(text);
      if (place === undefined) places.set(text, (place = texts.push(text) - 1));
      return place;
    },
  };
}

function numbers() {
  let all = new Uint32Array(1024);
  let length = 0;
  return {
    at: (i: number) => all[i] ?? 0,
    length: () => length,
    push(number: number) {
      if (length === all.length) {
        const more = new Uint32Array(length * 2);
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
function wordsCompared({ text }: { text(place: number): string }): (a: number, b: number) => boolean {
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
    const { same } = comparePrepared(wordNamed(text(a)), wordNamed(text(b)));
    answers[place] = pair + Number(same);
    return same;
  };
}
