import { cpSync } from 'node:fs';
import Database from 'better-sqlite3';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkClaim, toGraphQuery } from '../../src/check.ts';
import { parseClaim } from '../../src/claim/parse.ts';
import type { GraphAnswer, IdentityGraph } from '../../src/graph/graph.ts';
import {
  createLookupKeyChangeTableSql,
  openLookupKeyChangeLog,
} from '../../src/graph/sql/publishing/key-changes.ts';
import { loadOrCreateSecret } from '../../src/graph/encryption/secret.ts';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import { openWatchStore, toWatchId } from '../../src/store/events/watches.ts';
import type { Store } from '../../src/store/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { createWatchRechecker } from '../../src/watches/recheck.ts';
import { createWatchCodec, serializeWatchedVerdict, toWatchedVerdict } from '../../src/watches/watch.ts';
import { freshFolder } from '../kit/folder.ts';
import { importInto, sharedFolder, strangers } from '../kit/graphs/graph.ts';
import { isWithoutPostgres, postgresGraph, sharedPostgres } from '../kit/graphs/postgres.ts';
import { playWorld } from './worlds.ts';

const base = sharedFolder();

beforeAll(async () => {
  const graph = openSqliteGraph({ dataDir: base });
  await importInto(graph, [strangers(90)]);
  await graph.close();
});

it('records the events that checking every watch after every publication gives, in 10 random worlds', async () => {
  const total = { events: 0, rechecks: 0, allRechecks: 0 };
  for (let seed = 1; seed <= 10; seed++) {
    const folder = freshFolder();
    cpSync(base, folder, { recursive: true });
    const { differences, ...counts } = await playWorld(seed, openSqliteGraph({ dataDir: folder }), folder);
    expect(differences, `world ${seed}`).toEqual([]);
    for (const name of ['events', 'rechecks', 'allRechecks'] as const) total[name] += counts[name];
  }
  expect(total.events).toBeGreaterThan(100);
  expect(total.rechecks).toBeLessThan(total.allRechecks);
});

it('checks all watches again after each interval if the graph does not report its changes', async () => {
  const folder = freshFolder();
  const store = openSqliteStore({ file: `${folder}/store.db` });
  const graph = openSqliteGraph({ dataDir: folder });
  const codec = createWatchCodec(loadOrCreateSecret(folder));
  const person = { name: 'Ottoline Brackenridge', emails: ['ottoline.b@example.net'] };
  const hour = 3_600_000;
  const { listEvents } = openWatchStore(store);
  await addWatchOf(person, 1, { store, graph, codec });
  const worker = 'test';
  const rechecker = createWatchRechecker({
    store,
    graph,
    changes: null,
    codec,
    calibration: null,
    everyMs: hour,
    worker,
  });
  const stepAt = async (now: number) => {
    for (let rechecked = 0; ;) {
      const step = await rechecker.step(now);
      rechecked += step.rechecked;
      if (!step.hasMore) return rechecked;
    }
  };
  const begin = 1_800_000_000_000;
  await stepAt(begin);
  await importInto(graph, [[{ record_id: '9', source: 'feed', ...person }]], { threads: 0 });
  expect(await stepAt(begin + hour / 2)).toBe(0);
  expect(await stepAt(begin + hour)).toBe(1);
  const { events } = listEvents({ owner: 'a', after: null, limit: 10 });
  expect(events).toMatchObject([{ type: 'watch.changed', watch_id: toWatchId(1) }]);
  // The clock is set back by a month.
  expect(await stepAt(begin - 720 * hour)).toBe(1);
  expect(await stepAt(begin - 719.5 * hour)).toBe(0);
  store.close();
  await graph.close();
});

it('records the event of a watch before it checks others for long, and not only those that have waited longest', async () => {
  const folder = freshFolder();
  const store = openSqliteStore({ file: `${folder}/store.db` });
  const graph = openSqliteGraph({ dataDir: folder });
  const codec = createWatchCodec(loadOrCreateSecret(folder));
  const { getWatchStatistics } = openWatchStore(store);
  for (let number = 1; number <= 4; number++)
    await addWatchOf({ name: 'Ottoline', emails: [`o${number}@x.example`] }, number, { store, graph, codec });
  const wait = (number: number, due: number) =>
    store.raw.prepare('UPDATE watches SET due = ? WHERE number = ?').run(due, number);
  wait(4, 9);
  const rechecker = createWatchRechecker({
    store,
    graph: {
      async resolve(query) {
        await pause(40);
        // No standby database may answer, because it may lack the change.
        expect(query.minRevision).toBe(Number.MAX_SAFE_INTEGER);
        return graph.resolve(query);
      },
    },
    changes: null,
    codec,
    calibration: null,
    everyMs: null,
    worker: 'test',
  });
  expect(await rechecker.step(1)).toMatchObject({ rechecked: 1, hasMore: true });
  expect(getWatchStatistics().due).toBe(3);
  expect(await rechecker.step(1)).toMatchObject({ rechecked: 1 });
  const rest = store.raw.prepare('SELECT number FROM watches WHERE due IS NOT NULL').pluck().all();
  expect(rest).toHaveLength(2);
  expect(rest).not.toContain(4);
  for (let i = 0; i < 2; i++) expect(await rechecker.step(1)).toMatchObject({ rechecked: 1 });
  expect(await rechecker.step(1)).toMatchObject({ rechecked: 0, hasMore: false });
  store.close();
  await graph.close();
});

it('notices a change of every part of an answer, except counts of the whole graph', () => {
  const { digestAnswer } = createWatchCodec('ab'.repeat(32));
  const match = { identity: 1, type: 'email' as const, primary: true, share: 1, firstSeen: 1, lastSeen: 2 };
  const identity = { id: 1, names: ['Ada'], firstSeen: 1, lastSeen: 2, records: 1, sources: 1 };
  const answer: Required<Omit<GraphAnswer, 'missing'>> = {
    total: 5,
    newest: 9,
    values: [[match]],
    name: { identities: [1], bearers: 1, given: [], differentPeople: [], housemates: [] },
    identities: new Map([[1, identity]]),
  } as never;
  const { name } = answer;
  const isNoticed = (change: Partial<GraphAnswer>) =>
    !digestAnswer({ ...answer, ...change }).equals(digestAnswer(answer));
  for (const field of ['identity', 'firstSeen', 'lastSeen'])
    expect([field, isNoticed({ values: [[{ ...match, [field]: 3 }]] })]).toEqual([field, true]);
  for (const more of [{ type: 'typo' as const }, { primary: false }])
    expect(isNoticed({ values: [[{ ...match, ...more }]] })).toBe(true);
  for (const more of [
    { identities: [2] },
    { given: [2] },
    { differentPeople: [[1, 2]] },
    { housemates: [[1, 2]] },
  ])
    expect([more, isNoticed({ name: { ...name, ...more } })]).toEqual([more, true]);
  for (const field of ['id', 'firstSeen', 'lastSeen', 'records', 'sources'])
    expect(isNoticed({ identities: new Map([[1, { ...identity, [field]: 3 }]]) })).toBe(true);
  expect(isNoticed({ total: 6, newest: 10, name: { ...name, bearers: 2 } })).toBe(false);
  expect(isNoticed({ values: [[{ ...match, share: 2 }]] })).toBe(false);
});

it('loses no change if old entries of the log are removed while it is read', async () => {
  const db = new Database(':memory:');
  db.exec(createLookupKeyChangeTableSql('main', { number: 'INTEGER', bytes: 'BLOB' }));
  let afterRead = () => {};
  const query = async (text: string, values: readonly unknown[] = []) => {
    const statement = db.prepare(text.replaceAll('$', '?'));
    const byNumber = values.length === 0 ? [] : [Object.fromEntries(values.map((one, i) => [i + 1, one]))];
    if (!statement.reader) return void statement.run(...byNumber);
    const rows = statement.raw().all(...byNumber);
    afterRead();
    return rows;
  };
  const log = openLookupKeyChangeLog(
    { query } as never,
    (key) => key,
    () => true,
  );
  const start = await log.read(null);
  expect(start).toEqual({ position: '0:', keys: null });
  expect(await log.read('0:')).toEqual({ position: '0:', keys: [] });
  for (let key = 1; key <= 5; key++) await log.note(new Set([key]));
  const all = await log.read('0:');
  expect(all.keys).toEqual([1, 2, 3, 4, 5]);
  expect(await log.read(all.position)).toEqual({ position: all.position, keys: [] });
  const positions = db.prepare<[], string>("SELECT seq || ':' || stamp FROM key_change").pluck().all();
  expect((await log.read(positions[1] ?? '')).keys).toEqual([3, 4, 5]);
  expect((await log.read(`2:other`)).keys).toBeNull();
  for (const known of [positions[1] ?? '', '0:']) {
    db.exec('SAVEPOINT s');
    afterRead = () => db.exec('DELETE FROM key_change WHERE seq < 4');
    const { keys } = await log.read(known);
    afterRead = () => {};
    expect(keys ?? [3]).toContain(3);
    expect((await log.read(known)).keys).toBeNull();
    db.exec('ROLLBACK TO s');
  }
  await log.note(null);
  const { position, keys } = await log.read(all.position);
  expect([keys, position?.startsWith('6:')]).toEqual([null, true]);
});

describe.skipIf(isWithoutPostgres('watches of a graph in PostgreSQL'))('in PostgreSQL', () => {
  const server = sharedPostgres();

  it('records the same events', async () => {
    const folder = freshFolder();
    const graph = await postgresGraph(await server(), { secret: loadOrCreateSecret(folder) });
    await importInto(graph, [strangers(60)]);
    const { differences, events } = await playWorld(7, graph, folder);
    expect(differences).toEqual([]);
    expect(events).toBeGreaterThan(3);
  });
});

/** Adds the watch of a request, with the state of its check now. */
async function addWatchOf(
  value: Record<string, unknown>,
  number: number,
  { store, graph, codec }: { store: Store; graph: IdentityGraph; codec: ReturnType<typeof createWatchCodec> },
) {
  const claim = parseClaim({ value, issues: [] }, 'US');
  const answer = await graph.resolve(toGraphQuery(claim).query);
  openWatchStore(store).addWatch(
    {
      number,
      owner: 'a',
      reference: null,
      created: 0,
      expires: Infinity,
      notifyOn: 'band',
      minChange: 10,
      claim: codec.sealClaim(claim),
      keys: codec.listKeys(claim),
      digest: codec.digestAnswer(answer),
      state: serializeWatchedVerdict(toWatchedVerdict(await checkClaim(claim, { resolve: () => answer }))),
    },
    null,
    { actor: 'a', now: 0 },
  );
}
