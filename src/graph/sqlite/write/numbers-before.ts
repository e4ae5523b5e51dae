// Which identity each record had before the last import, and where numbers led: so that taking it back gives them their numbers again.
import type { Db } from '../../../platform/sqlite.ts';
import type { NumbersBefore } from '../../sql/publishing/previous-numbers.ts';

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
export function watchNumbers(db: Db): void {
  forgetNumbers(db);
  db.exec(WATCH);
}

export function endWatch(db: Db): void {
  for (const name of NAMES) db.exec(`DROP TRIGGER IF EXISTS temp.${name}`);
}

export function forgetNumbers(db: Db): void {
  db.exec('DELETE FROM undo_number; DELETE FROM undo_heir; DELETE FROM undo_bore');
}

export function numbersBefore(db: Db): NumbersBefore {
  const pairs = <T>(sql: string) => db.prepare<[], [number, T]>(sql).raw().all();
  return {
    rows: new Map(pairs<number>('SELECT row, identity FROM undo_number')),
    heirs: new Map(pairs<number | null>('SELECT number, heir FROM undo_heir')),
    previousNumbers: pairs<number>('SELECT row, number FROM undo_bore'),
  };
}

/** @param rowNow of records that were taken out and are in another row now: which; null where they are in none. Their rows may be others’. */
export function inTheirRows(
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
