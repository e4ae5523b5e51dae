// Store of a server in PostgreSQL, which any number of servers share. Requests during a call take one round
// trip on a few connections; all other requests are tasks of a separate thread.
import { setTimeout as pause } from 'node:timers/promises';
import { RECENT_CALLS_SQL, CALL_SPAN_COUNTS_SQL, toRecentCalls, type RecentCallRow } from '../call-log.ts';
import type { StoreForCalls, StoreForCallsOptions, StoreEngine } from '../engine.ts';
import { createIdempotentCallStarter } from '../serving/idempotency.ts';
import { openCallLimiter, enforceHourlySingleContactLimit } from '../serving/limiter.ts';
import { createCallRecorder } from '../serving/recorder.ts';
import type { Store } from '../store.ts';
import { createCallerAndLimitsLookup } from './admit.ts';
import { toNumberedStatement } from './bridge.ts';
import {
  createPostgresClient,
  startHeartbeatOfThisServer,
  type PostgresHeartbeat,
  type PostgresClient,
} from './client.ts';
import { convertPostgresErrorToBonafideError } from './errors.ts';
import { openPostgresStore } from './open.ts';
import { openSharedCallLimits } from './shared-limits.ts';
import { openStoreTaskThread, type AsyncStoreTasks } from './tasks.ts';
import { createPostgresWriterConnectFunction, type WriterMaintenanceRequest } from './writer.ts';

export interface PostgresEngineOptions {
  url: string;
  notify: boolean;
  /** Returns the time, for tests. Null or undefined: the clock of PostgreSQL. */
  clock?: () => number | null;
}

/** Number of connections for requests of calls; each can have many requests without an answer yet. Commits have a connection of their own. */
const CONNECTIONS = 4;
const MAX_REQUEST_MS = 5000;
/** Maximum duration (ms) of a commit, which may wait for rows that other servers have locked. */
const MAX_COMMIT_MS = 30_000;

/**
 * Opens the engine of a PostgreSQL store. Call `openPostgresStore` first, which updates the tables. Errors: store_unavailable, and those of the
 * engine.
 */
export async function openPostgresEngine({
  url,
  notify,
  clock = () => null,
}: PostgresEngineOptions): Promise<StoreEngine & { close(): Promise<void> }> {
  const client = createPostgresClient({ url, connections: CONNECTIONS, longestMs: MAX_REQUEST_MS });
  const commits = createPostgresClient({ url, connections: 1, longestMs: MAX_COMMIT_MS });
  const thread = openStoreTaskThread(url);
  const heartbeat = await startHeartbeatOfThisServer(client, clock, commits.renew);
  const { tasks } = thread;
  const onSideRequest = runSideRequests(tasks);
  const recorder = createCallRecorder(
    createPostgresWriterConnectFunction({ client: commits, notify, clock, onSideRequest }),
  );
  let store: Store | undefined;
  return {
    location: { url },
    get store() {
      return (store ??= openPostgresStore(url));
    },
    recorder,
    notices: tasks,
    watches: tasks,
    isHealthy: heartbeat.isHealthy,
    getFailure: heartbeat.getFailure,
    getKeyPresence: tasks.getKeyPresence,
    sumSuspiciousChecksSince: tasks.sumSuspiciousChecksSince,
    jobs: { hasWork: tasks.hasJobWork, hasLeased: tasks.hasLeasedJob, count: tasks.countJobsByState },
    openCalls: (options) => openCalls({ client, tasks, heartbeat, clock }, options),
    async close() {
      heartbeat.close();
      await recorder.close();
      store?.close();
      await thread.close();
      await Promise.all([client.end(), commits.end()]);
    },
  };
}

const REMOVAL_PAUSE_MS = 50;

/** Creates the function for requests to the writer that commit no calls. It ignores their failures, because only calls must not be lost. */
function runSideRequests(tasks: AsyncStoreTasks): (request: WriterMaintenanceRequest) => void {
  const run = async (request: WriterMaintenanceRequest): Promise<void> => {
    if ('lastUsed' in request) await tasks.saveLastUsed(request.lastUsed);
    else if ('probes' in request) await tasks.addSuspiciousCheckCounts(request.probes);
    else if ('refusals' in request) await tasks.saveRefusals(request.refusals);
    else if ('maxAgeMs' in request) while (await tasks.removeOld(request)) await pause(REMOVAL_PAUSE_MS);
  };
  return (request) => void run(request).catch(() => undefined);
}

interface Connections {
  client: PostgresClient;
  tasks: AsyncStoreTasks;
  heartbeat: PostgresHeartbeat;
  clock(): number | null;
}

function openCalls(
  { client, tasks, heartbeat, clock }: Connections,
  { inFlight, ...idempotency }: StoreForCallsOptions,
): StoreForCalls & { close(): void } {
  const { findKey, findCaller, admitted } = createCallerAndLimitsLookup({ ...heartbeat, clock });
  const shared = openSharedCallLimits({ heartbeat, admitted, clock });
  return {
    findKey,
    findCaller,
    limiter: openCallLimiter(inFlight, shared),
    idempotency: createIdempotentCallStarter(shared, idempotency),
    takeProbe: (request, now) => enforceHourlySingleContactLimit(shared, request, now),
    sessions: tasks,
    getUsage: tasks.getCallerUsage,
    findCall: tasks.findCall,
    earlierCalls: {
      async within(keyId, { since, before, limit }) {
        const rows = await listRows<RecentCallRow>(client, RECENT_CALLS_SQL, [keyId, since, before, limit]);
        return toRecentCalls(rows);
      },
      async counts(keyId, spans) {
        const rows = await listRows<[number]>(client, CALL_SPAN_COUNTS_SQL, [{ keyId, ...spans }]);
        return rows.map(([count]) => count);
      },
    },
    close: () => undefined,
  };
}

/** Runs a statement with placeholders of SQLite, and returns its rows. Errors: those of the engine. */
async function listRows<T>(client: PostgresClient, sql: string, values: unknown[]): Promise<T[]> {
  const { text, toParameters } = toNumberedStatement(sql);
  try {
    const rows = await client.unsafe(text, toParameters(values) as never[], { prepare: true }).values();
    return [...rows] as unknown as T[];
  } catch (error) {
    throw convertPostgresErrorToBonafideError(error);
  }
}
