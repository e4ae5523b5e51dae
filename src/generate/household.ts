// Properties that the members of a household share.
import { Random } from './random.ts';
import { drawName, type WeightedNames, type NameOrigin, type NameWord } from './tables.ts';
import {
  getPersonHouseholdStartAndSize,
  type GeneratedCountry,
  RANDOM_STREAMS,
  type GeneratedWorld,
} from './world.ts';

/** Share (0-1) of households with each property (such as twins), among the households that can have it. */
export const HOUSEHOLD_CHARACTERISTIC_SHARES = {
  flatmates: 0.14,
  singleParent: 0.15,
  landline: 0.4,
  familyMail: 0.12,
  oneMobileForTwo: 0.06,
  namesakes: 0.1,
  twins: 0.08,
  differentOrigins: 0.12,
} as const;

export interface BirthDate {
  year: number;
  month: number;
  day: number;
}

export interface Household {
  /** Index of the first member, which is also the id of the household. */
  first: number;
  size: number;
  land: GeneratedCountry;
  kind: 'alone' | 'couple' | 'parent' | 'family' | 'flat';
  origin: NameOrigin;
  family: NameWord;
  /** Given name of the first member, which a son may share. */
  headGiven: NameWord;
  headFemale: boolean;
  headBorn: number;
  namesakes: boolean;
  twins: boolean;
  /** Year of birth of the first child, and of its twin if there is one. */
  firstBorn: number;
  twinsBorn: Omit<BirthDate, 'year'>;
  hasLandline: boolean;
  hasFamilyMail: boolean;
  oneMobileForTwo: boolean;
  /** Year in which the household moved to its present home. */
  moved: number;
}

export function createHousehold(world: GeneratedWorld, member: number): Household {
  const { first, size } = getPersonHouseholdStartAndSize(world, member);
  const random = new Random(world.seed, RANDOM_STREAMS.household, first);
  const land = random.pickWeighted(world.lands);
  const origin = random.pickWeighted(land.country.origins);
  const shares = HOUSEHOLD_CHARACTERISTIC_SHARES;
  const kind = kindOf(size, random);
  const headFemale = random.chance(kind === 'couple' || kind === 'family' ? 0.15 : 0.5);
  const headBorn = random.between(1932, kind === 'family' || kind === 'parent' ? 1982 : 2003);
  return {
    first,
    size,
    land,
    kind,
    origin,
    family: drawName(origin.family, random),
    headGiven: drawName(getGivenNamesOfSex(origin, headFemale), random),
    headFemale,
    headBorn,
    namesakes: !headFemale && random.chance(shares.namesakes),
    twins: random.chance(shares.twins),
    firstBorn: headBorn + random.between(21, 33),
    twinsBorn: drawMonthAndDay(random),
    hasLandline: random.chance(shares.landline),
    hasFamilyMail: size > 1 && kind !== 'flat' && random.chance(shares.familyMail),
    oneMobileForTwo: kind === 'couple' && random.chance(shares.oneMobileForTwo),
    moved: random.between(Math.max(1990, headBorn + 20), 2024),
  };
}

function kindOf(size: number, random: Random): Household['kind'] {
  if (size === 1) return 'alone';
  if (random.chance(HOUSEHOLD_CHARACTERISTIC_SHARES.flatmates)) return 'flat';
  if (size > 2) return 'family';
  return random.chance(HOUSEHOLD_CHARACTERISTIC_SHARES.singleParent) ? 'parent' : 'couple';
}

export const getGivenNamesOfSex = (origin: NameOrigin, female: boolean): WeightedNames =>
  female ? origin.female : origin.male;
export const drawMonthAndDay = (random: Random): Omit<BirthDate, 'year'> => ({
  month: random.between(1, 12),
  day: random.between(1, 28),
});
