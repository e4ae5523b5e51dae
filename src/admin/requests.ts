// Accepted calls as an operator sees them: outcomes and counts, never what was submitted.
import type { Band } from '../model.ts';
import type { EarlierCall } from '../accounts/model.ts';
import { notFoundError } from '../errors.ts';
import { keyOf } from '../store/keys/keys.ts';
import { anyCall, listCalls } from '../store/calls.ts';
import type { Store } from '../store/store.ts';
import { cursorOf, pageOf, sliceOf } from './page.ts';
import type { Page, Paging } from './page.ts';

export interface CallsAsked extends Paging {
  /** A key; the calls of its whole chain of rotations are its own. */
  key?: string | undefined;
  account?: string | undefined;
  status?: Band | undefined;
  test?: boolean | undefined;
  /** Calls from then on, and calls before then: milliseconds since 1970. */
  since?: number | undefined;
  before?: number | undefined;
}

/**
 * A page of the calls, the newest first. So many are looked at for a page that a filter which few pass gives a page of few, or none, and
 * the next one goes on from there.
 *
 * Errors: not_found (the key), invalid_arguments.
 */
export function pageOfCalls(
  store: Store,
  { limit: most, cursor, ...filters }: CallsAsked,
): Page<EarlierCall> {
  const { key, ...rest } = filters;
  const chain = key === undefined ? undefined : keyOf(store, key).chain;
  const listing = { name: 'requests', filters, like: [0, ''] as [number, string] };
  const { limit, after } = sliceOf(listing, { limit: most, cursor });
  const { calls, reached } = listCalls(store, { ...rest, chain, after, limit: limit + 1 });
  const at = ({ time, requestId }: EarlierCall): [number, string] => [time, requestId];
  const page = pageOf(listing, { rows: calls, limit, at, view: (call) => call });
  return page.next === null && reached ? { ...page, next: cursorOf(listing, reached) } : page;
}

/** One call, whoever made it. Errors: not_found. */
export function showCall(store: Store, id: string): EarlierCall {
  const found = anyCall(store, id);
  if (found) return found;
  throw notFoundError(`There is no request ${id}.`, 'request');
}
