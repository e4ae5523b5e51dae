import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_GRAPH_SETTINGS } from '../../src/config.ts';
import { eraseRecordsAndWriteReceipt } from '../../src/people/erase/forget.ts';
import { findFilesContaining } from '../../src/people/erase/search.ts';
import { generateRecordLines } from '../../src/generate/records.ts';
import { openRecordStoringGraph } from '../../src/graph/engines.ts';
import type { RecordStoringGraph } from '../../src/graph/graph.ts';
import { verifyRecordLinks } from '../../src/people/verify-links.ts';
import { exportPerson } from '../../src/people/export-person.ts';
import { joinIdentities, undoManualLink } from '../../src/people/manual-links.ts';
import { changeGraphSecret } from '../../src/people/rekey.ts';
import { worldOf } from '../generate/world.ts';
import { runHere } from '../kit/cli.ts';
import { freshFolder } from '../kit/folder.ts';
import { identitiesIn, importInto, queryOf, type Row, strangers } from '../kit/graphs/graph.ts';

const NEXT = 'c3'.repeat(32);
const NOW = Date.UTC(2026, 0, 2);

const opened = (dataDir: string, keep = 'sealed') =>
  openRecordStoringGraph({
    dataDir,
    graph: { ...DEFAULT_GRAPH_SETTINGS, keep },
    create: !existsSync(join(dataDir, 'graph.db')),
  });

async function within<T>(
  dataDir: string,
  work: (graph: RecordStoringGraph) => Promise<T>,
  keep?: string,
): Promise<T> {
  const graph = opened(dataDir, keep);
  try {
    return await work(graph);
  } finally {
    await graph.close();
  }
}

const ROWS = Array.from(generateRecordLines(worldOf(40, { seed: 7, countries: ['US', 'DE'] })))
  .flatMap(({ records }) => records.trim().split('\n').filter(Boolean))
  .map((line) => JSON.parse(line) as Row);
const GONE: Row = {
  record_id: 'gone',
  name: 'Wilhelmina Quackenbush',
  emails: ['w@quackenbush.example'],
  phones: ['+1 503 234 0101'],
};

/** Returns the answers to queries of all values of the rows, with the identity of each record. */
const toldBy = (graph: RecordStoringGraph) =>
  Promise.all(
    ROWS.map(async ({ name, names, emails, phones }) => {
      const asked = { name: [name, ...(names ?? [])].find((one) => typeof one === 'string'), emails, phones };
      const { identities: cards, ...rest } = await graph.resolve(
        queryOf(asked as Parameters<typeof queryOf>[0]),
      );
      return { ...rest, names: [...cards].map(([id, card]) => [id, card.names]) };
    }),
  );

async function generateId({ records }: RecordStoringGraph): Promise<string> {
  const incoming = await records.openIncoming();
  incoming.drop();
  return incoming.generateRecordId('a row without an id');
}

async function madeFolder(): Promise<{ folder: string; secret: string }> {
  const folder = freshFolder();
  await within(folder, async (graph) => {
    await importInto(graph, [[...ROWS, ...strangers(10), GONE]]);
    const ids = await identitiesIn(graph);
    await eraseRecordsAndWriteReceipt(graph, [{ source: 'crm', recordId: 'gone' }], {
      dataDir: folder,
      now: NOW,
    });
    const two = ['stranger-1', 'stranger-2'].map((name) => ids.get(name) ?? 0);
    await joinIdentities(graph, two, { who: 'me', why: 'same', time: NOW });
  });
  return { folder, secret: readFileSync(join(folder, 'secret'), 'utf8').trim() };
}

test('a graph with a new secret has the same answers and numbers, and no trace of the old secret', async () => {
  const { folder, secret } = await madeFolder();
  const before = await within(folder, async (graph) => [await toldBy(graph), await identitiesIn(graph)]);
  const done = await changeGraphSecret({ dataDir: folder, secret, next: NEXT, ownFile: true });
  expect(done.records).toBe(ROWS.length + 10);
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(`${NEXT}\n`);
  expect(findFilesContaining(folder, [Buffer.from(secret)])).toEqual([]);
  expect(readdirSync(folder).filter((name) => /replaced|scratch|restored/.test(name))).toEqual([]);
  await within(folder, async (graph) => {
    expect([await toldBy(graph), await identitiesIn(graph)]).toEqual(before);
    expect((await verifyRecordLinks(graph)).wrong).toBe(0);
    expect((await exportPerson(graph, 1)).records.every(({ whole }) => whole !== null)).toBe(true);
  });
});

test('records, manual links and forgotten people are recognised after the change', async () => {
  const { folder, secret } = await madeFolder();
  const made = await within(folder, generateId);
  await changeGraphSecret({ dataDir: folder, secret, next: NEXT, ownFile: true });
  await within(folder, async (graph) => {
    expect(await generateId(graph)).toBe(made);
    const ids = await identitiesIn(graph);
    const again = [...ROWS, ...strangers(10), GONE, { ...GONE, record_id: 'other id' }];
    expect(await importInto(graph, [again])).toMatchObject({
      added: 0,
      replaced: ROWS.length + 10,
      barred: 2,
    });
    expect(await identitiesIn(graph)).toEqual(ids);
    expect(ids.get('stranger-1')).toBe(ids.get('stranger-2'));
    expect((await graph.manualLinks.list())[0]?.groups.flat()).toHaveLength(2);
    const sister = { ...GONE, record_id: 'sister', name: 'Ottilie Quackenbush', emails: [] };
    expect(await importInto(graph, [[sister]])).toMatchObject({ added: 1, alike: 1 });
  });
});

test('previous numbers are kept: an undone manual link gives the number back', async () => {
  const { folder, secret } = await madeFolder();
  await changeGraphSecret({ dataDir: folder, secret, next: NEXT, ownFile: true });
  await within(folder, async (graph) => {
    const one = (await identitiesIn(graph)).get('stranger-2') ?? 0;
    expect((await graph.linking.getIdentity(one + 1))?.id).toBe(one);
    await undoManualLink(graph, 1, NOW);
    expect((await identitiesIn(graph)).get('stranger-2')).toBe(one + 1);
  });
});

test('after a second change of the secret, people who were forgotten under the first are still suppressed', async () => {
  const { folder, secret } = await madeFolder();
  await changeGraphSecret({ dataDir: folder, secret, next: NEXT, ownFile: true });
  await changeGraphSecret({ dataDir: folder, secret: NEXT, next: 'd4'.repeat(32), ownFile: true });
  await within(folder, async (graph) =>
    expect(await importInto(graph, [[{ ...GONE, record_id: 'other id' }]])).toMatchObject({ barred: 1 }),
  );
});

test('a graph with fingerprints only is not changed, and the message names the needed files', async () => {
  const folder = freshFolder();
  await within(folder, (graph) => importInto(graph, [strangers(5)]), 'fingerprints');
  await within(folder, (graph) => importInto(graph, [[{ ...GONE, source: 'shop' }]]));
  const secret = readFileSync(join(folder, 'secret'), 'utf8');
  const { code, stderr } = await runHere(['graph', 'rekey', '--yes', '--data-dir', folder]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('5 of 6 records (sources: crm) are stored only as fingerprints'),
  ]);
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(secret);
  await within(folder, (graph) => importInto(graph, [strangers(5)]));
  expect(await runHere(['graph', 'rekey', '--yes', '--data-dir', folder])).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, 'secret'), 'utf8')).not.toBe(secret);
});

test('the change is refused beside a server, and without --yes', async () => {
  const { folder, secret } = await madeFolder();
  const asked = await runHere(['graph', 'rekey', '--data-dir', folder]);
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('Add --yes')]);
  const serving = opened(folder);
  const options = { dataDir: folder, secret, next: NEXT, ownFile: true };
  await expect(changeGraphSecret(options)).rejects.toMatchObject({ code: 'database_busy' });
  await serving.close();
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(`${secret}\n`);
});

test('a server that starts while the store is changed stops the change, and the graph and its secret stay', async () => {
  const { folder, secret } = await madeFolder();
  let serving: RecordStoringGraph | undefined;
  const changeStore = (_: unknown, replaceFiles: () => void) => {
    serving = opened(folder);
    replaceFiles();
  };
  const change = changeGraphSecret({ dataDir: folder, secret, next: NEXT, ownFile: true, changeStore });
  await expect(change).rejects.toMatchObject({ code: 'database_busy' });
  await serving?.close();
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe(`${secret}\n`);
  expect(existsSync(join(folder, 'secret.old'))).toBe(false);
});
