import { expect, it } from 'vitest';
import { nearestWord } from '../../src/normalise/typo.ts';

const KNOWN = ['name', 'emails', 'phones', 'addresses', 'intent', 'operation'];

it.each([
  ['email', 'emails'],
  ['Emails', 'emails'],
  ['e-mails', 'emails'],
  ['adresses', 'addresses'],
  ['addreses', 'addresses'],
  ['pohnes', 'phones'],
  ['intnet', 'intent'],
  ['nam', 'name'],
])('%s was meant to be %s', (word, meant) => {
  expect(nearestWord(word, KNOWN)).toBe(meant);
});

it.each(['zebra', 'x'.repeat(60), 'telephonenumber'])('%s is like none', (word) => {
  expect(nearestWord(word, KNOWN)).toBeUndefined();
});
