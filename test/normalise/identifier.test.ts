import { describe, expect, test } from 'vitest';
import { getOnePerPersonRule, normaliseIdentifier } from '../../src/normalise/identifier.ts';

const read = (value: string, type = 'ssn', country = 'US') => normaliseIdentifier({ type, value, country });

describe('an identifier', () => {
  test('is compared in one spelling, and keeps its original spelling', () => {
    expect(read('123-45-6788')).toEqual({
      type: 'ssn',
      country: 'US',
      value: '123456788',
      written: '123-45-6788',
    });
    expect(read('C01234567', 'Passport')?.value).toBe('c01234567');
    expect(read('4711', 'customer of shop')?.value).toBe('4711');
    expect(read('annbell', 'login')?.value).toBe('annbell');
  });

  test.each([
    ['#4711', 'customer of shop'],
    ['777', 'customer of shop'],
    ['XX1234567', 'passport'],
    ['Exxon-12', 'customer of shop'],
    ['12345', 'customer of shop'],
    ['4711*', 'customer of shop'],
  ])('that only looks like none is one: %s (%s)', (value, type) => {
    expect(read(value, type)).not.toBeNull();
  });

  test.each(
    [
      'unknown',
      'NONE',
      'n/a',
      'not provided',
      'unbekannt',
      'keine',
      'brak',
      '0000',
      '999-99-9999',
      '123456789',
    ].concat([
      '987 654 321',
      'xxx',
      'XX-XX-8812',
      '***-**-8812',
      '•••• 8812',
      'pending',
      'refused',
      '078-05-1120',
      'abc',
      '12',
    ]),
  )('that says nothing is none: %s', (value) => {
    expect(read(value)).toBeNull();
  });

  test('may have no digit if people have any number of its type', () => {
    expect(read('none', 'login')).toBeNull();
    expect(read('xx', 'login')).toBeNull();
  });
});

describe('types of which a person has one number', () => {
  test.each([
    ['national identity card', 'FR', 'at a time'],
    ['national id card', '', 'at a time'],
    ['passport', 'US', 'at a time'],
    ['national id', '', true],
    ['social security', 'US', true],
    ['pan', 'IN', true],
    ['pan', '', false],
    ['customer of shop', '', false],
  ])('%s of %s: %s', (type, country, once) => {
    expect(getOnePerPersonRule({ type, country })).toBe(once);
  });
});
