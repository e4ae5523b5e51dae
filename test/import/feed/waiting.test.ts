// A feed that is killed before its records are linked leaves no fault, and the next server links the records.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import Database from 'better-sqlite3';
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { linkAllRecords } from '../../../src/people/linking.ts';
import { verifyGraph } from '../../../src/people/verify-links.ts';
import { toStoredRecord } from '../../../src/import/stored.ts';
import { parseImportRecord } from '../../../src/import/record.ts';
import { openLog } from '../../../src/observe/log.ts';
import { openMultiThreadServer } from '../../../src/app/workers/open.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importRows, operate, type Row, sharedFolder } from '../../kit/graphs/graph.ts';

const person = (i: number): Row => ({
  record_id: `${i}`,
  source: 'crm',
  name: `Person${i % 40} Berg`,
  emails: [`person${i % 40}@example.com`],
});

/**
 * Folder of a server that was killed after it wrote a batch of more than a tenth of the records, before it
 * linked them.
 */
const left = sharedFolder();
await importRows(left, [Array.from({ length: 60 }, (_, i) => person(i))]);
await operate(left, async (graph) => {
  const put = [
    ...Array.from({ length: 20 }, (_, i) => person(100 + i)),
    { ...person(3), name: 'Petra Person3 Berg' },
  ].flatMap((row) => {
    const read = parseImportRecord(row, { source: 'crm', region: 'US' });
    return 'record' in read ? [toStoredRecord(read.record, graph.records)] : [];
  });
  await graph.records.runAtomically(async () => {
    await graph.records.remove(['5', '45', '6'].map((recordId) => ({ source: 'crm', recordId })));
    await graph.records.put(put);
  });
});

function copied(): string {
  const folder = freshFolder();
  cpSync(left, folder, { recursive: true });
  return folder;
}

async function told(folder: string) {
  const graph = openSqliteGraph({ dataDir: folder, create: false });
  const { records, wrong, linked, waiting, invariants } = await verifyGraph(graph);
  await graph.close();
  const broken = invariants.flatMap(({ says, broken }) => (broken > 0 ? [says] : []));
  return { records, wrong, linked, waiting, broken };
}

test('records that wait for linking are reported as no fault; damage besides them is a fault', async () => {
  const folder = copied();
  expect(await told(folder)).toEqual({ records: 77, wrong: 0, linked: false, waiting: 24, broken: [] });
  const { code, stdout } = await runHere(['graph', 'verify', '--data-dir', folder]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('24 changed records are not')]);
  const stats = await runHere(['graph', 'stats', '--data-dir', folder]);
  expect(stats.stdout).toMatch(/unlinked +20[^]*settled +false[^]*A server links them soon after its start/);
  const db = new Database(join(folder, 'graph.db'));
  db.exec('UPDATE identity SET hints = zeroblob(4) WHERE id = 20');
  db.exec('DELETE FROM posting WHERE key = (SELECT min(key) FROM posting)');
  db.close();
  expect((await told(folder)).broken).toEqual([
    'each published identity equals the identity of its records',
    'each look-up key leads to the identities that have it',
  ]);
});

test('if it is unknown which records wait, published identities are not compared with the records', async () => {
  const folder = copied();
  for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `link.db${end}`), { force: true });
  expect(await told(folder)).toEqual({ records: 77, wrong: 0, linked: false, waiting: 0, broken: [] });
});

/** Waits until all records are linked. */
async function linkedIn(folder: string): Promise<void> {
  while (!(await operate(folder, (graph) => graph.stats())).settled) await pause(100);
}

const ONE = { records: 77, wrong: 0, linked: true, waiting: 0, broken: [] };

test('a server links waiting records at its start and logs it', async () => {
  const folder = copied();
  const config = await loadConfig({ env: {}, cwd: folder, flags: { dataDir: folder, warmUp: '0s' } });
  let logged = '';
  const log = openLog('json', (text) => (logged += text));
  const app = await openApp(config, log);
  onTestFinished(() => app.close());
  await linkedIn(folder);
  expect(await told(folder)).toEqual(ONE);
  const byOne = copied();
  await operate(byOne, linkAllRecords);
  expect(await told(byOne)).toEqual(ONE);
  await expect.poll(() => (log.flush(), logged)).toContain('all records are linked"');
  expect(logged).toContain('records that are not linked yet');
});

test('in a server with several threads, the main thread links waiting records', async () => {
  const folder = copied();
  const config = await loadConfig({
    env: {},
    cwd: folder,
    flags: { dataDir: folder, port: '0', warmUp: '0s' },
  });
  const server = await openMultiThreadServer(config, 2, {
    write: () => undefined,
    health: () => ({ failing: false, lost: 0 }),
  });
  onTestFinished(() => server.close());
  await linkedIn(folder);
  expect(await told(folder)).toEqual(ONE);
});
