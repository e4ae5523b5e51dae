import { cpSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSecret } from '../../src/graph/encryption/secret.ts';
import { openGraph } from '../../src/graph/sqlite/open.ts';
import { freshFolder } from '../kit/folder.ts';
import { importInto, sharedFolder, strangers } from '../kit/graphs/graph.ts';
import { isWithoutPostgres, postgresGraph, sharedPostgres } from '../kit/graphs/postgres.ts';
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
    const { differences, ...counts } = await playWorld(seed, openGraph({ dataDir: folder }), folder);
    expect(differences, `world ${seed}`).toEqual([]);
    for (const name of ['events', 'rechecks', 'allRechecks'] as const) total[name] += counts[name];
  }
  expect(total.events).toBeGreaterThan(100);
  expect(total.rechecks).toBeLessThan(total.allRechecks);
});

describe.skipIf(isWithoutPostgres('watches of a graph in PostgreSQL'))('in PostgreSQL', () => {
  const server = sharedPostgres();

  it('records the same events', { timeout: 60_000 }, async () => {
    const folder = freshFolder();
    const graph = await postgresGraph(await server(), { secret: loadSecret(folder) });
    await importInto(graph, [strangers(60)]);
    const { differences, events } = await playWorld(7, graph, folder);
    expect(differences).toEqual([]);
    expect(events).toBeGreaterThan(3);
  });
});
