import { expect, test } from 'vitest';
import { takeApart } from '../../../../src/console/check/paste/apart.ts';

const plain = (text: string) => {
  const { name, emails, phones, addresses } = takeApart(text);
  return [
    name,
    emails.join(' '),
    phones.join(' '),
    addresses.map((one) => Object.values(one).filter(Boolean).join('|')).join(' '),
  ];
};

test.each([
  ['Bob Hale, bob@example.com, 503 555 0142', ['Bob Hale', 'bob@example.com', '503 555 0142', '']],
  ['Hale, Bob; (503) 555-0142', ['Bob Hale', '', '(503) 555-0142', '']],
  [
    'Bob Hale <bob@example.com> +1 503-555-0142 418 Alder Creek Rd., Portland, OR 97219',
    ['Bob Hale', 'bob@example.com', '+1 503-555-0142', '418 Alder Creek Rd.|Portland|OR|97219'],
  ],
  [
    'Name: Jane Quimby\nE-mail: jane@example.com\nPhone: 415.555.0134\nAddress: 12 Larch Street, Apt 4, Springfield, IL 62701-1234',
    ['Jane Quimby', 'jane@example.com', '415.555.0134', '12 Larch Street|Apt 4|Springfield|IL|62701-1234'],
  ],
  [
    'Юрий Белозёров\ty@mailbox.example\t718-555-0129',
    ['Юрий Белозёров', 'y@mailbox.example', '718-555-0129', ''],
  ],
  [
    'Jürgen Weißhaupt | Lindenhofstr. 12a | Bremen | 28237',
    ['Jürgen Weißhaupt', '', '', 'Lindenhofstr. 12a|Bremen|28237'],
  ],
  ['a@example.com b@example.org', ['', 'a@example.com b@example.org', '', '']],
  [
    '97219 Portland OR, 418 Alder Creek Rd; (503) 555-0142; Hale, Bob; bob@example.com',
    ['Bob Hale', 'bob@example.com', '(503) 555-0142', '418 Alder Creek Rd|Portland|OR|97219'],
  ],
  [
    '+15035550142 418 Alder Creek Rd Portland OR 97219 Robert Hale',
    ['Robert Hale', '', '+15035550142', '418 Alder Creek Rd|Portland|OR|97219'],
  ],
  ['Hauptstraße 12, 10115 Berlin, Germany', ['', '', '', 'Hauptstraße 12|Berlin|10115|Germany']],
  [
    '12 rue de la Paix, 75002 Paris, France, Marie Dupont',
    ['Marie Dupont', '', '', '12 rue de la Paix|Paris|75002|France'],
  ],
  [
    'London SW1A 2AB, 10 Larch Street, Ann Lee, UK',
    ['Ann Lee', '', '', '10 Larch Street|London|SW1A 2AB|UK'],
  ],
  [
    'van der Berg, Anna; 1200 Broadway, New York, NY 10001',
    ['Anna van der Berg', '', '', '1200 Broadway|New York|NY|10001'],
  ],
  [
    'Bob Hale, 418 Alder Creek Rd, Portland, Oregon, 97219, USA',
    ['Bob Hale', '', '', '418 Alder Creek Rd|Portland|Oregon|97219|USA'],
  ],
  ['Portland, OR; Bob Hale', ['Bob Hale', '', '', 'Portland|OR']],
  ['Bob Hale, 503.555.0142 ext 12', ['Bob Hale', '', '503.555.0142 ext 12', '']],
  ['', ['', '', '', '']],
  ['<img src=x onerror=alert(1)>', ['', '', '', 'img src=x onerror=alert(1)']],
])('%s', (text, expected) => {
  expect(plain(text)).toEqual(expected);
});

test('no more than five of a kind are taken, and the others are told', () => {
  const many = Array.from({ length: 6 }, (_, i) => `a${i}@example.com`);
  expect(takeApart(many.join(' '))).toMatchObject({ emails: many.slice(0, 5), left: ['a5@example.com'] });
});

test('what no field takes is told', () => {
  expect(takeApart('1984-05-17 Bob Hale 503 555 0142, likes tea')).toMatchObject({
    name: 'Bob Hale',
    addresses: [],
    left: ['1984-05-17', 'likes tea'],
  });
});

test('a request as JSON is taken as it is, and what else it has is told', () => {
  const address = { street: '12 Oak St', city: 'Salem' };
  const body = {
    name: 'Bob Hale',
    emails: ['bob@example.com'],
    phones: '503 555 0142',
    addresses: [address],
    intent: 'general',
  };
  expect(takeApart(JSON.stringify(body, null, 1))).toEqual({
    name: 'Bob Hale',
    emails: ['bob@example.com'],
    phones: ['503 555 0142'],
    addresses: [{ ...address, street2: '', state: '', zip: '', country: '' }],
    left: ['intent: general'],
  });
});
