import { getGivenNamesOfSex } from '../household.ts';
import type { GeneratedPerson } from '../person.ts';
import type { Random } from '../random.ts';
import { drawName, type WeightedNames, type NameWord } from '../tables.ts';
import {
  type CasePlanningContext,
  type CasePlan,
  type CasePlanner,
  type WeightedCaseSubtypes,
  type SubmittedContacts,
  hasRecordedPresentName,
  getRecordedPerson,
  ALL_CONTACT_KINDS,
  createStrangerCasePlan,
  createSubjectCasePlan,
  mergeSubmittedContacts,
  type ContactKindList,
  listRecordedContactKinds,
  drawRecordedContacts,
  drawOtherPerson,
  createStranger,
  drawUnknownContacts,
} from './values.ts';

const noRecords = (plan: CasePlan): CasePlan => ({ ...plan, records: [] });

function allOther(draw: CasePlanningContext): CasePlan | null {
  const kinds: ContactKindList = draw.random.chance(0.5) ? ALL_CONTACT_KINDS : ['mails', 'phones'];
  const other = drawOtherPerson(draw, kinds);
  const contacts = other && drawRecordedContacts(draw, other, { kinds, verdict: 'other' });
  return contacts && noRecords(createSubjectCasePlan(draw, contacts));
}

/** Plans a check with the person's name, and an e-mail, a phone and an address of three other people. */
function scramble(draw: CasePlanningContext): CasePlan | null {
  const parts = ALL_CONTACT_KINDS.map((kind) => {
    const other = drawOtherPerson(draw, [kind]);
    return other && drawRecordedContacts(draw, other, { kinds: [kind], verdict: 'other' });
  });
  const [mails, phones, places] = parts;
  if (!mails || !phones || !places) return null;
  return noRecords(
    createSubjectCasePlan(draw, mergeSubmittedContacts(mergeSubmittedContacts(mails, phones), places)),
  );
}

/** Plans a check with the person's name and address, and the e-mail and phone of another person. */
function mixedOwnAddress(draw: CasePlanningContext): CasePlan | null {
  const own = drawRecordedContacts(draw, draw.subject, { kinds: ['places'], verdict: 'match' });
  const other = drawOtherPerson(draw, ['mails', 'phones']);
  const theirs = other && drawRecordedContacts(draw, other, { kinds: ['mails', 'phones'], verdict: 'other' });
  return own && theirs && noRecords(createSubjectCasePlan(draw, mergeSubmittedContacts(own, theirs)));
}

/** Creates a planner of checks with all contacts of a person under another name, which `rename` returns. */
const underName =
  (rename: (person: GeneratedPerson, random: Random) => Partial<GeneratedPerson> | null): CasePlanner =>
  (draw) => {
    const { subject, random, world } = draw;
    const renamed = rename(subject.person, random);
    const kinds = listRecordedContactKinds(subject);
    if (renamed === null || kinds.length < 2 || subject.names.length === 0) return null;
    const contacts = drawRecordedContacts(draw, subject, { kinds, verdict: 'other' });
    const bearer = { ...createStranger(world, subject.person, random.int(60_000)), ...renamed };
    return contacts && createStrangerCasePlan(bearer, contacts);
  };

/** Replaces the person's name by a random name of the country. */
const inventedName = underName(() => ({}));

/** Replaces the given name by another one with the same first letter. The family name stays. */
const nearName = underName((person, random) => {
  const givenName = otherGivenName(person, random, ({ text }) =>
    text.startsWith(person.given.text.charAt(0)),
  );
  const { family, second, origin, female } = person;
  return givenName && { given: givenName, family, second, origin, female };
});

const sameOriginName = underName((person, random) => {
  const { origin, female, family, second } = person;
  const first = otherGivenName(person, random);
  const last = otherName(family, origin.family, random);
  return first && last && { given: first, family: last, second: second && last, origin, female };
});

/** Draws a given name that is no form and no part of the person's own given names. Returns null after 40 failed tries. */
function otherGivenName(
  person: GeneratedPerson,
  random: Random,
  isFit: (name: NameWord) => boolean = () => true,
): NameWord | null {
  const own = [person.given, person.middle].flatMap((name) => (name === null ? [] : formsOf(name)));
  const isOther = (name: NameWord) =>
    !formsOf(name).some((form) => own.some((known) => mayBeShortForm(form, known)));
  const names = getGivenNamesOfSex(person.origin, person.female);
  return otherName(person.given, names, random, (name) => isOther(name) && isFit(name));
}

const formsOf = ({ text, spellings, shorts }: NameWord): string[] => [text, ...spellings, ...shorts];

/**
 * True if one name begins with the other, or if they have a word in common: Ken and Kenichi, Ana and Ana Clara, Luiz Carlos and Carlos. Records
 * of one person have both names.
 */
function mayBeShortForm(a: string, b: string): boolean {
  const [x, y] = [a, b].map((name) => name.toLowerCase()) as [string, string];
  const words = new Set(x.split(/[ -]/));
  return x.startsWith(y) || y.startsWith(x) || y.split(/[ -]/).some((word) => words.has(word));
}

/** Draws a name that shares no spelling or short form with `name`. Returns null after 40 failed tries. */
function otherName(
  name: NameWord,
  names: WeightedNames,
  random: Random,
  isFit: (name: NameWord) => boolean = () => true,
): NameWord | null {
  const forms = new Set(formsOf(name));
  for (let tries = 0; tries < 40; tries++) {
    const other = drawName(names, random);
    if (!formsOf(other).some((form) => forms.has(form)) && isFit(other)) return other;
  }
  return null;
}

/** Plans a check with the person's name, and the e-mail and phone of another household member. */
function ofHousehold(draw: CasePlanningContext): CasePlan | null {
  const contacts = draw.subject.names.length > 0 ? ofRelative(draw) : null;
  return contacts && noRecords(createSubjectCasePlan(draw, contacts));
}

/** Draws an e-mail and a phone that only another household member has; null if there are none. */
function ofRelative(draw: CasePlanningContext): SubmittedContacts | null {
  const { world, random, subject } = draw;
  const { household, index } = subject.person;
  const other = household.first + random.int(household.size);
  if (other === index) return null;
  const contacts = drawRecordedContacts(draw, getRecordedPerson(world, other), {
    kinds: ['mails', 'phones'],
    verdict: 'other',
  });
  const values = contacts && [...contacts.mails, ...contacts.phones];
  return values?.every(({ owners }) => owners.length === 1) ? contacts : null;
}

export const MIXED_PEOPLE_CASE_SUBTYPES: WeightedCaseSubtypes = [
  ['all_other', 5, allOther],
  ['scramble', 4, scramble],
  ['mixed_own_address', 5, mixedOwnAddress],
  ['invented_name', 4, inventedName],
  ['near_name', 4, nearName],
  ['same_origin_name', 4, sameOriginName],
  ['household', 2, ofHousehold],
];

const KNOWN: [word: string, kinds: ContactKindList][] = [
  ['email', ['mails']],
  ['phone', ['phones']],
  ['address', ['places']],
  ['email_phone', ['mails', 'phones']],
  ['email_address', ['mails', 'places']],
  ['phone_address', ['phones', 'places']],
  ['email_phone_address', ALL_CONTACT_KINDS],
];
const OWN: [word: string, (draw: CasePlanningContext) => SubmittedContacts | null][] = [
  ['alone', () => ({ mails: [], phones: [], places: [] })],
  ['own_unknown', (draw) => drawUnknownContacts(draw, ['mails', 'phones'])],
  [
    'own_elsewhere',
    (draw) => {
      const self = drawOtherPerson(draw, ['mails', 'phones']);
      return self && drawRecordedContacts(draw, self, { kinds: ['mails', 'phones'], verdict: 'other' });
    },
  ],
  ['own_at_home', ofRelative],
];

/** Creates a planner of impostor checks: the victim's name, some of the victim's contacts, and contacts at which the impostor can be reached. */
const impostor =
  (kinds: ContactKindList, own: (draw: CasePlanningContext) => SubmittedContacts | null): CasePlanner =>
  (draw) => {
    const stolen = drawRecordedContacts(draw, draw.subject, { kinds, verdict: 'match' });
    const mine = stolen && hasRecordedPresentName(draw.subject) ? own(draw) : null;
    return stolen && mine && createSubjectCasePlan(draw, mergeSubmittedContacts(stolen, mine));
  };

export const IMPOSTOR_CASE_SUBTYPES: WeightedCaseSubtypes = KNOWN.flatMap(([word, kinds]) =>
  OWN.map(([how, own]): WeightedCaseSubtypes[number] => [`${word}_${how}`, 1, impostor(kinds, own)]),
);
