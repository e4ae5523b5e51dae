import type { Db } from '../../../platform/sqlite.ts';
import type { GraphStats } from '../../graph.ts';
import { readMeta, readRecordMeta } from '../meta.ts';

/** @param db both files */
export function graphStats(db: Db): GraphStats {
  const count = (sql: string) => db.prepare<[], number>(sql).pluck().get() ?? 0;
  return {
    records: count('SELECT count(*) FROM record'),
    identities: count('SELECT count(*) FROM identity'),
    merged: count('SELECT count(*) FROM merged WHERE heir IS NOT NULL'),
    postings: Number(readMeta(db, 'postings') ?? 0),
    unlinked: isLinked(db) ? 0 : count('SELECT count(*) FROM record WHERE identity IS NULL'),
    linkedAt: readMeta(db, 'linked_at'),
    settled: isSettled(db),
  };
}

/** @param db both files */
const isSettled = (db: Db): boolean => isLinked(db) && readMeta(db, 'settled') !== 'no';

/** Of a graph whose records are elsewhere. */
export function statsWithoutRecords(db: Db): GraphStats {
  return {
    records: 0,
    identities: db.prepare<[], number>('SELECT count(*) FROM identity').pluck().get() ?? 0,
    merged: 0,
    postings: Number(readMeta(db, 'postings') ?? 0),
    unlinked: 0,
    linkedAt: readMeta(db, 'linked_at'),
    settled: readMeta(db, 'settled') !== 'no',
  };
}

export function warningsWithoutRecords(db: Db): string[] {
  if (Number(readMeta(db, 'identities') ?? 0) === 0) return [];
  return [
    'The records that the graph was made from (records.db) are not there: checks are answered, but nothing can be imported, linked or looked at.',
  ];
}

/** Was the graph made of the records as they are? */
export const isLinked = (db: Db) => readMeta(db, 'link_stamp') === readRecordMeta(db, 'link_stamp');
