import { expect, test } from 'vitest';
import { listRecordValues } from '../../../src/console/people/values.ts';

const RECORD = {
  record_id: '7',
  source: 'crm',
  names: ['Jane Doe'],
  birth_date: '1984-05-17',
  gender: null,
  identity_label: null,
  first_seen: null,
  last_seen: null,
  fingerprints: { emails: 1, phones: 2, addresses: 0, identifiers: 0, birth_places: 0 },
  whole: null,
};

test('a record shows its values where they are kept, and else the number of their fingerprints', () => {
  expect(listRecordValues(RECORD)).toEqual([
    'Jane Doe',
    'born 1984-05-17',
    '1 e-mail, 2 phones (fingerprints only)',
  ]);
  const address = {
    street: '12 Oak St',
    street2: '',
    city: 'Salem',
    state: 'OR',
    zip: '97301',
    country: 'US',
  };
  const whole = {
    emails: ['jane@example.com'],
    phones: ['+14155550100'],
    addresses: [address],
    identifiers: [],
    birth_place: null,
  };
  expect(listRecordValues({ ...RECORD, whole }).slice(2)).toEqual([
    'jane@example.com',
    '+14155550100',
    '12 Oak St, Salem, OR, 97301, US',
  ]);
});
