import postgres from 'postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RecordRow } from '../../src/link/stored-record.ts';
import type { RecordStoringGraph } from '../../src/graph/graph.ts';
import { copyGraphBetweenEngines } from '../../src/graph/move.ts';
import { openPostgresGraph } from '../../src/graph/postgres/engine.ts';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import { eraseRecordsAndWriteReceipt } from '../../src/people/erase/forget.ts';
import { changeGraphSecret } from '../../src/people/rekey.ts';
import { freshFolder } from '../kit/folder.ts';
import { CONTRACT_ROWS } from '../kit/graphs/contract.ts';
import { identitiesIn, importInto, queryOf, type Row, strangers } from '../kit/graphs/graph.ts';
import { isWithoutPostgres, postgresGraph, sharedPostgres } from '../kit/graphs/postgres.ts';
import { parseSocketFolder } from '../kit/programs/postgres.ts';

const SECRET = '7b'.repeat(32);
const server = sharedPostgres();

function embedded(): RecordStoringGraph {
  return embeddedIn(freshFolder(), true);
}

function embeddedIn(dataDir: string, unfinished = false): RecordStoringGraph {
  const graph = openSqliteGraph({ dataDir, secret: SECRET, allowUnfinishedCopy: unfinished });
  onTestFinished(() => graph.close());
  return graph;
}

const emptyOne = async () => postgresGraph(await server(), { secret: SECRET, allowUnfinishedCopy: true });

/** Functions that create a new graph and return a function that opens it. */
const PLACES = {
  async postgres() {
    const url = await (await server()).database();
    return (unfinished = false) => {
      const graph = openPostgresGraph({
        url,
        secret: SECRET,
        folder: freshFolder(),
        allowUnfinishedCopy: unfinished,
      });
      onTestFinished(() => graph.close());
      return graph;
    };
  },
  sqlite() {
    const dataDir = freshFolder();
    return (unfinished = false) => embeddedIn(dataDir, unfinished);
  },
};

/** Returns a graph that fails after some records were read. */
function cutShort(graph: RecordStoringGraph): RecordStoringGraph {
  const records = {
    ...graph.records,
    async *pages() {
      for await (const page of graph.records.pages()) {
        yield page.slice(0, 5);
        throw new Error('lost');
      }
    },
  };
  return { ...graph, records, linking: graph.linking, manualLinks: graph.manualLinks, moving: graph.moving };
}

/**
 * Changes a graph so that its numbers differ from those of a new linking: identities are merged and removed,
 * and one is split by hand.
 */
async function lived(graph: RecordStoringGraph): Promise<void> {
  await importInto(graph, [CONTRACT_ROWS]);
  await importInto(graph, [[{ record_id: 'b1', identity: 'a', name: 'Quentin Fairweather' }]]);
  await graph.records.remove([{ source: 'crm', recordId: 'c1' }]);
  const [one] = await graph.records.findByRecordId('d1');
  const judged = {
    kind: 'split' as const,
    who: 'tests',
    why: 'they say so',
    time: 1,
    groups: [[one?.key ?? ''], ['00'.repeat(16)]],
  };
  await graph.manualLinks?.add(judged);
  await graph.erasing?.suppress([Buffer.alloc(16, 1)], 1, 'tests');
  await graph.erasing?.finishErasure();
  await importInto(graph, [[{ record_id: 'e1', identity: 'e', name: 'Николай Сидоров' }]]);
}

async function toldBy(graph: RecordStoringGraph) {
  const { linkedAt: _, ...stats } = await graph.stats();
  const query = queryOf({
    name: 'Rosalind Fairweather',
    emails: ['rosalnid@fairweather.example'],
    phones: ['5032340101'],
  });
  return {
    stats,
    identities: await identitiesIn(graph),
    answer: await graph.resolve(query),
    judged: await graph.manualLinks?.list(),
    barred: await graph.erasing?.countSuppressed(),
    merged: await graph.linking.getIdentity(2),
    gone: await graph.linking.getIdentity(3),
  };
}

describe.skipIf(isWithoutPostgres('moving a graph'))('a graph', () => {
  test('moves to PostgreSQL and back with the same numbers and answers', async () => {
    const [one, two, three] = [embedded(), await emptyOne(), embedded()];
    await lived(one);
    await copyGraphBetweenEngines({ from: one, to: two });
    expect(await toldBy(two)).toEqual(await toldBy(one));
    const { compared } = await copyGraphBetweenEngines({ from: two, to: three });
    expect(compared).toBeGreaterThan(60);
    expect(await toldBy(three)).toEqual(await toldBy(one));
    const more = [[{ record_id: 'f1', identity: 'a', name: 'Rosalind Fairweather' }]];
    await Promise.all([importInto(one, more), importInto(two, more), importInto(three, more)]);
    expect(await toldBy(two)).toEqual(await toldBy(one));
    expect(await toldBy(three)).toEqual(await toldBy(one));
    // The previous numbers of the merged identities were copied too.
    const parted = [[{ record_id: 'b1', identity: 'b', name: 'Quentin Fairweather' }]];
    await Promise.all([importInto(one, parted), importInto(two, parted), importInto(three, parted)]);
    expect((await toldBy(one)).merged).toMatchObject({ id: 2, names: ['Quentin Fairweather'] });
    expect(await toldBy(two)).toEqual(await toldBy(one));
    expect(await toldBy(three)).toEqual(await toldBy(one));
  });

  test('whose copy was interrupted is continued, and not mixed with another graph', async () => {
    const [one, two] = [embedded(), await emptyOne()];
    await lived(one);
    const first: RecordRow[] = [];
    for await (const page of one.records.pages()) first.push(...page);
    await two.records.put(
      first.slice(0, 7).map((from) => {
        const { row: _, key: __, identity: ___, ...record } = from;
        return record;
      }),
    );
    await copyGraphBetweenEngines({ from: one, to: two });
    expect(await toldBy(two)).toEqual(await toldBy(one));
    expect((await copyGraphBetweenEngines({ from: one, to: two })).stats.records).toBe(
      (await one.stats()).records,
    );
    const other = embedded();
    await importInto(other, [CONTRACT_ROWS.slice(0, 3)]);
    await expect(copyGraphBetweenEngines({ from: other, to: two })).rejects.toMatchObject({
      code: 'invalid_arguments',
    });
  });

  test.each(['postgres', 'sqlite'] as const)(
    'copied to %s in part is opened by nobody but its mover, until it is whole',
    async (engine) => {
      const [one, open] = [embedded(), await PLACES[engine]()];
      await lived(one);
      await expect(copyGraphBetweenEngines({ from: cutShort(one), to: open(true) })).rejects.toThrow('lost');
      const missing = { code: 'data_missing', message: expect.stringContaining('migrate-to once more') };
      const opened = async (use: (graph: RecordStoringGraph) => unknown) => use(open());
      await expect(opened((two) => two.stats())).rejects.toMatchObject(missing);
      await expect(opened((two) => two.warnings())).rejects.toMatchObject(missing);
      await expect(opened((two) => importInto(two, [CONTRACT_ROWS]))).rejects.toMatchObject(missing);
      await copyGraphBetweenEngines({ from: one, to: open(true) });
      expect(await toldBy(open())).toEqual(await toldBy(one));
      expect(await open().warnings()).toEqual([]);
    },
  );

  test('that is an unfinished copy answers no checks and cannot be changed', async () => {
    const [one, open] = [embedded(), await PLACES.postgres()];
    await lived(one);
    const server = open();
    const query = queryOf({ name: 'Rosalind Fairweather' });
    expect((await server.resolve(query)).total).toBe(0);
    await expect(copyGraphBetweenEngines({ from: cutShort(one), to: open(true) })).rejects.toThrow('lost');
    await expect(server.resolve(query)).rejects.toMatchObject({ code: 'graph_unavailable' });
    expect(() => server.ping()).toThrow(expect.objectContaining({ code: 'graph_unavailable' }));
    const put = server.records.remove([{ source: 'crm', recordId: 'b1' }]);
    await expect(put).rejects.toMatchObject({ code: 'data_missing' });
    await copyGraphBetweenEngines({ from: one, to: open(true) });
    const again = async () => server.resolve(query);
    await expect.poll(again).toEqual(await one.resolve(query));
  });

  test('that changed after its copy was started is refused, and so is a target with another graph', async () => {
    const [one, open] = [embedded(), await PLACES.postgres()];
    await lived(one);
    await expect(copyGraphBetweenEngines({ from: cutShort(one), to: open(true) })).rejects.toThrow('lost');
    await importInto(one, [[{ record_id: 'g1', identity: 'g', name: 'Somebody Else' }]]);
    const changed = { code: 'invalid_arguments', message: expect.stringContaining('changed') };
    await expect(copyGraphBetweenEngines({ from: one, to: open(true) })).rejects.toMatchObject(changed);
    const [other, theirs] = [embedded(), await PLACES.postgres()];
    await importInto(other, [CONTRACT_ROWS.slice(2, 4)]);
    for await (const page of other.records.pages()) await theirs().records.put(page);
    await expect(copyGraphBetweenEngines({ from: one, to: theirs(true) })).rejects.toThrow(
      'contains another graph',
    );
    expect(await theirs().stats()).toMatchObject({ records: 2 });
  });

  test('whose secret was changed knows its records without ids, and forgotten people, at the target too', async () => {
    const [dataDir, next, url] = [freshFolder(), 'c3'.repeat(32), await (await server()).database()];
    const noId: Omit<Row, 'record_id'> = { name: 'Ada Abernathy', emails: ['ada@abernathy.example'] };
    const rows = [noId as Row, ...strangers(3)];
    const gone = { source: 'crm', recordId: 'stranger-2' };
    const first = openSqliteGraph({ dataDir, secret: SECRET, storesFullRecords: true });
    await importInto(first, [rows]);
    await eraseRecordsAndWriteReceipt(first, [gone], { dataDir, now: Date.UTC(2026, 0, 2) });
    await first.close();
    await changeGraphSecret({ dataDir, secret: SECRET, next, ownFile: false });
    const open = (allowUnfinishedCopy: boolean) => {
      const graph = openPostgresGraph({ url, secret: next, folder: freshFolder(), allowUnfinishedCopy });
      onTestFinished(() => graph.close());
      return graph;
    };
    await open(true).stats();
    // Tables of an older version of Bonafide lack this column.
    await runStatement(url, 'ALTER TABLE bonafide.graph DROP COLUMN earlier');
    const source = openSqliteGraph({ dataDir, secret: next });
    onTestFinished(() => source.close());
    const copy = () => copyGraphBetweenEngines({ from: source, to: open(true) });
    const { stats } = await copy();
    // An earlier version copied no earlier secrets; the repeated command adds them.
    await runStatement(url, 'UPDATE bonafide.graph SET earlier = NULL');
    expect((await copy()).stats).toEqual(stats);
    const again = { added: 0, replaced: 3, barred: 1 };
    expect(await importInto(open(false), [rows])).toMatchObject(again);
    const back = openSqliteGraph({ dataDir: freshFolder(), secret: next, allowUnfinishedCopy: true });
    onTestFinished(() => back.close());
    await copyGraphBetweenEngines({ from: open(false), to: back });
    expect(await importInto(back, [rows])).toMatchObject(again);
  });
});

async function runStatement(url: string, text: string): Promise<void> {
  const sql = postgres(url, { ...parseSocketFolder(url), max: 1, fetch_types: false });
  await sql.unsafe(text);
  await sql.end();
}

test('a graph that changed after its copy was finished is refused, although counts and answers to names are the same', async () => {
  const [one, two] = [embedded(), embedded()];
  const withEmail = (email: string) =>
    importInto(one, [[...CONTRACT_ROWS, { record_id: 'h1', name: 'Hedda Post', emails: [email] }]]);
  await withEmail('a@post.example');
  await copyGraphBetweenEngines({ from: one, to: two });
  const changed = {
    code: 'invalid_arguments',
    message: expect.stringContaining('was changed after its copy'),
  };
  await withEmail('b@post.example');
  await expect(copyGraphBetweenEngines({ from: one, to: two })).rejects.toMatchObject(changed);
  await withEmail('a@post.example');
  expect((await copyGraphBetweenEngines({ from: one, to: two })).compared).toBeGreaterThan(10);
  await one.erasing.suppress([Buffer.alloc(16, 1)], 1, 'tests');
  await one.erasing.finishErasure();
  await expect(copyGraphBetweenEngines({ from: one, to: two })).rejects.toMatchObject(changed);
});
