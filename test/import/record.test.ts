import { expect, test } from 'vitest';
import { readRecord } from '../../src/import/record.ts';

const phoneOf = (phone: string) => {
  const raw = { record_id: '1', name: 'Ann Lee', phone };
  return readRecord(raw, { source: 'crm', region: 'DE' });
};

test.each([
  ['491712345678', '+491712345678'],
  ['447911123456', '+447911123456'],
  ['1712345678', '+491712345678'],
  ['15112345678', '+4915112345678'],
  ['3023125014', '+493023125014'],
])('of German digits that may have lost a plus sign, %s is read as %s', (phone, standardized) => {
  expect(phoneOf(phone)).toMatchObject({ record: { contacts: [{ standardized }] }, dropped: [] });
});

test('digits that may as well have lost a zero are left out, and told', () => {
  expect(phoneOf('33612345678')).toMatchObject({
    record: { contacts: [] },
    dropped: ['phones[0] cannot be used'],
  });
});
