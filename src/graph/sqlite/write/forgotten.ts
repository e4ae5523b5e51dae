import type { StoredRecord } from '../../../link/stored.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { Fingerprints } from '../../encryption/fingerprints.ts';
import {
  suppressionMarksOf,
  recordUnderSecret,
  type SuppressionMatch,
  matchSuppressionUnderSecrets,
} from '../../suppression.ts';

/** Who was erased and is kept out. */
export interface ForgottenTable {
  bar(marks: Buffer[], time: number): void;
  /** Keeps those out again whom `admit` let in. */
  barAgain(returned: readonly Returned[]): void;
  barred(): number;
  /** See `Admitted`. Where they may return all are let in, and nothing keeps these out any more. */
  admit(records: StoredRecord[], allowReturn: boolean): Admitted;
  /** What would become of records, were they put in. */
  ask(records: StoredRecord[]): Asked;
}

export interface Asked {
  /** How many would be kept out. */
  barred: number;
  /** How many of the others have an e-mail or a phone of somebody who is. */
  alike: number;
}

export interface Admitted {
  /** Those of the records that are not kept out. */
  records: StoredRecord[];
  /** How many of these have an e-mail or a phone of somebody who is. */
  alike: number;
  /** What kept some of them out, and does no more. */
  returned: Returned[];
}

/** A mark in hex, and when it was made. */
export type Returned = [mark: string, time: number];

/** @param all fingerprints: those of now, then those under earlier secrets */
export function forgottenTable(db: Db, all: readonly Fingerprints[]): ForgottenTable {
  const insert = db.prepare('INSERT OR REPLACE INTO forgotten VALUES (?, ?)');
  const known = db.prepare<[Buffer]>('SELECT 1 FROM forgotten WHERE mark = ?');
  const gone = db.prepare<[Buffer], number>('DELETE FROM forgotten WHERE mark = ? RETURNING time').pluck();
  const any = db.prepare('SELECT 1 FROM forgotten LIMIT 1');
  const count = db.prepare<[], number>('SELECT count(*) FROM forgotten').pluck();
  const isKnown = (mark: Buffer) => known.get(mark) !== undefined;
  return {
    bar(marks, time) {
      for (const mark of marks) insert.run(mark, time);
    },
    barAgain(returned) {
      for (const [mark, time] of returned) insert.run(Buffer.from(mark, 'hex'), time);
    },
    barred: () => count.get() ?? 0,
    admit(records, allowReturn) {
      // Marks take a name apart: no import pays for that where nobody was erased.
      if (any.get() === undefined) return { records, alike: 0, returned: [] };
      const admitted: Admitted = { records: [], alike: 0, returned: [] };
      for (const record of records) {
        const is = matchSuppressionUnderSecrets(record, all, isKnown);
        if (is === 'alike') admitted.alike++;
        if (is === 'forgotten' && !allowReturn) continue;
        if (is === 'forgotten')
          for (const mark of marksUnder(record, all)) {
            const time = gone.get(mark);
            if (time !== undefined) admitted.returned.push([mark.toString('hex'), time]);
          }
        admitted.records.push(record);
      }
      return admitted;
    },
    ask(records) {
      const found = records.map((record) => matchSuppressionUnderSecrets(record, all, isKnown));
      const countOf = (wanted: SuppressionMatch) => found.filter((is) => is === wanted).length;
      return { barred: countOf('forgotten'), alike: countOf('alike') };
    },
  };
}

const marksUnder = (record: StoredRecord, [now, ...earlier]: readonly Fingerprints[]): Buffer[] => [
  ...(now ? suppressionMarksOf([record], now) : []),
  ...earlier.flatMap((one) => suppressionMarksOf([recordUnderSecret(record, one)], one)),
];
