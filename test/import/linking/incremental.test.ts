import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { linkIncrementally } from '../../../src/import/linking/incremental.ts';
import { parseFeedRequest } from '../../../src/import/feed/lines.ts';
import {
  compareSomePostponedRecords,
  tryLinkAddedRecords,
  completePendingLinking,
} from '../../../src/people/linking.ts';
import { generateRecordLines } from '../../../src/generate/records.ts';
import { worldOf } from '../../generate/world.ts';
import { freshFolder } from '../../kit/folder.ts';
import { batchesOf, foundIn, importBatches, SECRET } from '../../kit/graphs/found.ts';
import { importInto, type Row, sharedFolder } from '../../kit/graphs/graph.ts';

/** Records of generated people, in the shuffled order of their world. */
const ROWS = [...generateRecordLines(worldOf(110, { seed: 5, countries: ['US', 'GB'] }))]
  .flatMap(({ records }) => records.trim().split('\n'))
  .map((line) => JSON.parse(line) as Row);

const shuffled = (rows: Row[], step: number) =>
  rows.map((_, i) => rows[(i * step) % rows.length] ?? {}) as Row[];

describe('records that are imported in parts', () => {
  let expected: Awaited<ReturnType<typeof foundIn>>;
  const whole = sharedFolder();
  beforeAll(async () => {
    await importBatches(whole, [ROWS]);
    expected = await foundIn(whole);
  });

  test('are linked as records that are imported at once, in any order: the same partition and weights', async () => {
    const folder = freshFolder();
    const rows = shuffled(ROWS, 101);
    expect(new Set(rows).size).toBe(ROWS.length);
    const grown = await importBatches(folder, batchesOf(rows, ROWS.length - 60, [1, 7, 1, 20]));
    expect(await foundIn(folder)).toEqual(expected);
    expect(grown).toBeGreaterThan(2);
  });

  test('leave nothing behind when they are removed', async () => {
    const folder = freshFolder();
    const guests = ROWS.filter((_, i) => i % 23 === 0).map((row, i): Row => ({
      ...row,
      record_id: `guest-${i}`,
    }));
    const grown = await importBatches(folder, [
      [...ROWS, ...guests],
      ...guests.map(({ record_id, source }): Row[] => [
        { record_id, deleted: true, ...(source && { source }) },
      ]),
    ]);
    expect(await foundIn(folder)).toEqual(expected);
    expect(grown).toBeGreaterThan(0);
  });

  test('can be linked without the graph-wide figures: linking all records afterwards gives the usual result', async () => {
    const folder = freshFolder();
    const [first = [], ...later] = batchesOf(ROWS, Math.floor(ROWS.length / 2), [12]);
    const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
    await importInto(graph, [first]);
    const blocks = vi.spyOn(graph.linking, 'openWorkspace');
    for (const rows of later) await importInto(graph, [rows], { settle: false });
    expect(blocks).not.toHaveBeenCalled();
    expect(await graph.stats()).toMatchObject({ records: ROWS.length, unlinked: 0, settled: false });
    expect(await completePendingLinking(graph)).toBe(true);
    expect(await completePendingLinking(graph)).toBe(false);
    await graph.close();
    expect(await foundIn(folder)).toEqual(expected);
  });

  test('can put off pairs of other records whose weights change: the result is the same', async () => {
    const folder = freshFolder();
    const [first = [], ...later] = batchesOf(ROWS, ROWS.length - 40, [1]);
    const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
    await importInto(graph, [first]);
    let unsettled = 0;
    for (const [row] of later) {
      const sent = { lines: Buffer.from(JSON.stringify(row)), source: 'test', region: 'US' };
      const { records } = await parseFeedRequest(sent, graph.records);
      await graph.records.runAtomically(async () => {
        await graph.records.put([...records.values()].flatMap(({ record }) => record ?? []));
        expect(await tryLinkAddedRecords(graph, 0)).toBe(true);
      });
      unsettled += Number(!(await graph.stats()).settled);
    }
    expect(graph.linking.linkCache?.listRowsToReweigh(Infinity).length).toBeGreaterThan(1);
    expect(unsettled).toBeGreaterThan(1);
    while (await compareSomePostponedRecords(graph));
    const isSettled = (await graph.stats()).settled;
    await graph.close();
    expect([isSettled, await foundIn(folder)]).toEqual([true, expected]);
  });

  test('can replace earlier records with other values', async () => {
    const folder = freshFolder();
    const wrong = ROWS.map((row, i): Row => {
      const other = ROWS[(i * 3 + 1) % ROWS.length] ?? row;
      return i % 23 === 0
        ? { ...other, record_id: row.record_id, ...(row.source && { source: row.source }) }
        : row;
    });
    const grown = await importBatches(folder, [
      wrong,
      ...batchesOf(
        ROWS.filter((_, i) => i % 23 === 0),
        3,
        [1, 4],
      ),
    ]);
    expect(await foundIn(folder)).toEqual(expected);
    expect(grown).toBeGreaterThan(0);
  });
});

describe('many records of one name and many of one label', () => {
  const rows = Array.from({ length: 90 }, (_, i): Row => ({
    record_id: `r${i}`,
    name: i % 9 === 0 ? 'Ottilie Lindqvist' : 'Henrietta Ostrander',
    emails: [i % 2 === 0 ? 'office@post.example' : `h${i % 7}@post.example`],
    ...(i % 11 === 0 && { identity: 'one' }),
    ...(i % 3 === 0 && { birth_date: `19${50 + (i % 5)}-03-0${1 + (i % 4)}` }),
  }));

  test('are linked as records that are imported at once, when they are added one by one', async () => {
    const [whole, folder] = [freshFolder(), freshFolder()];
    await importBatches(whole, [rows]);
    const grown = await importBatches(folder, batchesOf(rows.toReversed(), 60, [1, 2, 5]));
    expect(await foundIn(folder)).toEqual(await foundIn(whole));
    expect(grown).toBeGreaterThan(4);
  });

  test('cost one more record a few reads for each record of its group, however many values they share', async () => {
    const graph = openSqliteGraph({ dataDir: freshFolder(), secret: SECRET });
    const same = Array.from({ length: 301 }, (_, i): Row => ({
      record_id: `s${i}`,
      name: 'Henrietta Ostrander',
      emails: ['h@post.example'],
      phones: ['+12165550461'],
      addresses: [{ street: '418 Ashfield Street', city: 'Springfield', zip: '62706', country: 'US' }],
    }));
    await importInto(graph, [same.slice(1)]);
    const { linkCache } = graph.linking;
    if (!linkCache) throw new Error('The graph has no link cache.');
    const [facts, reads] = [
      vi.fn<typeof linkCache.facts>(linkCache.facts),
      vi.spyOn(graph.records, 'readRows'),
    ];
    await graph.records.runAtomically(async () => {
      const sent = { lines: Buffer.from(JSON.stringify(same[0])), source: 'crm', region: 'US' };
      const { records } = await parseFeedRequest(sent, graph.records);
      await graph.records.put([...records.values()].flatMap(({ record }) => record ?? []));
      const part = await linkIncrementally(graph.records, { ...linkCache, facts }, { settle: false });
      expect(part?.clusters.map(({ length }) => length)).toEqual([same.length]);
      linkCache.rollback();
    });
    // Once for each shared value would be 20 calls per record, and once for each pair 64 reads per record.
    expect(facts.mock.calls.length).toBeLessThan(8 * same.length);
    expect(reads.mock.calls.length).toBeLessThan(8);
    await graph.close();
  });
});
