import { describe, expect, test } from 'vitest';
import {
  buildGraphQuery,
  interpretPhonesInAddressCountries,
  getLookupKeysOfContact,
  getQueryTypoSearchData,
  removeMatchesWithOtherUnits,
} from '../../src/match/graph-query.ts';
import type { ContactMatch, LookupKey } from '../../src/model.ts';
import { normaliseContact } from '../../src/normalise/contact.ts';
import { claimOf } from '../kit/claims.ts';

const address = (...texts: string[]): LookupKey[] => texts.map((text) => ({ type: 'address', text }));
const agreement = (type: string) => ({ type }) as ContactMatch;

describe('an address with a unit', () => {
  const keys = address('12|larch street|2|62701', 'looser');

  test('is looked up without the unit too, behind its exact key', () => {
    expect(getLookupKeysOfContact({ kind: 'address', keys }).map(({ text }) => text)).toEqual([
      '12|larch street|2|62701',
      '12|larch street||62701',
      'looser',
    ]);
    expect(getLookupKeysOfContact({ kind: 'address', keys })[1]).toMatchObject({ type: 'address' });
  });

  test.each([
    ['an address without a unit', 'address', address('12|larch street||62701')],
    ['an address without a house number', 'address', address('|larch street|2|62701')],
    ['a text without parts', 'address', address('12|larch street')],
    ['an address without a key', 'address', []],
    ['a phone', 'phone', keys],
    [
      'a key of another type',
      'address',
      [{ type: 'premise', text: '12|larch street|2|62701' }] as LookupKey[],
    ],
  ] as const)('%s is looked up as it is', (_, kind, as) => {
    expect(getLookupKeysOfContact({ kind, keys: [...as] })).toEqual([...as]);
  });

  test('does not agree with another unit of its building', () => {
    const agreements = [agreement('address'), agreement('premise')];
    expect(removeMatchesWithOtherUnits(agreements, { kind: 'address', keys })).toEqual([
      agreement('address'),
    ]);
    expect(removeMatchesWithOtherUnits(agreements, { kind: 'phone', keys })).toEqual(agreements);
    const whole = address('12|larch street||62701');
    expect(removeMatchesWithOtherUnits(agreements, { kind: 'address', keys: whole })).toEqual(agreements);
  });
});

describe('a phone without a country code', () => {
  const contactsOf = (phone: string, ...countries: string[]) =>
    claimOf({
      name: 'Jane Doe',
      phones: [phone],
      addresses: countries.map((country) => ({ street: '1 Main St', city: 'Town', country })),
    }).contacts;
  const readingsIn = (phone: string, ...countries: string[]) =>
    interpretPhonesInAddressCountries(contactsOf(phone, ...countries)).map(
      ({ standardized }) => standardized,
    );
  const phoneIn = (country: string, text: string) => normaliseContact('phone', text, country)?.standardized;

  test('that the region can read is read in the country of each address too', () => {
    expect(readingsIn('2079460018', 'GB')).toEqual([phoneIn('GB', '2079460018')]);
    expect(readingsIn('2079460018', 'GB', 'GB')).toHaveLength(1);
  });

  test('is not read again without an address, in its own region, and between the United States and Canada', () => {
    expect(readingsIn('4155550134')).toEqual([]);
    expect(readingsIn('4155550134', 'US')).toEqual([]);
    expect(readingsIn('4155550134', 'CA')).toEqual([]);
  });

  test('is looked up behind the contacts, as another phone', () => {
    const contacts = contactsOf('2079460018', 'GB');
    const { values, readings } = buildGraphQuery(contacts);
    expect(values).toHaveLength(contacts.length + 1);
    expect(values.slice(0, -1).map(({ raw }) => raw)).toEqual(contacts);
    expect(values.at(-1)).toMatchObject({
      signature: null,
      raw: { kind: 'other_phone', input: phoneIn('GB', '2079460018') },
    });
    expect(readings[0]).toMatchObject({ contact: contacts.findIndex(({ kind }) => kind === 'phone') });
    expect(readings[0]?.keys).toHaveLength(1);
  });
});

test.each([
  ['b.1indgrenss0n@post.example', 'b.lindgrensson@post.example'],
  ['bob1@post.example', null],
  ['anna01k@post.example', null],
  ['1ndi.22@post.example', 'lndi.22@post.example'],
])(
  'a digit before a letter of an e-mail is searched as the letter that it imitates: %s',
  (email, letters) => {
    const contact = normaliseContact('email', email, 'US')!;
    const like = letters === null ? contact : normaliseContact('email', letters, 'US')!;
    expect(getQueryTypoSearchData(contact)).toEqual(like.signature);
  },
);
