// Token buckets, kept as one number each: the generic cell rate algorithm (ATM Forum, Traffic Management 4.0, 4.4.2), in its
// virtual scheduling form.

/** A bucket that fills at `perSecond` tokens a second and holds `burst` at most. */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** What became of asking for one token. Times are milliseconds. */
export interface Taken {
  allowed: boolean;
  /** When the bucket will be full again: all that has to be kept of it. */
  fullAt: number;
  /** Whole tokens that are left. */
  left: number;
  /** Until the bucket is full again. */
  fullIn: number;
  /** Until the next token is there; 0 where one is. */
  nextIn: number;
}

/** `count` an hour, a whole hour's worth at once. */
export const hourly = (count: number): Rate => ({ perSecond: count / 3600, burst: count });

/**
 * Takes one token at `now`, where one is there. `fullAt` is what the last taking answered, undefined for a bucket that nobody took from. A
 * clock that steps back finds the bucket empty at worst, never emptier.
 */
export function take(fullAt: number | undefined, now: number, rate: Rate): Taken {
  const before = seen(fullAt, now, rate);
  const allowed = before.left >= 1;
  return { ...(allowed ? seen(before.fullAt + 1000 / rate.perSecond, now, rate) : before), allowed };
}

/** How full a bucket is, without taking from it. */
export function seen(fullAt: number | undefined, now: number, { perSecond, burst }: Rate): Taken {
  const every = 1000 / perSecond;
  const full = Math.min(Math.max(fullAt ?? now, now), now + burst * every);
  const fullIn = full - now;
  // A rounding error of a float must not cost a token.
  const tokens = burst - fullIn / every + ROUNDING;
  const left = Math.floor(tokens);
  return { allowed: true, fullAt: full, left, fullIn, nextIn: left >= 1 ? 0 : (1 - tokens) * every };
}

const ROUNDING = 1e-6;
