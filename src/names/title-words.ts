// Words around a name that are not the name: titles, degrees, generational suffixes, particles.
import { readTable, tableLines } from './table-files.ts';

interface WordTables {
  titles: Set<string>;
  /** Titles that are names as well (King, Major): dropped only in front of a whole name. */
  maybeTitles: Set<string>;
  degrees: Set<string>;
  /** Degrees that are names as well (Do, Ma): dropped only behind a comma. */
  commaDegrees: Set<string>;
  particles: Set<string>;
  /** Generations by their words. */
  suffixes: Map<string, string>;
  /** Those that are names as well (Jun, Neto): dropped only behind a given and a family name. */
  nameSuffixes: Map<string, string>;
}

let tables: WordTables | undefined;

function load(): WordTables {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of tableLines(readTable('words.txt'))) {
    if (line.startsWith('[')) sections.set(line, (current = []));
    else current.push(...line.split(/\s+/));
  }
  const generations = (section: string) =>
    new Map((sections.get(section) ?? []).map((pair) => pair.split('=') as [string, string]));
  return {
    titles: new Set(sections.get('[titles]')),
    maybeTitles: new Set(sections.get('[titles or names]')),
    degrees: new Set(sections.get('[degrees]')),
    commaDegrees: new Set(sections.get('[degrees after a comma]')),
    particles: new Set(sections.get('[particles]')),
    suffixes: generations('[suffixes]'),
    nameSuffixes: generations('[suffixes or names]'),
  };
}

/** Words that link those of a title: secretary of state, the district judge. */
export const TITLE_LINKS = /^(of|the|and|us|state|district|magistrate)$/;
/** What announces a birth or former name in brackets, and at the end of a name. */
export const BIRTH_NAME = /^(?:n[eé]e?|born|geb(?:oren)?|f[oö]dd|formerly|roz|ur)\b\.?\s*/iu;
export const INLINE_BIRTH_NAME = /\s(?:n[eé]e|born|geb\.?|geboren)\s+([^\s,.()]+)\s*$/i;
export const DOTTED_DEGREE =
  /(?<=[\s,])(?:ph\.?\s?d|m\.\s?d|d\.\s?d\.\s?s|j\.\s?d|d\.\s?m\.\s?d|m\.\s?b\.\s?a|r\.\s?n|esq)\.?(?=$|[\s,])/giu;

const TWO_WORDS = String.raw`(?<=\p{L}[\s,.]+\p{L}{2,}[\s,]+)`;
const AT_END = String.raw`(?=\s*(?:,|$))`;
/** `sen.`, `d. Ä.`, `der Ältere`, `the Elder` behind two words, and the like of the younger: in letters alone they may be names. */
export const ELDER = new RegExp(
  `${TWO_WORDS}(?:sen\\.|d\\. ?Ä\\.|der (?:Ä|Ae)ltere|the elder)${AT_END}`,
  'iu',
);
export const YOUNGER = new RegExp(
  `${TWO_WORDS}(?:jun\\.|d\\. ?J\\.|der J(?:ü|ue)ngere|the younger)${AT_END}`,
  'iu',
);

/** The word lists, read on first use. */
export function wordTables(): WordTables {
  return (tables ??= load());
}
