import type { StoredRecord } from '../../../link/stored.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { Fingerprints } from '../../fingerprints.ts';
import { marksOf } from '../../marks.ts';

/** Who was erased and is kept out. */
export interface ForgottenTable {
  bar(marks: Buffer[], time: number): void;
  barred(): number;
  /** Those of the records that are not kept out; all of them where they may return, and then nothing keeps these out any more. */
  admit(records: StoredRecord[], allowReturn: boolean): StoredRecord[];
}

export function forgottenTable(db: Db, fingerprints: Fingerprints): ForgottenTable {
  const insert = db.prepare('INSERT OR REPLACE INTO forgotten VALUES (?, ?)');
  const known = db.prepare<[Buffer]>('SELECT 1 FROM forgotten WHERE mark = ?');
  const gone = db.prepare('DELETE FROM forgotten WHERE mark = ?');
  const any = db.prepare('SELECT 1 FROM forgotten LIMIT 1');
  const count = db.prepare<[], number>('SELECT count(*) FROM forgotten').pluck();
  return {
    bar(marks, time) {
      for (const mark of marks) insert.run(mark, time);
    },
    barred: () => count.get() ?? 0,
    admit(records, allowReturn) {
      // Marks take a name apart: no import pays for that where nobody was erased.
      if (any.get() === undefined) return records;
      if (allowReturn)
        for (const record of records) for (const mark of marksOf(record, fingerprints)) gone.run(mark);
      return records.filter((record) =>
        marksOf(record, fingerprints).every((mark) => known.get(mark) === undefined),
      );
    },
  };
}
