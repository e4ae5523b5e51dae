// What an operator sees of keys that may be used to learn who is on record, without naming any.
import { watched } from '../admin/probes.ts';
import type { HarvestState } from '../observe/metrics/harvest.ts';
import type { Parts } from './parts.ts';

/** `now` is milliseconds since 1970. */
export function harvestOf({ probes, store }: Pick<Parts, 'probes' | 'store'>, now: number): HarvestState {
  const { checks, nameOnly, oneValue, withoutRecord, fresh, runs, refused } = probes.total();
  const all = watched(store, now);
  const like = (wanted: string) => all.filter(({ suspicion }) => suspicion === wanted).length;
  return {
    probes: {
      checks,
      name_only: nameOnly,
      one_value: oneValue,
      without_record: withoutRecord,
      different: fresh,
      in_runs: runs,
    },
    refused,
    keys: { look: like('look'), harvesting: like('harvesting') },
  };
}
