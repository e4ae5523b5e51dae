import { randomBytes } from 'node:crypto';
import type { RecordRow, StoredRecord } from '../../../link/stored.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { Fingerprints } from '../../fingerprints.ts';
import type { RecordName } from '../../graph.ts';
import type { Sealing } from '../../sealing.ts';
import type { Stand } from '../index/link-file.ts';
import { readMeta, readRecordMeta, writeRecordMeta } from '../meta.ts';

interface RawRow {
  id: number;
  key: Buffer;
  identity: number | null;
  sealed: Buffer;
}

export interface Put {
  added: number;
  replaced: number;
  rows: number[];
  /** Of rows that were taken out: the identity that each had. */
  bereft: Map<number, number | null>;
  /** The state of the graph before and after. */
  before: Stand;
  after: Stand;
}

/** Like `GraphRecords`, but answers at once. */
export interface RecordTable {
  put(records: StoredRecord[]): Put;
  remove(names: RecordName[]): Put;
  read(rows: number[]): RecordRow[];
  byReference(recordId: string): RecordRow[];
  byIdentity(identity: number): RecordRow[];
  pages(): Iterable<RecordRow[]>;
  count(): number;
  maxRow(): number;
}

const COLUMNS = 'SELECT id, key, identity, sealed FROM record';

/** Records as rows of the file, each sealed as one JSON text: the names of its properties are part of the file's version. */
export function recordTable(db: Db, fingerprints: Fingerprints, sealing: Sealing): RecordTable {
  const one = db.prepare<[number], RawRow>(`${COLUMNS} WHERE id = ?`);
  const reference = db.prepare<[number], RawRow>(`${COLUMNS} WHERE ref = ? ORDER BY id`);
  const ofIdentity = db.prepare<[number], RawRow>(`${COLUMNS} WHERE identity = ? ORDER BY id`);
  const page = db.prepare<[number], RawRow>(`${COLUMNS} WHERE id > ? ORDER BY id LIMIT 500`);
  const count = db.prepare<[], number>('SELECT count(*) FROM record').pluck();
  const maxRow = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM record').pluck();
  const open = ({ id, key, identity, sealed }: RawRow): RecordRow => {
    const record = JSON.parse(sealing.open(sealed)) as StoredRecord;
    return { ...record, row: id, key: key.toString('hex'), identity };
  };
  return {
    put: putter(db, fingerprints, sealing),
    remove: remover(db, fingerprints),
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
    count: () => count.get() ?? 0,
    maxRow: () => maxRow.get() ?? 0,
  };
}

function putter(db: Db, fingerprints: Fingerprints, sealing: Sealing): RecordTable['put'] {
  const known = db.prepare<[Buffer], number>('SELECT id FROM record WHERE key = ?').pluck();
  const insert = db.prepare<[Buffer, number, Buffer]>(
    'INSERT INTO record (key, ref, sealed) VALUES (?, ?, ?)',
  );
  const replace = db.prepare<[Buffer, number]>('UPDATE record SET sealed = ? WHERE id = ?');
  const put = (records: StoredRecord[]): Put => {
    const before = graphStand(db);
    const rows = new Set<number>();
    let replaced = 0;
    for (const record of records) {
      const key = fingerprints.record(record.source, record.recordId);
      const sealed = sealing.seal(JSON.stringify(record));
      const row = known.get(key);
      if (row === undefined) {
        rows.add(Number(insert.run(key, fingerprints.of('label', record.recordId), sealed).lastInsertRowid));
      } else {
        replaced++;
        replace.run(sealed, row);
        rows.add(row);
      }
    }
    revise(db);
    const added = records.length - replaced;
    return { added, replaced, rows: [...rows], bereft: new Map(), before, after: graphStand(db) };
  };
  return (records) => db.transaction(put).immediate(records);
}

function remover(db: Db, fingerprints: Fingerprints): RecordTable['remove'] {
  const gone = db
    .prepare<[Buffer], [number, number | null]>('DELETE FROM record WHERE key = ? RETURNING id, identity')
    .raw();
  const remove = (names: RecordName[]): Put => {
    const before = graphStand(db);
    const keys = names.map(({ source, recordId }) => fingerprints.record(source, recordId));
    const bereft = new Map(keys.flatMap((key) => gone.all(key)));
    if (bereft.size > 0) revise(db);
    return { added: 0, replaced: 0, rows: [...bereft.keys()], bereft, before, after: graphStand(db) };
  };
  return (names) => db.transaction(remove).immediate(names);
}

/** The records have changed. */
function revise(db: Db): void {
  db.prepare("UPDATE record_meta SET value = value + 1 WHERE name = 'revision'").run();
  restamp(db);
}

/** Something about the records or their identities has changed; see `link_stamp` in meta.ts. Answers the new stamp. */
export function restamp(db: Db): string {
  const stamp = randomBytes(16).toString('hex');
  writeRecordMeta(db, 'link_stamp', stamp);
  return stamp;
}

/** Which state the graph is in; see `Stand`. */
export function graphStand(db: Db): Stand {
  return {
    stamp: readRecordMeta(db, 'link_stamp') ?? '',
    revision: readRecordMeta(db, 'revision') ?? '',
    linkedAt: readMeta(db, 'linked_at') ?? '',
  };
}
