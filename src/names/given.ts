import { firstGiven, type PreparedName } from './index.ts';

/** Key of the given name alone, by which a changed family name is noticed; null for an initial or none. */
export function givenKey(name: PreparedName): string | null {
  const given = firstGiven(name);
  return given !== undefined && given.length > 1 ? `g:${given}` : null;
}
