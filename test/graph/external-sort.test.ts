// Sorting of entries that do not fit into memory.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createLinkingWorkspaceOnDisk, createExternalSort } from '../../src/graph/external-sort.ts';
import { Random } from '../../src/generate/random.ts';
import { encodeRowPair } from '../../src/link/candidate-pairs.ts';
import { freshFolder } from '../kit/folder.ts';

const LIMIT = 2 ** 52;

test('entries are sorted by key, positive or negative, and equal keys keep their order', () => {
  const [random, folder] = [new Random(1, 1, 1), freshFolder()];
  const runs = createExternalSort({ folder, low: -LIMIT, high: LIMIT });
  const added: [number, number][] = [];
  for (let i = 0; i < 30_000; i++) {
    // A third of the entries have the same key.
    const key = i % 3 === 0 ? -5 : Math.floor((random.next() * 2 - 1) * LIMIT);
    added.push([key, i]);
    runs.add(key, i);
  }
  const found = [...runs.sortedPieces()];
  const all = found.flatMap(({ keys, values }) =>
    Array.from(keys, (key, i): [number, number] => [key, values[i] ?? -1]),
  );
  expect(all).toEqual(added.toSorted(([a, i], [b, j]) => a - b || i - j));
  expect(readdirSync(folder)).toEqual([]);
  runs.drop();
  expect([...runs.sortedPieces()]).toEqual([]);
});

test('a workspace returns distinct pairs in order, and the keys that several rows share', () => {
  const blocks = createLinkingWorkspaceOnDisk(freshFolder(), 100);
  blocks.addKeys([
    [1, [7, -7]],
    [2, [7, 8]],
    [99, [7, -7]],
  ]);
  expect([...blocks.groups()].flat()).toEqual([
    { key: -7, rows: [1, 99] },
    { key: 7, rows: [1, 2, 99] },
  ]);
  blocks.addPairs([
    encodeRowPair(99, 2),
    encodeRowPair(1, 2),
    encodeRowPair(2, 99),
    encodeRowPair(1, 99),
    encodeRowPair(1, 2),
  ]);
  expect([...blocks.pairs()].flatMap((page) => [...page])).toEqual([
    encodeRowPair(1, 2),
    encodeRowPair(1, 99),
    encodeRowPair(2, 99),
  ]);
  blocks.drop();
});
