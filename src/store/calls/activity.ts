// Accepted calls for plots: few columns of many rows.
import type { Band } from '../../model.ts';
import { firstIdAt } from '../../platform/request-id.ts';
import type { Store } from '../store.ts';

/** One call: what a plot needs of it. */
export type ActivityRow = [time: number, band: Band, catfish: number, latencyMs: number];

export interface ActivityWanted {
  /** Milliseconds since 1970. */
  since: number;
  account?: string | undefined;
  /** So many at most, the newest. */
  most: number;
}

/** Live calls since a time, the newest first: by their ids, which sort by time. */
export function activityOf(store: Store, { since, account, most }: ActivityWanted): ActivityRow[] {
  const of = account === undefined ? '' : 'AND account = @account';
  return store.raw
    .prepare<[object], ActivityRow>(
      `SELECT time, band, catfish, latency_ms FROM calls WHERE request_id >= @from AND time >= @since AND test = 0 ${of} ORDER BY request_id DESC LIMIT @most`,
    )
    .raw()
    .all({ from: firstIdAt(since), since, most, ...(account === undefined ? {} : { account }) });
}
