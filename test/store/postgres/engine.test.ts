// Requests of two servers to PostgreSQL on the path of a call.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createInFlightLimiter } from '../../../src/accounts/in-flight.ts';
import { createAccount } from '../../../src/store/accounts.ts';
import { createPlan } from '../../../src/store/plans.ts';
import { createKey, revokeKey } from '../../../src/store/keys.ts';
import { createCallerAndLimitsLookup } from '../../../src/store/postgres/admit.ts';
import { createPostgresClient, startHeartbeatOfThisServer } from '../../../src/store/postgres/client.ts';
import type { PostgresClient } from '../../../src/store/postgres/client.ts';
import { openPostgresStore } from '../../../src/store/postgres/open.ts';
import { openPostgresEngine } from '../../../src/store/postgres/engine.ts';
import { createPostgresWriterConnectFunction } from '../../../src/store/postgres/writer.ts';
import { openSharedCallLimits } from '../../../src/store/postgres/shared-limits.ts';
import { openCallLimiter } from '../../../src/store/serving/limiter.ts';
import { createCallRecorder } from '../../../src/store/serving/recorder.ts';
import { sampleCall } from '../../kit/call.ts';
import { HAS_POSTGRES, startPostgres } from '../../kit/programs/postgres.ts';
import type { Postgres } from '../../kit/programs/postgres.ts';

let postgres: Postgres;
beforeAll(async () => {
  if (HAS_POSTGRES) postgres = await startPostgres({ fsync: 'off' });
});
afterAll(() => postgres?.close());

const NOW = Date.UTC(2026, 10, 20);

/** Returns a store with a key of a plan, and a factory of servers with a clock that the test sets. */
async function world(terms: Record<string, unknown> = {}, allowedAddresses: string | null = null) {
  const url = await postgres.database();
  const store = openPostgresStore(url);
  onTestFinished(() => store.close());
  createPlan(store, 'starter', terms, NOW);
  const account = createAccount(store, { name: 'Shop', plan: 'starter' }, NOW).id;
  const { key, info } = createKey(
    store,
    { name: 'shop', scopes: ['validate'], account, allowedAddresses },
    NOW,
  );
  const time = { now: NOW + 1 };
  const server = async () => {
    const engine = await openPostgresEngine({ url, notify: false, clock: () => time.now });
    const secret = Buffer.alloc(32, 1);
    const calls = engine.openCalls({
      inFlight: createInFlightLimiter(),
      alone: undefined,
      secret,
      keepMs: 60_000,
    });
    onTestFinished(() => engine.close());
    const enter = async () => {
      const caller = await calls.findKey(key, time.now, true);
      if (!caller) throw new Error('No caller.');
      return calls.limiter.enter(caller, time.now);
    };
    return { ...engine, ...calls, enter };
  };
  return { url, store, key, info, account, time, server };
}

describe.skipIf(!HAS_POSTGRES)('servers over one PostgreSQL', () => {
  it('together admit what the rate limit of a plan allows, and report what is left', async () => {
    const { server, time } = await world({ rate: { calls: 10, seconds: 1, burst: 20 } });
    const servers = [await server(), await server()];
    let passed = 0;
    // Each server asks ten times as often as the plan allows, for two seconds.
    for (let ms = 0; ms < 2000; ms += 20) {
      time.now = NOW + 1 + ms;
      for (const one of servers) {
        const { refused, leave } = await one.enter();
        if (!refused) passed++;
        await leave();
      }
    }
    expect(passed).toBe(20 + 19);
    const { refused, policies } = (await servers[0]?.enter()) ?? { refused: null, policies: [] };
    expect(refused).toMatchObject({ code: 'rate_limited', details: { retryAfterMs: expect.any(Number) } });
    expect(policies[0]).toMatchObject({ name: 'rate', quota: 20, window: 2000, remaining: 0 });
  });

  it('count calls in flight together, and drop those of a server that was killed', async () => {
    const { server, time } = await world({ concurrency: 3 });
    const [one, two] = [await server(), await server()];
    const entered = [await one.enter(), await two.enter(), await one.enter()];
    expect(entered.map(({ refused }) => refused)).toEqual([null, null, null]);
    expect((await two.enter()).refused).toMatchObject({ code: 'overloaded' });
    await entered[0]?.leave();
    expect((await two.enter()).refused).toBe(null);
    // Both servers have had no heartbeat since: their clock has gone on.
    time.now = NOW + 60_000;
    const three = await server();
    expect((await three.enter()).refused).toBe(null);
  });

  it('drop the calls in flight of a server that was killed before the clock was set back', async () => {
    const { server, time } = await world({ concurrency: 1 });
    const killed = await server();
    expect((await killed.enter()).refused).toBe(null);
    await killed.close();
    time.now = NOW - 3_600_000;
    const next = await server();
    expect((await next.enter()).refused).toBe(null);
    expect((await next.enter()).refused).toMatchObject({ code: 'overloaded' });
  });

  it.each([
    ['admit_2', null],
    ['enter_1', '10.0.0.0/8'],
  ])('drop a call that %s counted, if its answer is lost', async (sqlFunction, allowedAddresses) => {
    const { url, store, key, time } = await world({ concurrency: 1 }, allowedAddresses);
    const client = createPostgresClient({ url, connections: 1 });
    onTestFinished(() => client.end());
    const clock = () => time.now;
    let isLost = true;
    const unsafe = async (...query: Parameters<PostgresClient['unsafe']>) => {
      const rows = await client.unsafe(...query);
      if (isLost && query[0].includes(sqlFunction))
        throw Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' });
      return rows;
    };
    const heartbeat = await startHeartbeatOfThisServer({ ...client, unsafe } as PostgresClient, clock);
    onTestFinished(() => heartbeat.close());
    const { findKey, admitted } = createCallerAndLimitsLookup({ ...heartbeat, clock });
    const limiter = openCallLimiter(
      createInFlightLimiter(),
      openSharedCallLimits({ heartbeat, admitted, clock }),
    );
    const enter = async () => limiter.enter((await findKey(key, time.now, true))!, time.now);
    await expect(enter()).rejects.toMatchObject({ code: 'store_unavailable' });
    isLost = false;
    expect((await enter()).refused).toMatchObject({ code: 'overloaded' });
    time.now += 11_000;
    const latest = store.raw.prepare<[], number>('SELECT max(seen) FROM processes').pluck();
    await expect.poll(() => latest.get(), { timeout: 120_000 }).toBe(time.now);
    expect((await enter()).refused).toBe(null);
  });

  it('refuse a revoked key at once', async () => {
    const { server, store, key, info } = await world();
    const one = await server();
    expect(await one.findKey(key, NOW + 1)).toMatchObject({ key: info.id, plan: { plan: 'starter' } });
    revokeKey(store, info.id, NOW + 1);
    expect(await one.findKey(key, NOW + 1)).toBeNull();
    expect(await one.findKey('no key', NOW + 1)).toBeNull();
  });

  it('look up all keys of one turn in one round trip, and take a token for each call', async () => {
    const { url, server, store, key, info } = await world({ rate: { calls: 10, seconds: 1, burst: 20 } });
    const other = createKey(store, { name: 'other', scopes: ['validate'] }, NOW);
    const revoked = createKey(store, { name: 'revoked', scopes: ['validate'] }, NOW);
    revokeKey(store, revoked.info.id, NOW);
    const client = createPostgresClient({ url, connections: 1 });
    onTestFinished(() => client.end());
    const heartbeat = await startHeartbeatOfThisServer(client, () => NOW);
    onTestFinished(() => heartbeat.close());
    let roundTrips = 0;
    const { findKey, findCaller, admitted } = createCallerAndLimitsLookup({
      ...heartbeat,
      ask: (call, values) => (roundTrips++, heartbeat.ask(call, values)),
      clock: () => NOW,
    });
    const callers = await Promise.all([
      ...Array.from({ length: 25 }, () => findKey(key, NOW, true)),
      findKey(key, NOW),
      findKey(other.key, NOW, true),
      findCaller(other.info.id, NOW),
      findKey(revoked.key, NOW, true),
      findCaller('key_unknown', NOW),
    ]);
    expect(roundTrips).toBe(1);
    expect(callers.map((caller) => caller?.key)).toEqual([
      ...Array.from({ length: 26 }, () => info.id),
      other.info.id,
      other.info.id,
      undefined,
      undefined,
    ]);
    const replies = callers.slice(0, 25).map((caller) => admitted(caller!));
    expect(replies.filter((limits) => limits?.isTaken && limits.reply.allowed)).toHaveLength(20);
    expect(admitted(callers[25]!)).toMatchObject({ isTaken: false, reply: { allowed: false } });
    // The tokens are gone for every server.
    expect((await (await server()).enter()).refused).toMatchObject({ code: 'rate_limited' });
  });

  it('never wait for each other, whatever keys are looked up and left in the same turn', async () => {
    const plan = { rate: { calls: 1e6, seconds: 1, burst: 1e6 }, concurrency: 1e6 };
    const { server, store, key, account } = await world(plan);
    const { key: second } = createKey(store, { name: 'second', scopes: ['validate'], account }, NOW);
    const servers = [await server(), await server()];
    for (let turn = 0; turn < 60; turn++) {
      const calls = servers.flatMap(({ findKey, limiter }, i) => {
        const keys = (turn + i) % 2 === 0 ? [key, second] : [second, key];
        const enter = async (text: string) => {
          const caller = await findKey(text, NOW + 1, true);
          const entry = await limiter.enter(caller!, NOW + 1);
          void entry.leave();
          return entry.refused;
        };
        // One of the servers only starts calls; the other one first reads the limits.
        const reads = i === 0 ? keys.map((text) => findKey(text, NOW + 1)) : [];
        return [...reads, ...keys.map(enter), ...keys.map(enter)];
      });
      await expect(Promise.all(calls)).resolves.toHaveLength(10);
    }
  });

  it('count no call that is refused between the look-up of its key and the limits', async () => {
    const { server, key } = await world({ concurrency: 1 });
    const one = await server();
    const caller = await one.findKey(key, NOW + 1, true);
    one.limiter.abandon(caller!);
    await expect.poll(async () => (await one.limiter.getPolicies(caller!, NOW + 1))[0]?.remaining).toBe(1);
    expect((await one.enter()).refused).toBe(null);
  });

  it('take no token for a key with allowed networks before the address is checked', async () => {
    const { server, key } = await world({ rate: { calls: 1, seconds: 3600, burst: 1 } }, '10.0.0.0/8');
    const one = await server();
    for (let i = 0; i < 3; i++) await one.findKey(key, NOW + 1, true);
    expect((await one.enter()).refused).toBe(null);
    expect((await one.enter()).refused).toMatchObject({ code: 'rate_limited' });
  });

  it('share console sessions, and the usage and calls that a caller reads', async () => {
    const { server, key, account } = await world({ included: 5 });
    const [one, two] = [await server(), await server()];
    const token = await one.sessions.beginSession(null, NOW);
    expect(await two.sessions.findSession(token, NOW + 1)).toMatchObject({ key: null });
    await two.sessions.endSession(token);
    expect(await one.sessions.findSession(token, NOW + 1)).toBeNull();
    const caller = await one.findKey(key, NOW + 1);
    if (!caller) throw new Error('No caller.');
    const call = sampleCall({ keyId: caller.keyId, account, time: NOW });
    expect(await one.recorder.write(call)).toMatchObject({ quotaUsage: { used: 1, included: 5 } });
    expect(await two.findCall(caller.keyId, call.requestId)).toEqual({ ...call, outcome: null });
    await two.recorder.recordOutcome({ keyId: caller.keyId, requestId: call.requestId, isGenuine: true });
    expect(await one.findCall(caller.keyId, call.requestId)).toMatchObject({ outcome: true });
    expect(await two.getUsage(caller, { month: null, now: NOW + 1 })).toMatchObject({ calls: 1 });
    const window = { since: 0, before: NOW + 1, limit: 5 };
    expect(await two.earlierCalls.within(caller.keyId, window)).toEqual([{ time: NOW, catfish: false }]);
  });
});

describe.skipIf(!HAS_POSTGRES)('a commit whose answer is lost', () => {
  /** Returns a client that loses answers, before or after the statement was executed. */
  function losing(client: PostgresClient, ...when: ('before' | 'after')[]): PostgresClient {
    const unsafe = async (...asked: Parameters<PostgresClient['unsafe']>) => {
      const loss = when.shift();
      const lost = Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' });
      if (loss === 'before') throw lost;
      const rows = await client.unsafe(...asked);
      if (loss === 'after') throw lost;
      return rows;
    };
    return { unsafe } as unknown as PostgresClient;
  }

  it.each([
    ['after it was done', ['after'] as const],
    ['before it was done', ['before'] as const],
    ['twice', ['before', 'after'] as const],
  ])('%s: its calls are kept once, and are told so', async (_, when) => {
    const { url, store, account, info } = await world({ included: 2, overage: 'block' });
    const client = createPostgresClient({ url, connections: 1 });
    onTestFinished(() => client.end());
    const recorder = createCallRecorder(
      createPostgresWriterConnectFunction({
        client: losing(client, ...when),
        notify: false,
        onSideRequest: () => undefined,
        clock: () => NOW + 1,
      }),
    );
    const calls = Array.from({ length: 3 }, () => sampleCall({ keyId: info.id, account, time: NOW }));
    const told = await Promise.allSettled(calls.map((call) => recorder.write(call)));
    expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(told[2]).toMatchObject({ reason: { code: 'quota_exhausted' } });
    const count = (sql: string) => store.raw.prepare<[], number>(sql).pluck().get();
    expect(count('SELECT count(*) FROM calls')).toBe(2);
    expect(count('SELECT sum(calls) FROM usage')).toBe(2);
    expect(count('SELECT sum(calls) FROM account_usage')).toBe(2);
  });

  it('for longer than calls wait is answered as an error', async () => {
    const { url, info } = await world();
    const client = createPostgresClient({ url, connections: 1 });
    onTestFinished(() => client.end());
    const never = losing(client, ...Array.from({ length: 99 }, () => 'before' as const));
    const recorder = createCallRecorder(
      createPostgresWriterConnectFunction({
        client: never,
        notify: false,
        onSideRequest: () => undefined,
        mostMs: 150,
      }),
    );
    const told = recorder.write(sampleCall({ keyId: info.id }));
    await expect(told).rejects.toMatchObject({
      code: 'store_unavailable',
      details: { mayBeCounted: true },
    });
    expect(recorder.isHealthy()).toBe(false);
  });
});
