import { watchProbes } from '../../../accounts/harvest/watch.ts';
import { addTo } from '../../../accounts/harvest/judge.ts';
import type { Probes } from '../../../accounts/harvest/watch.ts';
import type { Caller } from '../../../accounts/model.ts';
import type { Claim, Verdict } from '../../../model.ts';
import type { LimitsFile } from '../limits/open.ts';
import { takeProbe } from '../limits/probes.ts';

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

/** What bounds and watches how keys ask; see `ValidateDeps`. Calls with test keys learn of nobody. */
export function probesOf(limits: LimitsFile, { add }: Pick<ReturnType<typeof gatherProbes>, 'add'>) {
  const watch = watchProbes();
  return {
    enter: (caller: Caller, claim: Claim, now: number) => takeProbe(limits, { caller, claim }, now),
    add({ keyId, test }: Caller, checked: { claim: Claim; verdict: Verdict }, now: number): void {
      if (!test) add(keyId, watch(keyId, checked, now), now);
    },
  };
}
