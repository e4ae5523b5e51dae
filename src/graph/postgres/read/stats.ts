import type { GraphStats } from '../../graph.ts';
import type { Connection } from '../connect.ts';

const IS_SETTLED = 'g.linked_revision = g.revision AND g.settled';

const STATS = `
SELECT (SELECT count(*) FROM record), g.identities, (SELECT count(*) FROM merged WHERE heir IS NOT NULL), g.postings,
  CASE WHEN g.linked_revision = g.revision THEN 0 ELSE
    (SELECT count(*) FROM record r WHERE NOT EXISTS (SELECT 1 FROM member m WHERE m.record = r.id)) END,
  g.linked_at, ${IS_SETTLED}
FROM graph g`;

export async function statsOf(on: Connection): Promise<GraphStats> {
  const [row] = await on.query<[number, number, number, number, number, string | null, boolean]>(STATS);
  const [records, identities, merged, postings, unlinked, linkedAt, settled] = row ?? EMPTY;
  return { records, identities, merged, postings, unlinked, linkedAt, settled };
}

const EMPTY = [0, 0, 0, 0, 0, null, false] as const;
