import { expect, it } from 'vitest';
import type { PlanTermsInput } from '../../../src/accounts/billing/terms.ts';
import { createAccount } from '../../../src/store/accounts.ts';
import { createPlan } from '../../../src/store/plans.ts';
import { storeEvent } from '../../../src/store/events/events.ts';
import { countCalls, keyOfAccount, postWith, freshApp, JANE, json } from '../../kit/app.ts';

const ON = { settings: { watches: 'true' } };

it('watches and events of one account look to another account like those that do not exist', async () => {
  const test = await freshApp(ON);
  const [a, b] = ['A', 'B'].map((name) => createAccount(test.app.store, { name }, Date.now()).id);
  const [mine, enemy] = [keyOfAccount(test, a ?? ''), keyOfAccount(test, b ?? '')];
  const watches = [];
  for (let i = 0; i < 3; i++) watches.push(await json(postWith(test, mine, JANE)));
  const [{ watch_id: id, watch_id: subject }] = watches;
  const body = { watch_id: id, reference: null };
  const event = { owner: a ?? '', subject, type: 'watch.expired' as const, body };
  for (let i = 0; i < 3; i++) storeEvent(test.app.store.raw, event, Date.now());
  const get = async (path: string, key: string) => json(test.send(path, { key }));
  const [pageOfWatches, pageOfEvents] = [
    await get('/v1/watches?limit=1', mine),
    await get('/v1/events?limit=1', mine),
  ];
  expect([pageOfWatches.watches, pageOfEvents.events]).toMatchObject([[{}], [{}]]);
  const requestId =
    test.app.store.raw.prepare<[], string>('SELECT request_id FROM calls').pluck().get() ?? '';
  const change = (text: string) => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
  const ask = async (method: string, path: string, sent?: object) => {
    const response = await test.send(path, {
      key: enemy,
      method,
      headers: { 'content-type': 'application/json' },
      ...(sent && { body: JSON.stringify(sent) }),
    });
    const { instance: _, request_id: __, ...problem } = await json(response);
    return JSON.stringify([response.status, problem]).replaceAll(/(wat|req|evt)_[0-9a-z]+/g, 'ID');
  };
  const probes: [string, (name: string) => string, string, object?][] = [
    ['GET', (name) => `/v1/watches/${name}`, id],
    ['DELETE', (name) => `/v1/watches/${name}`, id],
    ['POST', (name) => `/v1/requests/${name}/watch`, requestId, JANE],
  ];
  for (const [method, toPath, name, sent] of probes) {
    const answer = await ask(method, toPath(name), sent);
    expect(answer).toMatch(/^\[404,/);
    expect(answer).toBe(await ask(method, toPath(change(name)), sent));
  }
  test.app.store.raw.prepare('UPDATE watches SET id = id + 1000000').run();
  expect((await get('/v1/watches?limit=1', mine)).next).toHaveLength(pageOfWatches.next.length);
  expect(await get(`/v1/watches?cursor=${pageOfWatches.next}`, enemy)).toEqual({ watches: [], next: null });
  expect(await get(`/v1/events?after=${pageOfEvents.next}`, enemy)).toMatchObject({ events: [] });
  expect(await get('/v1/events', enemy)).toMatchObject({ events: [], next: 'evt_0' });
  expect((await get('/v1/watches', mine)).watches).toHaveLength(3);
  expect(countCalls(test)).toBe(3);
});

it('a watch is the answer of a retry, also if it took the last place of the plan', async () => {
  const test = await freshApp(ON);
  createPlan(test.app.store, 'last', { included: 10, watches: 1 }, Date.now());
  const { id } = createAccount(test.app.store, { name: 'A', plan: 'last' }, Date.now());
  const key = keyOfAccount(test, id);
  const send = (idempotencyKey: string) =>
    test.send('/v1/watches', {
      key,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify(JANE),
    });
  const first = await send('k1');
  const retry = await send('k1');
  expect([first.status, retry.status]).toEqual([201, 201]);
  expect(await json(retry)).toEqual(await json(first));
  expect((await send('k2')).status).toBe(409);
  expect(countCalls(test)).toBe(1);
});

it('a request that a limit or an error of its body refuses reserves no place', async () => {
  const test = await freshApp(ON);
  const { raw } = test.app.store;
  raw.exec(`CREATE TABLE reserved (request text);
    CREATE TRIGGER reserved AFTER INSERT ON watch_reservations BEGIN INSERT INTO reserved VALUES (new.request); END`);
  const keyOf = (plan: string, terms: Partial<PlanTermsInput>) => {
    createPlan(test.app.store, plan, { watches: 5, ...terms }, Date.now());
    return keyOfAccount(test, createAccount(test.app.store, { name: 'A', plan }, Date.now()).id);
  };
  const code = async (key: string, body: object) => (await json(postWith(test, key, body))).code ?? 'created';
  const slow = keyOf('slow', { included: 10, rate: { calls: 1, seconds: 3600, burst: 1 } });
  expect(await code(slow, { ...JANE, emails: ['no'] })).toBe('invalid_request');
  expect(await code(slow, JANE)).toBe('rate_limited');
  expect(await code(keyOf('blocked', { included: 0, overage: 'block' }), JANE)).toBe('quota_exhausted');
  expect(raw.prepare('SELECT count(*) FROM reserved').pluck().get()).toBe(0);
  expect(await code(keyOf('free', { included: 10 }), JANE)).toBe('created');
  expect(raw.prepare('SELECT count(*) FROM reserved').pluck().get()).toBe(1);
});

it('a watch that cannot be stored after its check was counted says so, and a retry stores it', async () => {
  const test = await freshApp(ON);
  const { raw } = test.app.store;
  raw.exec("CREATE TRIGGER full BEFORE INSERT ON watches BEGIN SELECT raise(ABORT, 'full'); END");
  const send = () => test.post('/v1/watches', JANE, { 'idempotency-key': 'k1' });
  const failed = await send();
  expect(failed.status).toBe(500);
  expect((await json(failed)).detail).toMatch(/may have been counted.*same Idempotency-Key/);
  const unkeyed = await json(test.post('/v1/watches', JANE));
  expect(unkeyed.detail).toMatch(/may have been counted.*Look the call up first/);
  expect((await test.send(`/v1/requests/${unkeyed.request_id}`)).status).toBe(200);
  raw.exec('DROP TRIGGER full');
  expect((await send()).status).toBe(201);
  expect(countCalls(test)).toBe(2);
});

it('null stands for the default of each option of a watch', async () => {
  const { post } = await freshApp(ON);
  const nulls = { expires_in_days: null, notify_on: null, min_change: null, reference: null };
  const watch = await json(post('/v1/watches', { ...JANE, ...nulls }));
  expect(watch).toMatchObject({ notify_on: ['band'], min_change: 10, reference: null });
  expect(Date.parse(watch.expires_at) - Date.parse(watch.created_at)).toBe(90 * 86_400_000);
});
