import { nameTablesDigest } from '../../../names/index.ts';
import { type GraphStats, UNLINKED_WARNING } from '../../graph.ts';
import type { Connection } from '../connect.ts';

const IS_SETTLED = 'g.linked_revision = g.revision AND g.settled';

const STATS = `
SELECT (SELECT count(*) FROM bonafide.record), g.identities, (SELECT count(*) FROM bonafide.merged WHERE heir IS NOT NULL), g.postings,
  CASE WHEN g.linked_revision = g.revision THEN 0 ELSE
    (SELECT count(*) FROM bonafide.record r WHERE NOT EXISTS (SELECT 1 FROM bonafide.member m WHERE m.record = r.id)) END,
  g.linked_at, ${IS_SETTLED}
FROM bonafide.graph g`;

const WARNED = 'SELECT linked_revision = revision, name_tables, overwriting FROM bonafide.graph';

export async function statsOf(on: Connection): Promise<GraphStats> {
  const [row] = await on.query<[number, number, number, number, number, string | null, boolean]>(STATS);
  const [records, identities, merged, postings, unlinked, linkedAt, settled] = row ?? EMPTY;
  return { records, identities, merged, postings, unlinked, linkedAt, settled };
}

const EMPTY = [0, 0, 0, 0, 0, null, false] as const;

export async function isSettled(on: Connection): Promise<boolean> {
  const [row] = await on.query(`SELECT ${IS_SETTLED} FROM bonafide.graph g`);
  return row?.[0] === true;
}

/** What makes checks weaker than they could be, and what to do about it: a sentence each. */
export async function warningsOf(on: Connection): Promise<string[]> {
  const [row] = await on.query<[boolean, string | null, string | null]>(WARNED);
  const [isLinked, nameTables, overwriting] = row ?? [false, null, null];
  const warnings: string[] = [];
  if (!isLinked) warnings.push(UNLINKED_WARNING);
  if (overwriting !== null)
    warnings.push(
      'A forgetting was interrupted before deleted rows were taken out of the tables. Run: bonafide graph compact',
    );
  if (nameTables !== null && nameTables !== nameTablesDigest())
    warnings.push(
      'The name tables are others than those the records were linked with, so some names are not found in all their forms. Run: bonafide graph link',
    );
  return warnings;
}
