import { randomBytes } from 'node:crypto';
import type { RecordRow } from '../../../link/stored.ts';
import { type Db, onceFor } from '../../../platform/sqlite.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { createRecordSealing, type SealedRecord, type SealedRow } from '../../encryption/sealed-records.ts';
import type { GraphState } from '../../link-cache/link-file.ts';
import type { RecordTable } from '../../sql/incoming.ts';
import { noteLate } from '../incoming/late.ts';
import { readMeta, readRecordMeta, writeRecordMeta } from '../meta.ts';

interface RawRow {
  id: number;
  key: Buffer;
  identity: number | null;
  sealed: Buffer;
}

/** One change of the records, for the link cache. */
export interface RecordChange {
  rows: number[];
  /** Identity of each removed row; null if the row had none. */
  removed: ReadonlyMap<number, number | null>;
  /** The state of the graph before and after the change. */
  before: GraphState;
  after: GraphState;
}

/** The records in the file, synchronously. */
export interface SqliteRecordTable extends RecordTable {
  readRows(rows: number[]): RecordRow[];
  readSealedRows(rows: number[]): SealedRow[];
  pages(): Iterable<RecordRow[]>;
  sealedPages(): Iterable<SealedRow[]>;
}

/** Rows that are read or written at a time. */
const PAGE = 500;
const COLUMNS = 'SELECT id, key, identity, sealed FROM record';

/** @param onChange called after each change of at most `PAGE` rows, in the transaction of the change */
export function recordTable(
  db: Db,
  { fingerprints, sealing }: Pick<GraphKeys, 'fingerprints' | 'sealing'>,
  onChange: (change: RecordChange) => void,
): SqliteRecordTable {
  const one = db.prepare<[number], RawRow>(`${COLUMNS} WHERE id = ?`);
  const byReference = db.prepare<[number], RawRow>(`${COLUMNS} WHERE ref = ? ORDER BY id`);
  const byIdentity = db.prepare<[number], RawRow>(`${COLUMNS} WHERE identity = ? ORDER BY id`);
  const page = db.prepare<[number], RawRow>(`${COLUMNS} WHERE id > ? ORDER BY id LIMIT ${PAGE}`);
  const count = db.prepare<[], number>('SELECT count(*) FROM record').pluck();
  const maxRow = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM record').pluck();
  const sealedPage = db.prepare<[number], SealedRow>(
    `SELECT id AS row, sealed FROM record WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
  );
  const sealedOne = db.prepare<[number], SealedRow>('SELECT id AS row, sealed FROM record WHERE id = ?');
  const records = createRecordSealing(fingerprints, sealing);
  const open = ({ id, key, identity, sealed }: RawRow): RecordRow => ({
    ...records.open(sealed),
    row: id,
    key: key.toString('hex'),
    identity,
  });
  return {
    ...records,
    put: putter(db, onChange),
    remove: remover(db, onChange),
    readRows: (rows) => rows.flatMap((row) => one.all(row).map(open)),
    findByRecordId: (recordId) => byReference.all(fingerprints.of('label', recordId)).map(open),
    listByIdentity: (identity) => byIdentity.all(identity).map(open),
    *pages() {
      // Nothing may be written on a connection while it iterates, so each page is read as a whole.
      for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.id ?? 0))
        yield rows.map(open);
    },
    *sealedPages() {
      for (let rows = sealedPage.all(0); rows.length > 0; rows = sealedPage.all(rows.at(-1)?.row ?? 0))
        yield rows;
    },
    readSealedRows: (rows) => rows.flatMap((row) => sealedOne.get(row) ?? []),
    count: () => count.get() ?? 0,
    maxRow: () => maxRow.get() ?? 0,
  };
}

function putter(db: Db, onChange: (change: RecordChange) => void): RecordTable['put'] {
  const known = db.prepare<[Buffer], RawRow>(`${COLUMNS} WHERE key = ?`);
  const insert = db.prepare<[Buffer, number, Buffer]>(
    'INSERT INTO record (key, ref, sealed) VALUES (?, ?, ?)',
  );
  const replace = db.prepare<[Buffer, number]>('UPDATE record SET sealed = ? WHERE id = ?');
  const journal = journalOn(db);
  return (records, isJournaled) => {
    const counts = { added: 0, replaced: 0 };
    for (const page of pagesOf(records)) {
      const before = graphStand(db);
      const rows = page.map(({ key, ref, sealed }) => {
        const there = known.get(key);
        const row = there?.id ?? Number(insert.run(key, ref, sealed).lastInsertRowid);
        if (there) replace.run(sealed, row);
        counts[there ? 'replaced' : 'added']++;
        if (isJournaled) journal.notePut(row, sealed, there?.sealed ?? null);
        return row;
      });
      revise(db, rows);
      onChange({ rows, removed: new Map(), before, after: graphStand(db) });
    }
    return counts;
  };
}

/** At least one page: a change of no records makes a revision as well. */
function* pagesOf(records: Iterable<SealedRecord>): Iterable<SealedRecord[]> {
  let page: SealedRecord[] = [];
  let isFirst = true;
  for (const record of records) {
    page.push(record);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
    isFirst = false;
  }
  if (isFirst || page.length > 0) yield page;
}

function remover(db: Db, onChange: (change: RecordChange) => void): RecordTable['remove'] {
  const remove = db.prepare<[Buffer], RawRow & { ref: number }>(
    'DELETE FROM record WHERE key = ? RETURNING id, key, ref, identity, sealed',
  );
  const journal = journalOn(db);
  return (keys, isJournaled) => {
    const before = graphStand(db);
    const removed = new Map<number, number | null>();
    for (const key of keys) {
      const row = remove.get(key);
      if (!row) continue;
      removed.set(row.id, row.identity);
      if (isJournaled) journal.noteRemoved(row.id, row);
    }
    if (removed.size > 0) revise(db, removed.keys());
    onChange({ rows: [...removed.keys()], removed, before, after: graphStand(db) });
    return removed.size;
  };
}

/** The first bytes of a sealed record are random: 32 bits of them show that another record took its place. */
export const stampOf = (sealed: Buffer): number => sealed.readUInt32LE(0);

/** Notes rows in the journal. */
const journalOn = onceFor((db) => {
  const insert = db.prepare('INSERT OR REPLACE INTO undo VALUES (?, ?, ?, ?, ?)');
  return {
    notePut: (row: number, sealed: Buffer, before: Buffer | null) =>
      void insert.run(row, stampOf(sealed), null, null, before),
    noteRemoved: (row: number, { key, ref, sealed }: { key: Buffer; ref: number; sealed: Buffer }) =>
      void insert.run(row, null, key, ref, sealed),
  };
});

/** Makes a new revision, after the records of these rows have changed. */
export function revise(db: Db, rows: Iterable<number>): void {
  noteLate(db, rows);
  revised(db).run();
  restamp(db);
}

const revised = onceFor((db) =>
  db.prepare("UPDATE record_meta SET value = value + 1 WHERE name = 'revision'"),
);

/** Writes a new random stamp, after records or identities have changed; see `link_stamp` in meta.ts. Returns the stamp. */
export function restamp(db: Db): string {
  const stamp = randomBytes(16).toString('hex');
  writeRecordMeta(db, 'link_stamp', stamp);
  return stamp;
}

/** Returns the state that the graph is in; see `GraphState`. */
export function graphStand(db: Db): GraphState {
  return {
    stamp: readRecordMeta(db, 'link_stamp') ?? '',
    revision: readRecordMeta(db, 'revision') ?? '',
    linkedAt: readMeta(db, 'linked_at') ?? '',
  };
}
