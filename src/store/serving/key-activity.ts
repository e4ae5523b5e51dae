// Use of keys on a running server: the time of last use, and probe counts. Both are collected in memory and
// saved every few seconds.
import {
  addHarvestProbeCounts,
  createHarvestProbeCounter,
  NO_HARVEST_PROBES,
} from '../../accounts/harvesting.ts';
import type { HarvestProbeCounts } from '../../accounts/harvesting.ts';
import type { Caller } from '../../accounts/model.ts';
import { BonafideError } from '../../errors.ts';
import type { Awaitable, Claim, Verdict } from '../../model.ts';
import type { ProbeRequest } from './limiter.ts';
import type { HourlyProbeCounts } from './writer-statements.ts';

/** Returns a buffer of values. `save` receives all buffered values `delayMs` after the first value, or at `flush`. */
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

/** Tracks when keys were last used, at most once a minute for each key. `save` stores the times (milliseconds since 1970) by key. */
export function createLastUseTracker(save: (lastUsed: ReadonlyMap<string, number>) => void) {
  const tracked = new Map<string, number>();
  const buffer = createWriteBuffer(SAVE_LAST_USED_MS, save);
  const track = (key: string, now: number) => {
    if (Math.abs(now - (tracked.get(key) ?? -Infinity)) < MINUTE_MS) return;
    tracked.set(key, now);
    buffer.set(key, now);
  };
  return {
    /** Returns the key look-up with tracking: each key that it finds counts as used. */
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

/** Collects probe counts by key and hour; `save` adds them to the counts in the store. */
export function createProbeCountCollector(save: (hours: HourlyProbeCounts[]) => void) {
  const buffer = createWriteBuffer<HourlyProbeCounts>(SAVE_PROBES_MS, (hours) => save([...hours.values()]));
  return {
    /** Adds the counts of one check. `now` is milliseconds since 1970. */
    add(key: string, counts: HarvestProbeCounts, now: number): void {
      const hour = toHour(now);
      const name = `${hour} ${key}`;
      const collected = buffer.get(name);
      if (collected) addHarvestProbeCounts(collected, counts);
      else buffer.set(name, { key, hour, ...counts });
    },
    flush: buffer.flush,
  };
}

const toHour = (time: number): number => time - (time % HOUR_MS);

export interface ProbeGuardOptions {
  /** Takes one of the hourly probes of a plan, if the check is a probe. Errors: rate_limited, store_unavailable. */
  takeProbe(request: ProbeRequest, now: number): Awaitable<void>;
  counts: Pick<ReturnType<typeof createProbeCountCollector>, 'add'>;
  /** Called when a key has no probes of its plan left, at most once an hour, with the id of the refused request. */
  onUsedUp(keyId: string, requestId: string): void;
}

/** Call that a check belongs to. */
type CheckedCall = { caller: Caller; requestId: string; now: number };

/**
 * Creates the guard that limits and counts probes; see `ValidateDeps`. Checks with test keys are not counted, because the people are invented.
 */
export function createProbeGuard({ takeProbe, counts, onUsedUp }: ProbeGuardOptions) {
  const watch = createHarvestProbeCounter();
  const total: HarvestProbeCounts & { refused: number } = { ...NO_HARVEST_PROBES, refused: 0 };
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
    ): HarvestProbeCounts | null => (test ? null : watch(keyId, checked, now)),
    add({ caller: { keyId }, now }: CheckedCall, probes: HarvestProbeCounts): void {
      addHarvestProbeCounts(total, probes);
      counts.add(keyId, probes, now);
    },
    total: (): Readonly<typeof total> => total,
  };
}

/** Returns a function that is true for the first call of a key in each hour. */
function createHourlyFilter() {
  let [hour, keys] = [0, new Set<string>()];
  return (keyId: string, now: number): boolean => {
    const current = toHour(now);
    if (current !== hour) [hour, keys] = [current, new Set()];
    const before = keys.size;
    return keys.add(keyId).size > before;
  };
}
