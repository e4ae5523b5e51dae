// What bounds a caller from call to call, exact over all servers: what its plan says is asked of PostgreSQL, where that did not come with its key.
import { keyInFlightError, type InFlightLimit } from '../../accounts/in-flight.ts';
import {
  type LimitPolicy,
  readBucket,
  takeToken,
  toInFlightPolicy,
  MAX_IN_FLIGHT_PER_KEY,
  toLimitPolicies,
  getRateLimit,
} from '../../accounts/limits.ts';
import type { Caller, CurrentPlan } from '../../accounts/model.ts';
import { endOfTurn } from '../../platform/turn.ts';
import { rateLimitError, catchRefusal, type Admission, type CallLimiter } from '../serving/limiter.ts';
import type { WithAwaitableResults } from '../engine.ts';
import type { AdmittedCaller, LimitReply } from './admit.ts';
import type { CallFunction } from './client.ts';

export interface LimiterOptions {
  ask: CallFunction;
  /** Calls that this process works on. */
  flights: InFlightLimit;
  /** What came along with a caller's key. */
  admitted(caller: Caller): AdmittedCaller | undefined;
  /** Which server this is; another one once it is not known what is counted. */
  server(): string;
  /** Has the server be another one: what is counted of it ends by itself. */
  renew(): void;
  clock(): number | null;
}

/** When, and whether a call is taken on. */
interface Moment {
  now: number;
  taking: boolean;
}

type Planned = Caller & { plan: CurrentPlan };
const hasPlan = (caller: Caller): caller is Planned => caller.plan !== null;

export function createPostgresLimiter(
  options: LimiterOptions,
): WithAwaitableResults<Pick<CallLimiter, 'enter' | 'getPolicies'>> & Pick<CallLimiter, 'count'> {
  const { ask, flights, admitted, server, clock } = options;
  const leaving = leaver(options);
  const alone = (keyId: string) => [toInFlightPolicy(flights.of(keyId), MAX_IN_FLIGHT_PER_KEY)];
  const entering = (caller: Planned, taking: boolean) =>
    ask<LimitReply>('enter_1($1, $2, $3, $4, $5)', [
      caller.keyId,
      caller.plan.terms,
      server(),
      taking,
      clock(),
    ]);
  /** Of a call that was taken on with its key already, that; it is good for one call. */
  const answeredTo = async (caller: Planned, taking: boolean): Promise<LimitReply> => {
    const along = admitted(caller);
    if (along && along.taken === taking) return along.answered;
    return (await entering(caller, taking)) ?? { at: 0 };
  };
  const policies = (caller: Planned, answered: LimitReply, { now, taking }: Moment): LimitPolicy[] => {
    const { terms } = caller.plan;
    const rate = getRateLimit(terms);
    const { at, allowed = true, was } = answered;
    const tell = taking && allowed && !answered.full ? takeToken : readBucket;
    const taken = rate && { ...tell(was ?? undefined, at, rate), allowed };
    const worked =
      answered.worked === undefined ? flights.of(caller.keyId) : answered.worked + (answered.counts ? 1 : 0);
    return toLimitPolicies({
      most: terms.concurrency ?? MAX_IN_FLIGHT_PER_KEY,
      flights: worked,
      rate: rate && taken && { ...rate, taken },
      quotaUsage: admitted(caller)?.quotaUsage ?? null,
      now,
    });
  };
  const entered = (caller: Planned, answered: LimitReply, now: number): Omit<Admission, 'leave'> => {
    const { terms } = caller.plan;
    const rate = getRateLimit(terms);
    const refused = answered.full
      ? keyInFlightError(terms.concurrency ?? MAX_IN_FLIGHT_PER_KEY)
      : rate && answered.allowed === false
        ? rateLimitError(readBucket(answered.was ?? undefined, answered.at, rate).nextIn)
        : null;
    return {
      policies: policies(caller, answered, { now, taking: true }),
      refused,
      quotaUsage: admitted(caller)?.quotaUsage ?? null,
    };
  };
  return {
    count: flights.count,
    async enter(caller, now) {
      const { keyId } = caller;
      const full = catchRefusal(() => flights.enter(keyId));
      if (full) {
        if (admitted(caller)?.answered.counts) void leaving(keyId);
        return { policies: alone(keyId), refused: full, quotaUsage: null, leave: () => undefined };
      }
      const leave = () => flights.leave(keyId);
      if (!hasPlan(caller)) return { policies: alone(keyId), refused: null, quotaUsage: null, leave };
      try {
        const by = server();
        const answered = await answeredTo(caller, true);
        const done = () => {
          leave();
          return answered.counts ? leaving(keyId, by) : undefined;
        };
        return { ...entered(caller, answered, now), leave: done };
      } catch (error) {
        leave();
        throw error;
      }
    },
    getPolicies: async (caller, now) =>
      hasPlan(caller)
        ? policies(caller, await answeredTo(caller, false), { now, taking: false })
        : alone(caller.keyId),
  };
}

/** Tells that calls are worked on no more, those of one turn together. What cannot be told ends with the server's name. */
function leaver({ ask, server, renew }: LimiterOptions) {
  let waiting = new Map<string, Map<string, number>>();
  let told: Promise<void> | null = null;
  const tell = async (by: string, counts: ReadonlyMap<string, number>) => {
    const keys = `{${[...counts.keys()].map((key) => JSON.stringify(key)).join()}}`;
    try {
      await ask('leave_1($1, $2, $3)', [keys, `{${[...counts.values()].join()}}`, by]);
    } catch {
      if (by === server()) renew();
    }
  };
  const flush = async () => {
    await endOfTurn();
    const all = waiting;
    [waiting, told] = [new Map(), null];
    await Promise.all(Array.from(all, ([by, counts]) => tell(by, counts)));
  };
  return (keyId: string, by = server()): Promise<void> => {
    const counts = waiting.get(by) ?? new Map<string, number>();
    waiting.set(by, counts.set(keyId, (counts.get(keyId) ?? 0) + 1));
    return (told ??= flush());
  };
}
