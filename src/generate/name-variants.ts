import { toAscii } from './contacts.ts';
import type { GeneratedPerson } from './person.ts';
import type { Random } from './random.ts';
import { drawName, type NameWord } from './tables.ts';
import { type TextEntryMethod, addTypo } from './typos.ts';
import type { RecordSource } from './sources.ts';

export interface NameParts {
  given: string;
  middle: string;
  family: string;
  suffix: string;
}

/** Variant of a person's name, before letter case and word order are chosen. */
export interface NameVariant extends NameParts {
  /** Difference from the full name. `replaced` means that one word is from another person's name, by mistake. */
  form: NameVariantType;
}
export type NameVariantType =
  | 'exact'
  | 'nickname'
  | 'initial'
  | 'spelling'
  | 'western'
  | 'native'
  | 'former'
  | 'typo'
  | 'replaced';

const EAST_ASIAN = new Set(['chinese', 'korean', 'japanese']);

export function getFullNameVariant(person: GeneratedPerson): NameVariant {
  return {
    form: 'exact',
    given: person.given.text,
    middle: '',
    family: joinFamilyNames(person.origin.id, person.family.text, person.second),
    suffix: '',
  };
}

function joinFamilyNames(origin: string, family: string, second: NameWord | null): string {
  if (second === null) return family;
  return origin === 'portuguese' ? `${second.text} ${family}` : `${family} ${second.text}`;
}

/** Removes the mother's family name from a variant, if the person has two family names. */
export const removeMothersFamilyName = (person: GeneratedPerson, form: NameVariant): NameVariant => ({
  ...form,
  family: form.form === 'former' ? form.family : person.family.text,
});

/** Functions that return the changed parts for each name variant. They return null if the person has no such variant. */
export const NAME_VARIANT_CREATORS: Record<
  Exclude<NameVariantType, 'exact' | 'typo' | 'replaced'>,
  (person: GeneratedPerson, random: Random) => Partial<NameVariant> | null
> = {
  nickname: ({ given }, random) => (given.shorts.length > 0 ? { given: random.pick(given.shorts) } : null),
  initial: ({ given }) => ({ given: given.text.slice(0, 1) }),
  spelling: respell,
  western: ({ western }) => (western === null ? null : { given: western.text }),
  native: (person) => {
    if (person.given.native === '' || person.family.native === '') return null;
    return { given: person.given.native, middle: '', family: person.family.native };
  },
  former: ({ maiden }) => (maiden === null ? null : { family: maiden.text }),
};

function respell({ given, family }: GeneratedPerson, random: Random): Partial<NameVariant> | null {
  const of = (word: NameWord) => (word.spellings.length > 0 ? random.pick(word.spellings) : null);
  const [first, last] = random.chance(0.5) ? [of(given), null] : [null, of(family)];
  if (first !== null) return { given: first };
  return last === null ? null : { family: last };
}

/** Creates a form of the person's name. Returns the full name if the person has no such form. */
function createNameVariant(
  person: GeneratedPerson,
  kind: keyof typeof NAME_VARIANT_CREATORS | 'exact',
  random: Random,
): NameVariant {
  const form = kind === 'exact' ? null : NAME_VARIANT_CREATORS[kind](person, random);
  return form === null ? getFullNameVariant(person) : { ...getFullNameVariant(person), ...form, form: kind };
}

export function mistypeName(name: NameVariant, entry: TextEntryMethod, random: Random): NameVariant {
  const part = random.chance(0.45) ? 'given' : 'family';
  const text = addTypo(name[part], entry, random);
  return text === name[part] ? name : { ...name, [part]: text, form: 'typo' };
}

function replaceOneName(person: GeneratedPerson, name: NameVariant, random: Random): NameVariant {
  const { origin, female } = person;
  const givenName = drawName(female ? origin.female : origin.male, random).text;
  const other = random.chance(0.5) ? { given: givenName } : { family: drawName(origin.family, random).text };
  return { ...name, ...other, form: 'replaced' };
}

/**
 * Joins the words of a name into one text. Given names come first unless `familyFirst`. Names in Chinese, Japanese or Korean script always begin
 * with the family name.
 */
export function joinNameWords(origin: string, name: NameParts, familyFirst: boolean): string {
  if (EAST_ASIAN.has(origin) && /\P{ASCII}/u.test(name.family) && !/\p{Script=Latin}/u.test(name.family))
    return `${name.family}${name.given}`;
  const order = familyFirst ? [name.family, name.middle, name.given] : [name.given, name.middle, name.family];
  return [...order, name.suffix].filter((part) => part !== '').join(' ');
}

const removeAccents = (name: NameVariant): NameVariant => ({
  ...name,
  given: toAscii(name.given),
  middle: toAscii(name.middle),
  family: toAscii(name.family),
});

interface Entering {
  source: RecordSource;
  random: Random;
  /** Year in which the source entered the name. If it is before the person's marriage, the entered name is the birth name. */
  firstYear: number;
}

/** Share (0-1) of entered names with each difference from the person's full name, the same for all sources. */
const NAME_SHARES = {
  spelling: 0.05,
  western: 0.35,
  native: 0.07,
  replaced: 0.006,
  middle: 0.4,
  oneFamilyName: 0.45,
  suffix: 0.5,
  accentsDropped: 0.35,
} as const;

/** Draws the name as the source entered it, with the habits and mistakes of the source. */
export function drawEnteredName(person: GeneratedPerson, entering: Entering): NameVariant {
  const { source, random } = entering;
  let name = createNameVariant(person, formKind(person, entering), random);
  if (name.form !== 'native') {
    if (person.second !== null && random.chance(NAME_SHARES.oneFamilyName))
      name = removeMothersFamilyName(person, name);
    name = { ...name, middle: middleIn(person, name, random), suffix: suffixIn(person, random) };
  }
  if (random.chance(NAME_SHARES.replaced)) name = replaceOneName(person, name, random);
  if (random.chance(source.mistakes)) name = mistypeName(name, source.entry, random);
  return source.plain || random.chance(NAME_SHARES.accentsDropped) ? removeAccents(name) : name;
}

function formKind(
  person: GeneratedPerson,
  { source, random, firstYear }: Entering,
): keyof typeof NAME_VARIANT_CREATORS | 'exact' {
  if (person.maiden !== null && firstYear < person.married) return 'former';
  if (person.western !== null && random.chance(NAME_SHARES.western)) return 'western';
  if (!source.plain && random.chance(NAME_SHARES.native) && person.given.native !== '') return 'native';
  if (random.chance(source.informal)) return random.chance(0.7) ? 'nickname' : 'initial';
  return random.chance(NAME_SHARES.spelling) ? 'spelling' : 'exact';
}

function middleIn(person: GeneratedPerson, name: NameVariant, random: Random): string {
  if (person.middle === null || name.form === 'initial' || !random.chance(NAME_SHARES.middle)) return '';
  return random.chance(0.5) ? person.middle.text : person.middle.text.slice(0, 1);
}

const suffixIn = (person: GeneratedPerson, random: Random): string =>
  person.suffix !== '' && random.chance(NAME_SHARES.suffix) ? person.suffix : '';
