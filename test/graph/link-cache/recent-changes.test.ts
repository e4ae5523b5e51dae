// What came last is as good as in its tables, before, while and after it goes there, and whoever opens the file anew sees the same.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../../src/generate/random.ts';
import { openLinkFile } from '../../../src/graph/link-cache/link-file.ts';
import { openRecentChanges } from '../../../src/graph/link-cache/recent-changes.ts';
import type { Facts } from '../../../src/link/counted/facts.ts';
import { freshFolder } from '../../kit/folder.ts';

const ROWS = 2000;
const random = new Random(1, 3, 0);
const keyOf = (part: number) => Math.floor(part * 2 ** 52);
/** Keys that are shared, and keys of one record alone, some of them weak. */
const KEYS = Array.from({ length: 300 }, () => keyOf(random.next()));

function factsOf(row: number): Facts {
  const contacts = [...new Set([0, 1, 2].map(() => KEYS[random.int(KEYS.length)] ?? 0))];
  const keys = [keyOf(random.next()), -keyOf(random.next())];
  const none = { ends: [], words: [], streets: [], counts: [] };
  return { order: row, person: row % 7, dated: 0, label: 0, contacts, keys, ...none };
}

test('entries and counts are there once, wherever they lie', () => {
  const db = openLinkFile(join(freshFolder(), 'link.db'));
  const facts = new Map<number, Facts>();
  const counts = new Map<number, number>();
  const young = openRecentChanges(db, (row) => facts.get(row) ?? null, { ranges: 256 });
  young.load();
  const takeAway = (row: number) => {
    const { contacts, keys, person } = facts.get(row) ?? factsOf(0);
    for (const key of [...contacts, ...keys])
      if (!young.removeEntry(key, { row, person }))
        db.prepare('DELETE FROM block WHERE key = ? AND row = ?').run(key, row);
    facts.delete(row);
    young.forgetRow(row);
  };
  const inTables = (sql: string) => db.prepare<[], number[]>(sql).raw().all();
  const seen = (from: typeof young) => ({
    entries: [...inTables('SELECT key, person, row FROM block'), ...from.listEntries()]
      .map(String)
      .toSorted(),
    counts: [
      ...new Map([
        ...inTables('SELECT key, count FROM tally').map(([key, count]) => [key, count] as const),
        ...from.listCounts().map(([, key, count]) => [key, count] as const),
      ]),
    ].filter(([, count]) => count !== 0),
  });
  const should = () =>
    [...facts].flatMap(([row, { contacts, keys, person }]) =>
      [...contacts, ...keys].map((key) => String([key, person, row])),
    );
  const sorted = (some: Iterable<readonly [number | undefined, number | undefined]>) =>
    [...some].map(String).toSorted();
  for (let row = 1; row <= ROWS; row++) {
    const one = factsOf(row);
    facts.set(row, one);
    young.addFacts(row, one);
    for (const key of one.contacts) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      young.setCount(0, key, count);
    }
    if (row % 5 === 0) takeAway(1 + random.int(row - 1));
    if (random.int(3) > 0 || row === ROWS) young.save();
    if (row % 500 !== 0) continue;
    young.save();
    const anew = openRecentChanges(db, (some) => facts.get(some) ?? null, { ranges: 256 });
    anew.load();
    for (const from of [young, anew]) {
      expect(seen(from).entries).toEqual(should().toSorted());
      expect(sorted(seen(from).counts)).toEqual(sorted(counts));
    }
  }
  expect(inTables('SELECT count(*) FROM block')[0]?.[0]).toBeGreaterThan(0);
  young.mergeAll();
  expect(young.listEntries()).toEqual([]);
  expect(inTables('SELECT count(*) FROM young')).toEqual([[0]]);
  expect(seen(young).entries).toEqual(should().toSorted());
  db.close();
});
