/** What a statement may say that is no placeholder, and both kinds of placeholder. */
const WORDS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?|@(\w+)/g;

interface Placed {
  text: string;
  /** The values in their order, of what SQLite would be given: one after the other, an array of them, or an object by name. */
  paramsOf(given: readonly unknown[]): unknown[];
}

const KNOWN = new Map<string, Placed>();

/** A statement with placeholders as SQLite has them, `?` and `@name`, as PostgreSQL has them: `$1`. */
export function placed(source: string): Placed {
  const known = KNOWN.get(source);
  if (known) return known;
  const names: string[] = [];
  let unnamed = 0;
  const text = source.replaceAll(WORDS, (word, name: string | undefined) => {
    if (word === '?') return `$${++unnamed}`;
    if (name === undefined) return word;
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  const made: Placed = { text, paramsOf: names.length > 0 ? (given) => byName(names, given[0]) : inOrder };
  KNOWN.set(source, made);
  return made;
}

const byName = (names: readonly string[], given: unknown): unknown[] =>
  names.map((name) => (given as Record<string, unknown>)[name] ?? null);

const inOrder = (given: readonly unknown[]): unknown[] =>
  given.flatMap((one) => (Array.isArray(one) ? one : [one])).map((value) => value ?? null);
