import { typoDistance } from './typo.ts';

/** The known word that an unknown one was probably meant to be: a few letters apart, or the same after case and signs. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  if (word.length > 40) return undefined;
  const plain = bare(word);
  let best: string | undefined;
  let limit = Math.max(2, Math.floor(plain.length / 3));
  for (const candidate of known) {
    const distance = typoDistance(plain, bare(candidate), limit);
    if (distance <= limit) [best, limit] = [candidate, distance - 1];
  }
  return best;
}

const bare = (word: string) => word.toLowerCase().replace(/[-_\s]/g, '');
