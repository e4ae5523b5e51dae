import type { RecordRow, StoredRecord } from '../../../link/stored.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { Fingerprints } from '../../fingerprints.ts';
import type { Sealing } from '../../sealing.ts';

interface RawRow {
  id: number;
  key: Buffer;
  identity: number | null;
  sealed: Buffer;
}

/** Like `GraphRecords`, but answers at once. */
export interface RecordTable {
  put(records: StoredRecord[]): { added: number; replaced: number };
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
  const exists = db.prepare<[Buffer], number>('SELECT 1 FROM record WHERE key = ?').pluck();
  const upsert = db.prepare<[Buffer, number, Buffer]>(
    'INSERT INTO record (key, ref, sealed) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET sealed = excluded.sealed',
  );
  const revise = db.prepare("UPDATE meta SET value = value + 1 WHERE name = 'revision'");
  const put = (records: StoredRecord[]) => {
    let replaced = 0;
    for (const record of records) {
      const key = fingerprints.record(record.source, record.recordId);
      if (exists.get(key)) replaced++;
      upsert.run(key, fingerprints.of('label', record.recordId), sealing.seal(JSON.stringify(record)));
    }
    revise.run();
    return { added: records.length - replaced, replaced };
  };
  return (records) => db.transaction(put).immediate(records);
}
