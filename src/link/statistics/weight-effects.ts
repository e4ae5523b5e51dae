// Detects whether a changed count changes match weights. Pairs are weighed again only then.
import { getMaxRecordsOfWeakKey } from '../blocking.ts';
import { isSmallGraph, weighSharedBirthDate } from '../compare/birth-dates.ts';
import { weighSharedPlace, weighSharedPostcode } from '../compare/contacts.ts';
import type { LinkStatistics, RecordErrorRates } from '../compare/evidence.ts';
import { estimateRecordsWithName, weighSharedName, weighSharedWord } from '../compare/names.ts';
import { weighSharedBirthPlace } from '../compare/traits.ts';
import { COUNT_TYPES, type CountType, type LinkCacheRecord } from './link-cache-record.ts';
import { roundCount, roundLinkStatistics } from './levels.ts';
import type { KeyCountLookup, CollectedLinkStatistics } from './collected.ts';
import { hashNameTables } from '../../names/index.ts';
import { createErrorRatePairSampler } from './comparison-patterns.ts';

/** Statistics that affect all pairs of records, rounded to levels. */
export type GraphWideLinkStatistics = Pick<LinkStatistics, 'records' | 'perPerson' | 'errorRates'>;

/**
 * Returns a text for the effect of a count on match weights. Two counts with equal texts give every pair the same weight. See also
 * `getNameWeightBits` and `getPostcodeWeightBits`.
 */
export function serializeWeightEffectOfCount(
  what: CountType,
  counted: number,
  common: GraphWideLinkStatistics,
): string {
  const count = roundCount(Math.max(1, counted));
  if (what === COUNT_TYPES.word)
    return `${common.errorRates.name === null ? 0 : weighSharedWord(count, common)}`;
  if (what === COUNT_TYPES.date)
    return isSmallGraph(common) ? `${count}` : `${weighSharedBirthDate(count, common)}`;
  if (what === COUNT_TYPES.nameAndBirth) return isSmallGraph(common) ? `${count}` : `${count > 1}`;
  if (what === COUNT_TYPES.place)
    return `${weighSharedPlace(count, common)} ${weighSharedBirthPlace(count, common)} ${count <= getMaxRecordsOfWeakKey(common.perPerson)}`;
  return what === COUNT_TYPES.people ? `${count}` : '';
}

/** Returns the weight in bits of a shared postcode that identifies a street. @param counted number of records with the postcode */
export function getPostcodeWeightBits(counted: number, common: GraphWideLinkStatistics): number {
  return weighSharedPostcode(roundCount(Math.max(1, counted)), common);
}

/**
 * Returns the weight in bits of a record's name, from the estimated number of records with the name; 0 without a name. Counts are rounded
 * to levels, so a few more records rarely change it.
 */
export function getNameWeightBits(
  { ends, counts }: LinkCacheRecord,
  count: KeyCountLookup,
  common: GraphWideLinkStatistics,
): number {
  const name = counts.find(({ what }) => what === COUNT_TYPES.name);
  if (!name || ends.length === 0) return 0;
  const level = (what: CountType, key: number) => roundCount(Math.max(1, count(what, key)));
  const words = ends.map((key) => level(COUNT_TYPES.word, key));
  return weighSharedName(estimateRecordsWithName(level(COUNT_TYPES.name, name.key), words, common), common);
}

/** Converts the statistics that affect every pair to a text. If the text changes, all records must be linked again. */
export function serializeGraphWideLinkStatistics(
  statistics: CollectedLinkStatistics,
  errorRates: RecordErrorRates,
): string {
  const { records } = roundLinkStatistics({ ...statistics, errorRates, sharers: () => 1 });
  const { share } = createErrorRatePairSampler(statistics);
  const names = hashNameTables();
  return JSON.stringify({ names, records, perPerson: statistics.perPerson, share, errorRates });
}
