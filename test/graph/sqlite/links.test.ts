// The link cache beside a graph is used only if it belongs to this state of the graph.
import type { StoredRecord } from '../../../src/link/stored-record.ts';
import Database from 'better-sqlite3';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { EMPTY_GRAPH_QUERY } from '../../../src/graph/graph.ts';
import { COUNT_TYPES } from '../../../src/link/statistics/link-cache-record.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto, partitionOf, type Row, strangers } from '../../kit/graphs/graph.ts';

const FIRST = strangers(100);
const ONE: Row = { record_id: 'one', name: 'Ada Abernathy', emails: ['ada.abernathy.0@stranger.example'] };

/** Imports rows, and returns true if all records were linked again. */
async function anewIn(folder: string, rows: Row[]): Promise<boolean> {
  const graph = openSqliteGraph({ dataDir: folder });
  const blocks = vi.spyOn(graph.linking, 'openWorkspace');
  const { identities } = await importInto(graph, [rows]);
  expect(identities).toBe((await graph.stats()).identities);
  expect(await graph.warnings()).toEqual([]);
  await graph.close();
  return blocks.mock.calls.length > 0;
}

async function imported(): Promise<string> {
  const folder = freshFolder();
  expect(await anewIn(folder, FIRST)).toBe(true);
  return folder;
}

const remove = (folder: string, name: string) => {
  for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `${name}${end}`), { force: true });
};

test('a new record is linked with the link cache, and the next ones too', async () => {
  const folder = await imported();
  expect(await anewIn(folder, [ONE])).toBe(false);
  expect(await anewIn(folder, [{ ...ONE, name: 'Ada Abernathy-Lund' }])).toBe(false);
  expect(await anewIn(folder, [])).toBe(false);
});

test('a folder without a link cache, or with a damaged one, is linked in bulk once', async () => {
  const folder = await imported();
  remove(folder, 'link.db');
  expect(await anewIn(folder, [ONE])).toBe(true);
  expect(await anewIn(folder, [{ ...ONE, record_id: 'two' }])).toBe(false);
  remove(folder, 'link.db');
  writeFileSync(join(folder, 'link.db'), 'no database at all, '.repeat(400));
  expect(await anewIn(folder, [{ ...ONE, record_id: 'three' }])).toBe(true);
});

test('a committed change succeeds, although the disk is too full to commit the link cache', async () => {
  const folder = await imported();
  const { exec } = Database.prototype;
  const spy = vi.spyOn(Database.prototype, 'exec').mockImplementation(function (
    this: Database.Database,
    sql: string,
  ) {
    if (sql === 'COMMIT' && this.name.endsWith('link.db'))
      throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
    return exec.call(this, sql);
  });
  try {
    expect(await anewIn(folder, [ONE])).toBe(false);
  } finally {
    spy.mockRestore();
  }
  expect(existsSync(join(folder, 'link.db'))).toBe(false);
  expect(await anewIn(folder, [{ ...ONE, record_id: 'two' }])).toBe(true);
});

test('a committed change succeeds, although the note that both files have it cannot be written', async () => {
  const folder = await imported();
  const records = new Database(join(folder, 'records.db'));
  records.exec(
    "CREATE TRIGGER refuse BEFORE INSERT ON record_meta WHEN NEW.name = 'applied_whole' BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  const graph = openSqliteGraph({ dataDir: folder });
  expect(await importInto(graph, [[ONE]], { journal: {} })).toMatchObject({ added: 1 });
  records.exec('DROP TRIGGER refuse');
  records.close();
  expect(await graph.records.lastAppliedImport()).toMatchObject({ added: 1 });
  await graph.close();
  expect(await anewIn(folder, [{ ...ONE, record_id: 'two' }])).toBe(false);
});

test('any damaged page of the link cache leads only to bulk linking', async () => {
  const folder = await imported();
  const bytes = readFileSync(join(folder, 'link.db'));
  const lost: boolean[] = [];
  for (let page = 0; page < bytes.length / 4096; page += 5) {
    const [one, damaged] = [freshFolder(), Buffer.from(bytes)];
    damaged.fill(page % 2 === 0 ? 0xff : 0, page * 4096, page * 4096 + 200);
    for (const name of ['graph.db', 'records.db', 'secret'])
      copyFileSync(join(folder, name), join(one, name));
    writeFileSync(join(one, 'link.db'), damaged);
    lost.push(await anewIn(one, [ONE]));
    // The second import may be the first that reads the damaged page.
    lost.push(await anewIn(one, [{ ...ONE, record_id: 'two', name: 'Somebody Else', emails: [] }]));
    expect(await partitionOf(one)).toHaveLength(101);
  }
  expect(lost).toContain(true);
});

test('the link cache of another state of the graph is not used', async () => {
  const folder = await imported();
  const earlier = freshFolder();
  for (const name of ['graph.db', 'records.db', 'secret'])
    copyFileSync(join(folder, name), join(earlier, name));
  expect(await anewIn(folder, [ONE])).toBe(false);
  // As in a restored backup: an earlier graph with a later link cache.
  copyFileSync(join(folder, 'link.db'), join(earlier, 'link.db'));
  expect(await anewIn(earlier, [{ ...ONE, record_id: 'other' }])).toBe(true);
  expect(await anewIn(earlier, [ONE])).toBe(false);
});

test('records that were put and not linked, because the process ended, are linked with the next import', async () => {
  const folder = await imported();
  const graph = openSqliteGraph({ dataDir: folder });
  const put = { ...(await graph.records.findByRecordId('stranger-1'))[0], recordId: 'left', source: 'crm' };
  await graph.records.put([put as StoredRecord]);
  expect(await graph.stats()).toMatchObject({ unlinked: 1 });
  await graph.close();
  expect(await anewIn(folder, [])).toBe(false);
  const db = new Database(join(folder, 'records.db'), { readonly: true });
  expect(db.prepare('SELECT count(*) FROM record WHERE identity IS NULL').pluck().get()).toBe(0);
  db.close();
});

test('counts that were rolled back are not in the link cache', async () => {
  const graph = openSqliteGraph({ dataDir: await imported() });
  const { linkCache: index } = graph.linking;
  await index?.begin();
  index?.setCount(COUNT_TYPES.name, 12, 7);
  expect(index?.count(COUNT_TYPES.name, 12)).toBe(7);
  index?.rollback();
  await index?.begin();
  expect(index?.count(COUNT_TYPES.name, 12)).toBe(0);
  index?.rollback();
  await graph.close();
});

test('a check does not open the link cache', async () => {
  const folder = await imported();
  remove(folder, 'link.db');
  const graph = openSqliteGraph({ dataDir: folder });
  await graph.resolve(EMPTY_GRAPH_QUERY);
  await graph.close();
  expect(existsSync(join(folder, 'link.db'))).toBe(false);
});
