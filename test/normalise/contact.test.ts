import { expect, test } from 'vitest';
import { normaliseContact } from '../../src/normalise/contact.ts';

const ADDRESS = {
  street: '12 Larch St',
  street2: '',
  city: 'Springfield',
  state: 'il',
  zip: '62701-1234',
  country: '',
};

test('an e-mail has an exact key, a mailbox key and a typo signature', () => {
  expect(normaliseContact('email', 'Ann.Lee7+shop@Gmail.com', 'US')).toEqual({
    kind: 'email',
    input: 'Ann.Lee7+shop@Gmail.com',
    standardized: 'ann.lee7+shop@gmail.com',
    keys: [
      { type: 'email', text: 'ann.lee7+shop@gmail.com' },
      { type: 'mailbox', text: 'annlee7@gmail.com' },
    ],
    signature: { kind: 'email', exactPart: '7@gmail.com', text: 'ann.lee7+shop@gmail.com' },
  });
});

test('a phone is read in the first region that fits, and has no typo signature: another digit is another phone', () => {
  const [home, abroad] = [
    normaliseContact('phone', '020 7946 0018', 'GB'),
    normaliseContact('phone', '020 7946 0018', ['GB', 'US']),
  ];
  expect(home).toMatchObject({
    kind: 'phone',
    input: '020 7946 0018',
    standardized: '+442079460018',
    signature: null,
  });
  expect(abroad).toEqual(home);
});

test('an address keeps its input beside its standardized form', () => {
  expect(normaliseContact('address', ADDRESS, 'US')).toMatchObject({
    kind: 'address',
    input: ADDRESS,
    standardized: { street: '12 LARCH ST', state: 'IL', zip: '62701', plus4: '1234', country: 'US' },
    signature: { kind: 'address', exactPart: '12|62701', text: '12 larch st' },
  });
});

test.each([
  ['an e-mail without a domain', () => normaliseContact('email', 'nobody', 'US')],
  ['a phone of three digits', () => normaliseContact('phone', '911', 'US')],
  [
    'an address of empty parts',
    () =>
      normaliseContact(
        'address',
        { street: '', street2: '', city: '', state: '', zip: '', country: '' },
        'US',
      ),
  ],
])('%s is no contact', (_, read) => {
  expect(read()).toBeNull();
});
