import {
  addProbeCounts,
  NO_PROBE_COUNTS,
  createProbeWatcher,
  type ProbeCounts,
  formatProbesUsedUp,
  isProbe,
} from '../../accounts/harvesting.ts';
import type { Caller } from '../../accounts/model.ts';
import { BonafideError } from '../../errors.ts';
import type { Awaitable, Claim, Verdict } from '../../model.ts';
import type { SqlConnection } from '../store.ts';
import { hourlyRate } from '../../accounts/limits.ts';
import { takeFromBucket } from './limiter.ts';
import type { LimitStore } from './limiter.ts';

/** The counts of a chain of keys in an hour that began at `hour` (milliseconds). */
export interface HourlyProbeCounts extends ProbeCounts {
  key: string;
  hour: number;
}

const HOUR_MS = 3_600_000;
const EVERY_MS = 5000;

/** Gathers counts and hands them on every few seconds: `keep` adds them to what the store has. */
export function collectProbeCounts(keep: (hours: HourlyProbeCounts[]) => void) {
  let waiting: HourlyProbeCounts[] = [];
  /** Where each key's counts of its present hour are gathered. */
  let present = new Map<string, HourlyProbeCounts>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0) keep(waiting);
    waiting = [];
    present = new Map();
  };
  return {
    /** `now` is milliseconds since 1970. */
    add(key: string, probes: ProbeCounts, now: number): void {
      const hour = now - (now % HOUR_MS);
      const before = present.get(key);
      if (before?.hour === hour) return addProbeCounts(before, probes);
      const begun = { key, hour, ...probes };
      present.set(key, begun);
      waiting.push(begun);
      timer ??= setTimeout(flush, EVERY_MS).unref();
    },
    flush,
  };
}

interface Watching {
  take(probing: ProbeRequest, now: number): Awaitable<void>;
  gathered: Pick<ReturnType<typeof collectProbeCounts>, 'add'>;
  /** Told of a key that has used up the probes of its plan, once an hour, with the request that showed it. */
  onUsedUp(keyId: string, requestId: string): void;
}
/** The call that a check is of. */
type OfCall = { caller: Caller; requestId: string; now: number };

/** What bounds and watches how keys ask; see `ValidateDeps`. Calls with test keys learn of nobody. */
export function createProbeGuard({ take, gathered, onUsedUp }: Watching) {
  const watch = createProbeWatcher();
  const total: ProbeCounts & { refused: number } = { ...NO_PROBE_COUNTS, refused: 0 };
  const isNews = oncePerHour();
  return {
    async enter({ caller, requestId, now }: OfCall, claim: Claim): Promise<void> {
      try {
        await take({ caller, claim }, now);
      } catch (error) {
        if (error instanceof BonafideError && error.code === 'rate_limited') {
          total.refused++;
          if (isNews(caller.keyId, now)) onUsedUp(caller.keyId, requestId);
        }
        throw error;
      }
    },
    add({ caller: { keyId, test }, now }: OfCall, checked: { claim: Claim; verdict: Verdict }): void {
      if (test) return;
      const probes = watch(keyId, checked, now);
      addProbeCounts(total, probes);
      gathered.add(keyId, probes, now);
    },
    /** What this process counted since its start, of all keys together. */
    total: (): Readonly<typeof total> => total,
  };
}

/** Whether a key was not named yet in the hour of `now` (milliseconds). */
function oncePerHour() {
  let [hour, named] = [0, new Set<string>()];
  return (keyId: string, now: number): boolean => {
    const present = now - (now % HOUR_MS);
    if (present !== hour) [hour, named] = [present, new Set()];
    const before = named.size;
    return named.add(keyId).size > before;
  };
}

// When keys were used last: noted by the process that serves, written at most once a minute for each.
type Find = (text: string, now: number, entering?: boolean) => Awaitable<Caller | null>;

const MINUTE_MS = 60_000;
/** Keys that were used together are written together. */
const GATHER_MS = 1000;

/** Notes uses of keys; `keep` writes them. A key that was noted within a minute is not noted again. */
export function trackLastUse(keep: (used: ReadonlyMap<string, number>) => void) {
  const noted = new Map<string, number>();
  let waiting = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size > 0) keep(waiting);
    waiting = new Map();
  };
  const note = (key: string, now: number) => {
    if (Math.abs(now - (noted.get(key) ?? -Infinity)) < MINUTE_MS) return;
    noted.set(key, now);
    waiting.set(key, now);
    timer ??= setTimeout(flush, GATHER_MS).unref();
  };
  return {
    /** The same look-up, with the keys that it finds noted; `now` is milliseconds since 1970. */
    noting:
      (find: Find): Find =>
      (text, now, entering) => {
        const found = find(text, now, entering);
        const noted = (caller: Caller | null) => {
          if (caller?.key) note(caller.key, now);
          return caller;
        };
        return found instanceof Promise ? found.then(noted) : noted(found);
      },
    flush,
  };
}

/** Prepares the writer's statement: when keys were used last. Several threads and processes may note the same minute. */
export function prepareSaveLastUsed(raw: SqlConnection): (used: ReadonlyMap<string, number>) => void {
  const set = raw.prepare('UPDATE keys SET last_used = ? WHERE id = ? AND coalesce(last_used, 0) <= ?');
  const keep = raw.transaction((used: ReadonlyMap<string, number>) => {
    for (const [key, time] of used) set.run(time, key, time - MINUTE_MS);
  });
  return (used) => keep.immediate(used);
}

const ONE_HOUR_MS = 3_600_000;

/** What a plan without probes gives. */
export const NO_PROBE_TOKEN = { allowed: false, nextIn: ONE_HOUR_MS };

/** The bucket of a key's probes. */
export const probeBucketOf = (keyId: string): string => `probes ${keyId}`;

/** Refuses a check that is one probe too many; the next is in `nextIn` milliseconds. Errors: rate_limited. */
export function requireProbe(most: number, { allowed, nextIn }: { allowed: boolean; nextIn: number }): void {
  if (!allowed) throw new BonafideError('rate_limited', formatProbesUsedUp(most), { retryAfterMs: nextIn });
}

/** A check, and whose it is. */
export interface ProbeRequest {
  caller: Caller;
  claim: Claim;
}

/**
 * Takes one of the probes of an hour that a caller's plan has, over all processes, where a check is one.
 *
 * Errors: rate_limited, store_unavailable.
 */
export function takeProbe(
  limits: LimitStore,
  { caller: { keyId, plan }, claim }: ProbeRequest,
  now: number,
): void {
  const most = plan?.terms.probes ?? null;
  if (most === null || !isProbe(claim)) return;
  requireProbe(
    most,
    most === 0
      ? NO_PROBE_TOKEN
      : limits.change((db) =>
          takeFromBucket(db, { name: probeBucketOf(keyId), rate: hourlyRate(most) }, now),
        ),
  );
}
