// What an operator sees of keys that may be used to learn who is on record, without naming any.
import { judged, watchedSince } from '../../admin/probes.ts';
import { familiesOfHarvest, familyOfSuspected } from '../../observe/metrics/harvest.ts';
import type { Family } from '../../observe/metrics/text.ts';
import type { Engine } from '../../store/serving.ts';
import type { Parts } from '../parts.ts';

/** What one thread has counted. */
export function harvestCounted({ probes }: Pick<Parts, 'probes'>): Family[] {
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

/** What the store tells of a day. It is read for this, row by row. `now` is milliseconds since 1970. */
export async function suspected({ probesSince }: Pick<Engine, 'probesSince'>, now: number): Promise<Family> {
  const all = judged(await probesSince(watchedSince(now)));
  const like = (wanted: string) => all.filter(({ suspicion }) => suspicion === wanted).length;
  return familyOfSuspected({ look: like('look'), harvesting: like('harvesting') });
}
