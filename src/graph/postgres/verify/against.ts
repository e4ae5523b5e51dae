import type { SqlRow } from '../../sql/session.ts';
import type { Connection } from '../connect.ts';

interface Order<T> {
  /** Less than 0 where the first comes before the second. */
  order(a: T, b: T): number;
  same(a: T, b: T): boolean;
}

/** Holds rows of a table, in their order, against those that should be there. @param ask is told of each whether it is as it should be */
export async function against<T>(
  there: AsyncIterator<T>,
  should: Iterable<T>,
  { order, same, ask }: Order<T> & { ask(holds: boolean): void },
): Promise<void> {
  let next = await there.next();
  const step = async () => void (next = await there.next());
  for (const one of should) {
    for (; !next.done && order(next.value, one) < 0; await step()) ask(false);
    const isThere = !next.done && order(next.value, one) === 0;
    ask(isThere && same(next.value as T, one));
    if (isThere) await step();
  }
  for (; !next.done; await step()) ask(false);
}

/** Rows that are read at a time. */
const PAGE = 5000;

/**
 * All rows, page by page.
 *
 * @param text one page, in order: what comes after the values of `after`, which are the first parameters
 * @param after those of a row, and of the one before the first
 */
export async function* rowsOf<R extends SqlRow>(
  on: Connection,
  text: string,
  after: (row: R | null) => number[],
): AsyncGenerator<R> {
  for (let last: R | null = null; ;) {
    const rows: R[] = await on.query<R>(`${text} LIMIT ${PAGE}`, after(last));
    yield* rows;
    last = rows.at(-1) ?? null;
    if (rows.length < PAGE) return;
  }
}
