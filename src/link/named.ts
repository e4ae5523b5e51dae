// Names made ready once: people have several records, and a few words make up most names.
import { nameKeys, nameParts, nameTablesDigest, prepareName, type PreparedName } from '../names/index.ts';

/** A name with what linking asks of it. */
export interface Named {
  name: PreparedName;
  parts: ReturnType<typeof nameParts>;
  /** Its look-up keys; see `nameKeys`. */
  keys: string[];
  /** `jr`, `sr`, `iii` …; empty where it has none. */
  suffix: string;
  /** Its words, for telling the members of a household apart. */
  words(): NameWords;
}

export interface NameWords {
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
export const wordNamed: (text: string) => PreparedName = atHand(WORDS_AT_HAND, prepareName);

export const named: (text: string) => Named = atHand(NAMES_AT_HAND, (text) => {
  const name = prepareName(text);
  const parts = nameParts(name);
  let words: NameWords | undefined;
  return {
    name,
    parts,
    keys: nameKeys(name),
    suffix: suffixOf(name, parts.suffix),
    // Worked out when first asked for: not all are compared.
    words: () => (words ??= nameWords(parts)),
  };
});

/** Spellings of one generation. */
const GENERATIONS: Record<string, string> = { i: 'sr', ii: 'jr', '1st': 'sr', '2nd': 'jr', '3rd': 'iii' };
/** The first of a name: to the name engine a lone I is an initial. */
const THE_FIRST = /\p{L}{2}[ ,]+I\.?$/u;

function suffixOf({ text }: PreparedName, suffix: string): string {
  if (suffix === '' && THE_FIRST.test(text)) return 'sr';
  return GENERATIONS[suffix] ?? suffix;
}

function nameWords({ given, middle, family }: Named['parts']): NameWords {
  const full = (word: string | undefined) => word !== undefined && word.length > 1;
  const [first] = given;
  return {
    given: first !== undefined && full(first) ? wordNamed(first) : null,
    words: [...given, ...middle, ...family].filter(full).map(wordNamed),
  };
}
