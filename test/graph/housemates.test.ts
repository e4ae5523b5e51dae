import { expect, test } from 'vitest';
import { findHousemates } from '../../src/graph/resolve/housemates.ts';
import type { StoredTypoSearchData } from '../../src/graph/resolve/reader.ts';
import type { ContactMatch } from '../../src/model.ts';

const match = (identity: number, share: number): ContactMatch => ({
  identity,
  share,
  type: 'email',
  primary: true,
  firstSeen: null,
  lastSeen: null,
});
const HOMES = new Map<number, StoredTypoSearchData>([
  [1, { kind: 'address', exactPart: 7, grams: [3, 1, 2] }],
  [2, { kind: 'address', exactPart: 7, grams: [1, 2, 3] }],
  [3, { kind: 'address', exactPart: 7, grams: [1, 2, 4] }],
  [4, { kind: 'email', exactPart: 7, grams: [1, 2, 3] }],
]);
const reader = {
  getSignatures: (ids: number[]) =>
    new Map(
      ids.flatMap((id) => {
        const home = HOMES.get(id);
        return home ? [[id, [home]] as [number, StoredTypoSearchData[]]] : [];
      }),
    ),
};

test('an identity with the name lives with the holder of a value at an equal address, not at a similar one', () =>
  expect(findHousemates([2, 3, 4, 5], [[match(1, 1)]], reader)).toEqual([[2, 1]]));

test('a value of many people shows no household', () =>
  expect(findHousemates([2], [[match(1, 4)]], reader)).toEqual([]));
