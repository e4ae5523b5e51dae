import type { StoredRecord } from '../../../link/stored.ts';
import type { Fingerprints } from '../../encryption/fingerprints.ts';
import { suppressionMarksOf, type SuppressionMatch, matchSuppression } from '../../suppression.ts';
import { binaryRows } from '../copy.ts';
import type { Session } from '../session.ts';

/** A mark in hex, and when it was made. */
export type Returned = [mark: string, time: number];

/** Who was erased and is kept out. What changes it is called inside `alone` of the session. */
export interface ForgottenTable {
  bar(marks: [mark: Buffer, time: number][]): Promise<void>;
  barred(): Promise<number>;
  all(): Promise<[mark: Buffer, time: number][]>;
  /** What is to be thought of each of these records; see `returnOf`. */
  ask(records: StoredRecord[]): Promise<SuppressionMatch[]>;
  /** Nothing keeps these out any more. Answers what did, marks in hex with their times. */
  allow(records: StoredRecord[]): Promise<Returned[]>;
}

const ANY =
  'SELECT encode(mark, $2) FROM bonafide.forgotten WHERE mark IN (SELECT decode(one, $2) FROM unnest($1::text[]) one)';
const GONE =
  'DELETE FROM bonafide.forgotten WHERE mark IN (SELECT decode(one, $2) FROM unnest($1::text[]) one) RETURNING encode(mark, $2), time';
const BAR = `
INSERT INTO bonafide.forgotten SELECT mark, time FROM pg_temp.marks ON CONFLICT (mark) DO UPDATE SET time = excluded.time`;

const hex = (mark: Buffer) => mark.toString('hex');
const hexList = (marks: Iterable<string>): [string, string] => [`{${[...marks].join()}}`, 'hex'];

export function forgottenTable(session: Session, fingerprints: Fingerprints): ForgottenTable {
  return {
    async bar(marks) {
      await session.query('CREATE TEMPORARY TABLE marks (mark bytea, time bigint) ON COMMIT DROP');
      await session.copy('pg_temp.marks', binaryRows(marks));
      await session.query(BAR);
      await session.query('DROP TABLE pg_temp.marks');
    },
    barred: async () => Number((await session.query('SELECT count(*) FROM bonafide.forgotten'))[0]?.[0] ?? 0),
    all() {
      return session.query<[Buffer, number]>('SELECT mark, time FROM bonafide.forgotten');
    },
    async ask(records) {
      /** Of the marks that were asked for: whether each is there. */
      const known = new Map<string, boolean>();
      for (;;) {
        const wanted = new Set<string>();
        const isKnown = (mark: Buffer) => {
          const name = hex(mark);
          if (!known.has(name)) wanted.add(name);
          return known.get(name) ?? false;
        };
        const found = records.map((record) => matchSuppression(record, fingerprints, isKnown));
        if (wanted.size === 0) return found;
        // Which marks are asked for goes by which are there: another round, three at most.
        for (const one of wanted) known.set(one, false);
        for (const [one] of await session.query<[string]>(ANY, hexList(wanted))) known.set(one, true);
      }
    },
    async allow(records) {
      const marks = records.flatMap((record) => suppressionMarksOf([record], fingerprints));
      if (marks.length === 0) return [];
      return session.query<Returned>(GONE, hexList(marks.map(hex)));
    },
  };
}
