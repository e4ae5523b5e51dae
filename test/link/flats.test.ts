import { expect, test } from 'vitest';
import { identitiesIn, importInto, type Row } from '../kit/graphs/graph.ts';
import { memoryGraph } from '../kit/graphs/memory.ts';

const [ONE, OTHER] = ['+1 206 300 1020', '+1 206 300 1031'];

const at = (street: string, phone: string) => ({
  name: 'Jose Martinez',
  addresses: [{ street, city: 'Boise', state: 'ID', zip: '83702' }],
  phones: [phone],
});

/** Returns true if two records are linked, in a file with other people of the house. */
async function areOne(...two: Omit<Row, 'record_id'>[]): Promise<boolean> {
  const others = ['Ana Souza', 'Boris Petrenko', 'Chidi Okafor', 'Dana Levi'].map((name, i) => ({
    ...at(`900 Tower Ave Apt ${30 + i}`, `+1 206 300 105${i}`),
    name,
  }));
  const graph = memoryGraph('a1'.repeat(32));
  await importInto(graph, [[...two, ...others].map((row, i): Row => ({ record_id: `${i}`, ...row }))]);
  const found = new Map(await identitiesIn(graph));
  expect(new Set([...found].filter(([id]) => Number(id) > 1).map(([, one]) => one)).size).toBe(others.length);
  return found.get('0') === found.get('1');
}

test('two flats of one house are two homes', async () => {
  expect(await areOne(at('900 Tower Ave Apt 4', ONE), at('900 Tower Ave Apt 19', OTHER))).toBe(false);
  expect(await areOne(at('900 Tower Ave #4', ONE), at('900 Tower Avenue, Unit 19', OTHER))).toBe(false);
});

test('one flat is one home, however it is written, and so is a house of which but one record names the flat', async () => {
  expect(await areOne(at('900 Tower Ave Apt 4', ONE), at('900 Tower Avenue #4', OTHER))).toBe(true);
  expect(await areOne(at('900 Tower Ave Apt 4', ONE), at('900 Tower Ave', OTHER))).toBe(true);
});

test('who moved within the house is known by the phone', async () => {
  expect(await areOne(at('900 Tower Ave Apt 4', ONE), at('900 Tower Ave Apt 19', ONE))).toBe(true);
});
