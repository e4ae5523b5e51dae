// Use of API keys on a running server: the time of last use, and counts of suspicious checks. Both are
// collected in memory and saved every few seconds.
import {
  addToSuspiciousCheckCounts,
  createSingleCheckSuspicionCounter,
  NO_SUSPICIOUS_CHECKS,
} from '../../accounts/harvesting.ts';
import type { SuspiciousCheckCounts } from '../../accounts/harvesting.ts';
import type { Caller } from '../../accounts/model.ts';
import { BonafideError } from '../../errors.ts';
import type { Awaitable, Claim, Verdict } from '../../model.ts';
import type { CallerWithClaim } from './limiter.ts';
import type { HourlySuspiciousCheckCounts } from './writer-statements.ts';

/** Creates a buffer of values by name. It passes all of them to `save` `delayMs` milliseconds after the first one was set, or at `flush`. */
function createWriteBuffer<V>(delayMs: number, save: (values: ReadonlyMap<string, V>) => void) {
  let values = new Map<string, V>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (values.size > 0) save(values);
    values = new Map();
  };
  return {
    get: (key: string) => values.get(key),
    set(key: string, value: V): void {
      values.set(key, value);
      timer ??= setTimeout(flush, delayMs).unref();
    },
    flush,
  };
}

type FindKey = (text: string, now: number, isEntering?: boolean) => Awaitable<Caller | null>;

const MINUTE_MS = 60_000;
const SAVE_LAST_USED_MS = 1000;

/**
 * Creates a tracker of the times at which API keys were last used. It notes at most one use of a key per minute. `save` receives times (milliseconds
 * since 1970) by key id.
 */
export function createLastUseTracker(save: (lastUsed: ReadonlyMap<string, number>) => void) {
  const tracked = new Map<string, number>();
  const buffer = createWriteBuffer(SAVE_LAST_USED_MS, save);
  const track = (key: string, now: number) => {
    if (Math.abs(now - (tracked.get(key) ?? -Infinity)) < MINUTE_MS) return;
    tracked.set(key, now);
    buffer.set(key, now);
  };
  return {
    /** Returns a function that looks up API keys like `findKey`, and notes each key that it finds as used. */
    trackLookups:
      (findKey: FindKey): FindKey =>
      (text, now, isEntering) => {
        const keyCaller = findKey(text, now, isEntering);
        const trackCaller = (caller: Caller | null) => {
          if (caller?.key) track(caller.key, now);
          return caller;
        };
        return keyCaller instanceof Promise ? keyCaller.then(trackCaller) : trackCaller(keyCaller);
      },
    flush: buffer.flush,
  };
}

const HOUR_MS = 3_600_000;
const SAVE_PROBES_MS = 5000;

/** Creates a collector of counts of suspicious checks, by API key and hour. `save` must add what it receives to the counts in the store. */
export function createSuspiciousCheckCollector(save: (hours: HourlySuspiciousCheckCounts[]) => void) {
  const buffer = createWriteBuffer<HourlySuspiciousCheckCounts>(SAVE_PROBES_MS, (hours) =>
    save([...hours.values()]),
  );
  return {
    /** Adds the counts of one check call. `now` is milliseconds since 1970. */
    add(key: string, counts: SuspiciousCheckCounts, now: number): void {
      const hour = toHour(now);
      const name = `${hour} ${key}`;
      const collected = buffer.get(name);
      if (collected) addToSuspiciousCheckCounts(collected, counts);
      else buffer.set(name, { key, hour, ...counts });
    },
    flush: buffer.flush,
  };
}

const toHour = (time: number): number => time - (time % HOUR_MS);

export interface HarvestingLimiterOptions {
  /** Counts a check call with at most one contact against the plan's hourly limit. Errors: rate_limited, store_unavailable. */
  takeProbe(request: CallerWithClaim, now: number): Awaitable<void>;
  counts: Pick<ReturnType<typeof createSuspiciousCheckCollector>, 'add'>;
  /**
   * Called when an API key exceeds the hourly limit for checks with at most one contact, at most once an hour. `requestId` is that of the refused
   * call.
   */
  onUsedUp(keyId: string, requestId: string): void;
}

type CheckedCall = { caller: Caller; requestId: string; now: number };

/**
 * Creates the functions that limit and count checks that look like harvesting (enumerating who is on record); see `ValidateDeps`. Checks with test
 * keys are not counted.
 */
export function createRecordHarvestingLimiter({ takeProbe, counts, onUsedUp }: HarvestingLimiterOptions) {
  const watch = createSingleCheckSuspicionCounter();
  const total: SuspiciousCheckCounts & { refused: number } = { ...NO_SUSPICIOUS_CHECKS, refused: 0 };
  const isFirstInHour = createHourlyFilter();
  return {
    async enter({ caller, requestId, now }: CheckedCall, claim: Claim): Promise<void> {
      try {
        await takeProbe({ caller, claim }, now);
      } catch (error) {
        if (error instanceof BonafideError && error.code === 'rate_limited') {
          total.refused++;
          if (isFirstInHour(caller.keyId, now)) onUsedUp(caller.keyId, requestId);
        }
        throw error;
      }
    },
    count: (
      { caller: { keyId, test }, now }: CheckedCall,
      checked: { claim: Claim; verdict: Verdict },
    ): SuspiciousCheckCounts | null => (test ? null : watch(keyId, checked, now)),
    add({ caller: { keyId }, now }: CheckedCall, probes: SuspiciousCheckCounts): void {
      addToSuspiciousCheckCounts(total, probes);
      counts.add(keyId, probes, now);
    },
    total: (): Readonly<typeof total> => total,
  };
}

/** Creates a predicate that is true for the first call of each API key in each hour. */
function createHourlyFilter() {
  let [hour, keys] = [0, new Set<string>()];
  return (keyId: string, now: number): boolean => {
    const current = toHour(now);
    if (current !== hour) [hour, keys] = [current, new Set()];
    const before = keys.size;
    return keys.add(keyId).size > before;
  };
}
