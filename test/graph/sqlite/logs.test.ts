import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NOTHING } from '../../../src/graph/graph.ts';
import { openGraph } from '../../../src/graph/sqlite/open.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto } from '../../kit/graphs/graph.ts';

test('an import beside a server that goes on reading leaves no logs behind', async () => {
  const folder = freshFolder();
  const server = openGraph({ dataDir: folder });
  const rows = Array.from({ length: 300 }, (_, i) => ({ record_id: `${i}`, name: `Person${i} Berg` }));
  const importer = openGraph({ dataDir: folder });
  await importInto(importer, [rows]);
  await server.resolve(NOTHING);
  await new Promise(setImmediate);
  await importer.close();
  const logs = readdirSync(folder).filter((name) => name.endsWith('-wal'));
  expect(logs).toContain('graph.db-wal');
  for (const log of logs) expect(statSync(join(folder, log)).size).toBe(0);
  await server.close();
});
