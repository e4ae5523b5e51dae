// The audit log as an operator has it, at the command line and over HTTP.
import type { Link } from '../accounts/audit.ts';
import { isHeadText } from '../accounts/audit.ts';
import { invalidArgument } from '../errors.ts';
import { listActs, verifyAudit } from '../store/audit.ts';
import type { ActsWanted, Verified } from '../store/audit.ts';
import type { Store } from '../store/store.ts';
import { pageOf, sliceOf } from './page.ts';
import type { Page, Paging } from './page.ts';

export type ActView = ReturnType<typeof actView>;

/** An act for programs. */
export const actView = ({ time, hash, ...link }: Link) => ({
  ...link,
  time: new Date(time).toISOString(),
  hash: hash.toString('hex'),
});

/** A page of the acts, the newest first. Errors: invalid_arguments. */
export function pageOfActs(
  store: Store,
  { limit: most, cursor, ...filters }: Omit<ActsWanted, 'limit' | 'before'> & Paging,
): Page<ActView> {
  const listing = { name: 'audit', filters, like: [0] as [number] };
  const { limit, after: [before] = [Infinity] } = sliceOf(listing, { limit: most, cursor });
  const rows = listActs(store, { ...filters, before, limit: limit + 1 });
  return pageOf(listing, { rows, limit, at: ({ seq }): [number] => [seq], view: actView });
}

/** Follows the whole log; `head` is one that was noted earlier. Errors: invalid_arguments where that is none. */
export function followAudit(store: Store, head: string | undefined): Verified {
  if (head === undefined || isHeadText(head)) return verifyAudit(store, head);
  const form = 'a head as `audit verify` prints it: a number, a colon and 64 hexadecimal digits.';
  throw invalidArgument(`--head takes ${form}`, 'head', `The query parameter \`head\` must be ${form}`);
}
