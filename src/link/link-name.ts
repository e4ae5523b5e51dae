// Names made ready once: people have several records, and a few words make up most names.
import { nameKeys, nameParts, nameTablesDigest, prepareName, type PreparedName } from '../names/index.ts';

/** A name with what linking asks of it. */
export interface LinkName {
  name: PreparedName;
  parts: ReturnType<typeof nameParts>;
  /** Its look-up keys; see `nameKeys`. */
  keys: string[];
  /** 1 for the elder (Sr, I), 2 for Jr and II …; 0 where it tells none. */
  generation: number;
  /** Its words, for telling the members of a household apart. */
  words(): FullWords;
}

export interface FullWords {
  /** The given name, where it is more than an initial. */
  given: PreparedName | null;
  /** Every word that is more than an initial. */
  words: PreparedName[];
}

/** Names and words that are kept at hand, some three kilobytes each: most names are rare, and a few words make up most of them. */
const NAMES_AT_HAND = 2048;
const WORDS_AT_HAND = 8192;

/** @param make what is kept of a text as long as the name tables stay what they are @param most of which twice as many are kept */
function atHand<T>(most: number, make: (text: string) => T): (text: string) => T {
  let [recent, earlier] = [new Map<string, T>(), new Map<string, T>()];
  let tables = '';
  return (text) => {
    if (tables !== nameTablesDigest()) {
      tables = nameTablesDigest();
      [recent, earlier] = [new Map(), new Map()];
    }
    let found = recent.get(text);
    if (found !== undefined) return found;
    found = earlier.get(text) ?? make(text);
    if (recent.size >= most) [recent, earlier] = [new Map(), recent];
    recent.set(text, found);
    return found;
  };
}

/** A single word as a name. */
export const getPreparedWord: (text: string) => PreparedName = atHand(WORDS_AT_HAND, prepareName);

export const getLinkName: (text: string) => LinkName = atHand(NAMES_AT_HAND, (text) => {
  const name = prepareName(text);
  const parts = nameParts(name);
  let words: FullWords | undefined;
  return {
    name,
    parts,
    keys: nameKeys(name),
    generation: generationOf(name, parts),
    // Worked out when first asked for: not all are compared.
    words: () => (words ??= nameWords(parts)),
  };
});

/** The first of a name: to the name engine a lone I is an initial. */
const THE_FIRST = /\p{L}{2}[ ,]+I\.?$/u;
/** What tells a generation between given and family name too; there a lone I may be an initial, which contradicts nobody's but those. */
const BETWEEN = new Map(Object.entries({ i: 1, sr: 1, ii: 2, jr: 2, iii: 3, iv: 4 }));

function generationOf({ text, generation }: PreparedName, { middle }: LinkName['parts']): number {
  if (generation > 0) return generation;
  if (THE_FIRST.test(text)) return 1;
  return BETWEEN.get(middle.find((word) => BETWEEN.has(word)) ?? '') ?? 0;
}

/** The first middle name or initial; a generation is none. */
export const getMiddleName = ({ parts }: LinkName): string | undefined =>
  parts.middle.find((word) => word.length === 1 || !BETWEEN.has(word));

function nameWords({ given, middle, family }: LinkName['parts']): FullWords {
  const full = (word: string | undefined) => word !== undefined && word.length > 1;
  const [first] = given;
  return {
    given: first !== undefined && full(first) ? getPreparedWord(first) : null,
    words: [...given, ...middle, ...family].filter(full).map(getPreparedWord),
  };
}
