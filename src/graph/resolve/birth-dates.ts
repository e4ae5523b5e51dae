// Hashes of birth dates. They show that two identities with the same name are two people, without revealing the dates.
import { withCachePerFingerprintFunction } from '../../link/statistics/link-cache-record.ts';
import type { FingerprintFunctions } from '../encryption/fingerprints.ts';
import type { BirthDateHashes, GraphReader } from './reader.ts';

/** Maximum number of birth dates that are stored for one identity. Wrong records of one person can have different ones. */
const MAX_MARKS = 4;

/**
 * Returns the hash of a year, month or day of a birth date. There are only a few hundred of them, so a cache saves a tenth of the time for computing
 * identities.
 */
const hashDatePart = withCachePerFingerprintFunction(
  (part, fingerprint) => (fingerprint('birth', part) % 255) + 1,
);

export function toBirthDateHashes(
  records: readonly { birthDate: string | null }[],
  fingerprints: Pick<FingerprintFunctions, 'of'>,
): BirthDateHashes[] {
  const dates = new Set<string>();
  for (const { birthDate } of records) if (birthDate !== null) dates.add(birthDate);
  const mark = (part: string, text: string | undefined) =>
    text === undefined ? 0 : hashDatePart(`${part}|${text}`, fingerprints.of);
  return [...dates].slice(0, MAX_MARKS).map((date) => {
    const [year, month, day] = date.split('-');
    return [mark('year', year), mark('month', month), mark('day', day)];
  });
}

/**
 * Returns the pairs of identities whose birth dates show that they are two people. Dates that differ in only one part, or in the order of day and
 * month, may be typing errors and do not count.
 */
export function findPairsWithDifferentBirthDates(
  identities: readonly number[],
  { getBirthDateHashes }: Pick<GraphReader, 'getBirthDateHashes'>,
): number[][] {
  if (identities.length < 2) return [];
  const marks = identities.map((id) => [id, getBirthDateHashes(id)] as const);
  return marks.flatMap(([a, marksOfA], i) =>
    marks.slice(i + 1).flatMap(([b, marksOfB]): number[][] => {
      const isKnown = marksOfA.length > 0 && marksOfB.length > 0;
      return isKnown && marksOfA.every((x) => marksOfB.every((y) => areFarApart(x, y))) ? [[a, b]] : [];
    }),
  );
}

function areFarApart(a: BirthDateHashes, b: BirthDateHashes): boolean {
  const differs = (part: 0 | 1 | 2) => a[part] !== 0 && b[part] !== 0 && a[part] !== b[part];
  return differs(0) && (differs(1) || differs(2));
}
