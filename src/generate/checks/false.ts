// Names with values that are somebody else's.
import { givenNames } from '../household.ts';
import type { Person } from '../person.ts';
import type { Random } from '../random.ts';
import { drawName, type Names, type Word } from '../tables.ts';
import type { Draw, Plan } from './values.ts';
import {
  isNamed,
  knownOf,
  ALL_KINDS,
  asStranger,
  asSubject,
  joined,
  type Kinds,
  kindsOf,
  onRecord,
  somebodyElse,
  strangerLike,
  unheardOf,
} from './values.ts';

type Maker = (draw: Draw) => Plan | null;
type Makers = [subkind: string, weight: number, Maker][];

const noRecords = (plan: Plan): Plan => ({ ...plan, records: [] });

/** Somebody of the graph, with another one's values. */
function allOther(draw: Draw): Plan | null {
  const kinds: Kinds = draw.random.chance(0.5) ? ALL_KINDS : ['mails', 'phones'];
  const other = somebodyElse(draw, kinds);
  const contacts = other && onRecord(draw, other, { kinds, verdict: 'other' });
  return contacts && noRecords(asSubject(draw, contacts));
}

/** Each value is another person's. */
function scramble(draw: Draw): Plan | null {
  const parts = ALL_KINDS.map((kind) => {
    const other = somebodyElse(draw, [kind]);
    return other && onRecord(draw, other, { kinds: [kind], verdict: 'other' });
  });
  const [mails, phones, places] = parts;
  if (!mails || !phones || !places) return null;
  return noRecords(asSubject(draw, joined(joined(mails, phones), places)));
}

/** The own address, and another one's e-mail and phone. */
function mixedOwnAddress(draw: Draw): Plan | null {
  const own = onRecord(draw, draw.subject, { kinds: ['places'], verdict: 'match' });
  const other = somebodyElse(draw, ['mails', 'phones']);
  const theirs = other && onRecord(draw, other, { kinds: ['mails', 'phones'], verdict: 'other' });
  return own && theirs && noRecords(asSubject(draw, joined(own, theirs)));
}

/** All that is on record for the subject, under a name that is not the subject's. */
const underName =
  (rename: (person: Person, random: Random) => Partial<Person> | null): Maker =>
  (draw) => {
    const { subject, random, world } = draw;
    const renamed = rename(subject.person, random);
    const kinds = kindsOf(subject);
    if (renamed === null || kinds.length < 2 || subject.names.length === 0) return null;
    const contacts = onRecord(draw, subject, { kinds, verdict: 'other' });
    const bearer = { ...strangerLike(world, subject.person, random.int(60_000)), ...renamed };
    return contacts && asStranger(bearer, contacts);
  };

/** Any name of the country. */
const inventedName = underName(() => ({}));

/** Another given name with the same first letter, and the same family name. */
const nearName = underName((person, random) => {
  const given = otherName(person.given, givenNames(person.origin, person.female), {
    random,
    like: (text) => text.charAt(0) === person.given.text.charAt(0),
  });
  const { family, second, origin, female } = person;
  return given && { given, family, second, origin, female };
});

/** Another given and another family name, of the same origin and sex. */
const sameOriginName = underName(({ origin, female, given, family, second }, random) => {
  const like = () => true;
  const first = otherName(given, givenNames(origin, female), { random, like });
  const last = otherName(family, origin.family, { random, like });
  return first && last && { given: first, family: last, second: second && last, origin, female };
});

/** A name that is no form of this one. */
function otherName(
  name: Word,
  names: Names,
  by: { random: Random; like: (text: string) => boolean },
): Word | null {
  const forms = new Set([name.text, ...name.spellings, ...name.shorts]);
  for (let tries = 0; tries < 40; tries++) {
    const other = drawName(names, by.random);
    const same = [other.text, ...other.spellings, ...other.shorts].some((form) => forms.has(form));
    if (!same && by.like(other.text)) return other;
  }
  return null;
}

/** One member of a household with the e-mail and mobile of another one. */
function ofHousehold(draw: Draw): Plan | null {
  const contacts = draw.subject.names.length > 0 ? ofRelative(draw) : null;
  return contacts && noRecords(asSubject(draw, contacts));
}

/** An e-mail and a mobile that another member of the household has alone. */
function ofRelative(draw: Draw): ReturnType<typeof onRecord> {
  const { world, random, subject } = draw;
  const { household, index } = subject.person;
  const other = household.first + random.int(household.size);
  if (other === index) return null;
  const contacts = onRecord(draw, knownOf(world, other), { kinds: ['mails', 'phones'], verdict: 'other' });
  const values = contacts && [...contacts.mails, ...contacts.phones];
  return values?.every(({ owners }) => owners.length === 1) ? contacts : null;
}

export const CHIMERA: Makers = [
  ['all_other', 5, allOther],
  ['scramble', 4, scramble],
  ['mixed_own_address', 5, mixedOwnAddress],
  ['invented_name', 4, inventedName],
  ['near_name', 4, nearName],
  ['same_origin_name', 4, sameOriginName],
  ['household', 2, ofHousehold],
];

const KNOWN: [word: string, kinds: Kinds][] = [
  ['email', ['mails']],
  ['phone', ['phones']],
  ['address', ['places']],
  ['email_phone', ['mails', 'phones']],
  ['email_address', ['mails', 'places']],
  ['phone_address', ['phones', 'places']],
  ['email_phone_address', ALL_KINDS],
];
const OWN: [word: string, (draw: Draw) => ReturnType<typeof onRecord>][] = [
  ['alone', () => ({ mails: [], phones: [], places: [] })],
  ['own_unknown', (draw) => unheardOf(draw, ['mails', 'phones'])],
  [
    'own_elsewhere',
    (draw) => {
      const self = somebodyElse(draw, ['mails', 'phones']);
      return self && onRecord(draw, self, { kinds: ['mails', 'phones'], verdict: 'other' });
    },
  ],
  ['own_at_home', ofRelative],
];

/** Under the victim's name, with some of the victim's values and contacts of one's own to be reached by. */
const impostor =
  (kinds: Kinds, own: (draw: Draw) => ReturnType<typeof onRecord>): Maker =>
  (draw) => {
    const stolen = onRecord(draw, draw.subject, { kinds, verdict: 'match' });
    const mine = stolen && isNamed(draw.subject) ? own(draw) : null;
    return stolen && mine && asSubject(draw, joined(stolen, mine));
  };

export const IMPOSTOR: Makers = KNOWN.flatMap(([word, kinds]) =>
  OWN.map(([how, own]): Makers[number] => [`${word}_${how}`, 1, impostor(kinds, own)]),
);
