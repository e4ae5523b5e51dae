import type { Db } from '../../../platform/sqlite.ts';
import type { GraphReader } from '../../resolve/reader.ts';
import { toKeyHint } from '../../encryption/hints.ts';

type Found = [key: number, identity: number, meta: number];

/** At most so many pairs are asked in one statement: SQLite takes 32,766 values. */
const MOST = 8192;

/**
 * Looks up which identities have which frequent keys, where the hints of the identities allow that they do: most have none of the keys,
 * and looking that up took longer than all other look-ups of a check. Many are asked in one statement.
 *
 * @param hintsOf a character for each key of an identity
 */
export function holdersIn(db: Db, hintsOf: (identity: number) => string): GraphReader['findHolders'] {
  const statements = new Map<number, ReturnType<typeof statement>>();
  const ask = (pairs: (number | null)[]): Found[] => {
    const count = roundedUp(pairs.length / 2);
    let select = statements.get(count);
    if (!select) statements.set(count, (select = statement(db, count)));
    while (pairs.length < 2 * count) pairs.push(null);
    return select.all(pairs);
  };
  return (keys, identities) => {
    const pairs = likelyPairs(keys, identities, hintsOf);
    const found = new Map<number, Map<number, boolean>>();
    for (let at = 0; at < pairs.length; at += 2 * MOST)
      for (const [key, identity, meta] of ask(pairs.slice(at, at + 2 * MOST))) {
        const holders = found.get(key);
        if (holders) holders.set(identity, meta === 1);
        else found.set(key, new Map([[identity, meta === 1]]));
      }
    return found;
  };
}

/** The same statement serves all that are as long but for a quarter: what is null is found nowhere, but looked for. */
function roundedUp(pairs: number): number {
  const step = Math.max(1, 2 ** (Math.floor(Math.log2(pairs)) - 2));
  return Math.ceil(pairs / step) * step;
}

/** A key and an identity, one pair after the other. */
function likelyPairs(keys: number[], identities: number[], hintsOf: (identity: number) => string): number[] {
  const hints = keys.map(toKeyHint);
  const pairs: number[] = [];
  for (const identity of identities) {
    const own = hintsOf(identity);
    for (const [i, key] of keys.entries()) if (own.includes(hints[i] ?? '')) pairs.push(key, identity);
  }
  return pairs;
}

function statement(db: Db, count: number) {
  const pairs = Array.from({ length: count }, () => '(?,?)').join();
  return db
    .prepare<[(number | null)[]], Found>(
      `SELECT key, id, meta FROM (VALUES ${pairs}) CROSS JOIN frequent ON key = column1 AND id = column2`,
    )
    .raw();
}
