import { expect, test } from 'vitest';
import { getIdentityDetails } from '../../src/graph/inspect.ts';
import { freshFolder } from '../kit/folder.ts';
import { identitiesOf, importRows, operate, type Row } from '../kit/graphs/graph.ts';

/** Returns records whose labels name their person, so that their links are known. */
const people = (labels: Record<string, string>): Row[] =>
  Object.entries(labels).map(([record_id, identity]) => ({ record_id, identity, name: `Ann ${record_id}` }));

const numbers = async (folder: string) => Object.fromEntries(await identitiesOf(folder));

test('numbers count from 1 in the order of import', async () => {
  const folder = freshFolder();
  await importRows(folder, [people({ a: 'x', b: 'y', c: 'x', d: 'z' })]);
  expect(await numbers(folder)).toEqual({ a: 1, b: 2, c: 1, d: 3 });
});

test('when two identities prove to be one, the lower number stays and the other redirects', async () => {
  const folder = freshFolder();
  await importRows(folder, [people({ a: 'x', b: 'y', c: 'y', d: 'z' })]);
  await importRows(folder, [people({ a: 'y' })]);
  expect(await numbers(folder)).toEqual({ a: 1, b: 1, c: 1, d: 3 });
  await operate(folder, async (graph) => {
    expect(await getIdentityDetails(graph, 2)).toMatchObject({ identity: 1, mergedFrom: 2 });
    expect((await getIdentityDetails(graph, 1)).records.map((record) => record.recordId)).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(await graph.stats()).toMatchObject({ identities: 2, merged: 1 });
    await expect(getIdentityDetails(graph, 4)).rejects.toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });
});

test('redirects lead on when their target is merged again', async () => {
  const folder = freshFolder();
  await importRows(folder, [people({ a: 'x', b: 'y', c: 'z' })]);
  await importRows(folder, [people({ c: 'y' })]);
  await importRows(folder, [people({ b: 'x', c: 'x' })]);
  expect(await numbers(folder)).toEqual({ a: 1, b: 1, c: 1 });
  await operate(folder, async (graph) => {
    expect(await getIdentityDetails(graph, 2)).toMatchObject({ identity: 1, mergedFrom: 2 });
    expect(await getIdentityDetails(graph, 3)).toMatchObject({ identity: 1, mergedFrom: 3 });
  });
});

test('when an identity falls apart, the larger part keeps the number and the other gets a new one', async () => {
  const folder = freshFolder();
  await importRows(folder, [people({ a: 'x', b: 'x', c: 'x', d: 'y' })]);
  await importRows(folder, [people({ a: 'new' })]);
  expect(await numbers(folder)).toEqual({ a: 3, b: 1, c: 1, d: 2 });
});

test('of equal parts, the one with the earlier record keeps the number', async () => {
  const folder = freshFolder();
  await importRows(folder, [people({ a: 'x', b: 'x' })]);
  await importRows(folder, [people({ a: 'new' })]);
  expect(await numbers(folder)).toEqual({ a: 1, b: 2 });
});

test('when those who were merged are parted again, each has the number that was his', async () => {
  const folder = freshFolder();
  await importRows(folder, [people({ a: 'x', b: 'y', c: 'z' })]);
  await importRows(folder, [people({ b: 'x', c: 'x' })]);
  expect(await numbers(folder)).toEqual({ a: 1, b: 1, c: 1 });
  await importRows(folder, [people({ b: 'y', c: 'z', d: 'w' })]);
  expect(await numbers(folder)).toEqual({ a: 1, b: 2, c: 3, d: 4 });
  await operate(folder, async (graph) => {
    expect(await getIdentityDetails(graph, 2)).toMatchObject({ identity: 2, mergedFrom: null });
    expect(await graph.stats()).toMatchObject({ merged: 0 });
  });
});

test('a number that was ever given is nobody else’s later', async () => {
  const folder = freshFolder();
  await importRows(folder, [people({ a: 'x', b: 'y', c: 'z' })]);
  await importRows(folder, [people({ b: 'x', c: 'x' })]);
  await importRows(folder, [[{ record_id: 'c', deleted: true }]]);
  await importRows(folder, [people({ b: 'y', d: 'z' })]);
  expect(await numbers(folder)).toEqual({ a: 1, b: 2, d: 4 });
  await importRows(folder, [[{ record_id: 'b', deleted: true }]]);
  await importRows(folder, [people({ b: 'y', e: 'v' })]);
  expect(await numbers(folder)).toEqual({ a: 1, b: 5, d: 4, e: 6 });
  await operate(folder, async (graph) => {
    await expect(getIdentityDetails(graph, 2)).rejects.toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
    expect(await getIdentityDetails(graph, 3)).toMatchObject({ identity: 1, mergedFrom: 3 });
  });
});

test('an import of other people leaves all numbers alone', async () => {
  const folder = freshFolder();
  await importRows(folder, [people({ a: 'x', b: 'y', c: 'y' })]);
  const before = await numbers(folder);
  await importRows(folder, [people({ d: 'v', e: 'w' })]);
  expect(await numbers(folder)).toEqual({ ...before, d: 3, e: 4 });
});
