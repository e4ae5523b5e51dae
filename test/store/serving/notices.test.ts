import { expect, test } from 'vitest';
import { addPlanVersion } from '../../../src/store/plans.ts';
import { openWebhookMessageQueue } from '../../../src/store/serving/notices.ts';
import { createBilledStore, DAY, NOVEMBER } from '../billed-store.ts';

test('a quota that was passed before the webhook was set, or by a smaller plan, gets its notice once', () => {
  const { store, call } = createBilledStore({ included: 10 });
  const now = NOVEMBER + DAY;
  call(now, 7);
  const { addQuotaNotices } = openWebhookMessageQueue(store.raw);
  const listNotices = () => {
    for (let i = 0; i < 2; i++) addQuotaNotices(now);
    const bodies = store.raw.prepare<[], string>('SELECT body FROM webhooks ORDER BY about').pluck().all();
    return bodies.map((body) => JSON.parse(body));
  };
  expect(listNotices()).toEqual([]);
  call(now, 1);
  store.raw.prepare('DELETE FROM webhooks').run();
  expect(listNotices()).toMatchObject([{ type: 'quota.near', data: { calls: 8, included: 10 } }]);
  addPlanVersion(store, 'starter', { terms: { included: 6 } }, now);
  expect(listNotices()).toMatchObject([
    { type: 'quota.near', data: { included: 10 } },
    { type: 'quota.reached', data: { calls: 8, included: 6 } },
  ]);
});

test('an account without included calls has no quota to report', () => {
  const { store, call } = createBilledStore({ included: 0 });
  call(NOVEMBER, 3);
  openWebhookMessageQueue(store.raw).addQuotaNotices(NOVEMBER);
  expect(store.raw.prepare('SELECT count(*) FROM webhooks').pluck().get()).toBe(0);
});

test('a message is sent after the clock was set back, however far', () => {
  const { store } = createBilledStore({ included: 10 });
  const queue = openWebhookMessageQueue(store.raw);
  const before = NOVEMBER - 31 * DAY;
  queue.addMessage({ type: 'test', about: 'a', data: {} }, NOVEMBER);
  expect(queue.lease(NOVEMBER, 60_000)?.attempts).toBe(1);
  expect(queue.lease(NOVEMBER, 60_000)).toBeNull();
  expect(queue.listReceivers(before)).toEqual([null]);
  expect(queue.lease(before, 60_000)?.attempts).toBe(2);
  expect(queue.lease(before, 60_000)).toBeNull();
});
