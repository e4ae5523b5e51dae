// Named values in the files of a graph, and statistics that are read from them.
import { type Db, preparePerConnection } from '../../platform/sqlite.ts';
import type { EarlierSecretStorage, GraphCiphersAndFingerprints } from '../encryption/keys.ts';
import type { GraphStats } from '../graph.ts';

/**
 * Names of single values in `graph.db`. `link_stamp` is the same as in `records.db` if the identities were made from the present records. `copied_of`
 * is the revision of the source graph, while this graph is an unfinished copy.
 */
export type GraphFileMetadataName =
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
 * Names of single values in `records.db`. `link_stamp` is random and changes with every change of records or identities. `applied_whole`:
 * `link_stamp` after the last import, once both files contain it. `overwriting`: name of an erasure that is not finished. `linking`: token of a
 * process that is linking all records. `earlier`: previous secrets. `imported`: times of imports.
 */
export type RecordsFileMetadataName =
  | 'secret_check'
  | 'revision'
  | 'link_stamp'
  | 'overwriting'
  | 'linking'
  | 'earlier'
  | 'applied_whole'
  | 'imported';

export interface MetadataTable<Name extends string> {
  read(db: Db, name: Name): string | null;
  write(db: Db, name: Name, value: string): void;
}

function createMetadataTable<Name extends string>(table: 'meta' | 'record_meta'): MetadataTable<Name> {
  const get = preparePerConnection((db) =>
    db.prepare<[string], string>(`SELECT value FROM ${table} WHERE name = ?`).pluck(),
  );
  const put = preparePerConnection((db) =>
    db.prepare<[string, string]>(`INSERT OR REPLACE INTO ${table} VALUES (?, ?)`),
  );
  return {
    read: (db, name) => get(db).get(name) ?? null,
    write: (db, name, value) => void put(db).run(name, value),
  };
}

export const GRAPH_FILE_METADATA = createMetadataTable<GraphFileMetadataName>('meta');
export const RECORDS_FILE_METADATA = createMetadataTable<RecordsFileMetadataName>('record_meta');
export const { read: readGraphFileMetadata, write: writeGraphFileMetadata } = GRAPH_FILE_METADATA;
export const { read: readRecordsFileMetadata, write: writeRecordsFileMetadata } = RECORDS_FILE_METADATA;

/** True if the published identities (the data that checks read) were made from the present records. */
export const isGraphLinked = (db: Db): boolean =>
  readGraphFileMetadata(db, 'link_stamp') === readRecordsFileMetadata(db, 'link_stamp');

/**
 * Returns the totals of the published identities: their number, that of postings, and the latest date on which any was seen (milliseconds since 1970,
 * or null).
 */
export function readPublishedTotals(db: Db): { identities: number; postings: number; newest: number | null } {
  const newest = Number(readGraphFileMetadata(db, 'newest') ?? 'none');
  return {
    identities: Number(readGraphFileMetadata(db, 'identities') ?? 0),
    postings: Number(readGraphFileMetadata(db, 'postings') ?? 0),
    newest: Number.isFinite(newest) ? newest : null,
  };
}

/**
 * Returns the numbers of records, identities and postings of a graph.
 * @param hasRecords false for a connection to `graph.db` alone; numbers of records are then 0
 */
export function readGraphStats(db: Db, hasRecords: boolean): GraphStats {
  const count = (sql: string) => db.prepare<[], number>(`SELECT count(*) FROM ${sql}`).pluck().get() ?? 0;
  const isCurrent = !hasRecords || isGraphLinked(db);
  return {
    records: hasRecords ? count('record') : 0,
    identities: count('identity'),
    merged: hasRecords ? count('merged WHERE heir IS NOT NULL') : 0,
    postings: readPublishedTotals(db).postings,
    unlinked: isCurrent ? 0 : count('record WHERE identity IS NULL'),
    linkedAt: readGraphFileMetadata(db, 'linked_at'),
    settled: isCurrent && readGraphFileMetadata(db, 'settled') !== 'no',
  };
}

export const openEarlierSecretStorage = (db: Db): EarlierSecretStorage => ({
  read: () => readRecordsFileMetadata(db, 'earlier'),
  write: (text) => writeRecordsFileMetadata(db, 'earlier', text),
});

type Times = Record<string, number | null>;

/** Times of the sources' last imports (`now`), and those from before the last import (`before`), which its undo restores. */
interface StoredTimes {
  now: Times;
  before: Times;
}

export interface SourceImportTimes {
  /**
   * Stores the present time as the time of the sources' last import.
   * @param canBeUndone true if `undo` may restore the previous times
   */
  note(sources: readonly string[], canBeUndone: boolean): void;
  undo(): void;
  /** Returns the time of a source's last import, in milliseconds since 1970; null if it was never imported. */
  read(source: string): number | null;
  copy(sources: Iterable<string>, from: Pick<SourceImportTimes, 'read'>): void;
}

export function openSourceImportTimes(
  db: Db,
  { fingerprints, cipher }: Pick<GraphCiphersAndFingerprints, 'fingerprints' | 'cipher'>,
): SourceImportTimes {
  const toKey = (source: string) => fingerprints.of('label', `imported|${source}`).toString();
  const read = (): StoredTimes => {
    const sealed = readRecordsFileMetadata(db, 'imported');
    if (sealed === null) return { now: {}, before: {} };
    return JSON.parse(cipher.decrypt(Buffer.from(sealed, 'base64'))) as StoredTimes;
  };
  const write = (times: StoredTimes) =>
    writeRecordsFileMetadata(db, 'imported', cipher.encrypt(JSON.stringify(times)).toString('base64'));
  return {
    note(sources, canBeUndone) {
      const { now, before } = read();
      const keys = sources.map(toKey);
      const time = new Date().getTime();
      const others = Object.entries(before).filter(([key]) => !keys.includes(key));
      const own = keys.map((key) => [key, now[key] ?? null] as const);
      write({
        now: { ...now, ...Object.fromEntries(keys.map((key) => [key, time])) },
        before: Object.fromEntries(canBeUndone ? own : others),
      });
    },
    undo() {
      const { now, before } = read();
      write({ now: { ...now, ...before }, before: {} });
    },
    read: (source) => read().now[toKey(source)] ?? null,
    copy(sources, from) {
      const times = Array.from(sources, (source) => [toKey(source), from.read(source)] as const);
      write({ now: Object.fromEntries(times), before: {} });
    },
  };
}

/** True if a table has at least one row: `identity` of graph.db, `record` of records.db, or `keys` of store.db. */
export const hasTableRows = (db: Db, table: 'identity' | 'record' | 'keys'): boolean =>
  db.prepare<[], number>(`SELECT EXISTS (SELECT 1 FROM ${table})`).pluck().get() === 1;
