import type { GraphAnswer, GraphQuery } from '../../graph.ts';
import { toQueryKeys, resolveWithKeys } from '../../resolve/resolve.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import type { Connection } from '../connect.ts';
import { asGraphError } from '../errors.ts';
import { refuseUnfinished } from '../unfinished.ts';
import { type CheckRow, type Fetched, fetched } from './fetched.ts';
import { CHECK, MORE } from './statements.ts';

interface Resolving {
  pool: Connection;
  keys: GraphKeys;
  /** Is told of each statement beside the first that a check takes. */
  onMore?: (() => void) | undefined;
}

/** Between statements of one check identities may be published; so often it begins anew. */
const TRIES = 3;

/**
 * Resolves over what one statement brings; where that is not all that is asked for, over what more of them bring.
 * Errors: those of the pool; `data_missing` of a copy that is not whole; `graph_bad_response` where identities are published faster than they
 * can be read.
 */
export async function resolveFrom(
  { pool, keys, onMore }: Resolving,
  query: GraphQuery,
): Promise<GraphAnswer> {
  const { fingerprints } = keys;
  const asked = toQueryKeys(query, fingerprints);
  const places = [asked.all, asked.nameKeyCount, asked.nameKeyCount + 1 + Number(asked.hasGivenName)];
  for (let tries = 0; tries < TRIES; tries++) {
    const row = oneOf(await pool.query<CheckRow>(CHECK, places));
    refuseUnfinished(row[2]);
    const reader = fetched(row, asked.all, keys);
    const answer = await whole(
      () => resolveWithKeys(asked, { query, reader, fingerprints }),
      reader,
      async (text) => {
        onMore?.();
        return oneOf(await pool.query<CheckRow>(MORE, text));
      },
    );
    if (answer) return answer;
  }
  throw asGraphError({ code: '40001' });
}

/** Null where identities were published meanwhile. */
async function whole(
  resolve: () => GraphAnswer,
  reader: Fetched,
  ask: (values: number[][]) => Promise<CheckRow>,
): Promise<GraphAnswer | null> {
  for (;;) {
    const answer = resolve();
    const missed = reader.missed();
    if (missed.identities.size === 0) return answer;
    const [identities, keys] = [[...missed.identities], [...missed.keys]];
    const row = await ask([identities, keys]);
    if (row[2] !== reader.stamp) return null;
    reader.add(row, { identities, keys });
  }
}

/** Errors: `graph_unavailable` where there are no tables yet. */
function oneOf([row]: CheckRow[]): CheckRow {
  if (!row) throw asGraphError({ code: '42P01' });
  return row;
}
