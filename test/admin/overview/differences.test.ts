import { expect, test } from 'vitest';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { createRecordPairDifferenceCounter } from '../../../src/admin/overview/differences.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto, type Row } from '../../kit/graphs/graph.ts';

const of = (record_id: string, email: string): Row => ({
  record_id,
  identity: 'ann',
  name: 'Ann Lindqvist',
  emails: [`${email}@post.example`],
});

test('differences between records of one person do not depend on the order of import', async () => {
  const rows = [of('1', 'ann'), of('2', 'a.lind'), of('3', 'ann'), of('4', 'ann')];
  const found = [];
  for (const order of [
    [0, 1, 2, 3],
    [0, 2, 3, 1],
    [3, 1, 0, 2],
  ]) {
    const graph = openSqliteGraph({ dataDir: freshFolder() });
    for (const place of order) await importInto(graph, [rows.slice(place, place + 1)]);
    const differences = createRecordPairDifferenceCounter();
    for await (const page of graph.records.pages()) page.forEach(differences.add);
    found.push(differences.count().email);
    await graph.close();
  }
  expect(found).toEqual(Array.from(found, () => ({ pairs: 3, differ: 2 })));
});
