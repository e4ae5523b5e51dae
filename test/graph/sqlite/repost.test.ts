import { expect, test } from 'vitest';
import Database from 'better-sqlite3';
import { LOOKUP_KEY_TABLES_SQL } from '../../../src/graph/sqlite/schema.ts';
import { openLookupKeyTable, writeLookupKeys } from '../../../src/graph/sqlite/lookup-keys.ts';
import {
  applyLookupKeyIdentityChanges,
  type IdentityChangesOfLookupKey,
  type IdentityChangesByLookupKey,
  createLookupKeyCollector,
} from '../../../src/graph/sql/publishing/lookup-keys.ts';
import { freshFolder } from '../../kit/folder.ts';

type Held = Map<number, boolean>;

function packed(holders: Map<number, Held>) {
  const db = new Database(':memory:');
  db.exec(LOOKUP_KEY_TABLES_SQL);
  const staged = createLookupKeyCollector(freshFolder());
  for (const [key, held] of holders) for (const [id, primary] of held) staged.add(key, id, primary);
  for (const piece of staged.pieces()) writeLookupKeys(db, piece);
  staged.drop();
  return db;
}

const content = (db: InstanceType<typeof Database>) => ({
  postings: db.prepare('SELECT key, ids FROM posting ORDER BY key').all(),
  frequent: db.prepare('SELECT * FROM frequent ORDER BY key, id').all(),
});

test('postings that are changed in place equal those of a new packing, across the limit in both directions', async () => {
  let seed = 7;
  const draw = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const holders = new Map<number, Held>();
  for (const [key, count] of [
    [1, 1],
    [2, 2],
    [3, 24],
    [4, 25],
    [5, 60],
    [6, 0],
  ] as const)
    // prettier-ignore
    holders.set(key, new Map(Array.from({ length: count }, (_, i) => [i * 3 + 1, draw(2) === 1])));
  const db = packed(holders);
  const table = openLookupKeyTable(db);
  for (let round = 0; round < 60; round++) {
    const changes = new Map() as IdentityChangesByLookupKey;
    let more = 0;
    for (const [key, held] of holders) {
      const change: IdentityChangesOfLookupKey = new Map();
      // Rounds of growth and of shrinking alternate.
      for (let i = 0; i < 6; i++)
        change.set(draw(80) + 1, draw(10) < (round % 20 < 10 ? 7 : 2) ? draw(2) === 1 : null);
      more -= held.size;
      for (const [id, primary] of change)
        if (primary === null) held.delete(id);
        else held.set(id, primary);
      more += held.size;
      changes.set(key, change);
    }
    expect(await applyLookupKeyIdentityChanges(table, changes)).toBe(more);
    expect(content(db)).toEqual(content(packed(holders)));
  }
});
