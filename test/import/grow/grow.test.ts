import Database from 'better-sqlite3';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { recordLines } from '../../../src/generate/record.ts';
import { openGraph } from '../../../src/graph/sqlite/open.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto, type Row, sharedFolder } from '../../kit/graphs/graph.ts';
import { worldOf } from '../../generate/world.ts';

/** One, so that fingerprints can be compared. */
const SECRET = '5e'.repeat(32);

/** Records of generated people, shuffled as their world has them. */
const ROWS = [...recordLines(worldOf(110, { seed: 5, countries: ['US', 'GB'] }))]
  .flatMap(({ records }) => records.trim().split('\n'))
  .map((line) => JSON.parse(line) as Row);

/** What was found, whatever rows and numbers it has: who is together, whom a weight joins, and what is counted. */
async function foundIn(folder: string) {
  const together = new Map<number | null, string[]>();
  const names = new Map<number, string>();
  const graph = openGraph({ dataDir: folder, secret: SECRET });
  for await (const page of graph.records.pages())
    for (const { row, source, recordId, identity } of page) {
      names.set(row, `${source}:${recordId}`);
      together.set(identity, [...(together.get(identity) ?? []), `${source}:${recordId}`]);
    }
  await graph.close();
  const db = new Database(join(folder, 'link.db'), { readonly: true });
  const rows = (sql: string) => db.prepare<[], number[]>(sql).raw().all();
  const pairs = (table: string) =>
    rows(`SELECT * FROM ${table}`).map(([a = 0, b = 0, what]) => `${names.get(a)} ${names.get(b)} ${what}`);
  const found = {
    partition: [...together.values()].map((group) => group.toSorted().join(' ')).toSorted(),
    joined: pairs('joined').toSorted(),
    measured: pairs('measured').toSorted(),
    behind: rows('SELECT key, person, row FROM block')
      .map(([key, person, row = 0]) => `${key} ${person} ${names.get(row)}`)
      .toSorted(),
    kept: db.prepare("SELECT name, value FROM meta WHERE name IN ('globals', 'totals')").all(),
  };
  db.close();
  return found;
}

/** Imports batch by batch. Answers how many of them were linked with what was there, without linking all anew. */
async function importBatches(folder: string, batches: Row[][]): Promise<number> {
  const graph = openGraph({ dataDir: folder, secret: SECRET });
  const anew = vi.spyOn(graph.linking, 'blocks');
  for (const batch of batches) await importInto(graph, [batch]);
  await graph.close();
  return batches.length - anew.mock.calls.length;
}

/** The first `whole` at once, then pieces of these sizes in turn. */
function batchesOf(rows: Row[], whole: number, sizes: number[]): Row[][] {
  const batches = [rows.slice(0, whole)];
  for (let at = whole, i = 0; at < rows.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    batches.push(rows.slice(at, at + size));
    at += size;
  }
  return batches;
}

const shuffled = (rows: Row[], step: number) =>
  rows.map((_, i) => rows[(i * step) % rows.length] ?? {}) as Row[];

describe('records that are imported piece by piece', () => {
  let expected: Awaited<ReturnType<typeof foundIn>>;
  const whole = sharedFolder();
  beforeAll(async () => {
    await importBatches(whole, [ROWS]);
    expected = await foundIn(whole);
  });

  test('are linked as all at once are, in another order: the same partition, the same weights', async () => {
    const folder = freshFolder();
    const rows = shuffled(ROWS, 101);
    expect(new Set(rows).size).toBe(ROWS.length);
    const grown = await importBatches(folder, batchesOf(rows, ROWS.length - 60, [1, 7, 1, 20]));
    expect(await foundIn(folder)).toEqual(expected);
    expect(grown).toBeGreaterThan(2);
  });

  test('may take the place of earlier ones that said something else', async () => {
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

  test('are linked as all at once are, when they become many one by one', async () => {
    const [whole, folder] = [freshFolder(), freshFolder()];
    await importBatches(whole, [rows]);
    const grown = await importBatches(folder, batchesOf(rows.toReversed(), 60, [1, 2, 5]));
    expect(await foundIn(folder)).toEqual(await foundIn(whole));
    expect(grown).toBeGreaterThan(4);
  });
});
