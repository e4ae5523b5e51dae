import { rmSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { generateRecordLines } from '../../../src/generate/records.ts';
import {
  changeAndLinkAtomically,
  tryLinkAddedRecords,
  linkAllRecords,
  completePendingLinking,
} from '../../../src/people/linking.ts';
import type { RecordStoringGraph } from '../../../src/graph/graph.ts';
import { openPostgresGraph } from '../../../src/graph/postgres/engine.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import type { StoredRecord } from '../../../src/link/stored-record.ts';
import { parseSocketFolder } from '../../kit/programs/postgres.ts';
import { worldOf } from '../../generate/world.ts';
import { freshFolder } from '../../kit/folder.ts';
import { batchesOf, foundIn, importBatches, SECRET } from '../../kit/graphs/found.ts';
import { importInto, type Row, sharedFolder } from '../../kit/graphs/graph.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';

const server = sharedPostgres();

const ROWS = [...generateRecordLines(worldOf(60, { seed: 5, countries: ['US', 'GB'] }))]
  .flatMap(({ records }) => records.trim().split('\n'))
  .map((line) => JSON.parse(line) as Row);

/** Opens one importer with its own folder, and counts its bulk linkings. */
function importer(url: string, folder = freshFolder()) {
  const graph = openPostgresGraph({ url, secret: SECRET, folder });
  onTestFinished(() => graph.close());
  let anew = 0;
  const { openWorkspace: blocks } = graph.linking;
  graph.linking.openWorkspace = () => {
    anew++;
    return blocks();
  };
  return { folder, graph, anew: () => anew };
}

/** Returns the stored records of a graph in a folder. */
async function storedIn(folder: string): Promise<StoredRecord[]> {
  const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
  const all: StoredRecord[] = [];
  for await (const page of graph.records.pages())
    for (const { row: _, key: __, identity: ___, ...record } of page) all.push(record);
  await graph.close();
  return all;
}

/** Returns the rows of all tables that checks read, and the links, except for encrypted columns. */
async function tablesOf(url: string): Promise<Record<string, unknown>> {
  const sql = postgres(url, { ...parseSocketFolder(url), max: 1, fetch_types: false });
  const read = (text: string) => sql.unsafe(text);
  const tables = {
    posting: await read(
      'SELECT key, share, coalesce(ids, ARRAY[holder]) AS ids FROM bonafide.posting ORDER BY key',
    ),
    frequent: await read('SELECT * FROM bonafide.frequent ORDER BY key, holder'),
    published: await read('SELECT * FROM bonafide.published ORDER BY id'),
    member: await read('SELECT * FROM bonafide.member ORDER BY record'),
    merged: await read('SELECT * FROM bonafide.merged ORDER BY number'),
    identity: await read(
      'SELECT id, first_seen, last_seen, records, sources, told FROM bonafide.identity ORDER BY id',
    ),
    graph: await read('SELECT identities, postings, newest, globals, error_rates FROM bonafide.graph'),
  };
  await sql.end();
  return tables;
}

/** Expects that bulk linking leaves the tables as incremental linking wrote them. */
async function expectWhole(url: string, { graph }: { graph: RecordStoringGraph }): Promise<void> {
  const written = await tablesOf(url);
  await linkAllRecords(graph);
  expect(await tablesOf(url)).toEqual(written);
}

describe.skipIf(isWithoutPostgres('incremental linking'))(
  'records that come to PostgreSQL piece by piece',
  () => {
    let expected: Awaited<ReturnType<typeof foundIn>>;
    const whole = sharedFolder();
    beforeAll(async () => {
      await importBatches(whole, [ROWS]);
      expected = await foundIn(whole);
    });

    test('are linked incrementally as all at once are: the same partition, the same weights, the same rows', async () => {
      const url = await (await server()).database();
      const one = importer(url);
      const batches = batchesOf(ROWS.toReversed(), ROWS.length - 40, [1, 7, 1, 20]);
      for (const rows of batches) await importInto(one.graph, [rows]);
      expect(one.anew()).toBeLessThan(batches.length - 2);
      const guests = ROWS.filter((_, i) => i % 40 === 0).map((row, i): Row => ({
        ...row,
        record_id: `guest-${i}`,
      }));
      await importInto(one.graph, [guests]);
      for (const { record_id, source } of guests)
        await importInto(one.graph, [[{ record_id, deleted: true, ...(source && { source }) }]]);
      await expectWhole(url, one);
      expect(await foundIn(one.folder, one.graph)).toEqual(expected);
    });

    test('by importers in turn: each updates its link cache with the changes of the other', async () => {
      const url = await (await server()).database();
      const [one, two] = [importer(url), importer(url)];
      const all = await storedIn(whole);
      await one.graph.records.put(all.slice(0, -40));
      await linkAllRecords(one.graph);
      await linkAllRecords(two.graph);
      for (let at = 40, turn = 0; at > 0; at -= 8, turn++) {
        const [it, other] = turn % 2 === 0 ? [one, two] : [two, one];
        const guest = { ...(all[turn * 11] as StoredRecord), recordId: 'guest' };
        await changeAndLinkAtomically(it.graph, async () => {
          await it.graph.records.put([...all.slice(-at).slice(0, 8), guest]);
        });
        await changeAndLinkAtomically(
          other.graph,
          async () => void (await other.graph.records.remove([guest])),
        );
      }
      expect([one.anew(), two.anew()]).toEqual([1, 1]);
      await completePendingLinking(one.graph);
      await expectWhole(url, two);
      expect(await foundIn(two.folder, two.graph)).toEqual(expected);
    });

    test('by two at once: an importer without its link cache links all records again, also after a change that was not logged', async () => {
      const url = await (await server()).database();
      const [one, two] = [importer(url), importer(url)];
      const half = Math.floor(ROWS.length / 2);
      await Promise.all([
        importInto(one.graph, [ROWS.slice(0, half)]),
        importInto(two.graph, [ROWS.slice(half)]),
      ]);
      await one.graph.close();
      rmSync(join(one.folder, 'link.db'));
      const again = importer(url, one.folder);
      await importInto(again.graph, [ROWS.slice(0, 3)]);
      expect(again.anew()).toBe(1);
      const sql = postgres(url, { ...parseSocketFolder(url), max: 1, fetch_types: false });
      await sql.unsafe('UPDATE bonafide.graph SET revision = revision + 1');
      await sql.end();
      expect(await tryLinkAddedRecords(again.graph)).toBe(false);
      await importInto(again.graph, [ROWS.slice(3, 6)]);
      expect(again.anew()).toBe(2);
      await expectWhole(url, again);
      expect(await foundIn(again.folder, again.graph)).toEqual(expected);
    });
  },
);
