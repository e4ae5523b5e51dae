import * as fc from 'fast-check';
import { type CountryCode, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it, test } from 'vitest';
import { findCountriesOfPhoneNumber, normalisePhone, removePhoneRemarks } from '../../src/normalise/phone.ts';

const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.string());
const countries = Object.keys(examples) as CountryCode[];

describe('one number, many spellings', () => {
  test.each([
    ['4155550100', '+14155550100'],
    ['14155550100', '+14155550100'],
    ['(415) 555-0100 x123', '+14155550100'],
    ['415.555.0100 ext. 5', '+14155550100'],
    ['tel:+1-415-555-0100', '+14155550100'],
    ['＋１ ４１５ ５５５ ０１００', '+14155550100'],
    ['٤١٥٥٥٥٠١٠٠', '+14155550100'],
    ['+44 (0)20 7946 0123', '+442079460123'],
    ['442079460123', '+442079460123'],
    ['4402079460123', '+442079460123'],
    ['011 44 20 7946 0123', '+442079460123'],
    ['0044 20 7946 0123', '+442079460123'],
    ['+39 0352 123456', '+390352123456'],
    ['+33 06 12 34 56 78', '+33612345678'],
    ['+52 1 55 1234 5678', '+525512345678'],
    ['+54 11 15 2345 6789', '+5491123456789'],
    ['+999 123 456 789', '+999123456789'],
  ])('%s is %s', (text, expected) => {
    expect(normalisePhone(text)?.standardized).toBe(expected);
  });

  test.each([
    ['020 7946 0123', 'GB', '+442079460123'],
    ['0612345678', 'FR', '+33612345678'],
    ['030 123456', 'DE', '+4930123456'],
    ['07700 900457', 'GB', '+447700900457'],
    ['8 495 123-45-67', 'RU', '+74951234567'],
    ['312 345', 'AD', '+376312345'],
    ['(416) 555-0100', 'CA', '+14165550100'],
  ])('%s in %s is %s', (text, region, expected) => {
    expect(normalisePhone(text, region)?.standardized).toBe(expected);
  });
});

describe('a number without its area code', () => {
  test.each([
    ['555-0100', 'US'],
    ['5550100', 'CA'],
    ['555-0100', 'FR'],
    ['690-7290', 'US'],
    ['790809', 'DE'],
    ['23125014', 'DE'],
    ['512 12 34', 'AT'],
    ['7946 0123', 'GB'],
    ['98042-1079', 'BR'],
    ['3456-7890', 'BR'],
    ['9876 5432', 'AU'],
    ['3123-4567', 'JP'],
    ['6234 5678', 'CN'],
    ['790809', 'IT'],
  ])('%s in %s is none', (text, region) => {
    expect(normalisePhone(text, region)).toBeNull();
  });

  test.each([
    ['221790809', 'DE', '+49221790809'],
    ['15121234', 'AT', '+4315121234'],
    ['0790809', 'DE', '+49790809'],
    ['11980421079', 'BR', '+5511980421079'],
    ['98765432', 'NO', '+4798765432'],
    ['6111234', 'IS', '+3546111234'],
  ])('%s in %s has one, or needs none', (digits, region, number) => {
    expect(normalisePhone(digits, region)?.standardized).toBe(number);
  });

  it('is a number in a country without area codes', () => {
    expect(normalisePhone('555 0100', ['US', 'IS'])?.standardized).toBe('+3545550100');
  });
});

describe('several regions', () => {
  test.each([
    ['020 7946 0123', '+442079460123'],
    ['415-555-0100', '+14155550100'],
    ['07700 900457', '+447700900457'],
    ['33612345678', '+33612345678'],
  ])('%s in Britain, else the United States, is %s', (text, expected) => {
    expect(normalisePhone(text, ['GB', 'US'])?.standardized).toBe(expected);
  });
});

describe('digits without their plus sign', () => {
  it('are read as a domestic number first if they can also be a foreign one, and keep both keys', () => {
    expect(normalisePhone('6566123456')?.keys.map((key) => key.text)).toEqual([
      '+16566123456',
      '+6566123456',
    ]);
  });

  it('are read as a foreign number first if no domestic area code fits', () => {
    expect(normalisePhone('4520123456')?.keys.map((key) => key.text)).toEqual([
      '+4520123456',
      '+14520123456',
    ]);
  });

  it('share a key with the number with its plus sign, in every country', () => {
    for (const country of countries) {
      const number = getExampleNumber(country, examples)!.number;
      // The digits of Tokelau's numbers are as many as those of an American number without its area code.
      if (number.length <= '+5550100'.length) continue;
      expect(normalisePhone(number.slice(1))?.keys.map((key) => key.text)).toContain(number);
    }
  });
});

describe('every country', () => {
  it('parses its numbers in every spelling', () => {
    for (const country of countries) {
      const example = getExampleNumber(country, examples)!;
      for (const style of ['INTERNATIONAL', 'E.164', 'RFC3966'] as const) {
        expect(normalisePhone(example.format(style))?.standardized).toBe(example.number);
      }
      expect(normalisePhone(example.format('NATIONAL'), country)?.standardized).toBe(example.number);
    }
  });
});

describe('any text', () => {
  test.each(['', 'none', '12', '+', '++++', '1234567890123456789012', '+1234567890123456'])(
    '%j is no number',
    (text) => {
      expect(normalisePhone(text)).toBeNull();
    },
  );

  it('never throws in any region, and the standardized number is a valid input', () => {
    const region = fc.oneof(fc.constantFrom('US', 'GB', 'DE', 'IN', 'XX', ''), fc.string());
    fc.assert(
      fc.property(fc.oneof(anyText, fc.stringMatching(/^[+0-9 ().-]{7,20}$/)), region, (text, where) => {
        const normal = normalisePhone(text, where);
        const standardized = normal?.standardized ?? null;
        if (standardized === null) return;
        expect(standardized).toMatch(/^\+\d{7,15}$/);
        expect(normal?.keys[0]?.text ?? standardized).toBe(standardized);
      }),
      { examples: [['0-(+0.0.', '__proto__']] },
    );
  });

  it('always gives a key to 10 to 15 digits', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{10,15}$/), (digits) => {
        expect(normalisePhone(digits)?.keys.length).toBeGreaterThan(0);
      }),
    );
  });

  it('does not depend on how a North American number is punctuated', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[2-9]\d{2}[2-9]\d{6}$/),
        fc.constantFrom(' ', '-', '.', ' - ', ')'),
        (digits, gap) => {
          const written = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)].join(gap);
          expect(normalisePhone(written)?.keys).toEqual(normalisePhone(digits)?.keys);
          expect(normalisePhone(`+1${gap}${written}`)?.standardized).toBe(`+1${digits}`);
        },
      ),
    );
  });
});

test.each([
  ['JP', '090-1234-5678'],
  ['JP', '03-1234-5678'],
  ['KR', '010-1234-5678'],
  ['AU', '0412 345 678'],
  ['ES', '612345678'],
  ['RU', '8 (912) 345-67-89'],
  ['US', '(415) 555-2671'],
])('a usual number of %s is valid there: %s', (country, number) => {
  expect(findCountriesOfPhoneNumber(number, country)).toEqual([country]);
});

test.each([
  ['49 30 1234567', 'US'],
  ['4930901820', 'GB'],
  ['+49 30 1234567', 'US'],
  ['0049 30 1234567', 'US'],
])('%s has its country code and is not read as a number of %s', (number, region) => {
  expect(findCountriesOfPhoneNumber(number, region)).toBeNull();
});

test.each(
  'DW 12|Durchwahl 12|-DW12|App. 12|opt 2|int. 12|(nach 18 Uhr)|(2)|,,12#|p12|w12|/43|,43|/432|转12'.split(
    '|',
  ),
)('%s after a phone is no part of the number', (end) => {
  expect(removePhoneRemarks(`0341 55501420${end}`)?.replace('-', '').trim()).toBe('0341 55501420');
});

test.each([
  '0341/5550142',
  '0043/664/12345/67',
  '0049 34206/7123',
  '001 415 555/0134',
  '+43 1 234/5678',
  '+49 (0)171 2345678',
  '030 2312 (5014)',
  'Tel 030 23125014',
])('all digits of %s are of the number', (phone) => {
  expect(removePhoneRemarks(phone)).toBe(phone);
  expect(removePhoneRemarks(`Tel. 2: ${phone}`)).toBe(phone);
});

test('a decimal zero is no digit of a number', () => {
  expect(removePhoneRemarks('3415550142.0')).toBe('3415550142');
});

test.each([
  'Tél. 06.12.34.56.78',
  'M 06.12.34.56.78',
  'Tel. 02.1234567',
  'Cell 33.31234567',
  'tel. 03) 55501234',
  'Tel 02 : 1234567',
  'Tel 2.1234567',
])('the first digits of %s are of the number, and not of its label', (phone) => {
  expect(removePhoneRemarks(phone)).toBe(phone);
});

test.each([
  'nach 18 Uhr',
  '/ab 18:30 Uhr',
  '- Mo-Fr 9-17h',
  ', not before 10',
  'only WhatsApp',
  '(mornings only)',
])('a remark after a whole number is left away, with its times: %s', (remark) => {
  expect(removePhoneRemarks(`0341 5550142 ${remark}`)?.replace(/\D/g, '')).toBe('03415550142');
});

test.each([
  'Mo-Fr 8-18h 0341 5550142',
  '0341 5550142 Fax 0341 5550143',
  '0341 5550142 new 5550143',
  '5550142 ab 18 Uhr',
  '0341 555 oder 0142',
])('a number is not used if digits after a word may belong to it: %s', (text) => {
  expect(removePhoneRemarks(text)).toBeNull();
});

test.each([
  ['4901716360161', 'DE', '+491716360161'],
  ['491716360161', 'DE', '+491716360161'],
  ['4306641234567', 'AT', '+436641234567'],
  ['610412345678', 'SE', '+61412345678'],
  ['4402079460958', 'DE', '+442079460958'],
])('the bare digits %s in %s most likely lost the plus sign of %s', (digits, region, number) => {
  expect(normalisePhone(digits, region)?.standardized).toBe(number);
});
