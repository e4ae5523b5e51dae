import { expect, test } from 'vitest';
import type { Body } from '../answer.ts';
import { countUnfaithful } from './faithful.ts';
import { makeWorld } from './world.ts';

/** Service for which every e-mail is worth three points, and which states `told` for the first one. */
const serviceOf = (told: number) => ({
  ask: async <T>(_path: string, body: object): Promise<T> => {
    const emails = new Set(((body as Body).emails ?? []).map((text) => text.trim().toLowerCase())).size;
    const piece = {
      code: 'email_own',
      field: 'email',
      index: 0,
      key: null,
      weight: 1,
      score_without: 40 + emails * 3 - told,
    };
    const explanation = emails > 0 ? [piece] : [];
    return { trustworthiness_score: 40 + emails * 3, raw: { explanation } } as T;
  },
  close: async () => undefined,
});

test('score_without is compared with the score of a check without the value', async () => {
  const world = makeWorld();
  const right = await countUnfaithful({ service: serviceOf(3), world, pieces: 60 });
  expect([right.pieces >= 60, right.wrong]).toEqual([true, 0]);
  const wrong = await countUnfaithful({ service: serviceOf(2), world, pieces: 60 });
  expect([wrong.wrong, [...wrong.examples.keys()]]).toEqual([wrong.pieces, ['email_own']]);
});
