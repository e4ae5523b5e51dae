import { randomBytes } from 'node:crypto';
import { type Db, preparePerConnection } from '../../../platform/sqlite.ts';
import type { SealedRecord } from '../../encryption/sealed-records.ts';
import type { GraphState } from '../../link-cache/link-file.ts';
import type { ChangedRowAndFormerIdentity, LinkCacheFile, RecordChangeLog } from '../../sql/link-cache.ts';
import type { RecordWriteOperations } from '../../sql/records.ts';
import { readGraphFileMetadata, readRecordsFileMetadata, writeRecordsFileMetadata } from '../meta.ts';
import type { ManualLinkPersonLabelTable } from '../../sql/manual-links.ts';

/** Called after records were changed, with their rows, in the same transaction. */
export type ChangedRowsCallback = LinkCacheFile['noteChange'];

interface StoredRow {
  id: number;
  key: Buffer;
  ref: number;
  identity: number | null;
  sealed: Buffer;
}

export function openRecordWriteOperations(db: Db, noteChange: ChangedRowsCallback): RecordWriteOperations {
  const known = db.prepare<[Buffer], Pick<StoredRow, 'id' | 'sealed'>>(
    'SELECT id, sealed FROM record WHERE key = ?',
  );
  const any = db.prepare('SELECT 1 FROM record LIMIT 1');
  const insert = db.prepare<[Buffer, number, Buffer]>(
    'INSERT INTO record (key, ref, sealed) VALUES (?, ?, ?)',
  );
  const replace = db.prepare<[Buffer, number]>('UPDATE record SET sealed = ? WHERE id = ?');
  const remove = db.prepare<[Buffer], StoredRow>(
    'DELETE FROM record WHERE key = ? RETURNING id, key, ref, identity, sealed',
  );
  const journal = db.prepare('INSERT OR REPLACE INTO undo VALUES (?, ?, ?, ?, ?)');
  return {
    put(records, isJournaled) {
      const counts = { added: 0, replaced: 0 };
      const hasRecords = any.get() !== undefined;
      for (const page of pagesOf(records)) {
        const before = readRecordsFileState(db);
        const rows = page.map(({ key, ref, sealed }): ChangedRowAndFormerIdentity => {
          const there = hasRecords ? known.get(key) : undefined;
          const row = there?.id ?? Number(insert.run(key, ref, sealed).lastInsertRowid);
          if (there) replace.run(sealed, row);
          counts[there ? 'replaced' : 'added']++;
          if (isJournaled)
            journal.run(row, readRecordNoncePrefixAsNumber(sealed), null, null, there?.sealed ?? null);
          return [row, null];
        });
        noteChange({ rows, before, after: startNewGraphRevision(db, rows) });
      }
      return counts;
    },
    remove(keys, isJournaled) {
      const before = readRecordsFileState(db);
      const rows = keys.flatMap((key): ChangedRowAndFormerIdentity[] => {
        const row = remove.get(key);
        if (!row) return [];
        if (isJournaled) journal.run(row.id, null, row.key, row.ref, row.sealed);
        return [[row.id, row.identity]];
      });
      if (rows.length > 0) noteChange({ rows, before, after: startNewGraphRevision(db, rows) });
      return rows.length;
    },
  };
}

/** Maximum number of records in a page. Each page that is stored is one revision. */
const PAGE = 500;

/** Splits records into pages. Yields one empty page if there are no records, because an empty import creates a revision, too. */
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

export const readRecordNoncePrefixAsNumber = (sealed: Buffer): number => sealed.readUInt32LE(0);

/** Creates a new revision after rows changed. Returns the new state of the graph. */
export function startNewGraphRevision(db: Db, rows: readonly ChangedRowAndFormerIdentity[]): GraphState {
  // Log for a process that links all records now; see `RecordChangeLog`.
  if (readRecordsFileMetadata(db, 'linking')) for (const [row] of rows) statementsOf(db).note.run(row);
  statementsOf(db).revise.run();
  renewRecordsFileStamp(db);
  return readRecordsFileState(db);
}

const statementsOf = preparePerConnection((db) => ({
  note: db.prepare('INSERT OR IGNORE INTO late VALUES (?)'),
  revise: db.prepare("UPDATE record_meta SET value = value + 1 WHERE name = 'revision'"),
}));

/** Stores and returns a new random `link_stamp`, by which others see that records or identities changed; see meta.ts. */
export function renewRecordsFileStamp(db: Db): string {
  const stamp = randomBytes(16).toString('hex');
  writeRecordsFileMetadata(db, 'link_stamp', stamp);
  return stamp;
}

export function readRecordsFileState(db: Db): GraphState {
  return {
    stamp: readRecordsFileMetadata(db, 'link_stamp') ?? '',
    revision: readRecordsFileMetadata(db, 'revision') ?? '',
    linkedAt: readGraphFileMetadata(db, 'linked_at') ?? '',
  };
}

/** Opens the table with the labels that valid manual links give to records, by the fingerprint of source and id. */
export function openManualLinkPersonLabels(db: Db): ManualLinkPersonLabelTable {
  const any = db.prepare('SELECT 1 FROM judged LIMIT 1');
  const label = db.prepare<[Buffer], string>('SELECT label FROM judged WHERE key = ?').pluck();
  const put = db.prepare('INSERT INTO judged VALUES (?, ?)');
  return {
    isEmpty: () => any.get() === undefined,
    lookUp: (key) => label.get(key),
    replace(labels) {
      db.exec('DELETE FROM judged');
      for (const [key, text] of labels) put.run(Buffer.from(key, 'hex'), text);
    },
  };
}

/**
 * Creates the change log of a SQLite graph, which adds each change to the link cache at once. Rows that change while all records are linked are
 * stored in the table `late`.
 */
export function createRecordChangeLog(db: Db): RecordChangeLog {
  return {
    state: () => readRecordsFileState(db),
    catchUp: () => readRecordsFileState(db),
    follow() {
      const token = randomBytes(16).toString('hex');
      const begin = () => {
        db.exec('DELETE FROM late');
        writeRecordsFileMetadata(db, 'linking', token);
      };
      db.transaction(begin).immediate();
      return token;
    },
    changedSince(token) {
      if (typeof token !== 'string' || readRecordsFileMetadata(db, 'linking') !== token) return null;
      const rows = db.prepare<[], number>('SELECT row FROM late ORDER BY row').pluck().all();
      db.exec('DELETE FROM late');
      writeRecordsFileMetadata(db, 'linking', '');
      return rows;
    },
  };
}
