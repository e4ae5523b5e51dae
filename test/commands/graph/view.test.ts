// `graph stats` only reads the store.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../../src/store/postgres/open.ts';
import { markErasurePending } from '../../../src/store/events/events.ts';
import { openBlockingPostgresConnection } from '../../../src/store/postgres/bridge.ts';
import { STORE_FILE_TYPE_DEFINITION } from '../../../src/store/sqlite/connect.ts';
import { getStoreFile, listStoreSchemaStatements } from '../../../src/store/sqlite/open.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importRows, strangers } from '../../kit/graphs/graph.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';

const PENDING = 'Bytes of deleted watches';
const NOW = Date.UTC(2026, 0, 2);

test('graph stats reports a pending erasure, and does not migrate store.db', async () => {
  const folder = freshFolder();
  await importRows(folder, [strangers(3)]);
  const store = new Database(getStoreFile(folder));
  for (const sql of listStoreSchemaStatements(5) ?? []) store.exec(sql);
  store.pragma('user_version = 5');
  store.pragma(`application_id = ${STORE_FILE_TYPE_DEFINITION.applicationId}`);
  store.prepare("INSERT INTO counters VALUES ('erasure', ?)").run(NOW);
  expect((await runHere(['graph', 'stats', '--data-dir', folder])).stdout).toContain(PENDING);
  expect(store.pragma('user_version', { simple: true })).toBe(5);
  store.close();
});

describe.skipIf(isWithoutPostgres('a store in PostgreSQL'))('a store in PostgreSQL', () => {
  const server = sharedPostgres();

  test('is not created by graph stats, which reports its pending erasure', async () => {
    const folder = freshFolder();
    await importRows(folder, [strangers(3)]);
    const url = await (await server()).database();
    const config = join(freshFolder(), 'bonafide.config.json');
    writeFileSync(config, JSON.stringify({ store: { url } }));
    const stats = () => runHere(['graph', 'stats', '--config', config, '--data-dir', folder]);
    expect(await stats()).toMatchObject({ code: 0, stdout: expect.not.stringContaining(PENDING) });
    const connection = openBlockingPostgresConnection(url);
    const schema = connection.prepare("SELECT to_regnamespace('bonafide_store')::text").pluck();
    expect(schema.get()).toBeNull();
    connection.close();
    const store = openPostgresStore(url);
    store.raw.transaction(() => markErasurePending(store.raw, NOW))();
    store.close();
    expect((await stats()).stdout).toContain(PENDING);
    const writer = openBlockingPostgresConnection(url);
    onTestFinished(writer.close);
    writer.exec('BEGIN; LOCK TABLE bonafide_store.counters');
    // Without a deadline, this takes two minutes.
    expect(await stats()).toMatchObject({ code: 0, stdout: expect.not.stringContaining(PENDING) });
  });
});
