// How rare a name word is: a rare family name that agrees says more than a common one.
import { COMMON, GIVEN, SURNAME } from '../tables/lexicon.ts';
import type { Token } from '../types.ts';

/** Share of people, 0-1, who have a folded name word (a-z); undefined where it is not known. */
export type NameFrequency = (word: string) => number | undefined;

let frequency: NameFrequency | undefined;

/** Lets the operator's own population say how rare a word is; `undefined` goes back to the tables. */
export function setNameFrequencies(source: NameFrequency | undefined): void {
  frequency = source;
}

/** 0 for the commonest words (one person in 500 or more), 1 for the rarest (one in 50,000 or fewer). */
export function rarity(t: Token): number {
  const share = frequency?.(t.text);
  if (share !== undefined) return Math.min(1, Math.max(0, -Math.log10(Math.max(share, 1e-9)) - 2.7) / 2);
  const flags = t.info?.flags ?? 0;
  if (flags & COMMON) return 0;
  return flags & (SURNAME | GIVEN) ? 0.5 : 1;
}
