// Submitted names that are shorter or longer forms of the name on record: repeated words, a Hungarian wife's name.
import { expect, test } from 'vitest';
import { createNameComparer } from '../../src/match/name.ts';
import { getNameKeys, type PreparedName, prepareName } from '../../src/names/index.ts';
import { createIdentity } from '../kit/values/identity.ts';

test.each([
  ['Fostermann Penelope Fostermann', 'Penelope Fostermann'],
  ['Penelope Penelope', 'Penelope'],
  ['Fostermann Fostermann', 'Fostermann'],
])('%s agrees as %s does, and has its exact look-up key', (repeated, name) => {
  const [a, b] = [repeated, name].map(prepareName) as [PreparedName, PreparedName];
  const [x, y] = [a, b].map((prepared) =>
    createNameComparer(prepared)(createIdentity(1, 'Penelope Ann Fostermann')),
  );
  expect(x).toEqual(y);
  expect(getNameKeys(a)[0]).toBe(getNameKeys(b)[0]);
});

test('Mrs Kovács is a part of her full name, and not of that of her husband', () => {
  const [wife, husband] = ['Kovács Istvánné', 'Kovács István'].map((record) =>
    createNameComparer(prepareName('Kovácsné'))(createIdentity(1, record)),
  );
  expect([wife?.part, husband?.part]).toEqual(['common_word', undefined]);
});
