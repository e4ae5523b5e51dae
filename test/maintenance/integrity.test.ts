import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkIntegrity } from '../../src/maintenance/integrity.ts';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import { listDatabases, runWithDatabase } from '../../src/maintenance/sqlite/databases.ts';
import { freshApp, JANE, json } from '../kit/app.ts';
import { filledFolder } from './kit.ts';

test('a folder that is whole has no damage, also while it is in use', async () => {
  const folder = await filledFolder(50);
  const graph = openSqliteGraph({ dataDir: folder });
  let slices = 0;
  expect(await checkIntegrity(folder, { slowly: true, onSlice: (done) => (slices = done) })).toEqual({
    damages: [],
    unchecked: [],
  });
  expect(slices).toBeGreaterThan(8);
  await graph.close();
});

/** Returns the page size from the header of a file. */
const pageSize = (bytes: Buffer) => bytes.readUInt16BE(16);

test.each([
  // SQLite does not read a damaged file with so few pages, and reports no table.
  ['graph.db', 'null'],
  ['records.db', 'record'],
])('damage is told with its file and table, wherever it is in %s', async (of, table) => {
  const folder = await filledFolder(300);
  const file = join(folder, of);
  const bytes = readFileSync(file);
  const found = new Set<string>();
  const size = pageSize(bytes);
  for (let at = 4096; at < bytes.length; at += 4 * 4096) {
    const damaged = Buffer.from(bytes);
    damaged.fill(0xff, at - (at % size), at - (at % size) + 100);
    writeFileSync(file, damaged);
    const { damages } = await checkIntegrity(folder, { slowly: false });
    expect(damages.map(({ name }) => name)).toContain(of);
    for (const damage of damages) found.add(String(damage.table));
  }
  expect([...found]).toContain(table);
});

test('a database that is locked is not reported as damaged', async () => {
  const folder = await filledFolder(50);
  const locked = new Database(join(folder, 'graph.db'));
  locked.pragma('locking_mode = EXCLUSIVE');
  locked.exec('BEGIN EXCLUSIVE; COMMIT');
  expect(await checkIntegrity(folder, { slowly: false })).toEqual({
    damages: [],
    unchecked: [{ name: 'graph.db', code: 'database_busy', message: expect.stringContaining('is locked') }],
  });
  locked.close();
});

test('damage that a server finds in the background turns its readiness off, and calls that do not meet it are answered', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { app, folder, send, post, logged } = await freshApp();
  await app.listen();
  expect((await send('/readyz')).status).toBe(200);
  const db = new Database(join(folder, 'graph.db'));
  const page = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'frequent'").pluck().get());
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  const bytes = readFileSync(join(folder, 'graph.db'));
  const at = (page - 1) * pageSize(bytes);
  bytes.fill(0xff, at, at + 100);
  const handle = openSync(join(folder, 'graph.db'), 'r+');
  writeSync(handle, bytes);
  closeSync(handle);
  await vi.advanceTimersByTimeAsync(61_000);
  await expect.poll(async () => (await send('/readyz')).status).toBe(503);
  expect(await json(send('/readyz'))).toMatchObject({ graph: 'failed', store: 'ok' });
  expect(logged()).toMatch(/graph\.db (?:cannot be read|is damaged)/);
  expect((await post('/v1/validate', JANE)).status).toBe(200);
});

test('a database waits five seconds for a lock, unless the caller gives another limit', async () => {
  const [graph] = listDatabases(await filledFolder(1));
  const readLimit = (busyMs?: number) =>
    runWithDatabase(graph!, (db) => db.pragma('busy_timeout', { simple: true }), busyMs);
  expect([await readLimit(), await readLimit(1000)]).toEqual([5000, 1000]);
});
