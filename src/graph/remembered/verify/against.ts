import { damage } from '../link-file.ts';

/** Rows of a table that are held, in their order, against those that should be there. */
export interface Against<T> {
  /** @param should in the order of the table */
  expect(should: T): void;
  /** What is there beyond those. */
  end(): void;
}

/**
 * @param there the rows in their order
 * @param order less than 0 where the first comes before the second
 * @param told whether a row is there as it should be
 */
export function against<T>(
  there: Iterator<T>,
  { order, same }: { order(a: T, b: T): number; same(a: T, b: T): boolean },
  told: (holds: boolean) => void,
): Against<T> {
  let next = there.next();
  const step = () => void (next = there.next());
  return {
    expect(should) {
      for (; !next.done && order(next.value, should) < 0; step()) told(false);
      if (next.done || order(next.value, should) > 0) return told(false);
      told(same(next.value, should));
      step();
    },
    end() {
      for (; !next.done; step()) told(false);
    },
  };
}

/**
 * Rows page by page: nothing else can be done with a connection while it iterates.
 *
 * @param page those that come after a row
 * @param order in which they should come; where a file is damaged they may lie in a circle. Errors: SQLITE_CORRUPT
 */
export function* paged<T>(page: (after: T | null) => T[], order?: (a: T, b: T) => number): Generator<T> {
  let last: T | null = null;
  for (let rows = page(last); rows.length > 0; rows = page(last))
    for (const row of rows) {
      if (order && last !== null && order(last, row) >= 0) throw damage();
      yield (last = row);
    }
}
