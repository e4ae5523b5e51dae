import { onceFor, type Db } from '../../platform/sqlite.ts';
import type { GraphKeys } from '../encryption/keys.ts';
import type { GraphStats } from '../graph.ts';

/** What the graph file says of itself. `copied_of`: of which revision of another graph it is a copy that is not whole. */
export type MetaName =
  | 'secret_check'
  | 'link_stamp'
  | 'linked_at'
  | 'settled'
  | 'error_rates'
  | 'name_tables'
  | 'identities'
  | 'newest'
  | 'postings'
  | 'copied_of';

/**
 * What the file of the records says of itself. `link_stamp` is random, and another one after every change of records or identities: where
 * the graph has the same, it was made of these records. `earlier`: see rekey/earlier.ts, `imported`: incoming/imported.ts. `applied_whole` is the stamp that the last import ended with, once it is in both files. `overwriting` names an erasure until the files are overwritten.
 */
export type RecordMetaName =
  | 'secret_check'
  | 'revision'
  | 'link_stamp'
  | 'overwriting'
  | 'linking'
  | 'earlier'
  | 'applied_whole'
  | 'imported';

export function readMeta(db: Db, name: MetaName): string | null {
  return read(db, 'meta', name);
}

export function writeMeta(db: Db, name: MetaName, value: string): void {
  write(db, 'meta', [name, value]);
}

export function readRecordMeta(db: Db, name: RecordMetaName): string | null {
  return read(db, 'record_meta', name);
}

export function writeRecordMeta(db: Db, name: RecordMetaName, value: string): void {
  write(db, 'record_meta', [name, value]);
}

type Table = 'meta' | 'record_meta';

/** The statements of a table: prepared on first use, because a connection may have one of the two tables only. */
const statements = (table: Table) => ({
  get: onceFor((db) => db.prepare<[string], string>(`SELECT value FROM ${table} WHERE name = ?`).pluck()),
  put: onceFor((db) =>
    db.prepare<[string, string]>(
      `INSERT INTO ${table} VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    ),
  ),
});
const OF = { meta: statements('meta'), record_meta: statements('record_meta') };

const read = (db: Db, table: Table, name: string): string | null => OF[table].get(db).get(name) ?? null;

function write(db: Db, table: Table, row: [name: string, value: string]): void {
  OF[table].put(db).run(...row);
}

/** Returns what is stored of all published identities together; see `PublishedTotals`. */
export function readTotals(db: Db): { identities: number; postings: number; newest: number | null } {
  const newest = Number(readMeta(db, 'newest') ?? 'none');
  return {
    identities: Number(readMeta(db, 'identities') ?? 0),
    postings: Number(readMeta(db, 'postings') ?? 0),
    newest: Number.isFinite(newest) ? newest : null,
  };
}

// When records of each source were imported last: by fingerprints of the sources, sealed.
/** Milliseconds since 1970 by the fingerprint of a source; null before its first import. */
type Times = Record<string, number | null>;

interface Kept {
  now: Times;
  /** As they were before the import that can be taken back, of its sources alone. */
  before: Times;
}

interface ImportTimes {
  /** @param canBeUndone whether this is what `takenBack` would take back */
  note(sources: readonly string[], canBeUndone: boolean): void;
  undo(): void;
  read(source: string): number | null;
  /** Takes the times of some sources over from another file. */
  carry(sources: Iterable<string>, from: Pick<ImportTimes, 'read'>): void;
}

export function openImportTimes(
  db: Db,
  { fingerprints, sealing }: Pick<GraphKeys, 'fingerprints' | 'sealing'>,
): ImportTimes {
  const keyOf = (source: string) => fingerprints.of('label', `imported|${source}`).toString();
  const read = (): Kept => {
    const sealed = readRecordMeta(db, 'imported');
    if (sealed === null) return { now: {}, before: {} };
    return JSON.parse(sealing.open(Buffer.from(sealed, 'base64'))) as Kept;
  };
  const write = (kept: Kept) =>
    writeRecordMeta(db, 'imported', sealing.seal(JSON.stringify(kept)).toString('base64'));
  return {
    note(sources, canBeUndone) {
      const { now, before } = read();
      const keys = sources.map(keyOf);
      const time = new Date().getTime();
      const untouched = Object.entries(before).filter(([key]) => !keys.includes(key));
      const own = keys.map((key) => [key, now[key] ?? null] as const);
      write({
        now: { ...now, ...Object.fromEntries(keys.map((key) => [key, time])) },
        before: Object.fromEntries(canBeUndone ? own : untouched),
      });
    },
    undo() {
      const { now, before } = read();
      write({ now: { ...now, ...before }, before: {} });
    },
    read: (source) => read().now[keyOf(source)] ?? null,
    carry(sources, from) {
      const times = Array.from(sources, (source) => [keyOf(source), from.read(source)] as const);
      write({ now: Object.fromEntries(times), before: {} });
    },
  };
}

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
