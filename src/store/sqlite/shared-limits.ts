// Limits and idempotent attempts that the processes of one data folder share, in the file `limits.db`. In
// PostgreSQL, the functions enter_1, probe_1 and begin_1 do the same in one round trip
// (src/store/postgres/migrations).
import { randomUUID } from 'node:crypto';
import { MAX_ATTEMPT_IN_PROGRESS_MS, type RequestFingerprint } from '../../accounts/idempotency.ts';
import { getRateLimitOfPlan, takeToken, type RateLimit } from '../../accounts/limits.ts';
import { preparePerConnection, type Db } from '../../platform/sqlite.ts';
import {
  findUsedIdempotencyKey,
  type IdempotentAttemptReply,
  type SharedIdempotencyKeyAttempts,
} from '../serving/idempotency.ts';
import type {
  TokenBucketReply,
  StoredCallLimitState,
  CallerWithPlan,
  SharedCallLimits,
} from '../serving/limiter.ts';
import type { Store } from '../store.ts';
import type { LimitsDatabase } from './limits.ts';

const HEARTBEAT_MS = 2000;
/** Time (ms) after its last heartbeat at which a process counts as ended. */
const LOST_MS = 10_000;

/** Returns the earliest and the latest time that the last heartbeat of a running process can have. A later one means that the clock was set back. */
const getAliveTimes = (now: number): [number, number] => [now - LOST_MS + 1, now + LOST_MS];

/** Opens the limits of calls that all processes of a data folder share. */
export function openSharedCallLimits(
  limits: LimitsDatabase,
  getQuotaUsage: SharedCallLimits['getQuotaUsage'],
): SharedCallLimits & { close(): void } {
  const process = randomUUID();
  let heartbeat: NodeJS.Timeout | undefined;
  const startHeartbeat = (now: number) => {
    if (heartbeat) return;
    limits.change((db) => recordHeartbeat(db, process, now));
    const beat = () => ignoreErrors(() => limits.change((db) => recordHeartbeat(db, process, Date.now())));
    heartbeat = setInterval(beat, HEARTBEAT_MS).unref();
  };
  return {
    getQuotaUsage,
    checkPlan(caller, now, isTaking) {
      if (isTaking && caller.plan.terms.concurrency) startHeartbeat(now);
      return limits.change((db) => checkPlan(db, { caller, process, now, isTaking }));
    },
    removeCall: (keyId) =>
      ignoreErrors(() => limits.change((db) => flightStatements(db).add.run(keyId, process, -1))),
    takeToken: (name, rate, now) =>
      limits.change((db) => checkBucket(db, { name, rate, now, isTaking: true })),
    close: () => clearInterval(heartbeat),
  };
}

interface PlanCheck {
  caller: CallerWithPlan;
  process: string;
  now: number;
  isTaking: boolean;
}

function checkPlan(
  db: Db,
  { caller: { keyId, plan }, process, now, isTaking }: PlanCheck,
): StoredCallLimitState {
  const { concurrency } = plan.terms;
  const { count, add } = flightStatements(db);
  const worked = concurrency ? (count.get(keyId, ...getAliveTimes(now)) ?? 0) : null;
  const full = worked !== null && concurrency !== null && worked >= concurrency;
  const rate = getRateLimitOfPlan(plan.terms);
  const bucket = rate && checkBucket(db, { name: keyId, rate, now, isTaking: isTaking && !full });
  const counts = isTaking && worked !== null && !full && bucket?.allowed !== false;
  if (counts) add.run(keyId, process, 1);
  return { at: now, worked, full, counts, ...bucket };
}

interface BucketCheck {
  name: string;
  rate: RateLimit;
  now: number;
  isTaking: boolean;
}

function checkBucket(db: Db, { name, rate, now, isTaking }: BucketCheck): TokenBucketReply {
  const { find, keep } = bucketStatements(db);
  const was = find.get(name);
  const { isTaken: allowed, fullAt } = takeToken(was, now, rate);
  // If the clock was set back, the bucket is empty and fills from now on.
  if (isTaking && (allowed || fullAt < (was ?? 0))) keep.run(name, fullAt);
  return { at: now, allowed, was: was ?? null };
}

const bucketStatements = preparePerConnection((db) => ({
  find: db.prepare<[string], number>('SELECT full_at FROM buckets WHERE name = ?').pluck(),
  keep: db.prepare(
    'INSERT INTO buckets (name, full_at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET full_at = excluded.full_at',
  ),
}));

const flightStatements = preparePerConnection((db) => ({
  count: db
    .prepare<[string, number, number], number>(
      'SELECT ifnull(sum(calls), 0) FROM flights JOIN processes ON id = process WHERE key = ? AND seen BETWEEN ? AND ?',
    )
    .pluck(),
  add: db.prepare(
    'INSERT INTO flights (key, process, calls) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET calls = max(0, calls + excluded.calls)',
  ),
}));

function recordHeartbeat(db: Db, process: string, now: number): void {
  const alive = getAliveTimes(now);
  db.prepare(
    'INSERT INTO processes (id, seen) VALUES (?, ?) ON CONFLICT DO UPDATE SET seen = excluded.seen',
  ).run(process, now);
  db.prepare(
    'DELETE FROM flights WHERE calls = 0 OR process NOT IN (SELECT id FROM processes WHERE seen BETWEEN ? AND ?)',
  ).run(...alive);
  db.prepare('DELETE FROM processes WHERE seen NOT BETWEEN ? AND ?').run(...alive);
}

/** Opens the attempts with Idempotency-Keys that all processes of a data folder share. */
export function openSharedIdempotencyKeyAttempts(
  store: Store,
  limits: LimitsDatabase,
): SharedIdempotencyKeyAttempts {
  const findCounted = ({ key, request }: RequestFingerprint, now: number) => {
    const spent = store.read(() => findUsedIdempotencyKey(store.raw, key, now));
    return spent && { counted: spent.requestId, same: spent.request.equals(request) };
  };
  const endAttempt: SharedIdempotencyKeyAttempts['endAttempt'] = ({ key }, requestId) =>
    ignoreErrors(() => limits.change((db) => attemptStatements(db).remove.run(key, requestId)));
  return {
    beginAttempt(print, requestId, now) {
      const earlier = findCounted(print, now);
      if (earlier) return { ...earlier, begun: false };
      const reply = limits.change((db) => beginAttempt(db, { print, requestId, now }));
      if (!reply.begun) return reply;
      try {
        // The attempt that was in progress may have been counted between the two look-ups.
        return { ...findCounted(print, now), begun: true };
      } catch (error) {
        endAttempt(print, requestId);
        throw error;
      }
    },
    endAttempt,
  };
}

const attemptStatements = preparePerConnection((db) => ({
  find: db.prepare<[Buffer], { request: Buffer; until: number }>(
    'SELECT request, until FROM work WHERE fingerprint = ?',
  ),
  add: db.prepare(
    'INSERT OR REPLACE INTO work (fingerprint, request, request_id, until) VALUES (?, ?, ?, ?)',
  ),
  remove: db.prepare('DELETE FROM work WHERE fingerprint = ? AND request_id = ?'),
  removeExpired: db.prepare('DELETE FROM work WHERE until < ?'),
}));

interface NewAttempt {
  print: RequestFingerprint;
  requestId: string;
  now: number;
}

function beginAttempt(
  db: Db,
  { print: { key, request }, requestId, now }: NewAttempt,
): IdempotentAttemptReply {
  const { find, add, removeExpired } = attemptStatements(db);
  const row = find.get(key);
  if (row && row.until > now && row.until <= now + MAX_ATTEMPT_IN_PROGRESS_MS)
    return { same: row.request.equals(request), begun: false };
  removeExpired.run(now - MAX_ATTEMPT_IN_PROGRESS_MS);
  add.run(key, request, requestId, now + MAX_ATTEMPT_IN_PROGRESS_MS);
  return { begun: true };
}

/** Runs `work` and ignores its errors: a count or an attempt that was not changed expires after some seconds. */
function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // The count or attempt expires.
  }
}
