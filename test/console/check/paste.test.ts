import { expect, test } from 'vitest';
import { parsePastedText } from '../../../src/console/check/paste.ts';

const read = (text: string) => {
  const { name, emails, phones, addresses } = parsePastedText(text);
  return [
    name,
    emails.join(' '),
    phones.join(' '),
    addresses.map((address) => Object.values(address).filter(Boolean).join('|')).join(' '),
  ];
};

test.each([
  ['Bob Hale, bob@example.com, 503 555 0142', ['Bob Hale', 'bob@example.com', '503 555 0142', '']],
  ['Hale, Bob; (503) 555-0142', ['Hale, Bob', '', '(503) 555-0142', '']],
  [
    'Bob Hale <bob@example.com> +1 503-555-0142 418 Alder Creek Rd., Portland, OR 97219',
    ['Bob Hale', 'bob@example.com', '+1 503-555-0142', '418 Alder Creek Rd., Portland, OR 97219'],
  ],
  [
    'Name: Jane Quimby\nE-mail: jane@example.com\nPhone: 415.555.0134\nAddress: 12 Larch Street, Apt 4, Springfield, IL 62701-1234',
    ['Jane Quimby', 'jane@example.com', '415.555.0134', '12 Larch Street, Apt 4, Springfield, IL 62701-1234'],
  ],
  [
    'Юрий Белозёров\ty@mailbox.example\t718-555-0129',
    ['Юрий Белозёров', 'y@mailbox.example', '718-555-0129', ''],
  ],
  [
    'Jürgen Weißhaupt | Lindenhofstr. 12a | Bremen | 28237',
    ['Jürgen Weißhaupt', '', '', 'Lindenhofstr. 12a, Bremen, 28237'],
  ],
  ['a@example.com b@example.org', ['', 'a@example.com b@example.org', '', '']],
  ['mailto:a@example.com', ['', 'a@example.com', '', '']],
  [
    '97219 Portland OR, 418 Alder Creek Rd; (503) 555-0142; Hale, Bob; bob@example.com',
    ['Hale, Bob', 'bob@example.com', '(503) 555-0142', '97219 Portland OR, 418 Alder Creek Rd'],
  ],
  [
    '+15035550142 418 Alder Creek Rd Portland OR 97219',
    ['', '', '+15035550142', '418 Alder Creek Rd Portland OR 97219'],
  ],
  ['Hauptstraße 12, 10115 Berlin, Germany', ['', '', '', 'Hauptstraße 12, 10115 Berlin, Germany']],
  [
    'Marie Dupont, 12 rue de la Paix, 75002 Paris, France',
    ['Marie Dupont', '', '', '12 rue de la Paix, 75002 Paris, France'],
  ],
  [
    'van der Berg, Anna; 1200 Broadway, New York, NY 10001',
    ['van der Berg, Anna', '', '', '1200 Broadway, New York, NY 10001'],
  ],
  ['Bob Hale, 503.555.0142 ext 12', ['Bob Hale', '', '503.555.0142 ext 12', '']],
  [
    'Ute Zander, +49 (0)172 3666451, Königsallee 62, 04109 Leipzig',
    ['Ute Zander', '', '+49 (0)172 3666451', 'Königsallee 62, 04109 Leipzig'],
  ],
  ['Ute Zander 0049 (0)172 3666451', ['Ute Zander', '', '0049 (0)172 3666451', '']],
  ['Ute Zander (0)172 3666451', ['Ute Zander', '', '(0)172 3666451', '']],
  [
    'Cícero Guimarães\nAv. Paulista, 1605 - São Paulo',
    ['Cícero Guimarães', '', '', 'Av. Paulista, 1605 - São Paulo'],
  ],
  [
    'Cícero Guimarães, Av. Paulista, 1605 - São Paulo',
    ['Cícero Guimarães', '', '', 'Av. Paulista, 1605 - São Paulo'],
  ],
  [
    'Endereço: Av. Paulista, 1605\nNome: Cícero Guimarães',
    ['Cícero Guimarães', '', '', 'Av. Paulista, 1605'],
  ],
  ...['Tel.', 'Telefon', 'Mobil:', 'Handy:', 'Teléfono:', 'Tel.:'].map((label) => [
    `Ute Zander\n${label} 0172 3666451\nRheinstr. 4, Köln`,
    ['Ute Zander', '', '0172 3666451', 'Rheinstr. 4, Köln'],
  ]),
  ...['Adres', 'Adresse', 'Endereço', 'Dirección', 'ADDRESS'].map((label) => [
    `Ute Zander\n${label}: Rheinstr. 4, Köln`,
    ['Ute Zander', '', '', 'Rheinstr. 4, Köln'],
  ]),
  ...['Nom', 'Nombre', 'Name', 'Nome', 'Naam'].map((label) => [
    `${label}: Ute Zander\nEmail: ute@post.example`,
    ['Ute Zander', 'ute@post.example', '', ''],
  ]),
  ['メールアドレス：ute@post.example\n氏名：Ute Zander', ['Ute Zander', 'ute@post.example', '', '']],
  [
    'Name: Ute Zander, Rheinstr. 4, Köln\nTel: 0172 3666451',
    ['Ute Zander', '', '0172 3666451', 'Rheinstr. 4, Köln'],
  ],
  ['Ute Zander\nEmail:ute@post.example', ['Ute Zander', 'ute@post.example', '', '']],
  ['Name: Ute Zander 2nd', ['Ute Zander 2nd', '', '', '']],
  ['', ['', '', '', '']],
  ['<img src=x onerror=alert(1)>', ['', '', '', 'img src=x onerror=alert(1)']],
] as [string, string[]][])('%s', (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test('at most five values of a kind are used, and the others are listed as unused', () => {
  const emails = Array.from({ length: 6 }, (_, i) => `a${i}@example.com`);
  expect(parsePastedText(emails.join(' '))).toMatchObject({
    emails: emails.slice(0, 5),
    unused: ['a5@example.com'],
  });
});

test('parts that fill no field are listed as unused', () => {
  expect(parsePastedText('1984-05-17 Bob Hale 503 555 0142, likes tea')).toMatchObject({
    name: 'Bob Hale',
    addresses: [],
    unused: ['1984-05-17', 'likes tea'],
  });
});

test('a pasted request as JSON fills the form; other fields are listed as not used', () => {
  const request = {
    name: 'Bob Hale',
    emails: ['bob@example.com', null],
    phones: '503 555 0142',
    addresses: [{ street: '1 Main St', zip: 97_201, floor: 3 }, '2 Oak Ave, Salem OR'],
    intent: 'dating',
    include_fraud_detection: false,
  };
  expect(parsePastedText(` ${JSON.stringify(request, null, 2)}`)).toEqual({
    name: 'Bob Hale',
    emails: ['bob@example.com'],
    phones: ['503 555 0142'],
    addresses: [{ street: '1 Main St', zip: '97201' }, { street: '2 Oak Ave, Salem OR' }],
    unused: ['intent: dating', 'include_fraud_detection: false'],
  });
  expect(parsePastedText('{"name":"Bob", broken').unused).not.toContain('name: Bob');
});

test('a pasted request with more values than a request may have lists the others', () => {
  const emails = Array.from({ length: 7 }, (_, i) => `a${i}@post.example`);
  expect(parsePastedText(JSON.stringify({ name: 'Bob', emails }))).toMatchObject({
    emails: emails.slice(0, 5),
    unused: emails.slice(5),
  });
});

test('a hostile text is read in a time that grows with its length', () => {
  const start = performance.now();
  parsePastedText('a@'.repeat(5000));
  parsePastedText('a.'.repeat(5000));
  parsePastedText(`a@${'a.'.repeat(5000)}@`);
  expect(performance.now() - start).toBeLessThan(2000);
});
