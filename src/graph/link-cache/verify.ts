// Compares the link cache with the results of linking all records again.
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { countPairsByComparisonPattern } from '../../link/statistics/comparison-patterns.ts';
import { encodeLinkCacheRecordAsNumbers } from '../../link/statistics/link-cache-record.ts';
import type { Db } from '../../platform/sqlite.ts';
import type { DataCipher } from '../encryption/cipher.ts';
import type { PairsFoundByLinking, LinkCacheBuilder } from '../linking.ts';
import { createInvariantCounter, type GraphInvariantResult, type LinkCacheVerifier } from '../verifying.ts';
import { createBlockingKeyCollector } from './builder.ts';
import { openLinkingDataTable } from './facts.ts';
import { createDamagedLinkCacheError, readLinkCacheMetadataJson, bytesToNumbers } from './link-file.ts';
import { type ValueWithRecordCount, openRecentLinkCacheChanges } from './recent-changes.ts';
import {
  compareByKeyPersonAndRow,
  createTableRowComparison,
  iterateLinkingKeyEntries,
  iterateRowsByPage,
  mergeSortedIterators,
} from './verify-entries.ts';

type Check = (isEqual: boolean, times?: number) => void;
type LinkingResult = Parameters<LinkCacheBuilder['finish']>[0];

/**
 * Creates a verifier that compares the link cache with the results of linking all records again, without changing the file.
 * @param db link cache file, in a read transaction
 * @param unlessDamaged runs the given work; returns null if the file was damaged and therefore deleted
 */
export function createLinkCacheVerifier(
  db: Db,
  cipher: DataCipher,
  unlessDamaged: <T>(work: () => T) => T | null,
): LinkCacheVerifier {
  const facts = createInvariantCounter('the cached linking data of a record equals that of the record');
  const holders = createInvariantCounter('cached records of a key equal the records that have the key');
  const table = openLinkingDataTable(db, cipher);
  const recent = openRecentLinkCacheChanges(db, table.getFacts);
  recent.load();
  const keys = createBlockingKeyCollector(dirname(db.name));
  let result: LinkingResult | undefined;
  let isDeleted = false;
  /** Runs work on the link cache file. Returns null if the file was damaged and therefore deleted. */
  const run = <T extends {} | void>(work: () => T): T | null => {
    const done = isDeleted ? null : unlessDamaged(() => ({ value: work() }));
    isDeleted = done === null;
    return done && done.value;
  };
  return {
    add(row, recordFacts, numbers) {
      run(() => {
        const cached = table.getFacts(row);
        facts.check(
          cached !== null && isDeepStrictEqual(encodeLinkCacheRecordAsNumbers(cached), [...numbers]),
        );
      });
      keys.add(row, recordFacts);
    },
    *groups() {
      const comparison = run(() => {
        const entries = iterateLinkingKeyEntries(db, recent.listEntries(), holders.check);
        return createTableRowComparison(
          entries,
          { order: compareByKeyPersonAndRow, same: () => true },
          holders.check,
        );
      });
      for (const piece of keys.pieces()) {
        run(() => piece.addHolders((key, person, row) => comparison?.expect([key, person, row])));
        yield piece.groups();
      }
      run(() => comparison?.end());
      keys.drop();
    },
    finish: (linked) => (result = linked),
    listInvariants: (settled) =>
      run(() => {
        facts.check(false, table.count() - facts.counted.of);
        if (!result) throw new Error('listInvariants was called before the records were linked');
        const { counts, totals, globals, pairs } = result;
        const invariants = [facts.counted, holders.counted, compareCounts(db, counts, recent.listCounts())];
        invariants.push(compareMeta(db, 'totals', totals, 'cached totals equal those of all records'));
        if (!settled) return invariants;
        const weights = 'cached pairs were weighed with the current frequencies and error rates';
        return [
          ...invariants,
          compareMeta(db, 'globals', JSON.parse(globals), weights),
          ...comparePairs(db, pairs),
        ];
      }),
  };
}

/**
 * Throws if SQLite cannot read the whole link cache file, or if look-up keys in it cannot be decoded. Errors: that of `createDamagedLinkCacheError`;
 * those of SQLite.
 */
export function requireReadableLinkCacheFile(db: Db): void {
  if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw createDamagedLinkCacheError();
  for (const keys of db.prepare<[], Buffer>('SELECT keys FROM published').pluck().iterate())
    bytesToNumbers(keys);
}

function compareMeta(db: Db, name: 'totals' | 'globals', value: unknown, says: string): GraphInvariantResult {
  const { check, counted } = createInvariantCounter(says);
  check(isDeepStrictEqual(readLinkCacheMetadataJson(db, name), value));
  return counted;
}

/**
 * Compares the stored numbers of records that have each value with the expected numbers.
 * @param recent recently changed numbers, which replace the stored ones
 */
function compareCounts(
  db: Db,
  counts: LinkingResult['counts'],
  recent: ValueWithRecordCount[],
): GraphInvariantResult {
  const { check, counted } = createInvariantCounter('cached frequencies of keys equal their frequencies');
  const same = (a: ValueWithRecordCount, b: ValueWithRecordCount) => a[2] === b[2];
  const comparison = createTableRowComparison(iterateCounts(db, recent), { order: compareKeys, same }, check);
  for (const [what, tally] of counts)
    for (const [key, count] of tally.entries()) comparison.expect([what, key, count]);
  comparison.end();
  return counted;
}

const compareKeys = (a: ValueWithRecordCount, b: ValueWithRecordCount) => a[0] - b[0] || a[1] - b[1];

function* iterateCounts(db: Db, recent: ValueWithRecordCount[]): Generator<ValueWithRecordCount> {
  const select = db
    .prepare<[number, number], ValueWithRecordCount>(
      'SELECT what, key, count FROM tally WHERE (what, key) > (?, ?) ORDER BY what, key LIMIT 2000',
    )
    .raw();
  const stored = iterateRowsByPage<ValueWithRecordCount>((after) => {
    const [what, key] = after ?? [-1, Number.MIN_SAFE_INTEGER];
    return select.all(what, key);
  }, compareKeys);
  let last: ValueWithRecordCount | undefined;
  for (const current of mergeSortedIterators(recent.sort(compareKeys).values(), stored, compareKeys)) {
    const isReplaced = last !== undefined && compareKeys(last, current) === 0;
    if (!isReplaced && current[2] > 0) yield current;
    last = current;
  }
}

function comparePairs(db: Db, { joined, measured }: PairsFoundByLinking): GraphInvariantResult[] {
  const joins = createInvariantCounter(
    'cached joined pairs and their weights equal those of linking all records',
  );
  const patterns = createInvariantCounter('cached pairs for error rates equal those of linking all records');
  compareBothDirections(db, { table: 'joined', column: 'bits', pairs: joined }, joins.check);
  compareBothDirections(db, { table: 'measured', column: 'pattern', pairs: measured }, patterns.check);
  const expected = countPairsByComparisonPattern(measured);
  const stored = new Map(db.prepare<[], [number, number]>('SELECT pattern, pairs FROM pattern').raw().all());
  for (const pattern of new Set([...expected.keys(), ...stored.keys()]))
    patterns.check(expected.get(pattern) === stored.get(pattern));
  return [joins.counted, patterns.counted];
}

interface PairTable {
  table: 'joined' | 'measured';
  column: 'bits' | 'pattern';
  pairs: Iterable<[a: number, b: number, value: number]>;
}

function compareBothDirections(db: Db, { table, column, pairs }: PairTable, check: Check): void {
  const select = db
    .prepare<[number, number], number>(`SELECT ${column} FROM ${table} WHERE a = ? AND b = ?`)
    .pluck();
  let expected = 0;
  for (const [a, b, value] of pairs)
    for (const stored of [select.get(a, b), select.get(b, a)]) {
      expected++;
      check(stored === value);
    }
  const all = db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  check(false, all - expected);
}
