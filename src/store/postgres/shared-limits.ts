// Limits and idempotent attempts that all servers of one store share. They are in PostgreSQL; each operation
// is one round trip.
import type { Caller } from '../../accounts/model.ts';
import { endOfTurn } from '../../platform/turn.ts';
import type { IdempotentAttemptReply, SharedIdempotencyKeyAttempts } from '../serving/idempotency.ts';
import type { TokenBucketReply, StoredCallLimitState, SharedCallLimits } from '../serving/limiter.ts';
import type { CallerLimitsReply } from './admit.ts';
import type { PostgresHeartbeat } from './client.ts';

export interface SharedCallLimitsOptions {
  heartbeat: PostgresHeartbeat;
  /** Returns the limits that were read together with the caller's API key; undefined if none were. */
  admitted(caller: Caller): CallerLimitsReply | undefined;
  clock(): number | null;
}

export function openSharedCallLimits({
  heartbeat: { ask, server, renew },
  admitted,
  clock,
}: SharedCallLimitsOptions): SharedCallLimits & SharedIdempotencyKeyAttempts {
  const removeCall = batchRemovals(async (name, counts) => {
    const keys = `{${[...counts.keys()].map((key) => JSON.stringify(key)).join()}}`;
    try {
      await ask('leave_1($1, $2, $3)', [keys, `{${[...counts.values()].join()}}`, name]);
    } catch {
      // Calls counted under the old server name expire with its heartbeat.
      if (name === server()) renew();
    }
  });
  return {
    getQuotaUsage: (caller) => admitted(caller)?.quotaUsage ?? null,
    async checkPlan(caller, _, isTaking) {
      const earlier = admitted(caller);
      if (earlier && earlier.isTaken === isTaking) return earlier.reply;
      const name = server();
      const values = [caller.keyId, caller.plan.terms, name, isTaking, clock()];
      const call = 'enter_1($1, $2, $3, $4, $5)';
      const reply = await ask<StoredCallLimitState>(call, values, isTaking ? name : null);
      return { ...(reply ?? { at: 0 }), server: name };
    },
    removeCall: (keyId, reply) => removeCall(keyId, reply.server ?? server()),
    onRefused(caller) {
      const reply = admitted(caller)?.reply;
      if (reply?.counts) void removeCall(caller.keyId, reply.server ?? server());
    },
    async takeToken(bucket, { perSecond, burst }) {
      const reply = await ask<TokenBucketReply>('probe_1($1, $2, $3, $4)', [
        bucket,
        1000 / perSecond,
        burst,
        clock(),
      ]);
      return reply ?? { at: 0, allowed: false };
    },
    async beginAttempt({ key, request }, requestId, now) {
      const reply = await ask<IdempotentAttemptReply>('begin_1($1, $2, $3, $4)', [
        key,
        request,
        requestId,
        now,
      ]);
      return reply ?? { begun: false };
    },
    endAttempt: ({ key }, requestId) => void ask('end_1($1, $2)', [key, requestId]).catch(() => undefined),
  };
}

/**
 * Creates a function that notes the end of one call of an API key. All calls that end in one turn of the event loop are passed to `remove` together,
 * as numbers by key. `remove` must never reject.
 */
function batchRemovals(remove: (server: string, counts: ReadonlyMap<string, number>) => Promise<void>) {
  let pending = new Map<string, Map<string, number>>();
  let flushed: Promise<void> | null = null;
  const flush = async () => {
    await endOfTurn();
    const servers = pending;
    [pending, flushed] = [new Map(), null];
    await Promise.all(Array.from(servers, ([server, counts]) => remove(server, counts)));
  };
  return (keyId: string, server: string): Promise<void> => {
    const counts = pending.get(server) ?? new Map<string, number>();
    pending.set(server, counts.set(keyId, (counts.get(keyId) ?? 0) + 1));
    return (flushed ??= flush());
  };
}
