// What bounds a caller from call to call, exact over all servers: what its plan says is asked of PostgreSQL, where that did not come with its key.
import { tooMany } from '../../../accounts/in-flight.ts';
import type { InFlight } from '../../../accounts/in-flight.ts';
import type { Policy } from '../../../accounts/limits/fields.ts';
import { inFlightPolicy, MOST_IN_FLIGHT, policiesOf, rateOf } from '../../../accounts/limits/policies.ts';
import { seen, take } from '../../../accounts/limits/rate.ts';
import type { Caller, PlanInForce } from '../../../accounts/model.ts';
import { endOfTurn } from '../../../platform/turn.ts';
import { rateReached, refusedBy } from '../../limits/limiter.ts';
import type { Entered, Limiter } from '../../limits/limiter.ts';
import type { Asked } from '../../serving.ts';
import type { Admitted, Answered } from './admit.ts';
import type { Ask } from './ask.ts';

export interface LimiterOptions {
  ask: Ask;
  /** Calls that this process works on. */
  flights: InFlight;
  /** What came along with a caller's key. */
  admitted(caller: Caller): Admitted | undefined;
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

type Planned = Caller & { plan: PlanInForce };
const hasPlan = (caller: Caller): caller is Planned => caller.plan !== null;

export function limiterOf(
  options: LimiterOptions,
): Asked<Pick<Limiter, 'enter' | 'look'>> & Pick<Limiter, 'count'> {
  const { ask, flights, admitted, server, clock } = options;
  const leaving = leaver(options);
  const alone = (keyId: string) => [inFlightPolicy(flights.of(keyId), MOST_IN_FLIGHT)];
  const entering = (caller: Planned, taking: boolean) =>
    ask<Answered>('enter_1($1, $2, $3, $4, $5)', [
      caller.keyId,
      caller.plan.terms,
      server(),
      taking,
      clock(),
    ]);
  /** Of a call that was taken on with its key already, that; it is good for one call. */
  const answeredTo = async (caller: Planned, taking: boolean): Promise<Answered> => {
    const along = admitted(caller);
    if (along && along.taken === taking) return along.answered;
    return (await entering(caller, taking)) ?? { at: 0 };
  };
  const policies = (caller: Planned, answered: Answered, { now, taking }: Moment): Policy[] => {
    const { terms } = caller.plan;
    const rate = rateOf(terms);
    const { at, allowed = true, was } = answered;
    const tell = taking && allowed && !answered.full ? take : seen;
    const taken = rate && { ...tell(was ?? undefined, at, rate), allowed };
    const worked =
      answered.worked === undefined ? flights.of(caller.keyId) : answered.worked + (answered.counts ? 1 : 0);
    return policiesOf({
      most: terms.concurrency ?? MOST_IN_FLIGHT,
      flights: worked,
      rate: rate && taken && { ...rate, taken },
      standing: admitted(caller)?.standing ?? null,
      now,
    });
  };
  const entered = (caller: Planned, answered: Answered, now: number): Omit<Entered, 'leave'> => {
    const { terms } = caller.plan;
    const rate = rateOf(terms);
    const refused = answered.full
      ? tooMany(terms.concurrency ?? MOST_IN_FLIGHT)
      : rate && answered.allowed === false
        ? rateReached(seen(answered.was ?? undefined, answered.at, rate).nextIn)
        : null;
    return {
      policies: policies(caller, answered, { now, taking: true }),
      refused,
      standing: admitted(caller)?.standing ?? null,
    };
  };
  return {
    count: flights.count,
    async enter(caller, now) {
      const { keyId } = caller;
      const full = refusedBy(() => flights.enter(keyId));
      if (full) {
        if (admitted(caller)?.answered.counts) void leaving(keyId);
        return { policies: alone(keyId), refused: full, standing: null, leave: () => undefined };
      }
      const leave = () => flights.leave(keyId);
      if (!hasPlan(caller)) return { policies: alone(keyId), refused: null, standing: null, leave };
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
    look: async (caller, now) =>
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
