import type { StoredContact } from '../sqlite/records.ts';

/** How many of `from` (sorted) are not in `to` (sorted). */
export function missing(from: number[], to: number[]): number {
  let count = 0;
  let j = 0;
  for (const value of from) {
    while (j < to.length && to[j] < value) j++;
    if (to[j] !== value) count++;
  }
  return count;
}

/** How many letter pairs two texts do not share, where what a slip leaves alone agrees; else null. */
export function slip(one: StoredContact, two: StoredContact): number | null {
  if (!one.sketch || !two.sketch || one.sketch.anchor !== two.sketch.anchor) return null;
  return Math.max(missing(one.sketch.grams, two.sketch.grams), missing(two.sketch.grams, one.sketch.grams));
}

/** Do two streets agree in most of their letter pairs (Dice 1945)? */
export function alikeStreet(one: StoredContact, two: StoredContact): boolean {
  if (!one.sketch || !two.sketch) return false;
  const [a, b] = [one.sketch.grams, two.sketch.grams];
  return (2 * (a.length - missing(a, b))) / (a.length + b.length) >= 0.7;
}
