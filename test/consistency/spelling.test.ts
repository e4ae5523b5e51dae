// Law 11 of the score (contract, section 3) over HTTP: spellings of a name, and names that differ.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from './random/ask.ts';
import { openService } from './random/ask.ts';
import type { Value } from './random/requests.ts';
import { arbitraries, bodyOf, SPELLINGS, valuesOf } from './random/requests.ts';
import { makeWorld } from './random/world.ts';

const WORLD = makeWorld();
const VALUES = valuesOf(WORLD);
const { person } = arbitraries(WORLD);
const single = person.filter(({ label }) => !/^(?:smith|stoddart|.*berg|.*ling|.*mann)/.test(label));
const ownOf = (label: string): Value[] => VALUES.filter(({ holders }) => holders.includes(label));

let service: Service;
beforeAll(async () => {
  service = await openService(WORLD.records);
});
afterAll(() => service.close());

const scoreOf = async (name: string, ...values: Value[]): Promise<number> =>
  (await service.ask('/v1/validate', bodyOf(name, values))).trustworthiness_score;
const always = <T>(arbitrary: fc.Arbitrary<T>, holds: (it: T) => Promise<void>, numRuns = 60) =>
  fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns, seed: 11 });

describe('spellings of a name, over HTTP', () => {
  test('11: a spelling of the same name gives the same score', async () => {
    await always(
      fc.tuple(person, fc.constantFrom(...SPELLINGS), fc.subarray(VALUES, { maxLength: 3 })),
      async ([one, write, more]) => {
        const values = [...ownOf(one.label), ...more];
        expect(await scoreOf(write(one.name), ...values)).toBe(await scoreOf(one.name, ...values));
      },
    );
  });

  test.each([
    [
      'Zoë O’Neill',
      ["Zoe O'Neill", 'ZOE O NEILL', 'Zoë ONeill', "O'Neill, Zoë", 'Zoë O´Neill'],
      'zoe.oneill@post.example',
    ],
    [
      'José Hernández',
      ['Jose Hernandez', 'Hernandez, Jose', 'JOSÉ HERNÁNDEZ', 'Hernández José'],
      'jose.h@post.example',
    ],
  ])('11: apostrophes, spaces, accents and order of %s', async (name, spellings, label) => {
    const scores = await Promise.all(
      spellings.map(async (one) => [one, await scoreOf(one, ...ownOf(label))]),
    );
    const right = await scoreOf(name, ...ownOf(label));
    expect(scores).toEqual(spellings.map((one) => [one, right]));
  });

  test('11: a misspelling moves it less than a wrong name does', async () => {
    await always(
      single,
      async (one) => {
        fc.pre(/^\p{Script=Latin}+ \p{Script=Latin}{5,}$/u.test(one.name));
        const own = ownOf(one.label);
        const misspelt = one.name.replace(/(..)(.)(.)$/, '$1$3$2');
        const [right, slip, wrong] = [
          await scoreOf(one.name, ...own),
          await scoreOf(misspelt, ...own),
          await scoreOf('Hugo Delacroix-Boone', ...own),
        ];
        expect(slip).toBeLessThanOrEqual(right);
        expect(slip).toBeGreaterThan(wrong);
        expect(right - slip).toBeLessThan((right - wrong) / 2);
      },
      60,
    );
  });
});
