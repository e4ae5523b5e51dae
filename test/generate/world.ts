import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGeneratedWorld, type GeneratedWorld } from '../../src/generate/world.ts';
import { PEOPLE_GENERATOR_TABLES_FOLDER } from '../../src/platform/assets.ts';

const [names, places] = ['names.txt', 'places.txt'].map((file) =>
  readFileSync(join(PEOPLE_GENERATOR_TABLES_FOLDER, file), 'utf8'),
) as [string, string];

/** Returns a world with the shipped tables. */
export function worldOf(
  people: number,
  options: { seed?: number; countries?: string[] } = {},
): GeneratedWorld {
  return createGeneratedWorld({ people, seed: 1, countries: [], ...options, names, places });
}
