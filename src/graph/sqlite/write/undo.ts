// The rows that the last import changed, and how they are restored.
import type { Db } from '../../../platform/sqlite.ts';
import type { ChangedRow } from '../../sql/link-cache.ts';
import type { NumbersBefore } from '../../sql/publishing/previous-numbers.ts';
import type { UndoTable } from '../../sql/undo.ts';
import { readMeta, readRecordMeta, writeRecordMeta } from '../meta.ts';
import { graphState, type NoteChange, revise, stampOf } from './records.ts';

export interface SqliteUndoTable extends UndoTable {
  /** The identity numbers before an import that was undone and is not published yet; null at other times. */
  numbersBefore(): NumbersBefore | null;
  isInterrupted(): boolean;
}

interface UndoRow {
  row: number;
  /** Beginning of the sealed record that was put; null if the record was removed. */
  put: number | null;
  key: Buffer | null;
  ref: number | null;
  before: Buffer | null;
}

export function openUndoTable(db: Db, noteChange: NoteChange): SqliteUndoTable {
  const stampInJournal = db.prepare<[], string | null>('SELECT stamp FROM applied').pluck();
  const stampNotConfirmed = (): string | null => {
    const stamp = stampInJournal.get() ?? null;
    return stamp === readRecordMeta(db, 'applied_whole') ? null : stamp;
  };
  let isWatching = false;
  let isUsed = false;
  let numbers: NumbersBefore | null = null;
  return {
    onClear: () => forgetNumbers(db),
    onBegin() {
      watchNumbers(db);
      isWatching = true;
    },
    restoreRecords() {
      const [stored, before] = [numbersBefore(db), graphState(db)];
      const { restored, removed, left, rowNow } = restoreAll(db);
      const rows: ChangedRow[] = [...restored.map((row): ChangedRow => [row, null]), ...removed];
      noteChange({ rows, before, after: revise(db, rows) });
      numbers = inTheirRows(stored, rowNow);
      return Promise.resolve({ removed: removed.length, restored: restored.length, left });
    },
    numbersBefore() {
      isUsed = true;
      return numbers;
    },
    end() {
      if (isUsed) numbers = null;
      isUsed = false;
      if (isWatching) endWatch(db);
      isWatching = false;
      db.prepare('UPDATE applied SET stamp = ? WHERE stamp IS NULL').run(readRecordMeta(db, 'link_stamp'));
    },
    confirm() {
      const stamp = stampNotConfirmed();
      if (stamp !== null && stamp === readMeta(db, 'link_stamp')) writeRecordMeta(db, 'applied_whole', stamp);
    },
    reset: () => void (numbers = null),
    isInterrupted() {
      const stamp = stampNotConfirmed();
      if (stamp === null) return false;
      return stamp === readRecordMeta(db, 'link_stamp') && stamp !== readMeta(db, 'link_stamp');
    },
  };
}

interface Restored {
  restored: number[];
  /** Rows that were removed again, and the identities that they had. */
  removed: ChangedRow[];
  /** Number of rows that changed since the import, and stay as they are. */
  left: number;
  /** Of records that the import removed, the row that each has now, if it is another row; null if the record is not there. */
  rowNow: Map<number, number | null>;
}

function restoreAll(db: Db): Restored {
  const all: Restored = { restored: [], removed: [], left: 0, rowNow: new Map() };
  const restore = restorer(db);
  const page = db.prepare<[number], UndoRow>('SELECT * FROM undo WHERE row > ? ORDER BY row LIMIT 500');
  for (let rows = page.all(-1); rows.length > 0; rows = page.all(rows.at(-1)?.row ?? 0))
    for (const one of rows) {
      const result = restore(one);
      const row = typeof result === 'object' && 'restored' in result ? result.restored : null;
      if (one.put === null && row !== one.row) all.rowNow.set(one.row, row);
      if (result === 'left') all.left++;
      else if ('restored' in result) all.restored.push(result.restored);
      else all.removed.push([one.row, result.identity]);
    }
  return all;
}

/** Restores one row, unless it changed since the import. */
function restorer(db: Db) {
  const there = db.prepare<[number], { sealed: Buffer }>('SELECT sealed FROM record WHERE id = ?');
  const known = db.prepare<[Buffer], number>('SELECT 1 FROM record WHERE key = ?').pluck();
  const remove = db
    .prepare<[number], number | null>('DELETE FROM record WHERE id = ? RETURNING identity')
    .pluck();
  const replace = db.prepare('UPDATE record SET sealed = ? WHERE id = ?');
  const insert = db.prepare('INSERT INTO record (id, key, ref, sealed) VALUES (?, ?, ?, ?)');
  return ({
    row,
    put,
    key,
    ref,
    before,
  }: UndoRow): 'left' | { restored: number } | { identity: number | null } => {
    const now = there.get(row);
    if (put === null) {
      if (!key || known.get(key) !== undefined) return 'left';
      const { lastInsertRowid } = insert.run(now ? null : row, key, ref, before);
      return { restored: Number(lastInsertRowid) };
    }
    if (!now || stampOf(now.sealed) !== put) return 'left';
    if (before === null) return { identity: remove.get(row) ?? null };
    replace.run(before, row);
    return { restored: row };
  };
}

// Which identity each record had before the last import, and where numbers led: so that taking it back gives them their numbers again.
/** What is kept of an identity is the first thing: an import may publish more than once. */
const KEPT_ROW = `INSERT INTO undo_number SELECT old.id, old.identity
  WHERE old.identity IS NOT NULL AND NOT EXISTS (SELECT 1 FROM undo_number WHERE row = old.id)`;
const keptHeir = (row: 'old' | 'new') => `INSERT INTO undo_heir
  SELECT ${row}.number, (SELECT heir FROM merged WHERE number = ${row}.number)
  WHERE NOT EXISTS (SELECT 1 FROM undo_heir WHERE number = ${row}.number)`;

const WATCH = `
CREATE TEMP TRIGGER IF NOT EXISTS number_changed BEFORE UPDATE OF identity ON main.record BEGIN ${KEPT_ROW}; END;
CREATE TEMP TRIGGER IF NOT EXISTS number_gone BEFORE DELETE ON main.record BEGIN ${KEPT_ROW}; END;
CREATE TEMP TRIGGER IF NOT EXISTS heir_put BEFORE INSERT ON main.merged BEGIN ${keptHeir('new')}; END;
CREATE TEMP TRIGGER IF NOT EXISTS heir_gone BEFORE DELETE ON main.merged BEGIN ${keptHeir('old')}; END;
CREATE TEMP TRIGGER IF NOT EXISTS bore_gone BEFORE DELETE ON main.bore BEGIN INSERT OR IGNORE INTO undo_bore VALUES (old.number, old.row); END;
`;
const NAMES = ['number_changed', 'number_gone', 'heir_put', 'heir_gone', 'bore_gone'];

/** From here to `endWatch` numbers are kept as they were; inside a transaction, which takes it back where it fails. */
function watchNumbers(db: Db): void {
  forgetNumbers(db);
  db.exec(WATCH);
}

function endWatch(db: Db): void {
  for (const name of NAMES) db.exec(`DROP TRIGGER IF EXISTS temp.${name}`);
}

function forgetNumbers(db: Db): void {
  db.exec('DELETE FROM undo_number; DELETE FROM undo_heir; DELETE FROM undo_bore');
}

function numbersBefore(db: Db): NumbersBefore {
  const pairs = <T>(sql: string) => db.prepare<[], [number, T]>(sql).raw().all();
  return {
    rows: new Map(pairs<number>('SELECT row, identity FROM undo_number')),
    heirs: new Map(pairs<number | null>('SELECT number, heir FROM undo_heir')),
    previousNumbers: pairs<number>('SELECT row, number FROM undo_bore'),
  };
}

/** @param rowNow of records that were taken out and are in another row now: which; null where they are in none. Their rows may be others’. */
function inTheirRows(
  { rows, heirs, previousNumbers }: NumbersBefore,
  rowNow: ReadonlyMap<number, number | null>,
): NumbersBefore {
  const moved = (row: number) => (rowNow.has(row) ? (rowNow.get(row) ?? null) : row);
  const there = <T>(pairs: Iterable<[row: number, T]>) =>
    Array.from(pairs).flatMap(([row, it]): [number, T][] => {
      const now = moved(row);
      return now === null ? [] : [[now, it]];
    });
  return { rows: new Map(there(rows)), heirs, previousNumbers: there(previousNumbers) };
}
