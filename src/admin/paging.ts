// Reads lists page by page. A page ends with a cursor, and the next page begins after the row that the cursor points to. Rows that were
// added in between do not shift the pages.
import { hash } from 'node:crypto';
import { invalidArgumentError, resultOr } from '../errors.ts';

export interface PageRequest {
  /** Maximum number of rows in the page, 1 to 200. Default: 50. */
  limit?: number | undefined;
  /** Cursor of the page: `next` of the previous page; undefined for the first page. */
  cursor?: string | undefined;
}

/** Page of a list. `next` is the cursor of the next page; null on the last page. */
export interface ListPage<T> {
  items: T[];
  next: string | null;
}

const DEFAULT_LIMIT = 50;

/** Position of a row in a list: the values by which the list is sorted. */
type Position = [string | number, ...(string | number)[]];

/** Name and filters of a list. A cursor is valid only for a list with the same name and filters. */
interface Listing {
  name: string;
  filters: object;
}

/** List that is read page by page: its name and filters, and functions that read and show its rows. */
interface PagedList<Row, T, P extends Position> extends Listing {
  /** Example of a position. A cursor with other types is refused. */
  like: P;
  /** Reads at most `limit` rows after a position; from the start of the list if `after` is undefined. */
  read(slice: { limit: number; after: P | undefined }): readonly Row[];
  at(row: Row): NoInfer<P>;
  view(row: Row): T;
}

/** Reads one page of a list. Errors: invalid_arguments if the cursor belongs to another list or other filters. */
export function readListPage<Row, T, P extends Position>(
  { limit = DEFAULT_LIMIT, cursor }: PageRequest,
  list: PagedList<Row, T, P>,
): ListPage<T> {
  const after = cursor === undefined ? undefined : readCursor(list, list.like, cursor);
  // One row more than the page shows is read, to know if another page follows.
  const rows = list.read({ limit: limit + 1, after });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items: shown.map(list.view), next: hasMore ? toListCursor(list, list.at(last)) : null };
}

export function toListCursor(listing: Listing, position: Position): string {
  const text = JSON.stringify(position);
  return `${Buffer.from(text).toString('base64url')}.${digestOf(listing, text)}`;
}

/** Returns the checksum of a cursor, by which cursors of other lists or filters are recognised. It is no protection against forgery. */
const digestOf = ({ name, filters }: Listing, text: string): string =>
  hash(
    'sha256',
    `${name}\n${JSON.stringify(Object.entries(filters).toSorted())}\n${text}`,
    'base64url',
  ).slice(0, 12);

function readCursor<P extends Position>(listing: Listing, like: P, cursor: string): P {
  const [, encoded = '', digest] = /^([\w-]{4,300})\.([\w-]{12})$/.exec(cursor) ?? [];
  const text = Buffer.from(encoded, 'base64url').toString();
  const position: unknown =
    digest === digestOf(listing, text) ? resultOr(() => JSON.parse(text), null) : null;
  if (isLike(position, like)) return position;
  throw invalidArgumentError(WRONG_CURSOR, 'cursor', WRONG_CURSOR);
}

const WRONG_CURSOR =
  'The cursor does not belong to this list with these filters. Read the list from its start, without a cursor.';

const isLike = <P extends Position>(position: unknown, like: P): position is P =>
  Array.isArray(position) &&
  position.length === like.length &&
  like.every((part, i) => typeof part === typeof position[i]) &&
  position.every(isSortValue);

/** True if a value can be compared with the sorted columns: PostgreSQL fails on other numbers, and on texts with a NUL character. */
const isSortValue = (value: unknown): boolean =>
  typeof value === 'string' ? !value.includes('\0') : Number.isSafeInteger(value);
