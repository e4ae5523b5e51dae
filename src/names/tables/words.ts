// Words around a name that are not the name: titles, degrees, generational suffixes, particles.
import { readTable, tableLines } from './files.ts';

interface WordTables {
  titles: Set<string>;
  /** Titles that are names as well (King, Major): dropped only in front of a whole name. */
  maybeTitles: Set<string>;
  degrees: Set<string>;
  /** Degrees that are names as well (Do, Ma): dropped only behind a comma. */
  commaDegrees: Set<string>;
  particles: Set<string>;
  suffixes: Map<string, string>;
}

let tables: WordTables | undefined;

function load(): WordTables {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of tableLines(readTable('words.txt'))) {
    if (line.startsWith('[')) sections.set(line, (current = []));
    else current.push(...line.split(/\s+/));
  }
  const suffixes = new Map<string, string>();
  for (const pair of sections.get('[suffixes]') ?? []) {
    const [word = '', generation = ''] = pair.split('=');
    suffixes.set(word, generation);
  }
  return {
    titles: new Set(sections.get('[titles]')),
    maybeTitles: new Set(sections.get('[titles or names]')),
    degrees: new Set(sections.get('[degrees]')),
    commaDegrees: new Set(sections.get('[degrees after a comma]')),
    particles: new Set(sections.get('[particles]')),
    suffixes,
  };
}

/** Words that link those of a title: secretary of state, the district judge. */
export const TITLE_LINKS = /^(of|the|and|us|state|district|magistrate)$/;
/** What announces a birth or former name in brackets, and at the end of a name. */
export const BIRTH_NAME = /^(?:n[eé]e?|born|geb(?:oren)?|f[oö]dd|formerly|roz|ur)\b\.?\s*/iu;
export const INLINE_BIRTH_NAME = /\s(?:n[eé]e|born|geb\.?|geboren)\s+([^\s,.()]+)\s*$/i;
export const DOTTED_DEGREE =
  /(?<=[\s,])(?:ph\.?\s?d|m\.\s?d|d\.\s?d\.\s?s|j\.\s?d|d\.\s?m\.\s?d|m\.\s?b\.\s?a|r\.\s?n|esq)\.?(?=$|[\s,])/giu;

/** The word lists, read on first use. */
export function wordTables(): WordTables {
  return (tables ??= load());
}
