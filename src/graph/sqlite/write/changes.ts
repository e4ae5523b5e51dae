// Which rows changed while all records are linked, noted beside the records, so that those rows are linked again.
import { randomBytes } from 'node:crypto';
import type { Db } from '../../../platform/sqlite.ts';
import type { ChangeLog } from '../../sql/link-cache.ts';
import { readRecordMeta, writeRecordMeta } from '../meta.ts';
import { graphState } from './records.ts';

export function changeLogOn(db: Db): ChangeLog {
  return {
    state: () => graphState(db),
    catchUp: () => graphState(db),
    follow() {
      const token = randomBytes(16).toString('hex');
      const begin = () => {
        db.exec('DELETE FROM late');
        writeRecordMeta(db, 'linking', token);
      };
      db.transaction(begin).immediate();
      return token;
    },
    changedSince(token) {
      if (typeof token !== 'string' || readRecordMeta(db, 'linking') !== token) return null;
      const rows = db.prepare<[], number>('SELECT row FROM late ORDER BY row').pluck().all();
      db.exec('DELETE FROM late');
      writeRecordMeta(db, 'linking', '');
      return rows;
    },
  };
}
