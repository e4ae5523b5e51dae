import { nameHalves, type NameHalf, type PreparedName } from '../names/index.ts';
import { typoDistance } from '../normalise/typo.ts';

/** How much of two names agrees that are not the same by the name engine. */
export interface Likeness {
  /** 0-100, below 50; 0 where nothing agrees. */
  agreement: number;
  /** The half that agrees; null where neither does, or both do in part. */
  sharedHalf: 'given' | 'family' | null;
}

/** One half in common: a family name may have changed, a given name be another one of the same person, or a relative's. */
const HALF = { given: 30, family: 20 };
/** Both halves misspelt, but hardly: just not the same name. */
const BOTH = 49;
/** Relatives share a family name: a given name that is less alike is another one, where a family name so alike is misspelt. */
const LEAST_GIVEN = 0.55;
/** So much of a half's points it has even where it is barely recognised. */
const LEAST = 0.9;

/** A name as it is compared half by half: once for all the names that it is compared with. */
export type Halves = Record<'given' | 'family', NameHalf>;

/** The halves of a prepared name. */
export const halvesOf = (name: PreparedName): Halves => nameHalves(name);

/** Half by half, whichever way round the two were written. */
export function likenessOf(x: Halves, y: Halves): Likeness {
  const straight = halves(alike(x.given, y.given), alike(x.family, y.family));
  const crossed = halves(alike(x.given, y.family), alike(x.family, y.given));
  return crossed.agreement > straight.agreement ? crossed : straight;
}

function halves(alikeGiven: number, family: number): Likeness {
  const given = alikeGiven < LEAST_GIVEN ? 0 : alikeGiven;
  if (given > 0 && family > 0) return { agreement: BOTH * Math.min(given, family), sharedHalf: null };
  if (given > 0) return { agreement: HALF.given * (LEAST + (1 - LEAST) * given), sharedHalf: 'given' };
  if (family > 0) return { agreement: HALF.family * (LEAST + (1 - LEAST) * family), sharedHalf: 'family' };
  return { agreement: 0, sharedHalf: null };
}

/** 0-1: how nearly two words, or more, are written alike. Two that are both real names are never one another's misspelling. */
function alike({ text: x, real: realX }: NameHalf, { text: y, real: realY }: NameHalf): number {
  if (x.length < 2 || y.length < 2) return 0;
  if (x === y) return 1;
  if (realX && realY) return 0;
  const length = Math.max(x.length, y.length);
  const limit = Math.min(3, Math.floor((length - 1) / 3) + 1, Math.floor(length / 2));
  const distance = typoDistance(x, y, limit);
  return distance > limit ? 0 : Math.max(0, 1 - distance / (0.75 * length));
}
