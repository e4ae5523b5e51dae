import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshApp, JANE, json } from '../../kit/app.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';

const server = sharedPostgres();

describe.skipIf(isWithoutPostgres('a folder beside a graph in PostgreSQL'))('a graph in PostgreSQL', () => {
  test('does not go by a graph file that the folder has of another time', async () => {
    const database = await (await server()).database();
    const { app, folder, post, logged } = await freshApp({
      settings: { graph: `engine=postgres,database=${database}` },
    });
    await app.listen();
    expect((await post('/v1/validate', JANE)).status).toBe(200);
    renameSync(join(folder, 'graph.db'), join(folder, 'graph.db.away'));
    renameSync(join(folder, 'store.db'), join(folder, 'store.db.away'));
    const told = async () => json(await post('/v1/validate', JANE));
    await expect.poll(told).toMatchObject({ code: 'store_unavailable' });
    expect(logged()).not.toContain('graph.db was removed');
  });
});
