// What linking made of the records, in words.
import { percent, plural } from '../../../evaluate/report/words.ts';
import type { People } from './people.ts';

const NAMES = { email: 'e-mail', phone: 'phone', address: 'address' } as const;
const MANY = { email: 'e-mails', phone: 'phones', address: 'addresses' } as const;
const KINDS = ['email', 'phone', 'address'] as const;

/** @param says what holds so many people */
export function peopleText(it: People, says: string): string[] {
  const held = `${says} ${plural(it.records, 'record')} of ${plural(it.people, 'person', 'people')}`;
  const sizes = [
    ...(it.one > 0 ? [`${it.one} with one record`] : []),
    ...(it.two > 0 ? [`${it.two} with two`] : []),
    ...(it.more > 0 ? [`${it.more} with more, at most ${it.most}`] : []),
  ];
  return [
    `${held}${it.people > 1 ? `: ${sizes.join(', ')}` : ''}`,
    ...sharedText(it),
    ...differencesText(it),
  ];
}

function sharedText({ people, shared }: People): string[] {
  if (people < 2) return [];
  const some = KINDS.filter((kind) => shared[kind].values > 0);
  const each = some.map((kind) => {
    const { values, most } = shared[kind];
    return `${plural(values, NAMES[kind], MANY[kind])} (one by ${most} people at most)`;
  });
  return [
    each.length > 0
      ? `shared by several people: ${each.join(', ')}`
      : 'no contact is shared by several people',
  ];
}

/** Fewer pairs of records than this tell nothing. */
const FEW = 5;

function differencesText({ differences, errorRates }: People): string[] {
  const contacts = KINDS.flatMap((kind) => {
    const { pairs, differ } = differences[kind];
    return pairs < FEW ? [] : [`${MANY[kind]} in ${percent(differ / pairs)}`];
  });
  const measured = [
    ...(errorRates.name ? [`names in ${percent(errorRates.name.rate)}`] : []),
    ...(errorRates.birth ? [`dates of birth in ${percent(errorRates.birth.rate)}`] : []),
  ];
  const all = [...contacts, ...measured];
  return all.length > 0 ? [`how often two records of one person differ: ${all.join(', ')}`] : [];
}
