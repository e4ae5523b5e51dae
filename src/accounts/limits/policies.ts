// What a caller is told of its limits: the bounds of its plan, or of a key that stands alone.
import type { PlanTerms, Standing } from '../model.ts';
import type { Policy } from './fields.ts';
import type { Rate, Taken } from './rate.ts';

/** Calls of a key that are worked on at a time, where no plan says otherwise. */
export const MOST_IN_FLIGHT = 256;

/** The bucket of a plan's rate; null where it has none. */
export function rateOf({ rate }: Pick<PlanTerms, 'rate'>): Rate | null {
  return rate && { perSecond: rate.calls / rate.seconds, burst: rate.burst };
}

/** How a caller stands now: calls in flight, and the bucket of its rate. */
export interface Moment {
  flights: number;
  most: number;
  rate: (Rate & { taken: Taken }) | null;
  standing: Standing | null;
  /** Milliseconds since 1970. */
  now: number;
}

/** The policies of a caller, the one that is met first before the others; the quota is the second. */
export function policiesOf({ flights, most, rate, standing, now }: Moment): Policy[] {
  const inFlight = inFlightPolicy(flights, most);
  const quota = standing ? [quotaPolicy(standing, now)] : [];
  return rate ? [ratePolicy(rate), ...quota, inFlight] : [inFlight, ...quota];
}

export const inFlightPolicy = (flights: number, most: number): Policy => ({
  name: 'in-flight',
  quota: most,
  unit: 'concurrent-requests',
  remaining: most - flights,
});

/** A bucket as a quota: what it holds, and how long it takes to fill. */
const ratePolicy = ({ perSecond, burst, taken }: NonNullable<Moment['rate']>): Policy => ({
  name: 'rate',
  quota: burst,
  window: (burst / perSecond) * 1000,
  remaining: taken.left,
  // Who has none left waits for the next one, as Retry-After says.
  reset: taken.left > 0 ? taken.fullIn : taken.nextIn,
});

const quotaPolicy = ({ month, included, used, resets }: Standing, now: number): Policy => ({
  name: 'quota',
  quota: included,
  window: resets - Date.parse(`${month}-01T00:00:00Z`),
  remaining: included - used,
  reset: resets - now,
});

/** Policies with the quota as it stands after a call; `now` is milliseconds. */
export const withQuota = (policies: readonly Policy[], standing: Standing, now: number): Policy[] =>
  policies.map((policy) => (policy.name === 'quota' ? quotaPolicy(standing, now) : policy));
