// What changes while all records are linked anew: noted beside the records, so that it is linked with what comes of that.
import { randomBytes } from 'node:crypto';
import { onceFor } from '../../../platform/sqlite.ts';
import type { Db } from '../../../platform/sqlite.ts';
import { readRecordMeta, writeRecordMeta } from '../meta.ts';

/** From here on every row that changes is noted, for who began last. Answers by what that is known. */
export function followChanges(db: Db): string {
  const token = randomBytes(16).toString('hex');
  const begin = () => {
    db.exec('DELETE FROM late');
    writeRecordMeta(db, 'linking', token);
  };
  db.transaction(begin).immediate();
  return token;
}

/** Notes rows where somebody asked for it. Inside the transaction that changes them. */
export function noteLate(db: Db, rows: Iterable<number>): void {
  if (!isFollowed(db)) return;
  const note = noting(db);
  for (const row of rows) note.run(row);
}

const isFollowed = (db: Db) => (readRecordMeta(db, 'linking') ?? '') !== '';
const noting = onceFor((db) => db.prepare('INSERT OR IGNORE INTO late VALUES (?)'));

/** Have all changes been noted since `followChanges` answered this? */
export function areNoted(db: Db, token: string | null): boolean {
  return token !== null && readRecordMeta(db, 'linking') === token;
}

/** The rows that changed, which are noted no more. */
export function takeLate(db: Db): number[] {
  const rows = db.prepare<[], number>('SELECT row FROM late ORDER BY row').pluck().all();
  db.exec('DELETE FROM late');
  writeRecordMeta(db, 'linking', '');
  return rows;
}
