import { expect, test } from 'vitest';
import { addEndpointRow } from './kit.ts';
import { listEvents, removeEventsOfWatch, storeEvent } from '../../../src/store/events/events.ts';
import { createRequestId, getTimeOfRequestId } from '../../../src/platform/request-id.ts';
import {
  clearRecordHashesOfAllWatches,
  expireWatches,
  openRecheckQueue,
  toExpiryEvent,
} from '../../../src/store/events/rechecks.ts';
import {
  findWatchesByLookupKeys,
  markWatchForRecheck,
  moveSomeWatchesAndEventsToAccount,
  openWatchStore,
} from '../../../src/store/events/watches.ts';
import { createOldRowBatchRemover } from '../../../src/store/serving/writer-statements.ts';
import type { SqlConnection, Store } from '../../../src/store/store.ts';
import { freshStore, onEngines } from '../engines.ts';

const NOW = Date.UTC(2026, 10, 24);
const DAY_MS = 86_400_000;
const read = (
  store: ReturnType<typeof freshStore>,
  owner: string,
  after: string | null = null,
  limit = 100,
) => listEvents(store.raw, { owner, after, limit });

const addWatch = (store: Store, number: number, owner = 'acc_a', expires = NOW + DAY_MS) =>
  openWatchStore(store).addWatch(
    {
      number,
      owner,
      reference: null,
      created: NOW,
      expires,
      notifyOn: 'band',
      minChange: 10,
      claim: Buffer.from('claim'),
      keys: [7],
      digest: Buffer.from('digest'),
      state: '50 LOW u///',
    },
    null,
    { actor: 'a', now: NOW },
  );

onEngines(() => {
  test('events of an owner are read in order, page by page, and never those of others', () => {
    const store = freshStore();
    const ids = [1, 2, 3].map((n) =>
      storeEvent(
        store.raw,
        { owner: 'acc_a', subject: `job_${n}`, type: 'job.finished', body: { job_id: `job_${n}` } },
        NOW + n,
      ),
    );
    storeEvent(
      store.raw,
      { owner: 'acc_b', subject: 'other', type: 'job.finished', body: { job_id: 'other' } },
      NOW,
    );
    const first = read(store, 'acc_a', null, 2);
    expect(first.events).toMatchObject([
      { id: ids[0], type: 'job.finished', created_at: '2026-11-24T00:00:00.001Z', job_id: 'job_1' },
      { id: ids[1], job_id: 'job_2' },
    ]);
    const second = read(store, 'acc_a', first.next, 2);
    expect(second.events.map(({ id }) => id)).toEqual([ids[2]]);
    expect(read(store, 'acc_a', second.next)).toEqual({ events: [], next: second.next });
    expect(read(store, 'acc_b', ids[1] ?? '').events).toHaveLength(0);
    const empty = read(store, 'acc_c');
    storeEvent(store.raw, { owner: 'acc_c', subject: 'x', type: 'watch.expired', body: {} }, NOW);
    expect(read(store, 'acc_c', empty.next).events).toHaveLength(1);
  });

  test('the watches of an owner are counted while they are added, deleted and moved, by any program', () => {
    const store = freshStore();
    const { raw } = store;
    const watches = openWatchStore(store);
    const counted = raw.prepare<[string], number>('SELECT value FROM counters WHERE name = ?').pluck();
    const count = (owner: string) => counted.get(`watch count of ${owner}`) ?? null;
    const reserve = (owner: string, most: number) => {
      const isReserved = watches.reserveWatch({ request: owner, owner, most }, NOW);
      watches.releaseWatch(owner);
      return isReserved;
    };
    for (const number of [1, 2]) addWatch(store, number, 'key_a');
    addWatch(store, 3, 'acc_a');
    expect([count('key_a'), count('acc_a'), count('acc_b')]).toEqual([2, 1, null]);
    expect([reserve('key_a', 3), reserve('acc_a', 2)]).toEqual([true, true]);
    for (const _ of [1, 2]) addWatch(store, 4, 'key_a');
    expect([count('key_a'), reserve('key_a', 3)]).toEqual([3, false]);
    watches.deleteWatch(4, 'key_a', { actor: 'a', now: NOW });
    expect([count('key_a'), reserve('key_a', 3)]).toEqual([2, true]);
    raw.transaction(() => moveSomeWatchesAndEventsToAccount(raw, 'key_a', 'acc_a'))();
    expect([count('key_a'), count('acc_a'), reserve('acc_a', 3)]).toEqual([null, 3, false]);
    // An earlier version deletes and moves watches without counting them.
    raw.prepare('DELETE FROM watches WHERE number = 3').run();
    expect([count('acc_a'), reserve('acc_a', 3)]).toEqual([2, true]);
    raw.prepare("UPDATE watches SET owner = 'acc_b', version = 7 WHERE number = 1").run();
    expect([count('acc_a'), count('acc_b')]).toEqual([1, 1]);
    expect(expireWatches(raw, NOW + 2 * DAY_MS)).toBe(2);
    expect([count('acc_a'), count('acc_b'), reserve('acc_a', 1)]).toEqual([null, null, true]);
  });

  test('a watch ends with one event, whoever ends it first', () => {
    const store = freshStore();
    const { raw } = store;
    const watch = addWatch(store, 1, 'acc_a', NOW);
    const queue = openRecheckQueue(raw, 'graph');
    const { id = 0, version = 0 } = watch ?? {};
    const lost = { id, version, changed: null, event: watch && toExpiryEvent(watch), isLost: true };
    expect(expireWatches(raw, NOW)).toBe(1);
    expect(queue.storeOutcomes([lost], NOW)).toBe(0);
    expect(read(store, 'acc_a').events).toHaveLength(1);
    // A watch that was encrypted again meanwhile is not lost.
    addWatch(store, 2);
    const [other] = queue.listDue(1);
    raw.prepare('UPDATE watches SET version = version + 1').run();
    expect(queue.storeOutcomes([{ ...lost, id: other?.id ?? 0, version: 0 }], NOW)).toBe(0);
    expect(queue.listDue(1)).toHaveLength(1);
  });

  test('a re-check of all watches does not continue an earlier one', () => {
    const { raw } = freshStore();
    const queue = openRecheckQueue(raw, 'graph');
    queue.beginSweep(NOW);
    const begun = queue.readProgress().sweep ?? 0;
    expect(begun).toBeLessThan(1);
    // While a worker checks the first watches, all must be checked again.
    queue.beginSweep(NOW + 1);
    queue.moveSweep({ from: begun, to: 50 }, NOW + 2);
    queue.moveSweep({ from: begun, to: null }, NOW + 2);
    const again = queue.readProgress().sweep ?? 1;
    expect(again).toBeLessThan(1);
    queue.moveSweep({ from: again, to: 50 }, NOW + 3);
    expect(queue.readProgress()).toMatchObject({ sweep: 50, swept: null });
    queue.moveSweep({ from: 50, to: null }, NOW + 4);
    expect(queue.readProgress()).toMatchObject({ sweep: null, swept: NOW + 4 });
  });

  test('watches of test keys are found by their look-up keys, but never re-checked', () => {
    const store = freshStore();
    addWatch(store, 1);
    addWatch(store, 2, 'acc_a:test');
    const queue = openRecheckQueue(store.raw, 'graph');
    const numbers = (watches: Iterable<{ number: number }>) => Array.from(watches, ({ number }) => number);
    expect(numbers(findWatchesByLookupKeys(store.raw, [7]))).toEqual([1, 2]);
    for (const { id } of findWatchesByLookupKeys(store.raw, [7])) markWatchForRecheck(store.raw, id, NOW);
    for (const _ of queue.mark([7], '1:x', NOW));
    expect(numbers(queue.listDue(10))).toEqual([1]);
    expect(numbers(queue.listNext(-NOW))).toEqual([1]);
  });

  test('a lease for re-checks from before the clock was set back ends at once', () => {
    const { raw } = freshStore();
    const later = NOW + 31 * DAY_MS;
    expect(openRecheckQueue(raw, 'graph').lease('killed', later, 15_000)).toBe(true);
    expect(openRecheckQueue(raw, 'graph').lease('other', later + 1, 15_000)).toBe(false);
    expect(openRecheckQueue(raw, 'graph').lease('other', NOW, 15_000)).toBe(true);
    expect(openRecheckQueue(raw, 'graph').lease('third', NOW + 1, 15_000)).toBe(false);
  });

  test('watches of one look-up key are marked by transactions of a few hundred each', () => {
    const { raw } = freshStore();
    const bytes = Buffer.from('x');
    raw
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
           INSERT INTO watches (id, number, owner, created, expires, notify_on, min_change, claim, keys, digest, state, version)
           SELECT i, 1000000 + i, 'a', 0, 0, 'band', 10, ?, ?, ?, '', 0 FROM n`,
      )
      .run(bytes, bytes, bytes);
    raw.prepare('INSERT INTO watch_keys (key, watch) SELECT 7, id FROM watches').run();
    raw.prepare('INSERT INTO watch_keys (key, watch) SELECT 8, id FROM watches WHERE id <= 10').run();
    const queue = openRecheckQueue(raw, 'graph');
    expect(queue.lease('worker', NOW, 15_000)).toBe(true);
    let marked = 0;
    for (const count of queue.mark([8, 9, 7], '5:x', NOW)) {
      expect(count).toBeLessThan(400);
      marked += count;
      expect(raw.prepare('SELECT count(*) FROM watches WHERE due IS NOT NULL').pluck().get()).toBe(marked);
      // A worker that is killed before the end marks all again, because the position is stored last.
      expect(queue.readProgress().position).toBe(marked < 500 ? null : '5:x');
    }
    expect(marked).toBe(500);
    expect([...queue.mark([7], '6:x', NOW + 1)].every((count) => count === 0)).toBe(true);
    expect(raw.prepare('SELECT min(version) FROM watches WHERE due IS NOT NULL').pluck().get()).toBe(2);
  });

  test('digests of watches are cleared by statements that change at most 2,000 each', () => {
    const { raw } = freshStore();
    const bytes = Buffer.from('x');
    raw
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4500)
           INSERT INTO watches (id, number, owner, created, expires, notify_on, min_change, claim, keys, digest, state, version)
           SELECT i, 1000000 + i, 'a', 0, 0, 'band', 10, ?, ?, ?, '', 0 FROM n`,
      )
      .run(bytes, bytes, bytes);
    const changes: number[] = [];
    const prepare = (sql: string) => {
      const statement = raw.prepare(sql);
      const run = (...values: unknown[]) => {
        const result = statement.run(...values);
        changes.push(result.changes);
        return result;
      };
      return sql.startsWith('UPDATE') ? { run } : statement;
    };
    expect(clearRecordHashesOfAllWatches({ prepare } as unknown as SqlConnection)).toBe(4500);
    expect(changes).toEqual([2000, 2000, 500]);
  });

  test('events are kept for 30 days, and a cursor of a removed event continues with the next one', () => {
    const store = freshStore();
    const add = (time: number) =>
      storeEvent(store.raw, { owner: 'a', subject: 'x', type: 'watch.expired', body: {} }, time);
    // Ids never go back in time, and another test may have made some for a later time.
    const start = getTimeOfRequestId(createRequestId(NOW)) ?? NOW;
    const [old, later] = [add(start), add(start + DAY_MS)];
    createOldRowBatchRemover(store.raw)({ maxAgeMs: null, now: start + 30 * DAY_MS + 1 });
    for (const after of [null, old])
      expect(read(store, 'a', after).events.map(({ id }) => id)).toEqual([later]);
  });

  test('messages about events are kept as long as the events, and those of the operator longer', () => {
    const store = freshStore();
    addEndpointRow(store, 'e1', 'acc_a');
    const add = (subject: string, time: number) =>
      storeEvent(store.raw, { owner: 'acc_a', subject, type: 'watch.expired', body: {} }, time);
    const messages = () =>
      store.raw.prepare<[], string | null>('SELECT subject FROM webhooks ORDER BY subject').pluck().all();
    const notice =
      "INSERT INTO webhooks (id, about, body, created, attempts) VALUES ('n', 'quota.near a', '{}', ?, 1)";
    store.raw.prepare(notice).run(NOW);
    for (const subject of ['a', 'b', 'c']) add(subject, subject === 'a' ? NOW : NOW + DAY_MS);
    createOldRowBatchRemover(store.raw)({ maxAgeMs: null, now: NOW + 30 * DAY_MS + 1 });
    expect(messages().filter(Boolean)).toEqual(['b', 'c']);
    expect(messages()).toHaveLength(3);
    removeEventsOfWatch(store.raw, 'b');
    expect(messages().filter(Boolean)).toEqual(['c']);
    expect(read(store, 'acc_a').events).toHaveLength(1);
  });

  test('an event is queued for each endpoint of its account, but not for those of others or for test keys', () => {
    const store = freshStore();
    for (const [id, account] of [
      ['e1', 'acc_a'],
      ['e2', 'acc_a'],
      ['e3', 'acc_b'],
    ] as const)
      addEndpointRow(store, id, account);
    const id = storeEvent(
      store.raw,
      { owner: 'acc_a', subject: 'w', type: 'watch.changed', body: { watch_id: 'w' } },
      NOW,
    );
    storeEvent(store.raw, { owner: 'acc_a:test', subject: 'x', type: 'watch.changed', body: {} }, NOW);
    const rows = store.raw
      .prepare<[], { about: string; body: string }>('SELECT about, body FROM webhooks ORDER BY about')
      .all();
    expect(rows.map(({ about }) => about)).toEqual([`${id} e1`, `${id} e2`]);
    expect(JSON.parse(rows[0]?.body ?? '')).toEqual({
      type: 'watch.changed',
      timestamp: new Date(NOW).toISOString(),
      data: { id, watch_id: 'w' },
    });
  });
});
