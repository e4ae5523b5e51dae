import { describe, expect, it } from 'vitest';
import { createAccount } from '../../src/store/accounts.ts';
import { openWatchStore } from '../../src/store/events/watches.ts';
import { createPlan } from '../../src/store/plans.ts';
import {
  countCalls,
  keyOfAccount,
  postWith,
  freshApp,
  JANE,
  sharedApp,
  json,
  PEOPLE,
  type TestApp,
} from '../kit/app.ts';
import { inFrontOf, laptop, office } from '../kit/graphs/servers.ts';

const open = sharedApp({ settings: { watches: 'true' } });

describe('a watch', () => {
  it('is refused while watches are off, with the setting that turns them on', async () => {
    const test = await freshApp();
    const response = await test.post('/v1/watches', JANE);
    expect(response.status).toBe(403);
    expect(response.headers.get('ratelimit')).toMatch(/^"/);
    expect(await json(response)).toMatchObject({
      code: 'watches_off',
      detail: expect.stringContaining('watches: true'),
    });
    expect(countCalls(test)).toBe(0);
  });

  it('is created by a check that counts once, and read, listed and deleted', async () => {
    const test = await open();
    const rows = () =>
      ['watches', 'watch_keys'].map((table) =>
        test.app.store.raw.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
      );
    const before = rows();
    const body = { ...JANE, expires_in_days: 30, reference: 'seller-17' };
    const response = await test.post('/v1/watches', body);
    expect(response.status).toBe(201);
    const watch = await json(response);
    expect(watch).toEqual({
      watch_id: expect.stringMatching(/^wat_[0-9a-z]{11}$/),
      reference: 'seller-17',
      score: expect.any(Number),
      status: 'HIGH',
      statuses: { name: 'primary', emails: ['primary'], phones: ['primary'], addresses: ['primary'] },
      notify_on: ['band'],
      min_change: 10,
      created_at: expect.any(String),
      expires_at: expect.any(String),
      recheck_every_hours: null,
    });
    expect(Date.parse(watch.expires_at) - Date.parse(watch.created_at)).toBe(30 * 86_400_000);
    expect(countCalls(test)).toBe(1);
    const path = `/v1/watches/${watch.watch_id}`;
    expect(await json(test.send(path))).toEqual(watch);
    expect(await json(test.send('/v1/watches'))).toEqual({ watches: [watch], next: null });
    expect(await json(test.send(path, { method: 'DELETE' }))).toEqual({
      watch_id: watch.watch_id,
      deleted: true,
    });
    expect((await test.send(path)).status).toBe(404);
    expect((await test.send(path, { method: 'DELETE' })).status).toBe(404);
    expect(await json(test.send('/v1/watches'))).toEqual({ watches: [], next: null });
    expect(rows()).toEqual(before);
  });

  it('keeps no submitted value in the clear', async () => {
    const test = await open();
    await test.post('/v1/watches', { name: 'Zebedee Quillfeather', emails: ['zebquill@example.net'] });
    expect(test.everyByte()).not.toMatch(/quillfeather|zebquill/i);
    expect(test.logged()).not.toMatch(/quillfeather|zebquill/i);
  });

  it('of a retry with the same Idempotency-Key is the same watch', async () => {
    const test = await open();
    const headers = { 'idempotency-key': 'one' };
    const first = await json(test.post('/v1/watches', JANE, headers));
    const again = await test.post('/v1/watches', JANE, headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await json(again)).toEqual(first);
    expect(countCalls(test)).toBe(1);
  });

  it('of an earlier call needs the body again', async () => {
    const test = await open();
    const { request_id: id } = await json(test.post('/v1/validate', JANE));
    expect((await test.post(`/v1/requests/${id}/watch`, JANE)).status).toBe(201);
    expect((await test.post(`/v1/requests/${id}/watch`, {})).status).toBe(422);
    const other = `/v1/requests/req_${'0'.repeat(26)}/watch`;
    const unknown = await test.post(other, JANE);
    expect([unknown.status, unknown.headers.has('ratelimit')]).toEqual([404, true]);
  });

  it.each([
    [{ expires_in_days: 0 }, '/expires_in_days', 'invalid_expires_in_days'],
    [{ expires_in_days: 401 }, '/expires_in_days', 'invalid_expires_in_days'],
    [{ notify_on: [] }, '/notify_on', 'invalid_notify_on'],
    [{ notify_on: ['bands'] }, '/notify_on', 'invalid_notify_on'],
    [{ min_change: 0 }, '/min_change', 'invalid_min_change'],
    [{ reference: 'x'.repeat(201) }, '/reference', 'invalid_reference'],
    [{ reference: '\u001b[2Jx' }, '/reference', 'invalid_reference'],
    [{ reference: 'a\u202eb' }, '/reference', 'invalid_reference'],
    [{ reference: 'a\ud800b' }, '/reference', 'invalid_reference'],
    [{ refernce: 'x' }, '/refernce', 'unknown_field'],
    [{ emails: ['no'] }, '/emails/0', 'invalid_email'],
  ])('with %j is refused', async (more, pointer, code) => {
    const test = await open();
    const response = await test.post('/v1/watches', { ...JANE, ...more });
    expect(response.status).toBe(422);
    expect((await json(response)).errors).toMatchObject([{ code }]);
    expect(pointer).toMatch(/^\//);
    expect(countCalls(test)).toBe(0);
  });

  it('belongs to its account, whose keys share it, and no other account finds it', async () => {
    const test = await open();
    const [a, b] = ['A', 'B'].map((name) => createAccount(test.app.store, { name }, Date.now()).id);
    const [one, two, other] = [
      keyOfAccount(test, a ?? ''),
      keyOfAccount(test, a ?? ''),
      keyOfAccount(test, b ?? ''),
    ];
    const { watch_id: id } = await json(postWith(test, one, JANE));
    const status = async (key: string, init: RequestInit = {}) =>
      (await test.send(`/v1/watches/${id}`, { key, ...init })).status;
    expect(await status(two)).toBe(200);
    expect(await status(other)).toBe(404);
    expect(await status(test.usual)).toBe(404);
    expect(await status(other, { method: 'DELETE' })).toBe(404);
    expect(await json(test.send('/v1/watches', { key: other }))).toEqual({ watches: [], next: null });
    expect(await status(one)).toBe(200);
  });

  it('is one of as many as the plan has, and one more is refused without being counted', async () => {
    const test = await open();
    createPlan(test.app.store, 'two', { included: 10, watches: 2 }, Date.now());
    const { id } = createAccount(test.app.store, { name: 'A', plan: 'two' }, Date.now());
    const key = keyOfAccount(test, id);
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await postWith(test, key, JANE));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 409]);
    expect(await json(answers[2] as Response)).toMatchObject({ code: 'watch_limit' });
    expect(countCalls(test)).toBe(2);
  });

  it('is refused without being counted also beside others that are created at the same time', async () => {
    const test = await open();
    createPlan(test.app.store, 'one', { included: 10, watches: 1 }, Date.now());
    const { id } = createAccount(test.app.store, { name: 'A', plan: 'one' }, Date.now());
    const key = keyOfAccount(test, id);
    const answers = await Promise.all(Array.from({ length: 8 }, () => postWith(test, key, JANE)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(countCalls(test)).toBe(1);
  });

  it('has a place among those of the plan that no other worker gives away meanwhile', async () => {
    const test = await open();
    const [one, other] = [openWatchStore(test.app.store), openWatchStore(test.app.store)];
    const place = (request: string) => ({ request, owner: 'a', most: 1 });
    expect(one.reserveWatch(place('1'), 0)).toBe(true);
    expect(other.reserveWatch(place('2'), 0)).toBe(false);
    one.releaseWatch('1');
    expect(other.reserveWatch(place('3'), 0)).toBe(true);
    // The place of a request that was interrupted is free again after a minute.
    expect(one.reserveWatch(place('4'), 59_999)).toBe(false);
    expect(one.reserveWatch(place('5'), 60_000)).toBe(true);
    // And at once, if the clock was set back.
    expect(one.reserveWatch(place('6'), -3_600_000)).toBe(true);
  });

  it('takes over its place, so that no other request can take it, and watches are counted once', async () => {
    const test = await open();
    const { raw } = test.app.store;
    const [one, other] = [openWatchStore(test.app.store), openWatchStore(test.app.store)];
    const bytes = Buffer.from('x');
    const content = { claim: bytes, keys: [1], digest: bytes, state: '50 LOW u///', reference: null };
    const settings = { created: 0, expires: 9e12, notifyOn: 'band', minChange: 5 };
    const add = (store: typeof one, number: number, request: string) =>
      store.addWatch(
        { number, owner: 'a', ...content, ...settings },
        { request, most: 2 },
        { actor: 'a', now: 70_000 },
      )?.number ?? null;
    const place = (request: string) => ({ request, owner: 'a', most: 2 });
    expect(one.reserveWatch(place('1'), 0)).toBe(true);
    expect(other.reserveWatch(place('2'), 0)).toBe(true);
    expect(add(one, 1, '1')).toBe(1);
    expect(raw.prepare('SELECT request FROM watch_reservations').pluck().all()).toEqual(['2']);
    expect(other.reserveWatch(place('3'), 1)).toBe(false);
    // The reservation of request 2 has expired, and another request has its place.
    expect(other.reserveWatch(place('4'), 60_000)).toBe(true);
    expect(add(one, 2, '2')).toBeNull();
    expect(add(other, 4, '4')).toBe(4);
    expect(raw.prepare('SELECT count(*) FROM watch_reservations').pluck().get()).toBe(0);
    // A repeated request finds its watch, and gives its place back.
    raw.prepare("INSERT INTO watch_reservations VALUES ('5', 'a', 130000)").run();
    expect(add(one, 4, '5')).toBe(4);
    expect(raw.prepare('SELECT count(*) FROM watch_reservations').pluck().get()).toBe(0);
  });

  it('that fails gives its place back', async () => {
    const test = await open();
    createPlan(test.app.store, 'single', { included: 10, watches: 1 }, Date.now());
    const { id } = createAccount(test.app.store, { name: 'A', plan: 'single' }, Date.now());
    const key = keyOfAccount(test, id);
    expect((await postWith(test, key, { ...JANE, min_change: 0 })).status).toBe(422);
    expect((await postWith(test, key, JANE)).status).toBe(201);
  });

  it('is listed page by page', async () => {
    const test = await open();
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push((await json(test.post('/v1/watches', JANE))).watch_id);
    const listed: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page = await json(test.send(`/v1/watches?limit=2${next && `&cursor=${next}`}`));
      expect(page.watches.length).toBeLessThanOrEqual(2);
      listed.push(...page.watches.map((watch: { watch_id: string }) => watch.watch_id));
      next = page.next;
    }
    expect(listed.toSorted()).toEqual(ids.toSorted());
    for (const query of ['limit=0', 'limit=501', 'cursor=zz', 'after=1'])
      expect((await test.send(`/v1/watches?${query}`)).status).toBe(422);
  });
});

describe('a watch of a graph on another server', () => {
  it('says after how many hours it is checked again, in every answer', async () => {
    const served = await office(PEOPLE);
    for (const engine of ['upstream', 'upstream+sqlite']) {
      const graph = inFrontOf(served).replace('engine=upstream', `engine=${engine}`);
      const test = await laptop(graph, { watches: 'true', recheckEveryHours: '6' });
      const watch = await json(test.post('/v1/watches', JANE));
      expect(watch).toMatchObject({ status: 'HIGH', recheck_every_hours: 6 });
      expect(await json(test.send('/v1/watches'))).toMatchObject({ watches: [{ recheck_every_hours: 6 }] });
      const key = test.key(['admin']);
      expect(await json(test.send(`/admin/v1/watches/${watch.watch_id}`, { key }))).toMatchObject({
        recheck_every_hours: 6,
      });
    }
  });
});

describe('events after a cursor', () => {
  it.each(['after=', 'after=evt_x', `after=${'evt_0'.repeat(30)}`])(
    'are refused with the rule of a cursor: %s',
    async (query) => {
      const test = await open();
      const response = await test.send(`/v1/events?${query}`);
      expect([response.status, (await json(response)).errors]).toEqual([
        422,
        [
          {
            pointer: '',
            code: 'invalid_after',
            detail:
              'The query parameter `after` must be `next` of an earlier answer (`evt_…`). For all events, leave the parameter out.',
          },
        ],
      ]);
    },
  );
});

describe('an event', () => {
  const until = async (test: TestApp, count: number) => {
    for (let i = 0; i < 1000; i++) {
      const page = await json(test.send('/v1/events'));
      if (page.events.length >= count) return page;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('no event');
  };

  it('is recorded once when records behind a verdict change its band', async () => {
    const test = await open();
    const claim = { name: 'Ottoline Brackenridge', emails: ['ottoline.b@example.net'] };
    const watch = await json(test.post('/v1/watches', { ...claim, reference: 'x' }));
    expect(await json(test.send('/v1/events'))).toEqual({ events: [], next: expect.any(String) });
    const admin = test.key(['admin', 'graph']);
    const fed = await test.send('/admin/v1/records?source=feed', {
      key: admin,
      method: 'POST',
      body: `${JSON.stringify({ record_id: '9', ...claim })}\n`,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(fed.status).toBe(200);
    const page = await until(test, 1);
    expect(page).toEqual({
      events: [
        {
          id: expect.stringMatching(/^evt_/),
          type: 'watch.changed',
          created_at: expect.any(String),
          watch_id: watch.watch_id,
          reference: 'x',
          request_id: expect.stringMatching(/^req_/),
          before: { score: watch.score, status: watch.status, statuses: watch.statuses },
          after: {
            score: expect.any(Number),
            status: 'MEDIUM',
            statuses: { ...watch.statuses, name: 'primary', emails: ['primary'] },
          },
          reasons: expect.any(Array),
        },
      ],
      next: page.events[0].id,
    });
    expect((await json(test.send(`/v1/events?after=${page.next}`))).events).toEqual([]);
    expect((await json(test.send(`/v1/watches/${watch.watch_id}`))).status).toBe('MEDIUM');
    expect(JSON.stringify(page)).not.toMatch(/ottoline/i);
    expect((await json(test.send('/v1/events', { key: test.key() }))).events).toEqual([]);
  });
});
