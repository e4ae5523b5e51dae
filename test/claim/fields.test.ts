// Meant names of unknown fields, repeats of a value, and the text of every issue.
import { describe, expect, test } from 'vitest';
import { findNearestField } from '../../src/claim/fields.ts';
import { parse, problemOf } from '../kit/claims.ts';

const KNOWN = ['name', 'emails', 'phones', 'addresses'];
const PARTS = ['street', 'street2', 'city', 'state', 'zip', 'country'];
const LEGACY_PARTS = ['line1', 'line2', 'city', 'region', 'postalCode', 'countryCode'];

describe('an unknown field that has another name of a field', () => {
  test.each([
    ['name', KNOWN, 'fullName customer_name personName display-name'],
    ['emails', KNOWN, 'email emailAddress emailAddresses mail mails'],
    ['phones', KNOWN, 'phone phone_number phoneNumbers mobile cell tel telephone'],
    ['addresses', KNOWN, 'address nameAddresses postalAddress'],
    ['street', PARTS, 'line1 addressLine1 address1 street1 street_address'],
    ['street2', PARTS, 'line2 addressLine2 address2 unit apartment'],
    ['city', PARTS, 'town locality'],
    ['state', PARTS, 'region province county'],
    ['zip', PARTS, 'postalCode post_code zipcode'],
    ['country', PARTS, 'countryCode'],
    ['line1', LEGACY_PARTS, 'street street1 addressLine1 address1'],
    ['line2', LEGACY_PARTS, 'street2 addressLine2 address2'],
    ['region', LEGACY_PARTS, 'state province'],
    ['postalCode', LEGACY_PARTS, 'zip zipcode postcode'],
  ])('means %s', (field, known, names) => {
    for (const name of names.split(' ')) expect([name, findNearestField(name, known)]).toEqual([name, field]);
  });

  test('of two fields that begin with it, means neither', () => {
    expect(findNearestField('include', ['include_fraud', 'include_name'])).toBeUndefined();
    expect(findNearestField('include_f', ['include_fraud', 'include_name'])).toBe('include_fraud');
  });
});

describe('a value that is sent twice', () => {
  const home = {
    street: '12 Larch St',
    street2: 'Apt 2',
    city: 'Springfield',
    state: 'IL',
    zip: '62701',
    country: 'US',
  };
  const count = (...addresses: object[]) => parse({ name: 'Jane Doe', addresses }).addresses.length;

  test('is one address in another case and with other spaces', () => {
    const spaced = Object.entries(home).map(([part, text]) => [part, text.toUpperCase().replace(' ', '  ')]);
    expect(count(home, Object.fromEntries(spaced), { ...home, city: 'Springfield' })).toBe(1);
  });

  test.each(PARTS)('is another address with another %s', (part) => {
    expect(count(home, { ...home, [part]: part === 'country' ? 'CA' : '7' })).toBe(2);
  });

  test('is counted once among the most that one kind may have', () => {
    const fullName = 'Jane Doe';
    const same = Array.from({ length: 6 }, () => ({ fullName, address: { line1: '12 Larch St' } }));
    expect(problemOf({ nameAddresses: same })).toBeUndefined();
    const phones = [
      '(415) 555-0100',
      '415 555 0100',
      '415-555-0100',
      '4155550100',
      '415.555.0100',
      '415/5550100',
    ];
    expect(problemOf({ name: fullName, phones })).toBeUndefined();
  });
});

describe('the text of an issue', () => {
  test.each<[string, unknown, string]>([
    ['a missing name', { emails: [] }, 'This field is required: one full name.'],
    ['a name that is a number', { name: 5 }, 'This must be a string.'],
    ['a list that is a text', { name: 'A B', emails: 'a@b.com' }, 'This must be a list.'],
    ['an address that is a text', { name: 'A B', addresses: ['x'] }, 'This must be an object.'],
    ['a switch that is a text', { name: 'A B', include_name_matching: 'x' }, 'This must be true or false.'],
    ['an empty name', { name: ' ' }, 'This must not be empty.'],
    ['a name without letters', { name: '12' }, 'A name has at least one letter.'],
    ['a text that is no e-mail', { name: 'A B', emails: ['x'] }, 'This is not an email address.'],
    [
      'a short phone',
      { name: 'A B', phones: ['123'] },
      'A phone number has 10 to 15 digits. Add the country code to a shorter one.',
    ],
    ['another operation', { name: 'A B', operation: 'x' }, 'The operation is `validate` or `raw`.'],
    [
      'half of a surrogate pair',
      { name: 'A \ud800' },
      'This text contains half of a surrogate pair, which is not a character.',
    ],
    [
      'two names',
      { nameAddresses: [{ fullName: 'Ann Lee' }, { fullName: 'Bob Lee' }] },
      'A request is about one name; these entries have different names.',
    ],
  ])('says what is wrong with %s', (_, body, text) => {
    expect(problemOf(body)?.errors?.map(({ detail }) => detail)).toEqual([text]);
  });
});
