import { expect, test } from 'vitest';
import { kept } from '../../../../src/graph/sqlite/read/kept.ts';

/** Keeps what a function answers that counts its calls. */
function counting(most: number) {
  const read: number[] = [];
  const values = kept((id) => (read.push(id), id === 0 ? null : `value ${id}`), most);
  return { read, values };
}

test('a value is read once, one that is not there too, until it is forgotten', () => {
  const { read, values } = counting(10);
  expect([1, 0, 1, 0].map(values.get)).toEqual(['value 1', null, 'value 1', null]);
  expect(read).toEqual([1, 0]);
  values.forget();
  expect(values.get(1)).toBe('value 1');
  expect(read).toEqual([1, 0, 1]);
});

test('however many are asked for, no more than twice the bound are kept; those that are asked for again stay', () => {
  const { read, values } = counting(100);
  for (let id = 1; id <= 1000; id++) {
    values.get(id);
    values.get(1);
  }
  expect(read).toHaveLength(1000);
  for (let id = 1000; id > 0; id--) values.get(id);
  expect(read.length - 1000).toBeGreaterThanOrEqual(1000 - 200);
});
