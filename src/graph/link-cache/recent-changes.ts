// Recent changes of the link cache: records by linking key, and numbers of records by fingerprint. They stay in memory and are written to their
// tables one range of keys at a time. The linking keys of one record are on different pages of the file, so writing them at once would write two
// dozen pages for each record.
import type { LinkCacheRecord } from '../../link/statistics/link-cache-record.ts';
import type { Db } from '../../platform/sqlite.ts';
import { compareByPersonAndRow, type RecordWithLinkingKey, forEachLinkingKey } from './records-by-key.ts';
import {
  numbersToBytes,
  readLinkCacheMetadataJson,
  bytesToFloats,
  writeLinkCacheMetadata,
} from './link-file.ts';

/**
 * Number of ranges of keys. Each changed record moves the recent changes of one range to the tables. So the changes of about this many records (3 KB
 * each) stay in memory.
 */
const RANGES = 8192;
/**
 * Number of ranges that are written between two clean-ups of the tables `young` and `young_count`. A clean-up deletes changes that are in the other
 * tables already.
 */
const PRUNE_EVERY = 64;

/** Number of records that have one value, such as a name: kind of the value (`what`, see `COUNT_TYPES`), its fingerprint, and the number. */
export type ValueWithRecordCount = [what: number, key: number, count: number];

interface RangeChanges {
  holders: Map<number, RecordWithLinkingKey[]>;
  /** New numbers of records that have a value, by the kind of the value (`COUNT_TYPES`) and its fingerprint. Only numbers that changed recently. */
  counts: Map<number, Map<number, number>>;
}

export interface RecentLinkCacheChanges {
  /** Reads the recent changes from the file again. Needed after a rollback, or after another connection has changed the file. */
  load(): void;
  listHolders(key: number): RecordWithLinkingKey[];
  /** Returns the number of records that have a value, by its kind (`what`) and fingerprint (`key`); undefined if it did not change recently. */
  getCount(what: number, key: number): number | undefined;
  setCount(what: number, key: number, count: number): void;
  addFacts(row: number, facts: LinkCacheRecord): void;
  /** Removes one record of a linking key from the recent changes. Returns false if they do not contain it. */
  removeEntry(key: number, holder: RecordWithLinkingKey): boolean;
  forgetRow(row: number): void;
  /** Saves the recent changes in the file, and moves some older ones to the tables of the link cache. */
  save(): void;
  mergeAll(): void;
  listEntries(): [key: number, person: number, row: number][];
  listCounts(): ValueWithRecordCount[];
}

interface RecentChangesOptions {
  onMerge?: (keys: number[]) => void;
  ranges?: number;
}

/**
 * Opens the recent changes of a link cache. Call `load` before the first use.
 * @param factsOf returns the stored linking data of a row
 */
export function openRecentLinkCacheChanges(
  db: Db,
  factsOf: (row: number) => LinkCacheRecord | null,
  { onMerge = () => undefined, ranges = RANGES }: RecentChangesOptions = {},
): RecentLinkCacheChanges {
  const rangeWidth = 2 ** 52 / ranges;
  const rangeOf = (key: number) => Math.floor(Math.abs(key) / rangeWidth) % ranges;
  const changes = new Map<number, RangeChanges>();
  const tables = openRecentTables(db);
  /** Number of times that a range was written to the tables since the file was created. Each change is stored with the value at which it was made. */
  let step = 0;
  /** Rows that changed since the last `save`: true for a changed row, false for a removed row. */
  const unsavedRows = new Map<number, boolean>();
  const unsavedCounts = new Map<string, ValueWithRecordCount>();

  const changesFor = (key: number): RangeChanges => {
    const range = rangeOf(key);
    let known = changes.get(range);
    if (!known) changes.set(range, (known = { holders: new Map(), counts: new Map() }));
    return known;
  };
  const addHolder = (key: number, holder: RecordWithLinkingKey) => {
    const { holders } = changesFor(key);
    const known = holders.get(key);
    if (!known) return void holders.set(key, [holder]);
    const at = known.findIndex((other) => compareByPersonAndRow(other, holder) > 0);
    known.splice(at < 0 ? known.length : at, 0, holder);
  };
  const putCount = (what: number, key: number, count: number) => {
    const { counts } = changesFor(key);
    const known = counts.get(what);
    if (known) known.set(key, count);
    else counts.set(what, new Map([[key, count]]));
  };
  const mergeRange = (range: number) => {
    const merged = changes.get(range);
    if (!merged) return;
    const { holders, counts } = merged;
    onMerge([...holders.keys(), ...[...counts.values()].flatMap((byKey) => [...byKey.keys()])]);
    for (const [key, all] of sortByKey(holders))
      for (const { row, person } of all) tables.insertHolder(key, person, row);
    for (const [what, byKey] of sortByKey(counts))
      for (const [key, count] of sortByKey(byKey)) tables.setCount(what, key, count);
    changes.delete(range);
  };
  const mergeNextRange = () => {
    mergeRange(++step % ranges);
    if (step % PRUNE_EVERY === 0) tables.prune(step - ranges);
  };
  const saveStep = () => writeLinkCacheMetadata(db, 'fold', JSON.stringify({ step }));
  const save = () => {
    for (const [row, isChanged] of unsavedRows) tables.setRow(row, isChanged ? step : null);
    if (unsavedCounts.size > 0) tables.addCounts(step, [...unsavedCounts.values()]);
    for (let due = Math.min(ranges, unsavedRows.size); due > 0; due--) mergeNextRange();
    unsavedRows.clear();
    unsavedCounts.clear();
    saveStep();
  };
  /** True if the change of a key at step `since` is not in the tables yet. */
  const isRecent = (key: number, since: number) => {
    const first = since + 1;
    return first + ((((rangeOf(key) - first) % ranges) + ranges) % ranges) > step;
  };
  return {
    load() {
      changes.clear();
      unsavedRows.clear();
      unsavedCounts.clear();
      ({ step } = { step: 0, ...(readLinkCacheMetadataJson(db, 'fold') as { step?: number }) });
      for (const [row, since] of tables.rows()) {
        const facts = factsOf(row);
        if (facts)
          forEachLinkingKey(facts, (key, person) => {
            if (isRecent(key, since)) addHolder(key, { row, person });
          });
      }
      for (const [since, counts] of tables.counts())
        for (const [what, key, count] of counts) if (isRecent(key, since)) putCount(what, key, count);
    },
    listHolders: (key) => changes.get(rangeOf(key))?.holders.get(key) ?? NO_HOLDERS,
    getCount: (what, key) => changes.get(rangeOf(key))?.counts.get(what)?.get(key),
    setCount(what, key, count) {
      putCount(what, key, count);
      unsavedCounts.set(`${what} ${key}`, [what, key, count]);
    },
    addFacts(row, facts) {
      if (unsavedRows.size >= ranges) save();
      forEachLinkingKey(facts, (key, person) => addHolder(key, { row, person }));
      unsavedRows.set(row, true);
    },
    removeEntry(key, holder) {
      const holders = changes.get(rangeOf(key))?.holders;
      const known = holders?.get(key) ?? NO_HOLDERS;
      const at = known.findIndex((other) => compareByPersonAndRow(other, holder) === 0);
      if (at < 0) return false;
      known.splice(at, 1);
      if (known.length === 0) holders?.delete(key);
      return true;
    },
    forgetRow: (row) => void unsavedRows.set(row, false),
    save,
    mergeAll() {
      if (tables.isEmpty()) return;
      for (let range = 0; range < ranges; range++) mergeNextRange();
      tables.prune(step - ranges);
      saveStep();
    },
    listEntries: () =>
      [...changes.values()].flatMap(({ holders }) =>
        [...holders].flatMap(([key, all]) =>
          all.map(({ row, person }): [number, number, number] => [key, person, row]),
        ),
      ),
    listCounts: () =>
      [...changes.values()].flatMap(({ counts }) =>
        [...counts].flatMap(([what, byKey]) =>
          Array.from(byKey, ([key, count]): ValueWithRecordCount => [what, key, count]),
        ),
      ),
  };
}

const NO_HOLDERS: RecordWithLinkingKey[] = [];

const sortByKey = <T>(byKey: Map<number, T>): [number, T][] => [...byKey].sort(([a], [b]) => a - b);

function openRecentTables(db: Db) {
  const rows = db
    .prepare<[], [row: number, since: number]>('SELECT row, since FROM young ORDER BY row')
    .raw();
  const putRow = db.prepare('INSERT OR REPLACE INTO young VALUES (?, ?)');
  const dropRow = db.prepare('DELETE FROM young WHERE row = ?');
  const counts = db
    .prepare<[], [since: number, counts: Buffer]>('SELECT since, counts FROM young_count ORDER BY id')
    .raw();
  const addCounts = db.prepare('INSERT INTO young_count (since, counts) VALUES (?, ?)');
  const pruneRows = db.prepare('DELETE FROM young WHERE since <= ?');
  // The rows of `young_count` are in the order of their steps, so this statement reads only the deleted rows and one more.
  const pruneCounts = db.prepare(
    'DELETE FROM young_count WHERE id < coalesce((SELECT id FROM young_count WHERE since > ? ORDER BY id LIMIT 1), 9e15)',
  );
  const any = db.prepare('SELECT 1 FROM young UNION ALL SELECT 1 FROM young_count LIMIT 1');
  const insertHolder = db.prepare('INSERT OR REPLACE INTO block VALUES (?, ?, ?)');
  const putCount = db.prepare('INSERT OR REPLACE INTO tally VALUES (?, ?, ?)');
  const dropCount = db.prepare('DELETE FROM tally WHERE what = ? AND key = ?');
  return {
    rows: () => rows.all(),
    /**
     * Notes that a row has changed.
     * @param since value of `step` when it changed; null if the row was removed
     */
    setRow: (row: number, since: number | null) =>
      since === null ? dropRow.run(row) : putRow.run(row, since),
    *counts(): Iterable<[since: number, counts: ValueWithRecordCount[]]> {
      for (const [since, bytes] of counts.all()) yield [since, parseCounts(bytes)];
    },
    addCounts: (since: number, all: ValueWithRecordCount[]) =>
      addCounts.run(since, numbersToBytes(all.flat())),
    prune(since: number) {
      pruneRows.run(since);
      pruneCounts.run(since);
    },
    isEmpty: () => any.get() === undefined,
    insertHolder: (key: number, person: number, row: number) => insertHolder.run(key, person, row),
    setCount: (what: number, key: number, count: number) =>
      count > 0 ? putCount.run(what, key, count) : dropCount.run(what, key),
  };
}

function parseCounts(bytes: Buffer): ValueWithRecordCount[] {
  const numbers = bytesToFloats(bytes);
  return Array.from({ length: Math.floor(numbers.length / 3) }, (_, i) => {
    const [what = 0, key = 0, count = 0] = numbers.subarray(3 * i, 3 * i + 3);
    return [what, key, count];
  });
}
