// Pairs of many other records that a change affects are linked while no call is pending.
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openRecordFeedWriter } from '../../../src/import/feed/writer.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { verifyRecordLinks } from '../../../src/people/verify-links.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto } from '../../kit/graphs/graph.ts';

/** Number of records of one name: with one more, the name is more frequent by one level (see levels.ts). */
const NAMESAKES = 45;

const person = (i: number, name: string) => ({
  record_id: `${i}`,
  source: 'crm',
  name,
  emails: [`person${Math.floor(i / 2)}@example.com`],
});

test('records of the same name are linked after the call is answered, with the result of linking all records', async () => {
  const folder = freshFolder();
  const graph = openSqliteGraph({ dataDir: folder });
  const others = Array.from({ length: 300 }, (_, i) => person(1000 + i, `Person${i} Ostrander${i}`));
  const namesakes = Array.from({ length: NAMESAKES }, (_, i) => person(i, 'Henrietta Berg'));
  await importInto(graph, [[...others, ...namesakes]]);
  expect(await graph.stats()).toMatchObject({ settled: true });

  const feed = openRecordFeedWriter({ dataDir: folder, nameTables: [] });
  const lines = Buffer.from(JSON.stringify(person(NAMESAKES, 'Henrietta Berg')));
  expect(await feed.write({ lines, source: '', region: 'US' })).toMatchObject({ put: 1, linked: true });
  expect(await graph.stats()).toMatchObject({ settled: false, unlinked: 0 });
  while (!(await graph.stats()).settled) await endOfTurn();
  await feed.close();
  expect(await verifyRecordLinks(graph)).toMatchObject({ wrong: 0, settled: true });
  await graph.close();
});

test('idle time begins after a call: linking all records never starts during a call, however long it takes', async () => {
  const folder = freshFolder();
  const graph = openSqliteGraph({ dataDir: folder });
  await importInto(graph, [Array.from({ length: 60 }, (_, i) => person(i, `Person${i} Ostrander${i}`))]);
  await graph.close();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const feed = openRecordFeedWriter({ dataDir: folder, nameTables: [] });
  const put = (i: number) =>
    feed.write({ lines: Buffer.from(JSON.stringify(person(i, 'Ann Berg'))), source: '', region: 'US' });
  await put(100);
  const waits = vi.getTimerCount();
  expect(waits).toBeGreaterThan(0);
  const seen = { least: waits, isDone: false };
  const done = put(101).then(() => (seen.isDone = true));
  while (!seen.isDone) {
    for (let i = 0; i < 20; i++) {
      seen.least = Math.min(seen.least, vi.getTimerCount());
      await Promise.resolve();
    }
    await endOfTurn();
  }
  await done;
  expect(seen.least).toBe(waits - 1);
  expect(vi.getTimerCount()).toBe(waits);
  await feed.close();
});
