import type { KeyType } from '../../model.ts';
import type { Vault } from '../vault.ts';
import type { Db } from './database.ts';

/** A record as the graph keeps it: what can be read back (sealed) and, for contacts, fingerprints only. */
export interface StoredRecord {
  recordId: string;
  source: string;
  names: string[];
  birthDate: string | null;
  /** The operator's own word on who this is: records with one label are one person. */
  label: string | null;
  /** Milliseconds since 1970. */
  firstSeen: number | null;
  lastSeen: number | null;
  contacts: StoredContact[];
}

export interface StoredContact {
  kind: 'email' | 'phone' | 'address';
  /** Type and fingerprint of each key; the exact one first. */
  keys: [KeyType, number][];
  /** Fingerprint of what a slip leaves alone, and of the letter pairs; see `Vault.grams`. */
  signature: { exactPart: number; grams: number[] } | null;
  /** Fingerprints of the zip and of the city, for linking only. */
  places: number[];
}

/** A stored record with its place in the file and the identity it had after the last linking. */
export interface RecordRow extends StoredRecord {
  row: number;
  /** Hex of the record's key: the order that does not depend on the order of import. */
  key: string;
  identity: number | null;
}

export interface RecordTable {
  /** Puts records in, replacing those with the same source and record id. One transaction. */
  put(records: StoredRecord[]): { added: number; replaced: number };
  get(row: number): RecordRow;
  byRef(recordId: string): RecordRow[];
  byIdentity(identity: number): RecordRow[];
  rows(): IterableIterator<RecordRow>;
  count(): number;
  /** The highest row there is; 0 in an empty graph. */
  maxRow(): number;
}

interface RawRow {
  id: number;
  key: Buffer;
  identity: number | null;
  sealed: Buffer;
}

export function recordTable(db: Db, vault: Vault): RecordTable {
  const exists = db.prepare('SELECT 1 FROM record WHERE key = ?').pluck();
  const upsert = db.prepare(
    'INSERT INTO record (key, ref, sealed) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET sealed = excluded.sealed',
  );
  const columns = 'SELECT id, key, identity, sealed FROM record';
  const one = db.prepare(`${columns} WHERE id = ?`);
  const ref = db.prepare(`${columns} WHERE ref = ? ORDER BY id`);
  const ofIdentity = db.prepare(`${columns} WHERE identity = ? ORDER BY id`);
  const page = db.prepare(`${columns} WHERE id > ? ORDER BY id LIMIT 500`);
  const read = (raw: unknown): RecordRow => {
    const { id, key, identity, sealed } = raw as RawRow;
    return {
      ...(JSON.parse(vault.open(sealed)) as StoredRecord),
      row: id,
      key: key.toString('hex'),
      identity,
    };
  };

  const put = db.transaction((records: StoredRecord[]) => {
    let replaced = 0;
    for (const record of records) {
      const key = vault.recordKey(record.source, record.recordId);
      if (exists.get(key)) replaced++;
      upsert.run(key, vault.key('label', record.recordId), vault.seal(JSON.stringify(record)));
    }
    db.prepare("UPDATE meta SET value = value + 1 WHERE name = 'revision'").run();
    return { added: records.length - replaced, replaced };
  });

  return {
    put: (records) => put.immediate(records),
    get: (row) => read(one.get(row)),
    byRef: (recordId) => ref.all(vault.key('label', recordId)).map(read),
    byIdentity: (identity) => ofIdentity.all(identity).map(read),
    *rows() {
      // In pages, because nothing may be written on a connection while it iterates.
      for (let after = 0; ;) {
        const rows = page.all(after).map(read);
        if (rows.length === 0) return;
        yield* rows;
        after = rows[rows.length - 1].row;
      }
    },
    maxRow: () => db.prepare('SELECT coalesce(max(id), 0) FROM record').pluck().get() as number,
    count: () => db.prepare('SELECT count(*) FROM record').pluck().get() as number,
  };
}
