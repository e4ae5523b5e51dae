// People who send what is theirs.
import { ascii, landlineOf } from '../contacts.ts';
import { exactName, FORMS, mistypedName, type NameForm, oneFamilyName } from '../name-forms.ts';
import type { Person } from '../person.ts';
import type { Random } from '../random.ts';
import type { Contacts, Draw, Plan } from './values.ts';
import {
  isNamed,
  phoneKey,
  ALL_KINDS,
  asSubject,
  joined,
  type Kinds,
  kindsOf,
  onRecord,
  sentPhone,
  sentPlace,
  unheardOf,
} from './values.ts';

/** At least two kinds of contact, all on record. */
function owned(draw: Draw): Contacts | null {
  const kinds = kindsOf(draw.subject);
  if (kinds.length < 2) return null;
  return onRecord(draw, draw.subject, { kinds, verdict: 'match' });
}

/** With all three kinds on record, under a form of the name. */
const inForm =
  (form: (person: Person, random: Random) => NameForm | null, isOnRecord = isNamed) =>
  (draw: Draw): Plan | null => {
    const { subject, random } = draw;
    const name = isOnRecord(subject) ? form(subject.person, random) : null;
    if (name === null) return null;
    const contacts = onRecord(draw, subject, { kinds: ALL_KINDS, verdict: 'match' });
    return contacts === null ? null : asSubject(draw, contacts, name);
  };

/** A wholly different name is only theirs as far as a record knows: it must have that one. */
const formOf = (kind: keyof typeof FORMS) =>
  inForm(
    (person, random) => {
      const form = FORMS[kind](person, random);
      return form === null ? null : { ...exactName(person), ...form, form: kind };
    },
    kind === 'former' || kind === 'western'
      ? ({ names }) => names.some(({ form }) => form === kind)
      : isNamed,
  );

/** The name written otherwise; null where that changes nothing. */
const rewritten = (write: (text: string) => string) =>
  inForm((person) => {
    const name = exactName(person);
    const other = { ...name, given: write(name.given), family: write(name.family) };
    return other.given === name.given && other.family === name.family ? null : other;
  });

/** O'Brien as O Brien, OBrien or O´Brien, Al-Masri as Al Masri, El Masri as ElMasri. */
const apostrophes = (draw: Draw): Plan | null => {
  const sign = draw.random.pick([' ', '', '´']);
  return rewritten((text) =>
    text.replace(/['-]/g, text.includes("'") ? sign : ' ').replace(/^(El|Al|De|Ben|Abu|Mc|Mac) /, '$1'),
  )(draw);
};

const otherOrder = inForm((person) => {
  const { given, family, ...name } = exactName(person);
  return { ...name, given: family, family: given };
});

const withMiddle = inForm((person) =>
  person.middle === null ? null : { ...exactName(person), middle: person.middle.text },
);

function someUnknown(draw: Draw): Plan | null {
  const contacts = isNamed(draw.subject) ? owned(draw) : null;
  const kind = draw.random.pick(ALL_KINDS);
  return contacts === null ? null : asSubject(draw, joined(contacts, unheardOf(draw, [kind])));
}

function allMatch(draw: Draw): Plan | null {
  const contacts = isNamed(draw.subject) ? owned(draw) : null;
  return contacts === null ? null : asSubject(draw, contacts);
}

/** Two of the three kinds. */
function oneKindMissing(draw: Draw): Plan | null {
  if (!isNamed(draw.subject)) return null;
  const missing = draw.random.pick(ALL_KINDS);
  const contacts = onRecord(draw, draw.subject, {
    kinds: ALL_KINDS.filter((kind) => kind !== missing),
    verdict: 'match',
  });
  return contacts === null ? null : asSubject(draw, contacts);
}

/** With the old address and the new one. */
function mover(draw: Draw): Plan | null {
  const { subject } = draw;
  if (subject.places.length < 2 || !isNamed(subject)) return null;
  const contacts = onRecord(draw, subject, { kinds: ['mails'], verdict: 'match' });
  const places = subject.places
    .slice(0, 2)
    .map((value) => sentPlace(draw, subject, { value, verdict: 'match' }));
  return contacts === null ? null : asSubject(draw, { ...contacts, places });
}

/** With the household's landline. */
function sharedPhone(draw: Draw): Plan | null {
  const { subject } = draw;
  const landline = phoneKey(landlineOf(subject.person.household));
  const shared = subject.phones.find((phone) => phoneKey(phone) === landline);
  const contacts = onRecord(draw, subject, { kinds: ['mails'], verdict: 'match' });
  if (shared === undefined || contacts === null || !isNamed(subject)) return null;
  if (subject.person.household.size < 2) return null;
  return asSubject(draw, {
    ...contacts,
    phones: [sentPhone(draw, subject, { value: shared, verdict: 'match' })],
  });
}

/** People whose records have the name wrong, every one. */
function misspeltRecord(draw: Draw): Plan | null {
  const wrong = draw.subject.names.filter(({ form }) => form === 'typo' || form === 'replaced');
  const contacts = wrong.length > 0 && wrong.length === draw.subject.names.length ? owned(draw) : null;
  return contacts === null ? null : asSubject(draw, contacts);
}

function twoFamilyNames(draw: Draw): Plan | null {
  if (draw.subject.person.second === null) return null;
  return inForm((person) => oneFamilyName(person, exactName(person)))(draw);
}

/** The sorts of genuine checks with how often each is drawn. */
export const GENUINE: [subkind: string, weight: number, (draw: Draw) => Plan | null][] = [
  ['all_match', 16, allMatch],
  ['some_unknown', 12, someUnknown],
  ['one_kind_missing', 4, oneKindMissing],
  ['mover', 4, mover],
  ['shared_phone', 3, sharedPhone],
  ['nickname', 3, formOf('nickname')],
  ['other_spelling', 3, formOf('spelling')],
  ['initial', 2, formOf('initial')],
  ['other_script', 2, formOf('native')],
  ['western_name', 1, formOf('western')],
  ['former_name', 2, formOf('former')],
  ['typo', 3, inForm((person, random) => mistypedName(exactName(person), 'keyed', random))],
  ['without_accents', 2, rewritten(ascii)],
  ['apostrophes', 2, apostrophes],
  ['word_order', 2, otherOrder],
  ['with_middle_name', 2, withMiddle],
  ['one_of_two_family_names', 2, twoFamilyNames],
  ['misspelt_record', 3, misspeltRecord],
];

const only =
  (...kinds: Kinds) =>
  (draw: Draw): Plan | null => {
    const contacts = !isNamed(draw.subject)
      ? null
      : onRecord(draw, draw.subject, { kinds, verdict: 'match' });
    return contacts === null ? null : asSubject(draw, contacts);
  };

/** One value that is theirs and nothing else. */
export const PARTIAL: typeof GENUINE = [
  ['email_only', 3, only('mails')],
  ['phone_only', 3, only('phones')],
  ['address_only', 4, only('places')],
];
