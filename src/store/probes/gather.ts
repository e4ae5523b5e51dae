import { addTo } from '../../accounts/harvest/judge.ts';
import { NONE, watchProbes } from '../../accounts/harvest/watch.ts';
import type { Probes } from '../../accounts/harvest/watch.ts';
import type { Caller } from '../../accounts/model.ts';
import { BonafideError } from '../../errors.ts';
import type { Awaitable, Claim, Verdict } from '../../model.ts';
import type { Probing } from '../limits/probes.ts';

/** The counts of a chain of keys in an hour that began at `hour` (milliseconds). */
export interface HourOfProbes extends Probes {
  key: string;
  hour: number;
}

const HOUR_MS = 3_600_000;
const EVERY_MS = 5000;

/** Gathers counts and hands them on every few seconds: `keep` adds them to what the store has. */
export function gatherProbes(keep: (hours: HourOfProbes[]) => void) {
  let waiting: HourOfProbes[] = [];
  /** Where each key's counts of its present hour are gathered. */
  let present = new Map<string, HourOfProbes>();
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
    add(key: string, probes: Probes, now: number): void {
      const hour = now - (now % HOUR_MS);
      const before = present.get(key);
      if (before?.hour === hour) return addTo(before, probes);
      const begun = { key, hour, ...probes };
      present.set(key, begun);
      waiting.push(begun);
      timer ??= setTimeout(flush, EVERY_MS).unref();
    },
    flush,
  };
}

interface Watching {
  take(probing: Probing, now: number): Awaitable<void>;
  gathered: Pick<ReturnType<typeof gatherProbes>, 'add'>;
  /** Told of a key that has used up the probes of its plan, once an hour, with the request that showed it. */
  onUsedUp(keyId: string, requestId: string): void;
}
/** The call that a check is of. */
type OfCall = { caller: Caller; requestId: string; now: number };

/** What bounds and watches how keys ask; see `ValidateDeps`. Calls with test keys learn of nobody. */
export function probesOf({ take, gathered, onUsedUp }: Watching) {
  const watch = watchProbes();
  const total: Probes & { refused: number } = { ...NONE, refused: 0 };
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
      addTo(total, probes);
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
