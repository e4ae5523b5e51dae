// What bounds a caller from call to call: its plan's rate and calls in flight, exact over all processes of a folder.
import { randomUUID } from 'node:crypto';
import { tooMany } from '../../accounts/in-flight.ts';
import type { InFlight } from '../../accounts/in-flight.ts';
import type { Policy } from '../../accounts/limits/fields.ts';
import { inFlightPolicy, MOST_IN_FLIGHT, policiesOf, rateOf } from '../../accounts/limits/policies.ts';
import type { Moment } from '../../accounts/limits/policies.ts';
import { BonafideError } from '../../errors.ts';
import type { Caller, PlanInForce, PlanTerms, Standing } from '../../accounts/model.ts';
import { lookAt, takeFrom } from './buckets.ts';
import { countFlight, inFlight, sayAlive } from './flights.ts';
import type { Limits } from './limits.ts';
import type { Sql } from '../store.ts';
import type { Awaitable } from '../../model.ts';

/** A call that was taken on, or refused, with what it is told of its caller's limits. */
export interface Entered {
  policies: Policy[];
  /** Null where it was taken on. */
  refused: BonafideError | null;
  /** Where its caller's account stands; null without a plan, and for test keys. */
  standing: Standing | null;
  /** It is not worked on any more; whoever asks next is bounded without it once this is there. */
  leave(): Awaitable<void>;
}

export interface Limiter {
  /** Takes a call on. Errors: store_unavailable, of callers with a plan. */
  enter(caller: Caller, now: number): Entered;
  /** What a caller's limits are; it takes nothing. Errors: store_unavailable, of callers with a plan. */
  look(caller: Caller, now: number): Policy[];
  /** How many calls this process works on. */
  count(): number;
  close(): void;
}

export interface LimiterOptions {
  limits: Limits;
  /** Calls that this process works on. */
  flights: InFlight;
  standing(caller: Caller, now: number): Standing | null;
}

const ALIVE_EVERY_MS = 2000;

export function openLimiter({ limits, flights, standing }: LimiterOptions): Limiter {
  const process = randomUUID();
  let beat: NodeJS.Timeout | undefined;
  const live = (now: number) => {
    if (beat) return;
    sayAlive(limits, process, now);
    beat = setInterval(() => quietly(() => sayAlive(limits, process, Date.now())), ALIVE_EVERY_MS).unref();
  };
  /** Where a caller with a plan stands, in one transaction; `taking` takes a token and counts the call. */
  const planned = (caller: Planned, now: number, taking: boolean): Omit<Entered, 'leave'> => {
    const { terms } = caller.plan;
    if (taking && terms.concurrency) live(now);
    const found = limits.change((db) => momentOf(db, { caller, terms, now, process, taking }));
    const { refused, own, ...moment } = found;
    const worked = own ?? flights.of(caller.keyId);
    const quota = caller.test ? null : standing(caller, now);
    const policies = policiesOf({ ...moment, flights: worked, standing: quota, now });
    return { refused, standing: quota, policies };
  };
  const alone = (keyId: string) => [inFlightPolicy(flights.of(keyId), MOST_IN_FLIGHT)];
  return {
    enter(caller, now) {
      const { keyId } = caller;
      const full = refusedBy(() => flights.enter(keyId));
      if (full) return { policies: alone(keyId), refused: full, standing: null, leave: () => undefined };
      const leave = () => flights.leave(keyId);
      if (!hasPlan(caller)) return { policies: alone(keyId), refused: null, standing: null, leave };
      try {
        const entered = planned(caller, now, true);
        if (entered.refused || !caller.plan.terms.concurrency) return { ...entered, leave };
        return { ...entered, leave: () => (leave(), quietly(() => less(limits, keyId, process))) };
      } catch (error) {
        leave();
        throw error;
      }
    },
    look: (caller, now) => (hasPlan(caller) ? planned(caller, now, false).policies : alone(caller.keyId)),
    count: flights.count,
    close: () => clearInterval(beat),
  };
}

type Planned = Caller & { plan: PlanInForce };
const hasPlan = (caller: Caller): caller is Planned => caller.plan !== null;

const less = (limits: Limits, key: string, process: string) =>
  limits.change((db) => countFlight(db, { key, process }, -1));

interface Asking {
  caller: Caller;
  terms: PlanTerms;
  now: number;
  process: string;
  taking: boolean;
}

/** `own` is how many calls all processes work on, null where only this one counts them. */
function momentOf(db: Sql, { caller: { keyId }, terms, now, process, taking }: Asking) {
  const most = terms.concurrency ?? MOST_IN_FLIGHT;
  const before = terms.concurrency ? inFlight(db, keyId, now) : null;
  const bucket = rateOf(terms);
  const full = before !== null && before >= most;
  const use = taking && !full ? takeFrom : lookAt;
  const taken = bucket && use(db, { name: keyId, rate: bucket }, now);
  const rate = bucket && taken && { ...bucket, taken };
  const refused = taking ? refusal({ full, most, rate }) : null;
  const counts = taking && refused === null && before !== null;
  if (counts) countFlight(db, { key: keyId, process }, 1);
  return { most, rate, refused, own: before === null ? null : before + (counts ? 1 : 0) };
}

function refusal({
  full,
  most,
  rate,
}: {
  full: boolean;
  most: number;
  rate: Moment['rate'];
}): BonafideError | null {
  if (full) return tooMany(most);
  return !rate || rate.taken.allowed ? null : rateReached(rate.taken.nextIn);
}

/** What a call is told that comes too soon: after so many milliseconds the next one may come. */
export const rateReached = (nextIn: number) =>
  new BonafideError('rate_limited', 'The rate of this key’s plan is reached.', { retryAfterMs: nextIn });

/** What a bound says against a call; null where it says nothing. */
export function refusedBy(bound: () => void): BonafideError | null {
  try {
    bound();
    return null;
  } catch (error) {
    if (error instanceof BonafideError) return error;
    throw error;
  }
}

/** What cannot be said now ends by itself: a process that is not heard of counts for nothing after some seconds. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Nothing else can be done about it here.
  }
}
