// A store in PostgreSQL as a server has it: any number of servers share it. What is asked on the way of a call is asked at once on few
// connections; the rest is a thread's.
import { setTimeout as pause } from 'node:timers/promises';
import { isProbe } from '../../accounts/harvesting.ts';
import { hourlyRate, readBucket } from '../../accounts/limits.ts';
import { probeBucketOf, NO_PROBE_TOKEN, requireProbe } from '../serving/key-activity.ts';
import { createRecorder } from '../serving/recorder.ts';
import type { CallStore, CallStoreOptions, StoreEngine } from '../engine.ts';
import type { Store } from '../store.ts';
import { RECENT_CALLS_SQL, toRecentCalls, SPAN_COUNTS_SQL, type RecentRow } from '../call-log.ts';
import { createAdmission, type LimitReply, createPostgresIdempotency } from './admit.ts';
import { openTaskThread, type TaskThread } from './tasks.ts';
import {
  type CallFunction,
  connectPostgres,
  type PostgresClient,
  startHeartbeat,
  type Heartbeat,
} from './client.ts';
import { createPostgresLimiter } from './limiter.ts';
import { openPostgres } from './open.ts';
import { translatePlaceholders } from './bridge.ts';
import { toPostgresError } from './errors.ts';
import { connectPostgresWriter } from './writer.ts';

export interface PostgresEngineOptions {
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
  options: PostgresEngineOptions,
): Promise<StoreEngine & { close(): Promise<void> }> {
  const { url, notify, clock = () => null } = options;
  const client = connectPostgres({ url, connections: CONNECTIONS, longestMs: LONGEST_MS });
  const commits = connectPostgres({ url, connections: 1, longestMs: LONGEST_COMMIT_MS });
  const aside = openTaskThread(url);
  const life = await startHeartbeat(client, clock);
  const recorder = createRecorder(
    connectPostgresWriter({ client: commits, notify, clock, aside: (told) => void besides(aside, told) }),
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
  aside: TaskThread,
  told: Parameters<Parameters<typeof connectPostgresWriter>[0]['aside']>[0],
): Promise<void> {
  try {
    if ('used' in told) await aside.ask('used', told);
    else if ('probes' in told) await aside.ask('probes', told.probes);
    else if ('thanMs' in told) while (await aside.ask('removeOlder', told)) await pause(REMOVE_PAUSE_MS);
  } catch {
    // Calls go on being counted.
  }
}

type CallsGiven = CallStoreOptions & {
  client: PostgresClient;
  aside: TaskThread;
  life: Heartbeat;
  clock(): number | null;
};

function callsOf({
  client,
  aside,
  life,
  clock,
  flights,
  secret,
  keepMs,
}: CallsGiven): ReturnType<StoreEngine['calls']> {
  const { ask, server, renew } = life;
  const { findKey, callerOf, admitted } = createAdmission({ ask, server, clock });
  const calls: CallStore = {
    findKey,
    callerOf,
    limiter: {
      ...createPostgresLimiter({ ask, flights, admitted, server, renew, clock }),
      close: () => undefined,
    },
    retries: createPostgresIdempotency({ ask, secret, keepMs }),
    async takeProbe({ caller: { keyId, plan }, claim }) {
      const most = plan?.terms.probes ?? null;
      if (most === null || !isProbe(claim)) return;
      requireProbe(most, most === 0 ? NO_PROBE_TOKEN : await probeOf(ask, { keyId, most, clock }));
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
        const rows = await rowsOf<RecentRow>(client, RECENT_CALLS_SQL, [keyId, since, before, limit]);
        return toRecentCalls(rows);
      },
      async counts(keyId, spans) {
        const rows = await rowsOf<[number]>(client, SPAN_COUNTS_SQL, [{ keyId, ...spans }]);
        return rows.map(([count]) => count);
      },
    },
  };
  return { ...calls, close: () => undefined };
}

async function probeOf(
  ask: CallFunction,
  { keyId, most, clock }: { keyId: string; most: number; clock(): number | null },
) {
  const rate = hourlyRate(most);
  const asked = [probeBucketOf(keyId), 1000 / rate.perSecond, rate.burst, clock()];
  const { at, allowed = false, was } = (await ask<LimitReply>('probe_1($1, $2, $3, $4)', asked)) ?? { at: 0 };
  return { allowed, nextIn: readBucket(was ?? undefined, at, rate).nextIn };
}

/** Rows of a statement in the form that SQLite has it. Errors: those of the engine. */
async function rowsOf<T>(client: PostgresClient, source: string, given: unknown[]): Promise<T[]> {
  const { text, paramsOf } = translatePlaceholders(source);
  try {
    const rows = await client.unsafe(text, paramsOf(given) as never[], { prepare: true }).values();
    return [...rows] as unknown as T[];
  } catch (error) {
    throw toPostgresError(error);
  }
}
