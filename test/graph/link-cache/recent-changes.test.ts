// Recent changes are read correctly before, while and after they are written into their tables, and after the file is opened again.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../../src/generate/random.ts';
import { openLinkCacheDatabase } from '../../../src/graph/link-cache/link-file.ts';
import { openRecentLinkCacheChanges } from '../../../src/graph/link-cache/recent-changes.ts';
import type { LinkCacheRecord } from '../../../src/link/statistics/link-cache-record.ts';
import { freshFolder } from '../../kit/folder.ts';

const ROWS = 2000;
const random = new Random(1, 3, 0);
const keyOf = (part: number) => Math.floor(part * 2 ** 52);
/** Keys that several records share. */
const KEYS = Array.from({ length: 300 }, () => keyOf(random.next()));

function factsOf(row: number): LinkCacheRecord {
  const contacts = [...new Set([0, 1, 2].map(() => KEYS[random.int(KEYS.length)] ?? 0))];
  const keys = [keyOf(random.next()), -keyOf(random.next())];
  const none = { ends: [], words: [], streets: [], counts: [] };
  return { order: row, person: row % 7, dated: 0, label: 0, contacts, keys, ...none };
}

test('each holder and count is found once, in memory or in the tables', () => {
  const db = openLinkCacheDatabase(join(freshFolder(), 'link.db'));
  const facts = new Map<number, LinkCacheRecord>();
  const counts = new Map<number, number>();
  const recent = openRecentLinkCacheChanges(db, (row) => facts.get(row) ?? null, { ranges: 256 });
  recent.load();
  const removeRow = (row: number) => {
    const { contacts, keys, person } = facts.get(row) ?? factsOf(0);
    for (const key of [...contacts, ...keys])
      if (!recent.removeEntry(key, { row, person }))
        db.prepare('DELETE FROM block WHERE key = ? AND row = ?').run(key, row);
    facts.delete(row);
    recent.forgetRow(row);
  };
  const inTables = (sql: string) => db.prepare<[], number[]>(sql).raw().all();
  const seen = (from: typeof recent) => ({
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
    const added = factsOf(row);
    facts.set(row, added);
    recent.addFacts(row, added);
    for (const key of added.contacts) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      recent.setCount(0, key, count);
    }
    if (row % 5 === 0) removeRow(1 + random.int(row - 1));
    if (random.int(3) > 0 || row === ROWS) recent.save();
    if (row % 500 !== 0) continue;
    recent.save();
    const reopened = openRecentLinkCacheChanges(db, (some) => facts.get(some) ?? null, { ranges: 256 });
    reopened.load();
    for (const from of [recent, reopened]) {
      expect(seen(from).entries).toEqual(should().toSorted());
      expect(sorted(seen(from).counts)).toEqual(sorted(counts));
    }
  }
  expect(inTables('SELECT count(*) FROM block')[0]?.[0]).toBeGreaterThan(0);
  recent.mergeAll();
  expect(recent.listEntries()).toEqual([]);
  expect(inTables('SELECT count(*) FROM young')).toEqual([[0]]);
  expect(seen(recent).entries).toEqual(should().toSorted());
  db.close();
});
