import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import { expect, test, vi } from 'vitest';
import { eraseRecords } from '../../src/people/erase/erase.ts';
import { findFilesContaining } from '../../src/people/erase/search.ts';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import { linkAllRecords } from '../../src/people/linking.ts';
import { joinIdentities, splitIdentity, undoManualLink } from '../../src/people/manual-links.ts';
import { freshFolder } from '../kit/folder.ts';
import { identitiesIn, importInto, operate, type Row, strangers } from '../kit/graphs/graph.ts';

const JUDGE = { who: 'test', why: 'they told us', time: Date.UTC(2026, 0, 2) };

const TWINS: Row[] = [
  {
    record_id: 'a',
    name: 'Margaret Ostrander',
    phones: ['+1 208 234 0145'],
    emails: ['m@ostrander.example'],
  },
  {
    record_id: 'b',
    name: 'Margaret Ostrander',
    phones: ['+1 208 234 0145'],
    emails: ['m@ostrander.example'],
  },
  { record_id: 'c', name: 'Peggy Ostrander', phones: ['+1 208 234 0145'], emails: ['m@ostrander.example'] },
];
const APART: Row = { record_id: 'd', name: 'Quentin Calloway', emails: ['q@calloway.example'] };

async function graphOf(rows: Row[]) {
  const folder = freshFolder();
  const graph = openSqliteGraph({ dataDir: folder });
  await importInto(graph, [[...rows, ...strangers(60)]]);
  const who = async (...ids: string[]) => {
    const identities = await identitiesIn(graph);
    return ids.map((id) => identities.get(id));
  };
  return { folder, graph, who };
}

test('records that are split off are another person, whatever comes again, until that is undone', async () => {
  const { graph, who } = await graphOf([...TWINS, APART]);
  expect(await who('a', 'b', 'c')).toEqual([1, 1, 1]);
  const it = await splitIdentity(graph, ['c'], JUDGE);
  expect(it).toMatchObject({ kind: 'split', records: 3, identities: [1, 63] });
  expect(await who('a', 'b', 'c')).toEqual([1, 1, 63]);
  await importInto(graph, [TWINS]);
  expect(await who('a', 'b', 'c')).toEqual([1, 1, 63]);
  await linkAllRecords(graph);
  expect(await who('a', 'b', 'c')).toEqual([1, 1, 63]);
  await undoManualLink(graph, it.id, JUDGE.time);
  expect(await who('a', 'b', 'c')).toEqual([1, 1, 1]);
  expect(await graph.manualLinks.list()).toMatchObject([
    { id: it.id, kind: 'split', who: 'test', why: 'they told us', undone: JUDGE.time },
  ]);
  await expect(undoManualLink(graph, it.id, JUDGE.time)).rejects.toThrow('no manual link');
  await graph.close();
});

test('identities that are joined are one, against their labels too, until that is undone', async () => {
  const { graph, who } = await graphOf([
    ...TWINS.map((row): Row => ({ ...row, identity: 'one' })),
    { ...APART, identity: 'two' },
  ]);
  const it = await joinIdentities(graph, [1, 2], JUDGE);
  expect(await who('a', 'd')).toEqual([1, 1]);
  await importInto(graph, [[{ ...APART, identity: 'two' }]]);
  expect(await who('a', 'd')).toEqual([1, 1]);
  await undoManualLink(graph, it.id, JUDGE.time);
  const [a, d] = await who('a', 'd');
  expect(a).not.toBe(d);
  await graph.close();
});

test('a later judgement stands above an earlier one, which stands again when the later is undone', async () => {
  const { graph, who } = await graphOf(TWINS);
  await splitIdentity(graph, ['c'], JUDGE);
  const [one = 0, , other = 0] = (await who('a', 'b', 'c')) as number[];
  const later = await joinIdentities(graph, [one, other], JUDGE);
  expect(new Set(await who('a', 'b', 'c')).size).toBe(1);
  await undoManualLink(graph, later.id, JUDGE.time);
  expect(new Set(await who('a', 'b', 'c')).size).toBe(2);
  await graph.close();
});

test('what cannot be judged is refused', async () => {
  const { graph } = await graphOf([...TWINS, APART]);
  await expect(splitIdentity(graph, ['a', 'd'], JUDGE)).rejects.toThrow('of one identity');
  for (const why of ['it is jane@doe.example', 'called +1 503 234 0101', 'asked on 503-234-0101'])
    await expect(splitIdentity(graph, ['a'], { ...JUDGE, why })).rejects.toThrow(
      'contains an e-mail address or a phone number',
    );
  await expect(splitIdentity(graph, ['d'], JUDGE)).rejects.toThrow('all records of the identity');
  await expect(joinIdentities(graph, [1, 1], JUDGE)).rejects.toThrow('two identities');
  await expect(joinIdentities(graph, [1, 999], JUDGE)).rejects.toThrow('no identity 999');
  await graph.close();
});

test('who is forgotten is in no judgement any more', async () => {
  const { folder, graph } = await graphOf(TWINS);
  await splitIdentity(graph, ['c'], JUDGE);
  const { fingerprints } = graph.records;
  const told = await eraseRecords(graph, [{ source: 'crm', recordId: 'c' }], { folder, now: JUDGE.time });
  expect(told.traces).toEqual([]);
  expect(findFilesContaining(folder, [fingerprints.ofRecord('crm', 'c')])).toEqual([]);
  const [judgement] = await graph.manualLinks.list();
  expect(judgement?.groups.map(({ length }) => length)).toEqual([0, 2]);
  expect(judgement?.why).toBe('');
  await graph.close();
});

test('where the link cache is damaged, on whichever page, all records are linked, and the judgement holds', async () => {
  const { folder, graph } = await graphOf([...TWINS, APART]);
  await graph.close();
  const bytes = readFileSync(pathOf(folder, 'link.db'));
  let isMet = false;
  for (let page = 1; page < bytes.length / 4096; page += 3) {
    const copy = pathOf(freshFolder(), 'copy');
    cpSync(folder, copy, { recursive: true });
    const damaged = Buffer.from(bytes);
    damaged.fill(page % 2 === 0 ? 0xff : 0, page * 4096, page * 4096 + 200);
    writeFileSync(pathOf(copy, 'link.db'), damaged);
    await operate(copy, async (it) => {
      const workspace = vi.spyOn(it.linking, 'openWorkspace');
      await splitIdentity(it, ['c'], JUDGE);
      isMet ||= workspace.mock.calls.length > 0;
      const identities = await identitiesIn(it);
      expect(['a', 'b', 'c'].map((id) => identities.get(id))).toEqual([1, 1, 63]);
    });
  }
  expect(isMet).toBe(true);
});

test('a judgement that was killed between the commits of the two files is published by the next one, also where that is refused', async () => {
  const { folder, graph } = await graphOf([...TWINS, APART]);
  await graph.close();
  const earlier = pathOf(freshFolder(), 'earlier');
  cpSync(folder, earlier, { recursive: true });
  await operate(folder, (it) => joinIdentities(it, [1, 2], JUDGE));
  for (const name of ['graph.db', 'link.db']) {
    for (const end of ['-wal', '-shm']) rmSync(pathOf(folder, `${name}${end}`), { force: true });
    cpSync(pathOf(earlier, name), pathOf(folder, name));
  }
  await operate(folder, async (it) => {
    expect((await it.stats()).identities).toBe(62);
    await expect(joinIdentities(it, [1, 2], JUDGE)).rejects.toThrow('two identities');
    expect((await it.stats()).identities).toBe(61);
  });
});
