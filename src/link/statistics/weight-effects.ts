// What counts come to in the weights of pairs: where that stays as it is, no pair need be weighed again.
import { maxWeakKeyRecords } from '../blocking.ts';
import { isSmallGraph, weighSharedDate } from '../compare/birth-dates.ts';
import { weighSharedPlace, weighSharedPostcode } from '../compare/contacts.ts';
import type { LinkContext, ErrorRates } from '../compare/evidence.ts';
import { estimateNameCount, weighSharedName, weighSharedWord } from '../compare/names.ts';
import { weighSharedBirthPlace } from '../compare/traits.ts';
import { COUNT_KINDS, type CountKind, type RecordFacts } from './record-facts.ts';
import { roundToLevel, roundContextToLevels } from './levels.ts';
import type { CountLookup, RecordSurvey } from './survey.ts';
import { nameTablesDigest } from '../../names/index.ts';
import { getPairSample } from './comparison-patterns.ts';

/** What holds for all records, in levels. */
export type GlobalFigures = Pick<LinkContext, 'records' | 'perPerson' | 'errorRates'>;

/** The same text for two counts that every pair is weighed alike by; see also `nameEffect` and `streetEffect`. */
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

/** What the count of a place comes to where it is a postcode that means a street: of other places it weighs in nothing. */
export function getPostcodeEffect(counted: number, common: GlobalFigures): number {
  return weighSharedPostcode(roundToLevel(Math.max(1, counted)), common);
}

/** What the name of a record says by how many are reckoned to bear it; 0 where it has none. In large graphs a few more are all the same. */
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

/** What weighs in every pair, as a text: where it becomes another one, all records are linked anew. */
export function serializeGlobals(survey: RecordSurvey, errorRates: ErrorRates): string {
  const { records } = roundContextToLevels({ ...survey, errorRates, sharers: () => 1 });
  const { share } = getPairSample(survey);
  const names = nameTablesDigest();
  return JSON.stringify({ names, records, perPerson: survey.perPerson, share, errorRates });
}
