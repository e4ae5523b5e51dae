// Labelled checks made from the people of a world, who are those of its records.
import { Random, type Weighted, weighted } from '../random.ts';
import { makePerson } from '../person.ts';
import { STREAM, type World } from '../world.ts';
import { type Case, writeCase } from './case.ts';
import type { Draw, Plan } from './values.ts';
import { CHIMERA, IMPOSTOR } from './false.ts';
import { GENUINE, PARTIAL } from './genuine.ts';
import { knownOf } from './values.ts';
import { NAME_ONLY, NAMELESS, NEWCOMER, UNKNOWN } from './newcomer.ts';

interface Sort {
  kind: string;
  subkind: string;
  genuine: boolean | null;
  make: (draw: Draw) => Plan | null;
}

type Makers = typeof GENUINE;

/** Kinds of checks: share, whether name and values belong together, and the sorts of each. */
export const KINDS: [kind: string, share: number, genuine: boolean | null, makers: Makers][] = [
  ['genuine', 0.33, true, GENUINE],
  ['partial', 0.1, true, PARTIAL],
  ['newcomer', 0.08, true, NEWCOMER],
  ['chimera', 0.25, false, CHIMERA],
  ['impostor', 0.13, false, IMPOSTOR],
  ['nameless', 0.02, null, NAMELESS],
  ['unknown', 0.06, null, UNKNOWN],
  ['name_only', 0.03, null, NAME_ONLY],
];

const SORTS: Weighted<Sort> = weighted(
  KINDS.flatMap(([kind, share, genuine, makers]) => {
    const sum = makers.reduce((total, [, weight]) => total + weight, 0);
    return makers.map(
      ([subkind, weight, make]) => [{ kind, subkind, genuine, make }, (share * weight) / sum] as const,
    );
  }),
);

/** Origins of names that are compared with one another: every second case is of one of them in turn. */
export const GROUPS = [
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

/** Check number `index` of a world; null where its people have nothing that the sort of the case needs. */
export function checkAt(world: World, index: number): Case | null {
  const random = new Random(world.seed, STREAM.check, index);
  const { make, ...sort } = random.pickWeighted(SORTS);
  const group = index % 2 === 0 ? null : (GROUPS[(index >> 1) % GROUPS.length] ?? null);
  for (let tries = 0; tries < TRIES; tries++) {
    const draw = { world, random, subject: knownOf(world, subjectOf(world, random, group)) };
    const plan = make(draw);
    const label = { case_id: `g${world.seed}-${String(index).padStart(5, '0')}`, ...sort };
    if (plan !== null) return writeCase(plan, label, random);
  }
  return null;
}

function subjectOf(world: World, random: Random, group: string | null): number {
  let index = random.int(world.people);
  if (group === null) return index;
  for (let tries = 0; tries < 300; tries++) {
    if (originOf(world, index) === group) return index;
    index = random.int(world.people);
  }
  return index;
}

/** Of a few people the same ones are asked again and again: where none is of an origin, for every case. */
const MOST_REMEMBERED = 100_000;
const ORIGINS = new WeakMap<World, Map<number, string>>();

function originOf(world: World, index: number): string {
  if (world.people > MOST_REMEMBERED) return makePerson(world, index).origin.id;
  let origins = ORIGINS.get(world);
  if (!origins) ORIGINS.set(world, (origins = new Map()));
  const origin = origins.get(index) ?? makePerson(world, index).origin.id;
  origins.set(index, origin);
  return origin;
}

/** The checks of a world as lines. */
export function* checkLines(world: World, cases: number): Generator<string> {
  for (let index = 0; index < cases; index++) {
    const made = checkAt(world, index);
    if (made !== null) yield `${JSON.stringify(made)}\n`;
  }
}
