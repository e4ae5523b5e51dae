import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EMPTY_GRAPH_QUERY } from '../../../src/graph/graph.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto, importRows, operate } from '../../kit/graphs/graph.ts';

test('an import beside a server that keeps reading leaves no WAL files behind', async () => {
  const folder = freshFolder();
  const server = openSqliteGraph({ dataDir: folder });
  const rows = Array.from({ length: 300 }, (_, i) => ({ record_id: `${i}`, name: `Person${i} Berg` }));
  const importer = openSqliteGraph({ dataDir: folder });
  await importInto(importer, [rows]);
  await server.resolve(EMPTY_GRAPH_QUERY);
  await new Promise(setImmediate);
  await importer.close();
  const logs = readdirSync(folder).filter((name) => name.endsWith('-wal'));
  expect(logs).toContain('graph.db-wal');
  for (const log of logs) expect(statSync(join(folder, log)).size).toBe(0);
  await server.close();
});

test('disk space that a killed process used is freed when the graph is opened again', async () => {
  const folder = freshFolder();
  await importRows(folder, [[{ record_id: '1', name: 'Ada Berg' }]]);
  writeFileSync(join(folder, 'graph.db-room-17acf86fc723'), 'held');
  await operate(folder, (graph) => graph.records.count());
  expect(readdirSync(folder).filter((name) => name.includes('-room-'))).toEqual([]);
});
