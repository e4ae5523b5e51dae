// Generation of one person from the seed and the person's index alone.
import {
  type BirthDate,
  drawMonthAndDay,
  getGivenNamesOfSex,
  type Household,
  HOUSEHOLD_CHARACTERISTIC_SHARES,
  createHousehold,
} from './household.ts';
import { Random } from './random.ts';
import { drawName, type NameOrigin, type NameWord } from './tables.ts';
import { OFFICE_WORKER_SHARE, RANDOM_STREAMS, type GeneratedWorld } from './world.ts';

export interface GeneratedPerson {
  /** Index of the person in the world, from which the id in the truth file is made. */
  index: number;
  household: Household;
  /** Index of the person in the household; 0 for the first member. */
  member: number;
  origin: NameOrigin;
  female: boolean;
  given: NameWord;
  /** Second given name or patronymic; null if the person has none. */
  middle: NameWord | null;
  /** English given name that the person also uses, or null. */
  western: NameWord | null;
  family: NameWord;
  /** Family name before the marriage; null if the marriage did not change the name. */
  maiden: NameWord | null;
  married: number;
  /** Second family name of Spanish and Portuguese names; otherwise null. */
  second: NameWord | null;
  suffix: '' | 'Jr' | 'Sr';
  birth: BirthDate;
  hasJob: boolean;
}

/** Share (0-1) of partners who take the family name of the head, by origin of this name. Default: 0. */
const TAKES_NAME: Record<string, number> = {
  english: 0.7,
  german: 0.75,
  french: 0.6,
  slavic: 0.9,
  portuguese: 0.4,
  indian: 0.6,
  hebrew: 0.7,
  japanese: 0.97,
  african: 0.5,
};
/** Share (0-1) of people with a middle name, by name origin. Default: 0. */
const HAS_MIDDLE: Record<string, number> = {
  english: 0.75,
  german: 0.3,
  french: 0.3,
  slavic: 0.6,
  arabic: 0.4,
  hispanic: 0.3,
  portuguese: 0.2,
  indian: 0.3,
  hebrew: 0.3,
  african: 0.5,
};
const USES_WESTERN = new Set(['chinese', 'korean', 'vietnamese']);
const ENGLISH_SPEAKING = new Set(['US', 'GB', 'AU', 'CA']);

type Role = 'head' | 'partner' | 'child' | 'mate';

export function createPerson(world: GeneratedWorld, index: number): GeneratedPerson {
  const household = createHousehold(world, index);
  const random = new Random(world.seed, RANDOM_STREAMS.person, index);
  const member = index - household.first;
  const role = roleOf(household, member);
  const namesake = role === 'child' && member === 2 && household.namesakes;
  const female = sexOf(household, role, { namesake, random });
  const origin = originOf(household, role, random);
  const birth = birthOf(household, member, { role, random });
  const givenName = givenOf(household, role, { namesake, female, origin, random, member });
  return {
    index,
    household,
    member,
    origin,
    female,
    given: givenName,
    middle: middleOf(household, role, { female, origin, random }),
    western: westernOf(household, { female, origin, random }),
    ...familyOf(household, role, { female, origin, random, birth }),
    suffix: suffixOf(household, member, namesake),
    birth,
    hasJob: birth.year < 2004 && random.chance(OFFICE_WORKER_SHARE),
  };
}

function roleOf({ kind }: Household, member: number): Role {
  if (member === 0) return 'head';
  if (kind === 'flat') return 'mate';
  return member === 1 && kind !== 'parent' ? 'partner' : 'child';
}

interface Draw {
  random: Random;
  female: boolean;
  origin: NameOrigin;
}

function sexOf(
  household: Household,
  role: Role,
  { namesake, random }: { namesake: boolean; random: Random },
): boolean {
  if (role === 'head') return household.headFemale;
  if (role === 'partner') return random.chance(0.96) ? !household.headFemale : household.headFemale;
  return !namesake && random.chance(0.5);
}

function originOf({ origin, land }: Household, role: Role, random: Random): NameOrigin {
  const other =
    role === 'mate' ||
    (role === 'partner' && random.chance(HOUSEHOLD_CHARACTERISTIC_SHARES.differentOrigins));
  return other ? random.pickWeighted(land.country.origins) : origin;
}

function givenOf(
  household: Household,
  role: Role,
  draw: Draw & { namesake: boolean; member: number },
): NameWord {
  if (role === 'head' || draw.namesake) return household.headGiven;
  const draws = () => drawName(getGivenNamesOfSex(draw.origin, draw.female), draw.random);
  let name = draws();
  // Members of a household draw from different thirds of the names, so that two brothers rarely get the same name.
  for (let tries = 0; tries < 12 && third(name.text) !== draw.member % 3; tries++) name = draws();
  return name;
}

const third = (text: string): number =>
  (text.charCodeAt(0) + text.charCodeAt(text.length - 1) + text.length) % 3;

function birthOf(household: Household, member: number, from: { role: Role; random: Random }): BirthDate {
  const { role, random } = from;
  const twins = role === 'child' && household.twins && (member === 2 || member === 3);
  const years = {
    head: household.headBorn,
    partner: household.headBorn + random.between(-7, 7),
    child: household.firstBorn + (twins ? 0 : 2 * Math.max(0, member - 2)),
    mate: household.headBorn + random.between(-9, 9),
  };
  const year = Math.min(2008, years[role]);
  return { year, ...(twins ? household.twinsBorn : drawMonthAndDay(random)) };
}

function middleOf(household: Household, role: Role, { female, origin, random }: Draw): NameWord | null {
  const has = random.chance(HAS_MIDDLE[origin.id] ?? 0);
  const own = drawName(getGivenNamesOfSex(origin, female), random);
  if (!has) return null;
  const father = role === 'child' && !household.headFemale ? household.headGiven : null;
  const fathers = father ?? drawName(origin.male, random);
  if (origin.id === 'slavic') return patronymic(fathers, female);
  return origin.id === 'arabic' || origin.id === 'indian' ? fathers : own;
}

/** Returns the patronymic (Ivanovich, Ivanovna) for a father's Cyrillic name that ends in a consonant or soft sign; null for other names. */
function patronymic({ text, native }: NameWord, female: boolean): NameWord | null {
  if (native === '' || !/[b-df-hj-np-tv-xz]y?$/.test(text)) return null;
  const stem = native.replace(/[йь]$/, '');
  const [latin, cyrillic] = female ? ['ovna', 'овна'] : ['ovich', 'ович'];
  return { text: text.replace(/y$/, '') + latin, spellings: [], shorts: [], native: stem + cyrillic };
}

function westernOf({ land }: Household, { female, origin, random }: Draw): NameWord | null {
  const has = random.chance(0.35);
  if (!has || !USES_WESTERN.has(origin.id) || !ENGLISH_SPEAKING.has(land.country.code)) return null;
  const english = land.country.origins.items.find(({ id }) => id === 'english');
  return english === undefined ? null : drawName(getGivenNamesOfSex(english, female), random);
}

function familyOf(
  household: Household,
  role: Role,
  draw: Draw & { birth: BirthDate },
): Pick<GeneratedPerson, 'family' | 'maiden' | 'married' | 'second'> {
  const { random, origin, female, birth } = draw;
  const own = drawName(origin.family, random);
  const takes = random.chance(TAKES_NAME[household.origin.id] ?? 0);
  const both = origin.id === 'hispanic' || origin.id === 'portuguese';
  const second = both ? drawName(origin.family, random) : null;
  const married = birth.year + random.between(21, 36);
  const gendered = (word: NameWord) => (female && origin.id === 'slavic' ? feminine(word) : word);
  if (role === 'mate') return { family: gendered(own), maiden: null, married, second };
  if (role !== 'partner') return { family: gendered(household.family), maiden: null, married, second };
  if (!takes) return { family: gendered(own), maiden: null, married, second };
  return { family: gendered(household.family), maiden: gendered(own), married, second };
}

function feminine(word: NameWord): NameWord {
  const form = (text: string) =>
    text
      .replace(/(ov|ev|yov|in)$/, '$1a')
      .replace(/sky$/, 'skaya')
      .replace(/ski$/, 'ska')
      .replace(/(ов|ев|ёв|ин)$/, '$1а')
      .replace(/ский$/, 'ская');
  return { ...word, text: form(word.text), spellings: word.spellings.map(form), native: form(word.native) };
}

function suffixOf(household: Household, member: number, namesake: boolean): GeneratedPerson['suffix'] {
  if (namesake) return 'Jr';
  const isFather = member === 0 && household.namesakes && household.size > 2 && household.kind === 'family';
  return isFather ? 'Sr' : '';
}
