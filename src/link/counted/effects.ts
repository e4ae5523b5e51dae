// What counts come to in the weights of pairs: where that stays as it is, no pair need be weighed again.
import { weakMost } from '../blocking.ts';
import { areFew, dateWeight } from '../compare/births.ts';
import { placeWeight, postcodeWeight } from '../compare/contacts.ts';
import type { LinkContext } from '../compare/evidence.ts';
import { borneByCounts, nameWeight, wordWeight } from '../compare/names.ts';
import { birthPlaceWeight } from '../compare/traits.ts';
import { COUNTED, type Counted, type Facts } from './facts.ts';
import { levelled } from './levels.ts';
import type { CountOf } from './survey.ts';

/** What holds for all records, in levels. */
export type Common = Pick<LinkContext, 'records' | 'perPerson' | 'errorRates'>;

/** The same text for two counts that every pair is weighed alike by; see also `nameEffect` and `streetEffect`. */
export function effectOf(what: Counted, counted: number, common: Common): string {
  const count = levelled(Math.max(1, counted));
  if (what === COUNTED.word) return `${common.errorRates.name === null ? 0 : wordWeight(count, common)}`;
  if (what === COUNTED.date) return areFew(common) ? `${count}` : `${dateWeight(count, common)}`;
  if (what === COUNTED.nameAndBirth) return areFew(common) ? `${count}` : `${count > 1}`;
  if (what === COUNTED.place)
    return `${placeWeight(count, common)} ${birthPlaceWeight(count, common)} ${count <= weakMost(common.perPerson)}`;
  return what === COUNTED.people ? `${count}` : '';
}

/** What the count of a place comes to where it is a postcode that means a street: of other places it weighs in nothing. */
export function streetEffect(counted: number, common: Common): number {
  return postcodeWeight(levelled(Math.max(1, counted)), common);
}

/** What the name of a record says by how many are reckoned to bear it; 0 where it has none. In large graphs a few more are all the same. */
export function nameEffect({ ends, counts }: Facts, count: CountOf, common: Common): number {
  const name = counts.find(({ what }) => what === COUNTED.name);
  if (!name || ends.length === 0) return 0;
  const level = (what: Counted, key: number) => levelled(Math.max(1, count(what, key)));
  const words = ends.map((key) => level(COUNTED.word, key));
  return nameWeight(borneByCounts(level(COUNTED.name, name.key), words, common), common);
}
