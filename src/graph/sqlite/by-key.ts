/** The entries of one key. */
export interface Group {
  key: number;
  rows: number[];
}

/** A table of (key, row), in the order of both, as it is read in pages that end with a key. */
export interface ByKey {
  /** The last key of the page behind a key; null where the rest is one page. */
  lastOf(after: number): number | null;
  entries(after: number, last: number): [key: number, row: number][];
}

/** The groups of a table, page by page; each page is read as a whole, because a reader may write meanwhile. */
export function* pagesByKey({ lastOf, entries }: ByKey): Iterable<Group[]> {
  let after = Number.MIN_SAFE_INTEGER;
  while (after < Number.MAX_SAFE_INTEGER) {
    const last = lastOf(after) ?? Number.MAX_SAFE_INTEGER;
    const groups = new Map<number, number[]>();
    for (const [key, row] of entries(after, last)) {
      const rows = groups.get(key);
      if (rows) rows.push(row);
      else groups.set(key, [row]);
    }
    yield Array.from(groups, ([key, rows]) => ({ key, rows }));
    after = last;
  }
}
