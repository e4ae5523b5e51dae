import { getBlockingKeys } from './blocking.ts';
import type { LinkStatistics, LinkEvidence, PairComparison, RecordErrorRates } from './compare/evidence.ts';
import { comparePair, meetsLinkThreshold, LINK_THRESHOLD_BITS } from './compare/pair.ts';
import { listStatisticsCountsOfRecord } from './statistics/link-cache-record.ts';
import { roundLinkStatistics } from './statistics/levels.ts';
import { toLinkableRecord, type LinkableRecord, getPersonNameKey } from './link-record.ts';
import type { FingerprintFunction, RecordRow } from './stored-record.ts';
import { createLinkStatisticsCollector } from './statistics/collected.ts';

export interface PairExplanation extends PairComparison {
  /**
   * True if both records have the same identity. This is possible although comparing only the two would not link them, because a third
   * record may connect them.
   */
  together: boolean;
  needed: number;
}

/**
 * Creates an explainer that compares records as linking does and returns the evidence. Call `see` once with every record of the graph, because
 * rarity is counted over all records. Then call `why` with two indexes of `rows`.
 */
export function createPairExplainer(
  rows: readonly RecordRow[],
  errorRates: RecordErrorRates,
  fingerprint: FingerprintFunction,
): { see(record: RecordRow): void; why(a: number, b: number): PairExplanation } {
  const compared = rows.map((row): Known => ({
    record: toLinkableRecord(row, fingerprint),
    identity: row.identity,
  }));
  const sharers = new Map<number, Set<number>>();
  for (const { record } of compared)
    for (const key of getBlockingKeys(record, fingerprint)) sharers.set(key, new Set());
  const counting = createLinkStatisticsCollector(fingerprint);
  const near: Known[] = [];
  return {
    see(row) {
      const record = toLinkableRecord(row, fingerprint);
      counting.see(listStatisticsCountsOfRecord(record, fingerprint));
      const shared = getBlockingKeys(record, fingerprint).flatMap((key) => sharers.get(key) ?? []);
      for (const people of shared) people.add(getPersonNameKey(record));
      if (shared.length > 0 && near.length < MAX_TRIED_RECORDS) near.push({ record, identity: row.identity });
    },
    why(a, b) {
      const [one, two] = [compared[a], compared[b]];
      if (!one || !two) throw new RangeError(`There is no record ${one ? b : a} to compare. Check the id.`);
      const exact = {
        ...counting.statistics(),
        errorRates,
        sharers: (key: number) => Math.max(1, sharers.get(key)?.size ?? 1),
      };
      const context = roundLinkStatistics(exact);
      const verdict = comparePair(one.record, two.record, context);
      const together = one.identity !== null && one.identity === two.identity;
      const apart = !together && meetsLinkThreshold(verdict) ? [whyApart([one, two], near, context)] : [];
      return { ...verdict, evidence: [...verdict.evidence, ...apart], together, needed: LINK_THRESHOLD_BITS };
    },
  };
}

interface Known {
  record: LinkableRecord;
  identity: number | null;
}

/** Maximum number of other records that are compared with the pair, to find out why it was not linked. Each shares a blocking key with the pair. */
const MAX_TRIED_RECORDS = 512;

/** Returns why two records have different identities although comparing only the two would link them. */
function whyApart([one, two]: [Known, Known], near: Known[], context: LinkStatistics): LinkEvidence {
  const fits = ({ record }: Known) =>
    near.some(
      (third) =>
        third.identity !== one.identity &&
        third.identity !== two.identity &&
        third.record.row !== record.row &&
        meetsLinkThreshold(comparePair(record, third.record, context)),
    );
  const fitsTwo = [one, two].some(fits);
  const what = fitsTwo
    ? 'but one of them fits two people who are not one, and may be either of them'
    : 'but other records of the two speak against it';
  return { code: 'others', what, bits: 0 };
}
