// Labelled checks about the people of a generated world.
import { Random, type WeightedChoices, createWeightedChoices } from '../random.ts';
import { createPerson } from '../person.ts';
import { RANDOM_STREAMS, type GeneratedWorld } from '../world.ts';
import { type GeneratedCase, createCaseFromPlan } from './case.ts';
import { type CasePlanner, type WeightedCaseSubtypes, getRecordedPerson } from './values.ts';
import { MIXED_PEOPLE_CASE_SUBTYPES, IMPOSTOR_CASE_SUBTYPES } from './false.ts';
import { GENUINE_CASE_SUBTYPES, SINGLE_VALUE_CASE_SUBTYPES } from './genuine.ts';
import {
  NAME_ONLY_CASE_SUBTYPES,
  UNNAMED_RECORDS_CASE_SUBTYPES,
  NEWCOMER_CASE_SUBTYPES,
  UNKNOWN_CONTACTS_CASE_SUBTYPES,
} from './newcomer.ts';

interface Sort {
  kind: string;
  subkind: string;
  genuine: boolean | null;
  make: CasePlanner;
}

/** Types of checks: share of all checks, label (null if no record can decide), and subtypes with their planners. */
export const CASE_TYPES: [
  kind: string,
  share: number,
  genuine: boolean | null,
  makers: WeightedCaseSubtypes,
][] = [
  ['genuine', 0.33, true, GENUINE_CASE_SUBTYPES],
  ['partial', 0.1, true, SINGLE_VALUE_CASE_SUBTYPES],
  ['newcomer', 0.08, true, NEWCOMER_CASE_SUBTYPES],
  ['chimera', 0.25, false, MIXED_PEOPLE_CASE_SUBTYPES],
  ['impostor', 0.13, false, IMPOSTOR_CASE_SUBTYPES],
  ['nameless', 0.02, null, UNNAMED_RECORDS_CASE_SUBTYPES],
  ['unknown', 0.06, null, UNKNOWN_CONTACTS_CASE_SUBTYPES],
  ['name_only', 0.03, null, NAME_ONLY_CASE_SUBTYPES],
];

const SORTS: WeightedChoices<Sort> = createWeightedChoices(
  CASE_TYPES.flatMap(([kind, share, genuine, makers]) => {
    const sum = makers.reduce((total, [, weight]) => total + weight, 0);
    return makers.map(
      ([subkind, weight, make]) => [{ kind, subkind, genuine, make }, (share * weight) / sum] as const,
    );
  }),
);

/** Name origins that the evaluation compares with each other. In every second case the person has one of these origins, in turn. */
export const COMPARED_NAME_ORIGINS = [
  'english',
  'hispanic',
  'arabic',
  'hebrew',
  'indian',
  'chinese',
  'korean',
  'japanese',
  'slavic',
  'vietnamese',
  'african',
];
const TRIES = 80;

/** Creates the labelled check with the given index. Returns null if no person of the world fits its type. */
export function generateCaseAtIndex(world: GeneratedWorld, index: number): GeneratedCase | null {
  const random = new Random(world.seed, RANDOM_STREAMS.check, index);
  const { make, ...sort } = random.pickWeighted(SORTS);
  const group =
    index % 2 === 0 ? null : (COMPARED_NAME_ORIGINS[(index >> 1) % COMPARED_NAME_ORIGINS.length] ?? null);
  for (let tries = 0; tries < TRIES; tries++) {
    const draw = { world, random, subject: getRecordedPerson(world, subjectOf(world, random, group)) };
    const plan = make(draw);
    const label = { case_id: `g${world.seed}-${String(index).padStart(5, '0')}`, ...sort };
    if (plan !== null) return createCaseFromPlan(plan, label, random);
  }
  return null;
}

function subjectOf(world: GeneratedWorld, random: Random, group: string | null): number {
  let index = random.int(world.people);
  if (group === null) return index;
  for (let tries = 0; tries < 300; tries++) {
    if (originOf(world, index) === group) return index;
    index = random.int(world.people);
  }
  return index;
}

/** Maximum number of people in a world for which the origin of each person is cached. In a small world the same people are drawn many times. */
const MOST_REMEMBERED = 100_000;
const ORIGINS = new WeakMap<GeneratedWorld, Map<number, string>>();

function originOf(world: GeneratedWorld, index: number): string {
  if (world.people > MOST_REMEMBERED) return createPerson(world, index).origin.id;
  let origins = ORIGINS.get(world);
  if (!origins) ORIGINS.set(world, (origins = new Map()));
  const origin = origins.get(index) ?? createPerson(world, index).origin.id;
  origins.set(index, origin);
  return origin;
}

export function* generateCaseLines(world: GeneratedWorld, cases: number): Generator<string> {
  for (let index = 0; index < cases; index++) {
    const generatedCase = generateCaseAtIndex(world, index);
    if (generatedCase !== null) yield `${JSON.stringify(generatedCase)}\n`;
  }
}
