import { cpSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkClaim, toGraphQuery } from '../../src/check.ts';
import { parseClaim } from '../../src/claim/parse.ts';
import type { IdentityGraph } from '../../src/graph/graph.ts';
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

it('records the events that checking every watch after every publication gives, in 30 random worlds', async () => {
  const total = { events: 0, rechecks: 0, allRechecks: 0 };
  for (let seed = 1; seed <= 30; seed++) {
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
    graph: { resolve: async (query) => (await pause(40), graph.resolve(query)) },
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
