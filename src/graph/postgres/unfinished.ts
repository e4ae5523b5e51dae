// A copy of another graph that is not whole says so in the place of its stamp, which publishing it gives anew: whoever reads of the graph sees it.
import { BonafideError } from '../../errors.ts';
import type { Connection } from './connect.ts';

const MARK = 'a copy that is not whole, of revision ';
const TEXT =
  'The graph in this PostgreSQL is a copy that was interrupted, or still goes on. Run bonafide migrate-to once more.';
const RETRY_AFTER_MS = 1000;

const STAMP = 'SELECT stamp FROM graph';

/** Of which revision of another graph this is a copy that is not whole; null where it is none. */
export async function copiedOf(on: Connection): Promise<string | null> {
  const [[stamp = ''] = []] = await on.query<[string]>(STAMP);
  return isUnfinished(stamp) ? stamp.slice(MARK.length) : null;
}

export const markUnfinished = async (on: Connection, revision: string): Promise<void> =>
  void (await on.query('UPDATE graph SET stamp = $1', [MARK + revision]));

const isUnfinished = (stamp: string | null | undefined): stamp is string => stamp?.startsWith(MARK) === true;

/** Errors: data_missing. */
export function refuseUnfinished(stamp: string | null | undefined): void {
  if (isUnfinished(stamp)) throw new BonafideError('data_missing', TEXT);
}

/** Errors: data_missing, those of the connection. */
export async function refuseCopy(on: Connection): Promise<void> {
  refuseUnfinished((await on.query<[string]>(STAMP))[0]?.[0]);
}

/** To a check it is a graph that is not there yet: it is when the copy is whole. */
export async function whereWhole<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BonafideError) || error.code !== 'data_missing') throw error;
    throw new BonafideError('graph_unavailable', error.message, { retryAfterMs: RETRY_AFTER_MS });
  }
}
