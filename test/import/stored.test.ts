import { describe, expect, test } from 'vitest';
import { createFingerprintFunctions } from '../../src/graph/encryption/fingerprints.ts';
import { toStoredRecord } from '../../src/import/stored.ts';
import { parseImportRecord } from '../../src/import/record.ts';
import type { Address } from '../../src/model.ts';

const fingerprints = createFingerprintFunctions('a1'.repeat(32));

function stored(raw: object) {
  const read = parseImportRecord({ record_id: '1', name: 'Jo Doe', ...raw }, { source: 'crm', region: 'US' });
  if (!('record' in read)) throw new Error(read.problem);
  return toStoredRecord(read.record, { fingerprints });
}

/** Returns how many places two addresses have in common. */
function shared(one: Partial<Address>, two: Partial<Address>): number {
  const places = (address: Partial<Address>) => stored({ addresses: [address] }).contacts[0]?.places ?? [];
  const theirs = places(two);
  return places(one).filter((place) => theirs.includes(place)).length;
}

describe('the places of an address', () => {
  test('a British or Canadian postcode is a place, and so is its district', () => {
    expect(shared({ zip: 'BN3 6EF', country: 'GB' }, { zip: 'bn36ef', country: 'GB' })).toBe(2);
    expect(shared({ zip: 'BN3 6EF', country: 'GB' }, { zip: 'BN3 6EG', country: 'GB' })).toBe(1);
    expect(shared({ zip: 'BN3 6EF', country: 'GB' }, { zip: 'BN1 6EF', country: 'GB' })).toBe(0);
    expect(shared({ zip: 'K1A 0B1', country: 'CA' }, { zip: 'K1A 0B2', country: 'CA' })).toBe(1);
  });

  test('an American postcode ends where the route begins', () => {
    expect(shared({ zip: '83702-1234', country: 'US' }, { zip: '83702', country: 'US' })).toBe(1);
  });

  test('a street without its number is a place too', () => {
    const place = { city: 'Boise', state: 'ID', zip: '83702' };
    expect(shared({ street: '77 Juniper Terrace', ...place }, { street: 'Juniper Ter', ...place })).toBe(3);
    expect(shared({ street: '77 Juniper Terrace', ...place }, { street: '77 Larch Lane', ...place })).toBe(2);
  });
});

test.each([
  ['900 Tower Ave Apt 4', '900 Tower Avenue #4', true],
  ['900 Tower Ave Apt 4', '900 Tower Ave Apt 19', false],
  ['900 Tower Ave Apt 4', '900 Tower Ave Bldg 2 Apt 4', true],
  ['900 Tower Ave 2nd Floor Apt 4', '900 Tower Ave Apt 4', true],
  ['900 Tower Ave Rear', '900 Tower Ave Apt 4', false],
  ['Lindengasse 12/4', 'Lindengasse 12/7', false],
])('the units of %s and %s are stored as one flat: %s', (one, two, same) => {
  const unitOf = (street: string) => stored({ addresses: [{ street, zip: '83702' }] }).contacts[0]?.unit;
  expect(unitOf(one)).toBeTypeOf('number');
  expect(unitOf(one) === unitOf(two)).toBe(same);
});

test('an address without a flat, or with a floor, has no unit', () => {
  for (const street of ['900 Tower Ave', '900 Tower Ave 2nd Floor', 'PO Box 12'])
    expect(stored({ addresses: [{ street, zip: '83702' }] }).contacts[0]).not.toHaveProperty('unit');
});

test('traits of a person are stored as fingerprints', () => {
  const identifiers = [{ type: 'National ID', value: '12-34 567', country: 'Spain' }];
  const text = JSON.stringify(stored({ birth_place: 'Thornbury', gender: 'Female', identifiers }));
  expect(text).not.toMatch(/thornbury|1234567|national/i);
  expect(stored({ gender: 'W' }).gender).toBe('female');
  expect(stored({ title: 'Mrs.' }).gender).toBe('female');
});
