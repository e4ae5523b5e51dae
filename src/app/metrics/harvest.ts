// What an operator sees of keys that may be used to learn who is on record, without naming any.
import { setTimeout as pause } from 'node:timers/promises';
import { assessProbes, getProbePeriodStart } from '../../admin/keys.ts';
import { familiesOfHarvest, familiesOfStore } from '../../observe/metrics/harvest.ts';
import type { Family } from '../../observe/metrics/text.ts';
import type { StoreEngine } from '../../store/engine.ts';
import type { AppParts } from '../parts.ts';

/** What one thread has counted. */
export function countHarvestProbes({ probes }: Pick<AppParts, 'probes'>): Family[] {
  const { checks, nameOnly, oneValue, withoutRecord, fresh, runs, refused } = probes.total();
  return familiesOfHarvest({
    probes: {
      checks,
      name_only: nameOnly,
      one_value: oneValue,
      without_record: withoutRecord,
      different: fresh,
      in_runs: runs,
    },
    refused,
  });
}

/** Whoever scrapes waits no longer for the store. */
const MAX_WAIT_MS = 1000;

/**
 * Asks the store what it tells of a day, which is read for that, row by row. Where it does not answer within a second, or fails, that is told
 * in place of it, and it is not asked again before it has answered. `now` is milliseconds since 1970.
 */
export function createStoreMetricsReader({
  sumProbesSince,
}: Pick<StoreEngine, 'sumProbesSince'>): (now: number) => Promise<Family[]> {
  let asked: Promise<Family[] | null> | null = null;
  const ask = async (now: number) => {
    const all = assessProbes(await sumProbesSince(getProbePeriodStart(now)));
    const like = (wanted: string) => all.filter(({ suspicion }) => suspicion === wanted).length;
    return familiesOfStore({ look: like('look'), harvesting: like('harvesting') });
  };
  return async (now) => {
    asked ??= ask(now)
      .catch(() => null)
      .finally(() => (asked = null));
    const late = pause(MAX_WAIT_MS, null, { ref: false });
    return (await Promise.race([asked, late])) ?? familiesOfStore(null);
  };
}
