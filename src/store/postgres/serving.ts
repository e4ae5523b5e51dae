// A store in PostgreSQL as a server has it: any number of servers share it. What is asked on the way of a call is asked at once on few
// connections; the rest is a thread's.
import { setTimeout as pause } from 'node:timers/promises';
import { isProbe } from '../../accounts/harvest/watch.ts';
import { hourly, seen } from '../../accounts/limits/rate.ts';
import { bucketOf, NONE, requireProbe } from '../limits/probes.ts';
import { recordThrough } from '../recorder.ts';
import type { CallStore, CallsOptions, Engine } from '../serving.ts';
import type { Store } from '../store.ts';
import { RECENT, recentOf, SPANS } from '../stream.ts';
import type { RecentRow } from '../stream.ts';
import { admitting } from './calls/admit.ts';
import type { Answered } from './calls/admit.ts';
import { openAside } from './calls/aside.ts';
import type { Aside } from './calls/aside.ts';
import type { Ask } from './calls/ask.ts';
import { living } from './calls/life.ts';
import type { Life } from './calls/life.ts';
import { limiterOf } from './calls/limiter.ts';
import { retriesOf } from './calls/retries.ts';
import { connectTo } from './client.ts';
import type { Client } from './client.ts';
import { openPostgres } from './open.ts';
import { placed } from './placeholders.ts';
import { asPostgresError } from './trouble.ts';
import { writesTo } from './writer.ts';

export interface EngineOptions {
  url: string;
  /** Whether notices of quotas are to be written for a webhook. */
  notify: boolean;
  /** What time it is, for tests; PostgreSQL's own clock where it is null or left out. */
  clock?: () => number | null;
}

/** So many carry the questions of a thread that serves, many at a time each; commits have one of their own. */
const CONNECTIONS = 4;
const LONGEST_MS = 5000;
/** A commit may wait for others' rows. */
const LONGEST_COMMIT_MS = 30_000;
const REMOVE_PAUSE_MS = 50;

/** Opens it; its tables are there and up to date, see `openPostgres`. Errors: store_unavailable and what else the engine has. */
export async function openPostgresEngine(
  options: EngineOptions,
): Promise<Engine & { close(): Promise<void> }> {
  const { url, notify, clock = () => null } = options;
  const client = connectTo({ url, connections: CONNECTIONS, longestMs: LONGEST_MS });
  const commits = connectTo({ url, connections: 1, longestMs: LONGEST_COMMIT_MS });
  const aside = openAside(url);
  const life = await living(client, clock);
  const recorder = recordThrough(
    writesTo({ client: commits, notify, clock, aside: (told) => void besides(aside, told) }),
  );
  let store: Store | undefined;
  return {
    place: { url },
    get store() {
      return (store ??= openPostgres(url));
    },
    recorder,
    notices: {
      take: (...asked) => aside.ask('take', ...asked),
      delivered: (...asked) => aside.ask('delivered', ...asked),
      failed: (...asked) => aside.ask('failed', ...asked),
    },
    healthy: life.healthy,
    failure: life.failure,
    holds: () => aside.ask('holds'),
    probesSince: (since) => aside.ask('probesSince', since),
    calls: (own) => callsOf({ client, aside, life, clock, ...own }),
    async close() {
      life.close();
      await recorder.close();
      store?.close();
      await aside.close();
      await Promise.all([client.end(), commits.end()]);
    },
  };
}

/** What of the writer's work is no call's. What fails now is done the next time. */
async function besides(
  aside: Aside,
  told: Parameters<Parameters<typeof writesTo>[0]['aside']>[0],
): Promise<void> {
  try {
    if ('used' in told) await aside.ask('used', told);
    else if ('probes' in told) await aside.ask('probes', told.probes);
    else if ('thanMs' in told) while (await aside.ask('removeOlder', told)) await pause(REMOVE_PAUSE_MS);
  } catch {
    // Calls go on being counted.
  }
}

type CallsGiven = CallsOptions & { client: Client; aside: Aside; life: Life; clock(): number | null };

function callsOf({
  client,
  aside,
  life,
  clock,
  flights,
  secret,
  keepMs,
}: CallsGiven): ReturnType<Engine['calls']> {
  const { ask, server, renew } = life;
  const { findKey, callerOf, admitted } = admitting({ ask, server, clock });
  const calls: CallStore = {
    findKey,
    callerOf,
    limiter: { ...limiterOf({ ask, flights, admitted, server, renew, clock }), close: () => undefined },
    retries: retriesOf({ ask, secret, keepMs }),
    async takeProbe({ caller: { keyId, plan }, claim }) {
      const most = plan?.terms.probes ?? null;
      if (most === null || !isProbe(claim)) return;
      requireProbe(most, most === 0 ? NONE : await probeOf(ask, { keyId, most, clock }));
    },
    sessions: {
      link: (...asked) => aside.ask('link', ...asked),
      spend: (...asked) => aside.ask('spend', ...asked),
      begin: (...asked) => aside.ask('begin', ...asked),
      find: (...asked) => aside.ask('find', ...asked),
      end: (...asked) => aside.ask('end', ...asked),
      count: (...asked) => aside.ask('count', ...asked),
    },
    usageOf: (...asked) => aside.ask('usageOf', ...asked),
    callOf: (...asked) => aside.ask('callOf', ...asked),
    earlierCalls: {
      async within(keyId, { since, before, limit }) {
        const rows = await rowsOf<RecentRow>(client, RECENT, [keyId, since, before, limit]);
        return recentOf(rows);
      },
      async counts(keyId, spans) {
        const rows = await rowsOf<[number]>(client, SPANS, [{ keyId, ...spans }]);
        return rows.map(([count]) => count);
      },
    },
  };
  return { ...calls, close: () => undefined };
}

async function probeOf(
  ask: Ask,
  { keyId, most, clock }: { keyId: string; most: number; clock(): number | null },
) {
  const rate = hourly(most);
  const asked = [bucketOf(keyId), 1000 / rate.perSecond, rate.burst, clock()];
  const { at, allowed = false, was } = (await ask<Answered>('probe_1($1, $2, $3, $4)', asked)) ?? { at: 0 };
  return { allowed, nextIn: seen(was ?? undefined, at, rate).nextIn };
}

/** Rows of a statement in the form that SQLite has it. Errors: those of the engine. */
async function rowsOf<T>(client: Client, source: string, given: unknown[]): Promise<T[]> {
  const { text, paramsOf } = placed(source);
  try {
    const rows = await client.unsafe(text, paramsOf(given) as never[], { prepare: true }).values();
    return [...rows] as unknown as T[];
  } catch (error) {
    throw asPostgresError(error);
  }
}
