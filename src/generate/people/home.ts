// Where people have lived.
import type { Person } from './person.ts';
import { Random } from '../random.ts';
import { STREAM, type World } from '../world.ts';

/** A home: which one it is of a person or of a household, and the year from which on. */
export interface Home {
  owner: number;
  nth: number;
  from: number;
}

/** Share of people who are known to have lived elsewhere, once or twice; half of them with their household. */
export const HAS_MOVED = 0.55;

/** A person's homes, earliest first; the last is where the household lives. */
export function homesOf(world: World, { index, household, birth }: Person): Home[] {
  const random = new Random(world.seed, STREAM.moves, index);
  const current = { owner: household.first, nth: 0, from: household.moved };
  if (!random.chance(HAS_MOVED)) return [current];
  const together = random.chance(0.5);
  const adult = Math.max(1985, birth.year + 18);
  const years = Math.max(0, household.moved - adult);
  const earlier = Array.from({ length: random.between(1, 2) }, (_, i) => ({
    owner: together ? household.first : index,
    // Homes that a household had together are numbered from 1, a member's own from 5.
    nth: (together ? 1 : 5) + i,
    from: adult + Math.floor((i * years) / 2),
  }));
  return [...earlier.filter(({ from }) => from < household.moved), current];
}
