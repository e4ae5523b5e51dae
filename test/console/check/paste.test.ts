import { expect, test } from 'vitest';
import { takeApart } from '../../../src/console/check/paste.ts';

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
    ['Jane Quimby', 'jane@example.com', '415.555.0134', '12 Larch Street|Apt 4|Springfield|IL|62701'],
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
  ['', ['', '', '', '']],
  ['<img src=x onerror=alert(1)>', ['', '', '', 'img src=x onerror=alert(1)']],
])('%s', (text, expected) => {
  expect(plain(text)).toEqual(expected);
});

test('no more than five of a kind are taken', () => {
  const many = Array.from({ length: 9 }, (_, i) => `a${i}@example.com`).join(' ');
  expect(takeApart(many).emails).toHaveLength(5);
});
