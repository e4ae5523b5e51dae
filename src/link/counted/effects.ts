// What counts come to in the weights of pairs: where that stays as it is, no pair need be weighed again.
import { weakMost } from '../blocking.ts';
import { dateWeight } from '../compare/births.ts';
import { placeWeight } from '../compare/contacts.ts';
import type { LinkContext } from '../compare/evidence.ts';
import { borneByCounts, wordWeight } from '../compare/names.ts';
import { birthPlaceWeight } from '../compare/traits.ts';
import { COUNTED, type Counted, type Facts } from './facts.ts';
import { levelled } from './levels.ts';
import type { CountOf } from './survey.ts';

/** What holds for all records, in levels. */
export type Common = Pick<LinkContext, 'records' | 'perPerson' | 'errorRates'>;

/** The same text for two counts that every pair is weighed alike by. How many bear a record's own name is `borneIn`'s matter. */
export function effectOf(what: Counted, counted: number, common: Common): string {
  const count = levelled(Math.max(1, counted));
  if (what === COUNTED.word) return `${common.errorRates.name === null ? 0 : wordWeight(count, common)}`;
  if (what === COUNTED.date) return `${dateWeight(count, common)}`;
  if (what === COUNTED.nameAndBirth) return `${count > 1}`;
  if (what === COUNTED.place)
    return `${placeWeight(count, common)} ${birthPlaceWeight(count, common)} ${count <= weakMost(common.perPerson)}`;
  return what === COUNTED.people ? `${count}` : '';
}

/** How many records the name of one is reckoned to be borne by; 0 where it has none. */
export function borneIn({ ends, counts }: Facts, count: CountOf, common: Common): number {
  const name = counts.find(({ what }) => what === COUNTED.name);
  if (!name || ends.length === 0) return 0;
  const level = (what: Counted, key: number) => levelled(Math.max(1, count(what, key)));
  const words = ends.map((key) => level(COUNTED.word, key));
  return borneByCounts(level(COUNTED.name, name.key), words, common);
}
