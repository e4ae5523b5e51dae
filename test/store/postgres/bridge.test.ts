import { expect, test } from 'vitest';
import { toNumberedStatement } from '../../../src/store/postgres/bridge.ts';

test('placeholders are numbered, named ones by name; texts and quoted names stay unchanged', () => {
  const positional = toNumberedStatement('a = ? AND b = ?');
  const named = toNumberedStatement(`@x OR "a?" = '@x?''?' OR @y OR @x`);
  expect(positional.text).toBe('a = $1 AND b = $2');
  expect(positional.toParameters([1, undefined])).toEqual([1, null]);
  expect(positional.toParameters([[1, 2]])).toEqual([1, 2]);
  expect(named.text).toBe(`$1 OR "a?" = '@x?''?' OR $2 OR $1`);
  expect(named.toParameters([{ y: 2, x: 1 }])).toEqual([1, 2]);
});
