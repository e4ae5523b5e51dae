// Effects of counts on the weights of pairs. If the effect of a changed count stays the same, no pair needs
// to be weighed again.
import { maxWeakKeyRecords } from '../blocking.ts';
import { isSmallGraph, weighSharedDate } from '../compare/birth-dates.ts';
import { weighSharedPlace, weighSharedPostcode } from '../compare/contacts.ts';
import type { LinkContext, ErrorRates } from '../compare/evidence.ts';
import { estimateNameCount, weighSharedName, weighSharedWord } from '../compare/names.ts';
import { weighSharedBirthPlace } from '../compare/traits.ts';
import { COUNT_KINDS, type CountKind, type RecordFacts } from './record-facts.ts';
import { roundToLevel, roundContextToLevels } from './levels.ts';
import type { CountLookup, RecordSurvey } from './survey.ts';
import { digestNameTables } from '../../names/index.ts';
import { getPairSample } from './comparison-patterns.ts';

/** Statistics that affect all pairs, rounded to levels. */
export type GlobalFigures = Pick<LinkContext, 'records' | 'perPerson' | 'errorRates'>;

/**
 * Returns the effect of a count as a text. Two counts with the same text give every pair the same weight. See
 * also `getNameEffect` and `getPostcodeEffect`.
 */
export function toCountEffect(what: CountKind, counted: number, common: GlobalFigures): string {
  const count = roundToLevel(Math.max(1, counted));
  if (what === COUNT_KINDS.word)
    return `${common.errorRates.name === null ? 0 : weighSharedWord(count, common)}`;
  if (what === COUNT_KINDS.date)
    return isSmallGraph(common) ? `${count}` : `${weighSharedDate(count, common)}`;
  if (what === COUNT_KINDS.nameAndBirth) return isSmallGraph(common) ? `${count}` : `${count > 1}`;
  if (what === COUNT_KINDS.place)
    return `${weighSharedPlace(count, common)} ${weighSharedBirthPlace(count, common)} ${count <= maxWeakKeyRecords(common.perPerson)}`;
  return what === COUNT_KINDS.people ? `${count}` : '';
}

/**
 * Returns the effect of a place's count, if the place is a postcode that identifies a street. Other places
 * have no such effect.
 */
export function getPostcodeEffect(counted: number, common: GlobalFigures): number {
  return weighSharedPostcode(roundToLevel(Math.max(1, counted)), common);
}

/**
 * Returns the weight of a record's name by the estimated number of records with the name; 0 without a name.
 * In large graphs a few more records do not change it.
 */
export function getNameEffect(
  { ends, counts }: RecordFacts,
  count: CountLookup,
  common: GlobalFigures,
): number {
  const name = counts.find(({ what }) => what === COUNT_KINDS.name);
  if (!name || ends.length === 0) return 0;
  const level = (what: CountKind, key: number) => roundToLevel(Math.max(1, count(what, key)));
  const words = ends.map((key) => level(COUNT_KINDS.word, key));
  return weighSharedName(estimateNameCount(level(COUNT_KINDS.name, name.key), words, common), common);
}

/**
 * Serializes the statistics that affect every pair. If the text changes, all records must be linked again.
 */
export function serializeGlobals(survey: RecordSurvey, errorRates: ErrorRates): string {
  const { records } = roundContextToLevels({ ...survey, errorRates, sharers: () => 1 });
  const { share } = getPairSample(survey);
  const names = digestNameTables();
  return JSON.stringify({ names, records, perPerson: survey.perPerson, share, errorRates });
}
