// The name of a person as a source got hold of it.
import {
  type FORMS,
  inForm,
  mistypedName,
  type NameForm,
  oneFamilyName,
  replacedName,
  withoutAccents,
} from './name-form.ts';
import type { Person } from '../people/person.ts';
import type { Random } from '../random.ts';
import type { Source } from './source.ts';

export interface Entering {
  source: Source;
  random: Random;
  /** When the name was entered: before a marriage it is the former one. */
  firstYear: number;
}

/** How often names differ from the full one, where the source has no habit of its own. */
export const NAME_SHARES = {
  spelling: 0.05,
  western: 0.35,
  native: 0.07,
  replaced: 0.006,
  middle: 0.4,
  oneFamilyName: 0.45,
  suffix: 0.5,
  accentsDropped: 0.35,
} as const;

/** The name as one source has it. */
export function enterName(person: Person, entering: Entering): NameForm {
  const { source, random } = entering;
  let name = inForm(person, formKind(person, entering), random);
  if (name.form !== 'native') {
    if (person.second !== null && random.chance(NAME_SHARES.oneFamilyName))
      name = oneFamilyName(person, name);
    name = { ...name, middle: middleIn(person, name, random), suffix: suffixIn(person, random) };
  }
  if (random.chance(NAME_SHARES.replaced)) name = replacedName(person, name, random);
  if (random.chance(source.mistakes)) name = mistypedName(name, source.entry, random);
  return source.plain || random.chance(NAME_SHARES.accentsDropped) ? withoutAccents(name) : name;
}

function formKind(person: Person, { source, random, firstYear }: Entering): keyof typeof FORMS | 'exact' {
  if (person.maiden !== null && firstYear < person.married) return 'former';
  if (person.western !== null && random.chance(NAME_SHARES.western)) return 'western';
  if (!source.plain && random.chance(NAME_SHARES.native) && person.given.native !== '') return 'native';
  if (random.chance(source.informal)) return random.chance(0.7) ? 'nickname' : 'initial';
  return random.chance(NAME_SHARES.spelling) ? 'spelling' : 'exact';
}

function middleIn(person: Person, name: NameForm, random: Random): string {
  if (person.middle === null || name.form === 'initial' || !random.chance(NAME_SHARES.middle)) return '';
  return random.chance(0.5) ? person.middle.text : person.middle.text.slice(0, 1);
}

const suffixIn = (person: Person, random: Random): string =>
  person.suffix !== '' && random.chance(NAME_SHARES.suffix) ? person.suffix : '';
