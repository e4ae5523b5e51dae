import type { StoredRecord } from '../../link/stored-record.ts';
import type { Awaitable } from '../../model.ts';
import type { GraphErasureOperations } from '../capabilities.ts';
import type { FingerprintFunctionsOfAllSecrets } from '../encryption/fingerprints.ts';
import {
  matchRecordWithSuppressionList,
  toSuppressibleRecord,
  type SuppressionMatch,
  computeSuppressionMarks,
} from '../suppression.ts';
import type { SqlSession } from './session.ts';

/** Mark of the suppression list (keyed hash that recognises an erased person), and the time of the erasure in milliseconds since 1970. */
export type TimedSuppressionMark = [mark: Buffer, time: number];

export interface SuppressionList {
  count(): Promise<number>;
  list(): Awaitable<TimedSuppressionMark[]>;
  /** Adds marks to the list. Call it inside a transaction. */
  add(marks: readonly TimedSuppressionMark[]): Awaitable<void>;
  check(
    records: readonly StoredRecord[],
    fingerprints: FingerprintFunctionsOfAllSecrets,
  ): Promise<SuppressionMatch[]>;
  countMatches: GraphErasureOperations['checkSuppressed'];
  /** Removes all marks of these records, so that their people can be imported again. Returns the marks. Call it inside a transaction. */
  lift(
    records: readonly StoredRecord[],
    fingerprints: FingerprintFunctionsOfAllSecrets,
  ): Promise<TimedSuppressionMark[]>;
}

const TABLE = { name: 'forgotten', columns: ['mark', 'time'], key: ['mark'] };

/** Opens the suppression list of a graph. */
export function createSuppressionList(
  session: SqlSession,
  readAllFingerprints: () => Promise<FingerprintFunctionsOfAllSecrets>,
): SuppressionList {
  const IS_ONE = `mark ${session.isInHex('$1')}`;
  const check: SuppressionList['check'] = async (records, fingerprints) => {
    const known = new Map<string, boolean>();
    for (;;) {
      const missing = new Set<string>();
      const isKnown = (mark: Buffer) => {
        const hex = mark.toString('hex');
        if (!known.has(hex)) missing.add(hex);
        return known.get(hex) ?? false;
      };
      const matches = records.map((record) => matchRecordWithSuppressionList(record, fingerprints, isKnown));
      if (missing.size === 0) return matches;
      // At most three rounds: which marks are looked up for a record depends on the marks found before.
      for (const hex of missing) known.set(hex, false);
      const text = `SELECT mark FROM forgotten WHERE ${IS_ONE}`;
      for (const [mark] of await session.query<[Buffer]>(text, [[...missing]]))
        known.set(mark.toString('hex'), true);
    }
  };
  return {
    check,
    async countMatches(records) {
      const matches = await check(records, await readAllFingerprints());
      const count = (wanted: SuppressionMatch) => matches.filter((match) => match === wanted).length;
      return { barred: count('forgotten'), alike: count('alike') };
    },
    async count() {
      const [row] = await session.query<[number]>('SELECT count(*) FROM forgotten');
      return row?.[0] ?? 0;
    },
    list: () => session.query<TimedSuppressionMark>('SELECT mark, time FROM forgotten'),
    add: (marks) => session.upsert(TABLE, [...marks]),
    async lift(records, fingerprints) {
      const marks = records.flatMap((record) => marksUnderSecrets(record, fingerprints));
      if (marks.length === 0) return [];
      const hex = marks.map((mark) => mark.toString('hex'));
      return session.query<TimedSuppressionMark>(
        `DELETE FROM forgotten WHERE ${IS_ONE} RETURNING mark, time`,
        [hex],
      );
    },
  };
}

const marksUnderSecrets = (
  record: StoredRecord,
  [present, ...earlier]: FingerprintFunctionsOfAllSecrets,
): Buffer[] => [
  ...computeSuppressionMarks([record], present),
  ...earlier.flatMap((one) => computeSuppressionMarks([toSuppressibleRecord(record, one)], one)),
];
