import { expect, test } from 'vitest';
import { findHousemates } from '../../src/graph/resolve/housemates.ts';
import type { StoredTypoSearchData } from '../../src/graph/resolve/reader.ts';
import type { ContactMatch } from '../../src/model.ts';
import { identitiesIn, importInto, queryOf, type Row } from '../kit/graphs/graph.ts';
import { memoryGraph } from '../kit/graphs/memory.ts';

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
  findHolders: () => new Map(),
  getSignatures: (ids: number[], exactParts: number[] | null) =>
    new Map(
      ids.flatMap((id) => {
        const home = HOMES.get(id);
        if (exactParts === null) expect(ids, 'identities whose addresses are all read').toEqual([1]);
        return home && (exactParts?.includes(home.exactPart) ?? true)
          ? [[id, [home]] as [number, StoredTypoSearchData[]]]
          : [];
      }),
    ),
};

const find = (nameMatches: number[], values: ContactMatch[][], withExactName: number[] = []) =>
  findHousemates(
    {
      nameMatches,
      exact: { key: 1, share: withExactName.length, holders: withExactName.map((id) => id * 2) },
    },
    values,
    reader,
  );

test('an identity with the name lives with the holder of a value at an equal address, not at a similar one', () =>
  expect(find([2, 3, 4, 5], [[match(1, 1)]])).toEqual([[2, 1]]));

test('a value of many people shows no household', () => expect(find([2], [[match(1, 4)]])).toEqual([]));

test.each([[[]], [[[match(1, 4)]]]])('without a value of few people, nothing is read: %j', (values) => {
  const fail = () => expect.unreachable();
  const exact = { key: 1, share: 5000, holders: [] };
  const unused = { findHolders: fail, getSignatures: fail };
  expect(findHousemates({ nameMatches: [1, 2], exact }, values, unused)).toEqual([]);
});

test('an identity that has one value lives with the holder of another value', () =>
  expect(find([2], [[match(2, 1)], [match(1, 1)]], [2])).toEqual([[2, 1]]));

test('a form of the name that has all values hides no household of the exact name', () =>
  expect(find([1, 2], [[match(1, 1)]], [2])).toEqual([[2, 1]]));

test('no household is sought if an identity with exactly the name has all values', () =>
  expect(find([1, 2], [[match(2, 2), match(1, 2)]], [2])).toEqual([]));

test('an identity with a submitted value is found among many of the same name', async () => {
  const graph = memoryGraph('a1'.repeat(32));
  const homes = { 39: { addresses: [{ street: 'ul. Krótka 4', city: 'Gdynia', zip: '81-001' }] } };
  const rows = Array.from({ length: 40 }, (_, i): Row => {
    const home = homes[i as 39] ?? {};
    return { record_id: `${i}`, name: 'Maria Wiśniewska', emails: [`maria${i}@post.example`], ...home };
  });
  const husband = { record_id: 'h', name: 'Piotr Wiśniewski', emails: ['piotr@post.example'], ...homes[39] };
  await importInto(graph, [[...rows, husband]]);
  const emails = ['maria39@post.example', 'piotr@post.example'];
  const { name } = await graph.resolve(queryOf({ name: 'Maria Wiśniewska', emails }));
  const of = await identitiesIn(graph);
  expect(name.housemates).toEqual([[of.get('39'), of.get('h')]]);
});
