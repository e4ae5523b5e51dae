// Undoes the last import: restores the records and the identity numbers from before it.
import type { Db } from '../../../platform/sqlite.ts';
import type { ChangedRowAndFormerIdentity } from '../../sql/link-cache.ts';
import type { IdentityNumbersBeforeImport } from '../../sql/publishing/previous-numbers.ts';
import type { ImportUndoTable } from '../../sql/undo.ts';
import { readGraphFileMetadata, readRecordsFileMetadata, writeRecordsFileMetadata } from '../meta.ts';
import {
  readRecordsFileState,
  type ChangedRowsCallback,
  startNewGraphRevision,
  readRecordNoncePrefixAsNumber,
} from './records.ts';

export interface SqliteImportUndoTable extends ImportUndoTable {
  /** Returns the identity numbers from before an import that was undone, while its records are not linked again yet; otherwise null. */
  numbersBefore(): IdentityNumbersBeforeImport | null;
  isInterrupted(): boolean;
}

export function openImportUndoTable(db: Db, noteChange: ChangedRowsCallback): SqliteImportUndoTable {
  db.function('stamp_of', { deterministic: true }, readRecordNoncePrefixAsNumber);
  const stampInJournal = db.prepare<[], string | null>('SELECT stamp FROM applied').pluck();
  const unconfirmedStamp = (): string | null => {
    const stamp = stampInJournal.get() ?? null;
    return stamp === readRecordsFileMetadata(db, 'applied_whole') ? null : stamp;
  };
  let isWatching = false;
  let isUsed = false;
  let numbers: IdentityNumbersBeforeImport | null = null;
  return {
    onClear: () => void db.exec('DELETE FROM undo_number; DELETE FROM undo_heir; DELETE FROM undo_bore'),
    onBegin() {
      db.exec(WATCH);
      isWatching = true;
    },
    restoreRecords() {
      const [stored, before] = [readNumbers(db), readRecordsFileState(db)];
      const count = db.prepare<[], number>('SELECT count(*) FROM undo').pluck().get() ?? 0;
      const restored = db.prepare<[], number>(RESTORE_REPLACED).pluck().all();
      const removed = db.prepare<[], ChangedRowAndFormerIdentity>(REMOVE_ADDED).raw().all();
      const rowNow = insertRemoved(db);
      for (const row of rowNow.values()) if (row !== null) restored.push(row);
      const rows: ChangedRowAndFormerIdentity[] = [
        ...restored.map((row): ChangedRowAndFormerIdentity => [row, null]),
        ...removed,
      ];
      noteChange({ rows, before, after: startNewGraphRevision(db, rows) });
      numbers = withPresentRows(stored, rowNow);
      const left = count - restored.length - removed.length;
      return Promise.resolve({ removed: removed.length, restored: restored.length, left });
    },
    numbersBefore() {
      isUsed = true;
      return numbers;
    },
    end() {
      if (isUsed) numbers = null;
      isUsed = false;
      if (isWatching) for (const name of TRIGGERS) db.exec(`DROP TRIGGER IF EXISTS temp.${name}`);
      isWatching = false;
      db.prepare('UPDATE applied SET stamp = ? WHERE stamp IS NULL').run(
        readRecordsFileMetadata(db, 'link_stamp'),
      );
    },
    confirm() {
      const stamp = unconfirmedStamp();
      if (stamp !== null && stamp === readGraphFileMetadata(db, 'link_stamp'))
        writeRecordsFileMetadata(db, 'applied_whole', stamp);
    },
    reset: () => void (numbers = null),
    isInterrupted() {
      const stamp = unconfirmedStamp();
      if (stamp === null) return false;
      return (
        stamp === readRecordsFileMetadata(db, 'link_stamp') &&
        stamp !== readGraphFileMetadata(db, 'link_stamp')
      );
    },
  };
}

/** SQL statement that restores replaced records, except rows that changed since the import. */
const RESTORE_REPLACED = `
UPDATE record SET sealed = u.before FROM undo u
WHERE record.id = u.row AND u.put = stamp_of(record.sealed) AND u.before IS NOT NULL RETURNING record.id`;

const REMOVE_ADDED = `
DELETE FROM record WHERE id IN (
  SELECT u.row FROM undo u JOIN record r ON r.id = u.row WHERE u.put = stamp_of(r.sealed) AND u.before IS NULL
) RETURNING id, identity`;

/** Inserts removed records again. Returns the new row for each previous one; null if another record has the same source and id. */
function insertRemoved(db: Db): Map<number, number | null> {
  const rows = db.prepare<[], { row: number; key: Buffer; ref: number; before: Buffer }>(
    'SELECT row, key, ref, before FROM undo WHERE put IS NULL ORDER BY row',
  );
  const isTaken = db.prepare<[number]>('SELECT 1 FROM record WHERE id = ?');
  const insert = db.prepare('INSERT OR IGNORE INTO record (id, key, ref, sealed) VALUES (?, ?, ?, ?)');
  return new Map(
    rows.all().map(({ row, key, ref, before }) => {
      const id = isTaken.get(row) === undefined ? row : null;
      const { changes, lastInsertRowid } = insert.run(id, key, ref, before);
      return [row, changes > 0 ? Number(lastInsertRowid) : null];
    }),
  );
}

/** Body of a trigger that saves the identity of a record before its first change. */
const NOTE_IDENTITY = `INSERT INTO undo_number SELECT old.id, old.identity
  WHERE old.identity IS NOT NULL AND NOT EXISTS (SELECT 1 FROM undo_number WHERE row = old.id)`;
const noteHeir = (row: 'old' | 'new') => `INSERT INTO undo_heir
  SELECT ${row}.number, (SELECT heir FROM merged WHERE number = ${row}.number)
  WHERE NOT EXISTS (SELECT 1 FROM undo_heir WHERE number = ${row}.number)`;

/** SQL statements that create triggers, which save previous identity numbers during an import. A rollback drops them, too. */
const WATCH = `
CREATE TEMP TRIGGER IF NOT EXISTS number_changed BEFORE UPDATE OF identity ON main.record BEGIN ${NOTE_IDENTITY}; END;
CREATE TEMP TRIGGER IF NOT EXISTS number_gone BEFORE DELETE ON main.record BEGIN ${NOTE_IDENTITY}; END;
CREATE TEMP TRIGGER IF NOT EXISTS heir_put BEFORE INSERT ON main.merged BEGIN ${noteHeir('new')}; END;
CREATE TEMP TRIGGER IF NOT EXISTS heir_gone BEFORE DELETE ON main.merged BEGIN ${noteHeir('old')}; END;
CREATE TEMP TRIGGER IF NOT EXISTS bore_gone BEFORE DELETE ON main.bore BEGIN INSERT OR IGNORE INTO undo_bore VALUES (old.number, old.row); END;
`;
const TRIGGERS = ['number_changed', 'number_gone', 'heir_put', 'heir_gone', 'bore_gone'];

function readNumbers(db: Db): IdentityNumbersBeforeImport {
  const pairs = <T>(sql: string) => db.prepare<[], [number, T]>(sql).raw().all();
  return {
    rows: new Map(pairs<number>('SELECT row, identity FROM undo_number')),
    heirs: new Map(pairs<number | null>('SELECT number, heir FROM undo_heir')),
    previousNumbers: pairs<number>('SELECT row, number FROM undo_bore'),
  };
}

/**
 * Replaces the row numbers in the undo journal by the present row numbers of the same records.
 * @param rowNow present row number for each previous one; see `insertRemoved`
 */
function withPresentRows(
  { rows, heirs, previousNumbers }: IdentityNumbersBeforeImport,
  rowNow: ReadonlyMap<number, number | null>,
): IdentityNumbersBeforeImport {
  const present = (pairs: Iterable<[row: number, number: number]>) =>
    Array.from(pairs).flatMap(([row, number]): [number, number][] => {
      const now = rowNow.has(row) ? (rowNow.get(row) ?? null) : row;
      return now === null ? [] : [[now, number]];
    });
  return { rows: new Map(present(rows)), heirs, previousNumbers: present(previousNumbers) };
}
