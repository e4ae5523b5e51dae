import { describe, expect, onTestFinished, test } from 'vitest';
import postgres from 'postgres';
import {
  completeInterruptedErasureAndReceipt,
  eraseRecordsAndWriteReceipt,
} from '../../../src/people/erase/forget.ts';
import { readReceipt, listReceiptFilePaths } from '../../../src/people/erase/receipts.ts';
import { createFingerprintFunctions } from '../../../src/graph/encryption/fingerprints.ts';
import type { RecordStoringGraph } from '../../../src/graph/graph.ts';
import type { GraphErasureOperations } from '../../../src/graph/capabilities.ts';
import { openPostgresGraph } from '../../../src/graph/postgres/engine.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { undoImport } from '../../../src/import/sources.ts';
import { linkChangedRecords } from '../../../src/people/linking.ts';
import { normaliseContact } from '../../../src/normalise/contact.ts';
import { parseSocketFolder } from '../../kit/programs/postgres.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto, queryOf, type Row, strangers } from '../../kit/graphs/graph.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';

const SECRET = 'e7'.repeat(32);
const NOW = Date.UTC(2026, 0, 2);
const server = sharedPostgres({});

const GONE: Row[] = [
  {
    record_id: 'gone-1',
    name: 'Wilhelmina Quackenbush',
    emails: ['wilhelmina@quackenbush.example'],
    phones: ['+1 503 234 0101'],
    birth_date: '1961-02-03',
  },
  {
    record_id: 'gone-2',
    source: 'shop',
    name: 'Wilhelmina Quackenbush',
    emails: ['wilhelmina@quackenbush.example'],
  },
];
const NAMES = GONE.map(({ record_id, source = 'crm' }) => ({ source, recordId: record_id }));
const ASKED = queryOf({ name: 'Wilhelmina Quackenbush', emails: ['wilhelmina@quackenbush.example'] });

async function graphOn(url: string, folder = freshFolder()): Promise<RecordStoringGraph> {
  const graph = openPostgresGraph({ url, secret: SECRET, folder });
  onTestFinished(() => graph.close());
  return graph;
}

const imported = async (url: string, folder = freshFolder()) => {
  const graph = await graphOn(url, folder);
  await importInto(graph, [[...strangers(12), ...GONE]]);
  return graph;
};

/** Returns the number of table rows that contain a fingerprint of a forgotten person. */
async function rowsOfGone(url: string): Promise<number> {
  const { of, ofRecord: record } = createFingerprintFunctions(SECRET);
  const keys = [normaliseContact('email', GONE[0]?.emails?.[0] ?? '', 'US')].flatMap(
    (contact) => contact?.keys.map(({ type, text }) => of(type, text)) ?? [],
  );
  const sql = postgres(url, { ...parseSocketFolder(url), max: 1, fetch_types: false });
  onTestFinished(() => sql.end());
  const tables = await sql.unsafe<{ name: string }[]>(
    "SELECT relid::regclass::text AS name FROM pg_stat_user_tables WHERE schemaname = 'bonafide'",
  );
  const wanted = [
    ...NAMES.map(({ source, recordId }) => record(source, recordId).toString('hex')),
    ...keys.map((key) => `${key}`),
  ];
  let found = 0;
  for (const { name } of tables)
    for (const one of wanted)
      found += (await sql.unsafe(`SELECT 1 FROM ${name} t WHERE position('${one}' in t::text) > 0`)).length;
  return found;
}

describe.skipIf(isWithoutPostgres('forgetting'))('a person who is forgotten on PostgreSQL', () => {
  test('is searched for in every file of an embedded graph that is still in the folder', async () => {
    const dataDir = freshFolder();
    const former = openSqliteGraph({ dataDir, secret: SECRET });
    await importInto(former, [[...strangers(12), ...GONE]]);
    await former.close();
    const graph = await imported(await (await server()).database(), dataDir);
    const { receipt } = await eraseRecordsAndWriteReceipt(graph, NAMES, { dataDir, now: NOW });
    expect(receipt?.traces).toEqual(['graph.db', 'records.db']);
  });

  test('is in no table, all others are linked as without the person, and the receipt says what it does not cover', async () => {
    const [url, dataDir] = [await (await server()).database(), freshFolder()];
    const graph = await imported(url, dataDir);
    expect(await rowsOfGone(url)).toBeGreaterThan(4);
    const { receipt } = await eraseRecordsAndWriteReceipt(graph, NAMES, { dataDir, now: NOW });
    expect(receipt).toMatchObject({ finished: true, records: 2, identities: [13], logs_empty: true });
    // Includes the importer's link cache.
    expect(receipt.searched).toBeGreaterThan(20);
    expect(receipt.traces).toEqual([]);
    expect(receipt.beyond).toContain('backups');
    expect(await rowsOfGone(url)).toBe(0);
    const without = openSqliteGraph({ dataDir: freshFolder(), secret: SECRET });
    onTestFinished(() => without.close());
    await importInto(without, [strangers(12)]);
    expect(await graph.resolve(ASKED)).toEqual(await without.resolve(ASKED));
    expect(await graph.linking.errorRates()).toEqual(await without.linking.errorRates());
    expect(await graph.linking.getIdentity(13)).toBeNull();
  });

  test('is suppressed again when the import that allowed the return is undone', async () => {
    const [url, dataDir] = [await (await server()).database(), freshFolder()];
    const graph = await imported(url, dataDir);
    await eraseRecordsAndWriteReceipt(graph, NAMES, { dataDir, now: NOW });
    const barred = await graph.erasing?.countSuppressed();
    const letIn = { journal: { files: 1 }, allowReturn: true };
    expect(await importInto(graph, [GONE], letIn)).toMatchObject({ added: 2, barred: 0 });
    expect(await graph.erasing?.countSuppressed()).toBeLessThan(barred ?? 0);
    expect((await graph.records.lastAppliedImport())?.what).toEqual({ files: 1 });
    await undoImport(graph, () => linkChangedRecords(graph));
    expect(await graph.erasing?.countSuppressed()).toBe(barred);
    expect(await importInto(graph, [GONE])).toMatchObject({ added: 0, barred: 2 });
  });

  test('is complete or gone if the database is killed before the end', async () => {
    const database = await server();
    const [url, dataDir] = [await database.database(), freshFolder()];
    const graph = await imported(url);
    const killedAt = (part: keyof GraphErasureOperations, graph: RecordStoringGraph): RecordStoringGraph => {
      const { erasing } = graph;
      const killed = async (...given: [never, never, never]) => {
        const done = part === 'suppress' ? await erasing?.suppress(...given) : undefined;
        await database.kill();
        return done ?? erasing?.emptyLogs();
      };
      return { ...graph, erasing: { ...erasing, [part]: killed } as GraphErasureOperations };
    };
    const lost = expect.objectContaining({ code: 'graph_unavailable' });
    await expect(
      eraseRecordsAndWriteReceipt(killedAt('suppress', graph), NAMES, { dataDir, now: NOW }),
    ).rejects.toThrow(lost);
    await database.start();
    const again = await graphOn(url);
    expect(await again.records.count()).toBe(14);
    expect(await again.erasing?.pendingErasure()).toBeNull();
    // A graph that lost its connection may refuse until its next probe of the database.
    await expect(
      eraseRecordsAndWriteReceipt(killedAt('emptyLogs', again), NAMES, { dataDir, now: NOW + 1 }),
    ).rejects.toThrow(lost);
    await database.start();
    const after = await graphOn(url);
    expect(await after.records.count()).toBe(12);
    expect(await after.warnings()).toEqual([expect.stringContaining('graph compact')]);
    await completeInterruptedErasureAndReceipt(after, dataDir, undefined);
    expect(await after.warnings()).toEqual([]);
    expect(listReceiptFilePaths(dataDir).map((file) => readReceipt(file).finished)).toContain(true);
    expect(await rowsOfGone(url)).toBe(0);
  });
});
