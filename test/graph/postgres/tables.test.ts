import postgres from 'postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { listSettings } from '../../../src/config.ts';
import { openPostgresGraph } from '../../../src/graph/postgres/engine.ts';
import { openGraphFromSettings } from '../../../src/graph/engines.ts';
import { POSTGRES_TABLES_VERSION } from '../../../src/graph/postgres/schema.ts';
import { parseSocketFolder } from '../../kit/programs/postgres.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto, queryOf, strangers } from '../../kit/graphs/graph.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';

const server = sharedPostgres();
const SECRET = 'e5'.repeat(32);
const open = (url: string, secret = SECRET, create = true) => {
  const graph = openPostgresGraph({ url, secret, folder: freshFolder(), create });
  onTestFinished(() => graph.close());
  return graph;
};
const coded = (code: string) => expect.objectContaining({ code });

describe.skipIf(isWithoutPostgres('its tables'))('the tables of a graph', () => {
  test('are created once, by the first of several servers', async () => {
    const url = await (await server()).database();
    const graphs = Array.from({ length: 4 }, () => open(url));
    const stats = await Promise.all(graphs.map((graph) => graph.stats()));
    expect(stats).toEqual(Array(4).fill(expect.objectContaining({ records: 0, settled: true })));
  });

  test('are not created without `create`', async () => {
    const url = await (await server()).database();
    const graph = open(url, SECRET, false);
    await expect(graph.stats()).rejects.toThrow(coded('graph_unavailable'));
    expect(await graph.warnings()).toEqual([expect.stringContaining('import records first')]);
  });

  test('of another secret, or of an unknown version, are refused; those of the next version are used', async () => {
    const url = await (await server()).database();
    await importInto(open(url), [strangers(3)]);
    await expect(open(url, 'f6'.repeat(32)).stats()).rejects.toThrow(coded('wrong_secret'));
    const sql = postgres(url, { ...parseSocketFolder(url), max: 1, fetch_types: false });
    onTestFinished(() => sql.end());
    await sql.unsafe(`UPDATE bonafide.graph SET version = ${POSTGRES_TABLES_VERSION + 1}`);
    expect((await open(url).stats()).records).toBe(3);
    await sql.unsafe(`UPDATE bonafide.graph SET oldest = ${POSTGRES_TABLES_VERSION + 1}`);
    await expect(open(url).stats()).rejects.toThrow(coded('newer_database'));
    await sql.unsafe(`UPDATE bonafide.graph SET version = ${POSTGRES_TABLES_VERSION - 1}, oldest = 1`);
    await expect(open(url).stats()).rejects.toThrow(/made by an older Bonafide.*import the records again/);
  });

  test('are not searched for in the schema of another program, which stays unchanged', async () => {
    const [table, other] = await Promise.all([(await server()).database(), (await server()).database()]);
    for (const [url, made] of [
      [table, 'CREATE TABLE bonafide.graph (id integer)'],
      [other, 'CREATE TABLE bonafide.record (id integer)'],
    ] as const) {
      const sql = postgres(url, { ...parseSocketFolder(url), max: 1, fetch_types: false });
      onTestFinished(() => sql.end());
      await sql.unsafe(`CREATE SCHEMA bonafide; ${made}`);
      for (const create of [false, true])
        await expect(open(url, SECRET, create).stats()).rejects.toThrow(coded('foreign_database'));
      const tables = await sql.unsafe(
        `SELECT count(*)::int AS of FROM pg_class WHERE relnamespace = 'bonafide'::regnamespace`,
      );
      expect(tables[0]).toEqual({ of: 1 });
    }
  });

  test('that a role may not create are reported as missing for this reason', async () => {
    const url = await (await server()).database();
    const sql = postgres(url, { ...parseSocketFolder(url), max: 1, fetch_types: false });
    onTestFinished(() => sql.end());
    await sql.unsafe('CREATE ROLE reader LOGIN');
    const graph = open(url.replace('//postgres@', '//reader@'), SECRET, false);
    expect(await graph.warnings()).toEqual([expect.stringContaining('may not create them')]);
    await expect(graph.resolve(queryOf({ name: 'Ada' }))).rejects.toThrow(coded('graph_unavailable'));
  });

  test('contain the complete imports of two importers at the same time', async () => {
    const url = await (await server()).database();
    const rows = strangers(20);
    const [one, two] = [open(url), open(url)];
    await Promise.all([importInto(one, [rows.slice(0, 12)]), importInto(two, [rows.slice(8)])]);
    expect(await one.stats()).toMatchObject({ records: 20, identities: 20, unlinked: 0, settled: true });
    const asked = queryOf({ name: 'Ada Abernathy', emails: ['ada.abernathy.0@stranger.example'] });
    expect(await two.resolve(asked)).toEqual(await one.resolve(asked));
  });
});

test('the password of the database is not in the list of settings, and a missing database is refused', async () => {
  const database = 'postgres://bonafide:hidden-word@db.example/graph';
  const flags = { dataDir: freshFolder(), graph: `engine=postgres,database=${database}` };
  const config = await loadConfig({ env: {}, cwd: freshFolder(), flags });
  expect(config.graph).toMatchObject({ database });
  expect(JSON.stringify(listSettings(config, {}))).not.toContain('hidden-word');
  const without = { ...config, graph: { ...config.graph, database: undefined } };
  expect(() => openGraphFromSettings(without as typeof config)).toThrow(coded('invalid_config'));
});
