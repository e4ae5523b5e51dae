import { randomBytes } from 'node:crypto';
import type { RecordRow } from '../../../link/stored.ts';
import { type Db, onceFor } from '../../../platform/sqlite.ts';
import type { Fingerprints } from '../../encryption/fingerprints.ts';
import {
  type RecordSealing,
  createRecordSealing,
  type SealedRecord,
  type SealedRow,
} from '../../encryption/sealed-records.ts';
import type { Sealing } from '../../encryption/sealing.ts';
import type { GraphState } from '../../link-cache/link-file.ts';
import { readMeta, readRecordMeta, writeRecordMeta } from '../meta.ts';
import { noteLate } from '../incoming/late.ts';

interface RawRow {
  id: number;
  key: Buffer;
  identity: number | null;
  sealed: Buffer;
}

/** Is told of every row that changes. */
export interface Journal {
  put(row: number, sealed: { now: Buffer; before: Buffer | null }): void;
  removed(row: number, was: { key: Buffer; ref: number; sealed: Buffer }): void;
}

export interface Put {
  added: number;
  replaced: number;
  rows: number[];
  /** Of rows that were taken out: the identity that each had. */
  bereft: Map<number, number | null>;
  /** The state of the graph before and after. */
  before: GraphState;
  after: GraphState;
}

/** What `GraphRecords` does, at once. */
export interface RecordTable extends RecordSealing {
  /** @param journal what is there before is kept in it, so that it can be taken back */
  put(records: SealedRecord[], journal?: Journal): Put;
  remove(keys: Buffer[], journal?: Journal): Put;
  read(rows: number[]): RecordRow[];
  byReference(recordId: string): RecordRow[];
  byIdentity(identity: number): RecordRow[];
  pages(): Iterable<RecordRow[]>;
  sealedPages(): Iterable<SealedRow[]>;
  sealedOf(rows: number[]): SealedRow[];
  count(): number;
  maxRow(): number;
}

/** Rows that are read at a time. */
const PAGE = 500;
const COLUMNS = 'SELECT id, key, identity, sealed FROM record';

/** Records as rows of the file: how each is sealed is part of the file's version. */
export function recordTable(db: Db, fingerprints: Fingerprints, sealing: Sealing): RecordTable {
  const one = db.prepare<[number], RawRow>(`${COLUMNS} WHERE id = ?`);
  const reference = db.prepare<[number], RawRow>(`${COLUMNS} WHERE ref = ? ORDER BY id`);
  const ofIdentity = db.prepare<[number], RawRow>(`${COLUMNS} WHERE identity = ? ORDER BY id`);
  const page = db.prepare<[number], RawRow>(`${COLUMNS} WHERE id > ? ORDER BY id LIMIT ${PAGE}`);
  const count = db.prepare<[], number>('SELECT count(*) FROM record').pluck();
  const maxRow = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM record').pluck();
  const sealedPage = db.prepare<[number], SealedRow>(
    `SELECT id AS row, sealed FROM record WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
  );
  const sealedOne = db.prepare<[number], SealedRow>('SELECT id AS row, sealed FROM record WHERE id = ?');
  const records = createRecordSealing(fingerprints, sealing);
  const open = ({ id, key, identity, sealed }: RawRow): RecordRow => {
    return { ...records.open(sealed), row: id, key: key.toString('hex'), identity };
  };
  return {
    ...records,
    put: putter(db),
    remove: remover(db),
    read: (rows) =>
      rows.flatMap((row) => {
        const raw = one.get(row);
        return raw ? [open(raw)] : [];
      }),
    byReference: (recordId) => reference.all(fingerprints.of('label', recordId)).map(open),
    byIdentity: (identity) => ofIdentity.all(identity).map(open),
    *pages() {
      // Nothing may be written on a connection while it iterates, so each page is read as a whole.
      for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.id ?? 0))
        yield rows.map(open);
    },
    *sealedPages() {
      for (let rows = sealedPage.all(0); rows.length > 0; rows = sealedPage.all(rows.at(-1)?.row ?? 0))
        yield rows;
    },
    sealedOf: (rows) => rows.flatMap((row) => sealedOne.get(row) ?? []),
    count: () => count.get() ?? 0,
    maxRow: () => maxRow.get() ?? 0,
  };
}

function putter(db: Db): RecordTable['put'] {
  const known = db.prepare<[Buffer], RawRow>(`${COLUMNS} WHERE key = ?`);
  const insert = db.prepare<[Buffer, number, Buffer]>(
    'INSERT INTO record (key, ref, sealed) VALUES (?, ?, ?)',
  );
  const replace = db.prepare<[Buffer, number]>('UPDATE record SET sealed = ? WHERE id = ?');
  const put = (records: SealedRecord[], journal?: Journal): Put => {
    const before = graphStand(db);
    const rows = new Set<number>();
    let replaced = 0;
    for (const { key, ref, sealed } of records) {
      const there = known.get(key);
      const row = there?.id ?? Number(insert.run(key, ref, sealed).lastInsertRowid);
      if (there) {
        replaced++;
        replace.run(sealed, row);
      }
      rows.add(row);
      journal?.put(row, { now: sealed, before: there?.sealed ?? null });
    }
    revise(db, rows);
    const added = records.length - replaced;
    return { added, replaced, rows: [...rows], bereft: new Map(), before, after: graphStand(db) };
  };
  return (records, journal) => db.transaction(put).immediate(records, journal);
}

function remover(db: Db): RecordTable['remove'] {
  const gone = db.prepare<[Buffer], RawRow & { ref: number }>(
    'DELETE FROM record WHERE key = ? RETURNING id, key, ref, identity, sealed',
  );
  const remove = (keys: Buffer[], journal?: Journal): Put => {
    const before = graphStand(db);
    const bereft = new Map<number, number | null>();
    for (const one of keys) {
      const row = gone.get(one);
      if (!row) continue;
      bereft.set(row.id, row.identity);
      journal?.removed(row.id, row);
    }
    if (bereft.size > 0) revise(db, bereft.keys());
    return { added: 0, replaced: 0, rows: [...bereft.keys()], bereft, before, after: graphStand(db) };
  };
  return (keys, journal) => db.transaction(remove).immediate(keys, journal);
}

/** The records of these rows have changed. */
export function revise(db: Db, rows: Iterable<number>): void {
  noteLate(db, rows);
  revised(db).run();
  restamp(db);
}

const revised = onceFor((db) =>
  db.prepare("UPDATE record_meta SET value = value + 1 WHERE name = 'revision'"),
);

/** Something about the records or their identities has changed; see `link_stamp` in meta.ts. Answers the new stamp. */
export function restamp(db: Db): string {
  const stamp = randomBytes(16).toString('hex');
  writeRecordMeta(db, 'link_stamp', stamp);
  return stamp;
}

/** Which state the graph is in; see `Stand`. */
export function graphStand(db: Db): GraphState {
  return {
    stamp: readRecordMeta(db, 'link_stamp') ?? '',
    revision: readRecordMeta(db, 'revision') ?? '',
    linkedAt: readMeta(db, 'linked_at') ?? '',
  };
}
