import { cpSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { openGraph } from '../../src/graph/sqlite/open.ts';
import { freshFolder } from '../kit/folder.ts';
import { importInto, sharedFolder, strangers } from '../kit/graphs/graph.ts';
import { playWorld } from './worlds.ts';

const base = sharedFolder();

beforeAll(async () => {
  const graph = openGraph({ dataDir: base });
  await importInto(graph, [strangers(90)]);
  await graph.close();
});

it('records the events that checking every watch after every publication gives, in 30 random worlds', async () => {
  const total = { events: 0, rechecks: 0, allRechecks: 0 };
  for (let seed = 1; seed <= 30; seed++) {
    const folder = freshFolder();
    cpSync(base, folder, { recursive: true });
    const { differences, ...counts } = await playWorld(seed, folder);
    expect(differences, `world ${seed}`).toEqual([]);
    for (const name of ['events', 'rechecks', 'allRechecks'] as const) total[name] += counts[name];
  }
  expect(total.events).toBeGreaterThan(100);
  expect(total.rechecks).toBeLessThan(total.allRechecks);
});
