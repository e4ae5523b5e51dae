// What linking remembers beside a graph is never believed where it is not the graph's.
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

/** Imports, and tells whether that linked all records anew. */
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

test('one record more is linked with what is remembered, and again after that', async () => {
  const folder = await imported();
  expect(await anewIn(folder, [ONE])).toBe(false);
  expect(await anewIn(folder, [{ ...ONE, name: 'Ada Abernathy-Lund' }])).toBe(false);
  expect(await anewIn(folder, [])).toBe(false);
});

test('a folder without it, or with a damaged one, is linked anew once', async () => {
  const folder = await imported();
  remove(folder, 'link.db');
  expect(await anewIn(folder, [ONE])).toBe(true);
  expect(await anewIn(folder, [{ ...ONE, record_id: 'two' }])).toBe(false);
  remove(folder, 'link.db');
  writeFileSync(join(folder, 'link.db'), 'no database at all, '.repeat(400));
  expect(await anewIn(folder, [{ ...ONE, record_id: 'three' }])).toBe(true);
});

test('a change that is committed succeeds, although the disk is too full to commit what linking remembers', async () => {
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

test('a change that is committed succeeds, although the note that both files have it fails', async () => {
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

test('a page of it that is damaged, whichever it is, costs nothing but linking anew', async () => {
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
    // The second may be the first to meet it.
    lost.push(await anewIn(one, [{ ...ONE, record_id: 'two', name: 'Somebody Else', emails: [] }]));
    expect(await partitionOf(one)).toHaveLength(101);
  }
  expect(lost).toContain(true);
});

test('that of another state of the graph is not believed', async () => {
  const folder = await imported();
  const earlier = freshFolder();
  for (const name of ['graph.db', 'records.db', 'secret'])
    copyFileSync(join(folder, name), join(earlier, name));
  expect(await anewIn(folder, [ONE])).toBe(false);
  // As a restored backup would: the graph of before, with the memory of after.
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

test('what was counted and taken back is not remembered', async () => {
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

test('a check opens it not', async () => {
  const folder = await imported();
  remove(folder, 'link.db');
  const graph = openSqliteGraph({ dataDir: folder });
  await graph.resolve(EMPTY_GRAPH_QUERY);
  await graph.close();
  expect(existsSync(join(folder, 'link.db'))).toBe(false);
});
