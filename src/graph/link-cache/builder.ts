// Builds a new link cache (results of linking, for the next import) while all records are linked.
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import type { LinkCacheRecord } from '../../link/statistics/link-cache-record.ts';
import type { BlockingKeyGroup } from '../../link/candidate-pairs.ts';
import { type Db, createRowWriter } from '../../platform/sqlite.ts';
import type { DataCipher } from '../encryption/cipher.ts';
import { createBlockingKeySort, type KeyValueArrays } from '../external-sort.ts';
import type { LinkCacheBuilder } from '../linking.ts';
import { createLinkingDataPageWriter } from './facts.ts';
import {
  type AddLinkingKeyEntryFunction,
  compareByPersonAndRow,
  createLinkingKeyPageWriter,
  forEachLinkingKey,
  type RecordWithLinkingKey,
  NOT_COMPARED_SENTINEL,
} from './records-by-key.ts';
import {
  clearLinkCacheTables,
  type GraphState,
  readLinkCacheMetadata,
  runUnlessLinkCacheFileLocked,
  writeLinkCacheGraphState,
  writeLinkCacheMetadata,
} from './link-file.ts';
import { fillRecordPairTables } from './pairs.ts';

/** Builds the link cache file. It also stores the look-up keys of identities, so that the next linking needs to write only those that changed. */
export interface LinkCacheFileBuilder extends LinkCacheBuilder {
  /** Adds an identity to the file, with its look-up keys, encoded as in the table `published`. */
  addPublished(id: number, keys: Buffer): void;
  addRedirect(number: number, heir: number | null): void;
  /**
   * Marks the link cache file as complete.
   * @param changedRows rows of records that changed after this linking had read all records
   */
  complete(state: GraphState, changedRows: number[]): void;
  highestRow(): number;
}

/** Number of rows that one transaction writes, which limits the size of the write-ahead log. */
const BATCH_ROWS = 5000;

/**
 * Creates a builder that empties the link cache file and fills it in several transactions. Other processes ignore the file until `complete`. The
 * builder stops writing if another process begins to build the file.
 */
export function createLinkCacheFileBuilder(db: Db, cipher: DataCipher): LinkCacheFileBuilder {
  const token = randomBytes(16).toString('hex');
  let highestRow = 0;
  const begin = () => {
    clearLinkCacheTables(db);
    writeLinkCacheMetadata(db, 'builder', token);
    return true;
  };
  let isActive = runUnlessLinkCacheFileLocked(() => db.transaction(begin).immediate()) === true;
  /** Runs work in a transaction, unless another process has begun to build the file. */
  const write = (work: () => void) => {
    const run = () => {
      isActive &&= readLinkCacheMetadata(db, 'builder') === token;
      if (isActive) work();
      return true;
    };
    isActive =
      isActive && runUnlessLinkCacheFileLocked(() => db.transaction(run).immediate()) === true && isActive;
  };
  const factPages = createLinkingDataPageWriter(db, cipher);
  const facts = createBuffer<[number, Float64Array]>(write, (entry) => factPages.add(...entry));
  const keys = createBlockingKeyCollector(dirname(db.name));
  const insertPublished = db.prepare('INSERT INTO published VALUES (?, ?)');
  const insertRedirect = db.prepare('INSERT INTO redirect VALUES (?, ?)');
  const published = createBuffer<[number, Buffer]>(write, (entry) => insertPublished.run(...entry));
  const redirects = createBuffer<[number, number | null]>(write, (entry) => insertRedirect.run(...entry));
  return {
    add(row, recordFacts, numbers) {
      highestRow = Math.max(highestRow, row);
      facts.add([row, numbers]);
      keys.add(row, recordFacts);
    },
    *groups() {
      const pages = createLinkingKeyPageWriter(db);
      for (const piece of keys.pieces()) {
        write(() => {
          piece.addHolders(pages.add);
          pages.end();
        });
        yield piece.groups();
      }
      keys.drop();
    },
    finish({ counts, totals, globals, pairs }) {
      facts.flush();
      write(() => {
        factPages.end();
        const rows = createRowWriter(db, 'tally', 3);
        for (const [what, tally] of counts)
          for (const [key, count] of tally.entries()) rows.add(what, key, count);
        rows.end();
        writeLinkCacheMetadata(db, 'globals', globals);
        writeLinkCacheMetadata(db, 'totals', JSON.stringify(totals));
        fillRecordPairTables(db, pairs);
      });
    },
    addPublished: (id, publishedKeys) => published.add([id, publishedKeys]),
    addRedirect: (number, heir) => redirects.add([number, heir]),
    complete(state, changedRows) {
      published.flush();
      redirects.flush();
      write(() => {
        const insert = db.prepare('INSERT OR REPLACE INTO pending VALUES (?, NULL)');
        for (const row of changedRows) insert.run(row);
        writeLinkCacheGraphState(db, state);
      });
    },
    highestRow: () => highestRow,
  };
}

/** Creates a buffer of entries, which writes `BATCH_ROWS` of them in one transaction. */
function createBuffer<T>(transaction: (work: () => void) => void, write: (entry: T) => void) {
  let entries: T[] = [];
  const flush = () => {
    transaction(() => entries.forEach(write));
    entries = [];
  };
  return {
    add(entry: T) {
      entries.push(entry);
      if (entries.length >= BATCH_ROWS) flush();
    },
    flush,
  };
}

/**
 * Creates a temporary sorter for the blocking keys of all records. Afterwards it returns the records with each key, and the groups of records to
 * compare.
 */
export function createBlockingKeyCollector(folder: string) {
  // A sorted value is twice the row, plus 1 if records are not compared because of the key.
  const sort = createBlockingKeySort(folder);
  const persons: number[] = [];
  return {
    add(row: number, facts: LinkCacheRecord) {
      persons[row] = facts.person;
      forEachLinkingKey(facts, (key, person) =>
        sort.add(key, person === NOT_COMPARED_SENTINEL ? 2 * row + 1 : 2 * row),
      );
    },
    *pieces(): Iterable<{ addHolders(add: AddLinkingKeyEntryFunction): void; groups(): BlockingKeyGroup[] }> {
      for (const piece of sort.sortedPieces())
        yield { addHolders: (add) => addHolders(piece, persons, add), groups: () => comparedGroups(piece) };
    },
    drop: sort.drop,
  };
}

const isCompared = (value: number) => value % 2 === 0;

function addHolders(
  { keys, values }: KeyValueArrays,
  persons: number[],
  add: AddLinkingKeyEntryFunction,
): void {
  const personOf = (value: number) =>
    isCompared(value) ? (persons[value >>> 1] ?? 0) : NOT_COMPARED_SENTINEL;
  for (let from = 0, to = 1; from < keys.length; from = to++) {
    const key = keys[from] ?? 0;
    while (keys[to] === key) to++;
    // The usual case: a key with one holder.
    if (to - from === 1) {
      const value = values[from] ?? 0;
      add(key, personOf(value), value >>> 1);
      continue;
    }
    const holders: RecordWithLinkingKey[] = [];
    for (let i = from; i < to; i++) {
      const value = values[i] ?? 0;
      holders.push({ row: value >>> 1, person: personOf(value) });
    }
    for (const { person, row } of holders.sort(compareByPersonAndRow)) add(key, person, row);
  }
}

/** Returns the groups of at least two records that share a blocking key, so that they are compared. */
function comparedGroups({ keys, values }: KeyValueArrays): BlockingKeyGroup[] {
  const groups: BlockingKeyGroup[] = [];
  for (let from = 0, to = 1; from < keys.length; from = to++) {
    const key = keys[from] ?? 0;
    while (keys[to] === key) to++;
    if (to - from === 1) continue;
    const rows: number[] = [];
    for (let i = from; i < to; i++) {
      const value = values[i] ?? 0;
      if (isCompared(value)) rows.push(value >>> 1);
    }
    if (rows.length > 1) groups.push({ key, rows });
  }
  return groups;
}
