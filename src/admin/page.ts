// Lists that an operator reads page by page: a page ends with a cursor, and the next one begins behind what it stands for. What is added
// meanwhile moves nothing.
import { hash } from 'node:crypto';
import { invalidArgument } from '../errors.ts';

/** How much of a list is asked for, and from where on. */
export interface Paging {
  /** 1 to `MOST`; `USUAL` where it is not said. */
  limit?: number | undefined;
  /** What the page before ended with. */
  cursor?: string | undefined;
}

/** A part of a list; `next` is null where nothing follows. */
export interface Page<T> {
  items: T[];
  next: string | null;
}

export const MOST = 200;
const USUAL = 50;

/** Where a row stands in its list: what the list is ordered by. */
type Position = readonly (string | number)[];

/** A list as one question has it: its name and what it is filtered by. A cursor is good for the question that it came of. */
export interface Listing<P extends Position> {
  name: string;
  filters: object;
  /** An example of a position: a cursor that holds anything of another form is none of this list's. */
  like: P;
}

/** What a page takes from the store: so many rows and one more, behind a position. */
export interface Slice<P> {
  limit: number;
  after: P | undefined;
}

/** What a paging means for a list. Errors: invalid_arguments where the cursor is none that this question gave. */
export function sliceOf<P extends Position>(
  listing: Listing<P>,
  { limit = USUAL, cursor }: Paging,
): Slice<P> {
  return { limit, after: cursor === undefined ? undefined : readCursor(listing, cursor) };
}

/** The page of rows that were read for a slice: one more than its limit where another page follows. */
export function pageOf<R, T, P extends Position>(
  listing: Listing<P>,
  { rows, limit, at, view }: { rows: readonly R[]; limit: number; at: (row: R) => P; view: (row: R) => T },
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items: shown.map(view), next: more ? cursorOf(listing, at(last)) : null };
}

/** A position as a text for the next question. */
export function cursorOf<P extends Position>(listing: Listing<P>, position: P): string {
  const text = JSON.stringify(position);
  return `${Buffer.from(text).toString('base64url')}.${digestOf(listing, text)}`;
}

/** It tells a cursor of another list, of other filters, or of somebody's making; who makes one by this rule reads no more than the list. */
const digestOf = ({ name, filters }: Listing<Position>, text: string): string =>
  hash(
    'sha256',
    `${name}\n${JSON.stringify(Object.entries(filters).toSorted())}\n${text}`,
    'base64url',
  ).slice(0, 12);

function readCursor<P extends Position>(listing: Listing<P>, cursor: string): P {
  const [, encoded = '', digest] = /^([\w-]{4,300})\.([\w-]{12})$/.exec(cursor) ?? [];
  const text = Buffer.from(encoded, 'base64url').toString();
  const position = digest === digestOf(listing, text) ? parsed(text) : null;
  if (isLike(position, listing.like)) return position;
  throw invalidArgument('This cursor is none of this list.', 'cursor', WRONG_CURSOR);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const WRONG_CURSOR = 'It is not what a page of this list ended with, under these filters. Begin without it.';

const isLike = <P extends Position>(position: unknown, like: P): position is P =>
  Array.isArray(position) &&
  position.length === like.length &&
  like.every((part, i) => typeof part === typeof position[i]);
