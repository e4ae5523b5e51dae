// Random worlds: records that are imported, fed, split, joined, forgotten and undone, while claims are watched. After each publication every
// watch is checked afresh, and the events that follow are compared with those that were recorded.
import { isDeepStrictEqual } from 'node:util';
import { checkClaim, toGraphQuery } from '../../src/check.ts';
import type { GraphAnswer, RecordStoringGraph } from '../../src/graph/graph.ts';
import { removeSource, undoImport } from '../../src/import/sources.ts';
import type { Claim } from '../../src/model.ts';
import { parseClaim } from '../../src/claim/parse.ts';
import { loadOrCreateSecret } from '../../src/graph/encryption/secret.ts';
import { eraseRecords } from '../../src/people/erase/erase.ts';
import { linkChangedRecords, tryLinkAddedRecords, completePendingLinking } from '../../src/people/linking.ts';
import { joinIdentities, splitIdentity } from '../../src/people/manual-links.ts';
import { endOfTurn } from '../../src/platform/turn.ts';
import { openWatchStore, toWatchId } from '../../src/store/events/watches.ts';
import { listEvents } from '../../src/store/events/events.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { createWatchRechecker } from '../../src/watches/recheck.ts';
import {
  createWatchCodec,
  serializeWatchedVerdict,
  toWatchedVerdict,
  type WatchedVerdict,
} from '../../src/watches/watch.ts';
import { importInto, type Row } from '../kit/graphs/graph.ts';

export interface World {
  events: number;
  rechecks: number;
  /** Number of re-checks if every publication re-checked all watches. */
  allRechecks: number;
  /** Differences between the recorded events and those of checking every watch; empty if there are none. */
  differences: string[];
}

/** Returns pseudorandom numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const NAMES = [
  'Otto Brandvold',
  'Ottilie Brandvold',
  'Ida Kjeldsen',
  'Ivar Kjeldsen',
  'Marit Oyen',
  'Otto Brandvold Jr',
];
const EMAILS = [
  'otto.b@example.com',
  'brandvold@example.net',
  'ida.k@example.com',
  'marit@example.org',
  'ivar.kj@example.com',
];
const PHONES = ['+14155550101', '+14155550102', '+14155550103', '+14155550104'];
const STREETS = ['12 Larch Street', '14 Larch Street', '9 Quarry Road'];
const WATCHES = 24;
const STEPS = 6;

interface Watched {
  number: number;
  claim: Claim;
  notifyOn: string;
  records: unknown;
  reported: WatchedVerdict;
}

/** Fields of an answer that changed records can change; counts of the whole graph are left out. */
const recordsOf = ({ values, name, identities }: GraphAnswer) => ({
  values: values.map((list) => list.map((agreement) => ({ ...agreement, share: 0 }))),
  names: name.identities,
  given: name.given,
  identities: [...identities.values()],
});

/** Plays a world in a graph whose people are all strangers, and closes the graph. `folder` is its data folder. */
export async function playWorld(seed: number, graph: RecordStoringGraph, folder: string): Promise<World> {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const maybe = <T>(list: readonly T[]): T[] => (random() < 0.6 ? [pick(list)] : []);
  const person = () => ({
    name: pick(NAMES),
    emails: maybe(EMAILS),
    phones: maybe(PHONES),
    addresses: maybe(STREETS).map((street) => ({ street, city: 'Springfield', state: 'IL', zip: '62701' })),
  });
  let lastId = 0;
  const row = (source: string): Row => ({ ...person(), source, record_id: `r${++lastId}` }) as Row;
  const store = openSqliteStore({ file: `${folder}/store.db` });
  const codec = createWatchCodec(loadOrCreateSecret(folder));
  const rechecker = createWatchRechecker({
    store,
    graph,
    codec,
    changes: graph.changes,
    calibration: null,
    everyMs: null,
    worker: 'test',
  });
  const world: World = { events: 0, rechecks: 0, allRechecks: 0, differences: [] };
  const work = async () => {
    for (;;) {
      const { rechecked, hasMore } = await rechecker.step(Date.now());
      world.rechecks += rechecked;
      if (!hasMore) return;
    }
  };
  try {
    await importInto(graph, [[1, 2, 3].map(() => row('base'))], { threads: 0 });
    const watched: Watched[] = [];
    for (let i = 0; i < WATCHES; i++) watched.push(await watch(i));
    await work();
    world.rechecks = 0;
    let cursor = listEvents(store.raw, { owner: 'a', after: null, limit: 1 }).next;
    for (let i = 0; i < STEPS; i++) {
      await change(graph);
      await work();
      const { events, next } = listEvents(store.raw, { owner: 'a', after: cursor, limit: 500 });
      cursor = next;
      const expected = await expectEvents(watched);
      const recorded = events.map(({ watch_id: id, before, after }) => ({ id, before, after }));
      const byId = (a: { id: unknown }, b: { id: unknown }) => (String(a.id) < String(b.id) ? -1 : 1);
      if (!isDeepStrictEqual(recorded.toSorted(byId), expected.toSorted(byId)))
        world.differences.push(
          `step ${i}: recorded ${JSON.stringify(recorded)}, expected ${JSON.stringify(expected)}`,
        );
      world.events += expected.length;
      world.allRechecks += WATCHES;
    }
    return world;
  } finally {
    store.close();
    await graph.close();
  }

  async function watch(i: number): Promise<Watched> {
    const claim = parseClaim({ value: person(), issues: [] }, 'US');
    const answer = await graph.resolve(toGraphQuery(claim).query);
    const state = toWatchedVerdict(await checkClaim(claim, { resolve: () => answer }));
    const notifyOn = pick(['band', 'score', 'status', 'band,score,status']);
    const number = i + 1;
    openWatchStore(store).addWatch(
      {
        number,
        owner: 'a',
        reference: null,
        created: i,
        expires: Infinity,
        notifyOn,
        minChange: 5,
        claim: codec.sealClaim(claim),
        keys: codec.listKeys(claim),
        digest: codec.digestAnswer(answer),
        state: serializeWatchedVerdict(state),
      },
      null,
      { actor: 'a', now: 0 },
    );
    return { number, claim, notifyOn, records: recordsOf(answer), reported: state };
  }

  /** Checks every watch, and returns the events that follow. */
  async function expectEvents(watched: Watched[]) {
    await endOfTurn();
    const events = [];
    for (const one of watched) {
      const answer = await graph.resolve(toGraphQuery(one.claim).query);
      if (isDeepStrictEqual(recordsOf(answer), one.records)) continue;
      one.records = recordsOf(answer);
      const after = toWatchedVerdict(await checkClaim(one.claim, { resolve: () => answer }));
      const before = one.reported;
      const isReported =
        (one.notifyOn.includes('band') && before.status !== after.status) ||
        (one.notifyOn.includes('score') && Math.abs(before.score - after.score) >= 5) ||
        (one.notifyOn.includes('status') && !isDeepStrictEqual(before.statuses, after.statuses));
      if (!isReported) continue;
      one.reported = after;
      const shown = ({ score, status, statuses }: WatchedVerdict) => ({ score, status, statuses });
      events.push({ id: toWatchId(one.number), before: shown(before), after: shown(after) });
    }
    return events;
  }

  /** Publishes a random change. */
  async function change(records: RecordStoringGraph): Promise<void> {
    const decision = { who: 'test', why: 'test', time: 0 };
    const own = [];
    for await (const page of records.records.pages())
      own.push(...page.filter(({ recordId }) => recordId.startsWith('r')));
    const kind = Math.floor(random() * 8);
    const [first, second] = [pick(own), pick(own)];
    if (kind === 0)
      await importInto(records, [[row('more'), row('more')]], { threads: 0, journal: { files: 1 } });
    else if (kind === 1 && (await records.records.lastAppliedImport()))
      await undoImport(records, () => linkChangedRecords(records));
    else if (kind === 2 && first) await eraseRecords(records, [first], { folder, now: 1_700_000_000_000 });
    else if (kind === 3 && first?.identity && second?.identity && first.identity !== second.identity)
      await joinIdentities(records, [first.identity, second.identity], decision);
    else if (kind === 4 && first?.identity)
      await splitIdentity(records, [`${first.source}:${first.recordId}`], decision).catch(() => undefined);
    else if (kind === 5 && own.some(({ source }) => source === 'more'))
      await removeSource(records, 'more', () => linkChangedRecords(records));
    else if (kind === 6 && first) {
      await records.records.runAtomically(async () => {
        await records.records.remove([first]);
        await tryLinkAddedRecords(records);
      });
      await completePendingLinking(records);
    } else await importInto(records, [[row('feed')]], { threads: 0, settle: random() < 0.5 });
  }
}
