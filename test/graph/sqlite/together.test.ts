// Several processes that create one folder at the same time.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { loadOrCreateSecret } from '../../../src/graph/encryption/secret.ts';
import { freshFolder } from '../../kit/folder.ts';

const OPENER = fileURLToPath(new URL('../../kit/graphs/open.ts', import.meta.url));

/** Runs `intrude` when a connection has read a pragma for the first time. */
function afterPragma(name: string, intrude: () => void): void {
  const pragma = Database.prototype.pragma;
  let done = false;
  const spy = vi.spyOn(Database.prototype, 'pragma').mockImplementation(function (
    this: Database.Database,
    ...args: Parameters<typeof pragma>
  ) {
    const answer = pragma.apply(this, args);
    if (!done && args[0] === name) {
      done = true;
      intrude();
      spy.mockRestore();
    }
    return answer;
  });
}

test('a graph that another process creates between two reads is not mistaken for a foreign file', async () => {
  const folder = freshFolder();
  loadOrCreateSecret(folder);
  afterPragma('application_id', () => {
    const other = new Database(join(folder, 'graph.db'), { timeout: 0 });
    try {
      other.exec('CREATE TABLE meta (name TEXT); PRAGMA application_id = 1111902034');
    } catch {
      // The file is locked against writers while it is read.
    }
    other.close();
  });
  const graph = openSqliteGraph({ dataDir: folder });
  expect(graph.engine).toBe('sqlite');
  await graph.close();
});

test('a file that another process locks for a moment is waited for', async () => {
  const folder = freshFolder();
  loadOrCreateSecret(folder);
  const pragma = Database.prototype.pragma;
  let refusals = 0;
  const spy = vi.spyOn(Database.prototype, 'pragma').mockImplementation(function (
    this: Database.Database,
    ...args: Parameters<typeof pragma>
  ) {
    if (args[0] === 'journal_mode = WAL' && refusals++ < 3)
      throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
    return pragma.apply(this, args);
  });
  await openSqliteGraph({ dataDir: folder }).close();
  spy.mockRestore();
  expect(refusals).toBeGreaterThan(3);
});

test('three processes that create 25 folders together get no error, and the next one that closes leaves only graph and secret', async () => {
  const folder = freshFolder();
  const start = String(Date.now() + 1500);
  const runs = await Promise.all(
    [1, 2, 3].map(() => promisify(execFile)(process.execPath, [OPENER, folder, '25', start])),
  );
  expect(runs.map(({ stdout }) => stdout)).toEqual(['', '', '']);
  for (const made of readdirSync(folder)) {
    // Two processes that close at the same time may each see the other as open, and leave the WAL to the next one.
    await openSqliteGraph({ dataDir: join(folder, made) }).close();
    expect(readdirSync(join(folder, made)).toSorted()).toEqual(['graph.db', 'secret']);
  }
});
