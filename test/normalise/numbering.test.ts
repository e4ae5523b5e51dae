import { type CountryCode, getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { expect, test } from 'vitest';
import { Random } from '../../src/generate/random.ts';
import {
  CALLING_CODE_BY_COUNTRY,
  isE164,
  isInNumberingPlan,
  mayLibphonenumberAcceptDigits,
  parseNationalNumber,
} from '../../src/normalise/numbering.ts';

const random = new Random(1, 1, 0);
const digitsOf = (length: number) => Array.from({ length }, () => random.int(10)).join('');

test('digits that are parsed without the library are parsed as the library does', () => {
  let plain = 0;
  for (let i = 0; i < 6000; i++) {
    const region = random.pick(getCountries());
    const start = random.pick(['', '', '0', CALLING_CODE_BY_COUNTRY.get(region) ?? '']);
    const digits = `${start}${digitsOf(random.between(6, 11))}`;
    const read = parseNationalNumber(digits, region);
    if (!read) continue;
    plain++;
    const number = parsePhoneNumberFromString(digits, region);
    const expected = {
      valid: number?.isValid() ? number.number : null,
      possible: number?.isPossible() ? number.number : null,
    };
    expect([region, digits, read]).toEqual([region, digits, expected]);
  }
  expect(plain).toBeGreaterThan(3000);
});

test('digits that only the library can parse are left to it: another country, a carrier, an area', () => {
  const left: [string, CountryCode][] = [
    ['004315123456', 'DE'],
    ['01511987654321', 'BR'],
    ['2345678', 'VI'],
  ];
  for (const [digits, region] of left) expect(parseNationalNumber(digits, region)).toBeNull();
  expect(parseNationalNumber('6561234567', 'XX')).toBeNull();
});

test('digits with a calling code and without a plan need no library, unless it would remove a prefix', () => {
  for (let i = 0; i < 4000; i++) {
    const code = random.pick([...CALLING_CODE_BY_COUNTRY.values(), digitsOf(3)]);
    const digits = `${code}${digitsOf(random.between(4, 11))}`;
    if (isInNumberingPlan(digits) || mayLibphonenumberAcceptDigits(digits)) continue;
    expect([digits, parsePhoneNumberFromString(`+${digits}`)?.isValid() ?? false]).toEqual([digits, false]);
  }
});

test.each([
  ['+442079460958', true],
  ['+14155550100', true],
  ['+80012345678', true],
  ['+02079460958', false],
  ['+10000000000', false],
  ['+999123456789', false],
  ['+123456789012345', false],
  ['+1415555010', false],
])('%s has the form of E.164: %s', (number, expected) => {
  expect(isE164(number)).toBe(expected);
});
