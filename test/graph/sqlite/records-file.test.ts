import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getIdentityDetails } from '../../../src/graph/inspect.ts';
import { freshFolder } from '../../kit/folder.ts';
import { identitiesIn, importRows, operate, queryOf, type Row, strangers } from '../../kit/graphs/graph.ts';

const ADA: Row = { record_id: 'a', name: 'Ada Abernathy', emails: ['ada@abernathy.example'] };
const SAME: Row = { ...ADA, record_id: 'b', emails: ['ada@elsewhere.example'], phones: ['+1 503 234 0177'] };
/** Joins `ADA` and `SAME`. */
const BOTH: Row = { ...SAME, record_id: 'c', emails: ['ada@abernathy.example', 'ada@elsewhere.example'] };
const ASKED = queryOf({ name: 'Ada Abernathy', emails: ['ada@elsewhere.example'] });

async function imported(): Promise<string> {
  const folder = freshFolder();
  await importRows(folder, [[...strangers(20), ADA, SAME]]);
  return folder;
}

const told = (folder: string) =>
  operate(folder, async (graph) => ({
    identities: await identitiesIn(graph),
    answer: await graph.resolve(ASKED),
    leads: (await getIdentityDetails(graph, 22)).identity,
    stats: { ...(await graph.stats()), linkedAt: null },
  }));

const remove = (folder: string, name: string) => {
  for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `${name}${end}`), { force: true });
};

test.each(['link.db', 'no link.db'])(
  'a publication that is only in records.db, because a process was killed between two commits, is reported and repeated with the same numbers (%s)',
  async (memory) => {
    const folder = await imported();
    copyFileSync(join(folder, 'graph.db'), join(folder, 'graph.before'));
    await importRows(folder, [[BOTH, { record_id: 'new', name: 'Somebody New' }]]);
    const expected = await told(folder);
    expect(expected.leads).toBe(21);
    copyFileSync(join(folder, 'graph.before'), join(folder, 'graph.db'));
    if (memory === 'no link.db') remove(folder, 'link.db');
    expect(await operate(folder, (graph) => graph.warnings())).toContainEqual(
      expect.stringContaining('not linked yet'),
    );
    await importRows(folder, [[{ record_id: 'later', name: 'Somebody Later' }]]);
    const after = await told(folder);
    expect(after.leads).toBe(21);
    expect([...after.identities]).toEqual(expect.arrayContaining([...expected.identities]));
    expect(new Set(after.identities.values()).size).toBe(new Set(expected.identities.values()).size + 1);
  },
);

test('a lost graph is created again from its records, with the same numbers', async () => {
  const folder = await imported();
  await importRows(folder, [[BOTH]]);
  const expected = await told(folder);
  remove(folder, 'graph.db');
  await importRows(folder, [[]]);
  expect(await told(folder)).toEqual(expected);
});

test('without its records a graph answers checks, reports the missing file, and accepts no other records', async () => {
  const folder = await imported();
  const expected = await told(folder);
  remove(folder, 'records.db');
  await operate(folder, async (graph) => {
    expect(await graph.resolve(ASKED)).toEqual(expected.answer);
    expect(await graph.warnings()).toEqual([expect.stringContaining('records.db')]);
    expect(await graph.stats()).toMatchObject({ identities: expected.stats.identities, records: 0 });
  });
  await expect(importRows(folder, [[BOTH]])).rejects.toMatchObject({ code: 'data_missing' });
  expect(existsSync(join(folder, 'records.db'))).toBe(false);
});

test('checks are answered although the records cannot be used', async () => {
  const folder = await imported();
  remove(folder, 'records.db');
  writeFileSync(join(folder, 'records.db'), 'no database at all, '.repeat(400));
  await operate(folder, async (graph) => {
    expect((await graph.resolve(ASKED)).identities.size).toBe(1);
    expect(await graph.warnings()).toEqual([expect.stringContaining('records.db is not a Bonafide')]);
  });
  await expect(importRows(folder, [[BOTH]])).rejects.toMatchObject({ code: 'foreign_database' });
});

test('records of another secret are refused', async () => {
  const [folder, other] = [await imported(), await imported()];
  copyFileSync(join(other, 'records.db'), join(folder, 'records.db'));
  await expect(operate(folder, identitiesIn)).rejects.toMatchObject({ code: 'wrong_secret' });
});
