import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { GRAPH_FILE_TYPE_DEFINITION } from '../../../src/graph/sqlite/schema.ts';
import type { DatabaseFile } from '../../../src/maintenance/sqlite/databases.ts';
import { openDatabaseSnapshot } from '../../../src/maintenance/sqlite/snapshot.ts';
import { type Db, openSqliteFile } from '../../../src/platform/sqlite.ts';
import { STORE_FILE_TYPE_DEFINITION } from '../../../src/store/sqlite/connect.ts';
import { freshFolder } from '../../kit/folder.ts';

/** Increments a number in the graph, then in the store, again and again: the graph always has the same number as the store, or one more. */
const COUNTING = `
  const { workerData, parentPort } = require('node:worker_threads');
  const Database = require('better-sqlite3');
  const [graph, store] = workerData.map((file) => new Database(file));
  for (const db of [graph, store]) db.pragma('busy_timeout = 5000'), db.pragma('synchronous = OFF');
  const up = [graph, store].map((db) => db.prepare('UPDATE t SET n = n + 1'));
  let stopped = false;
  parentPort.on('message', () => (stopped = true));
  (function turn() {
    for (let i = 0; i < 50; i++) for (const one of up) one.run();
    if (stopped) process.exit();
    setImmediate(turn);
  })();
`;

const count = (db: Db | undefined) => db?.prepare<[], number>('SELECT n FROM t').pluck().get() ?? -1;

test('two databases are read at one and the same moment, while both are written to', async () => {
  const folder = freshFolder();
  const files: Pick<DatabaseFile, 'name' | 'file' | 'kind'>[] = [
    { name: 'graph.db', file: join(folder, 'graph.db'), kind: GRAPH_FILE_TYPE_DEFINITION },
    { name: 'store.db', file: join(folder, 'store.db'), kind: STORE_FILE_TYPE_DEFINITION },
  ];
  for (const { file, kind } of files) {
    const db = openSqliteFile(file, kind);
    db.exec(`CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (0)`);
    db.pragma(`application_id = ${kind.applicationId}`);
    db.close();
  }
  const writer = new Worker(COUNTING, { eval: true, workerData: files.map(({ file }) => file) });
  onTestFinished(() => void writer.terminate());
  const seen = new Set<number>();
  const apart = new Set<number>();
  while (seen.size < 60) {
    const moment = openDatabaseSnapshot(files);
    const [graph, store] = moment.databases.map(({ db }) => db);
    const before = count(graph);
    apart.add(before - count(store));
    seen.add(before);
    expect(count(graph)).toBe(before);
    moment.close();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect([...apart].filter((difference) => difference !== 0 && difference !== 1)).toEqual([]);
});
