// Pairs of records of invented people, and whether they are one person.
import type { Row } from '../kit/graphs/graph.ts';

export const HOME = { street: '77 Juniper Terrace', city: 'Boise', state: 'ID', zip: '83702' };
export const PHONE = '+1 208 234 0145';

/** Two or three records, and whether they belong to one person. `rowsOf` gives each case values that no other case has. */
export interface Case {
  what: string;
  one: boolean;
  rows: Omit<Row, 'record_id'>[];
}

export const CASES: Case[] = [
  {
    what: 'spouses who share phone, address and e-mail domain',
    one: false,
    rows: [
      {
        name: 'Margaret Ostrander',
        emails: ['margaret@ostrander.example'],
        phones: [PHONE],
        addresses: [HOME],
      },
      {
        name: 'Theodore Ostrander',
        emails: ['theodore@ostrander.example'],
        phones: [PHONE],
        addresses: [HOME],
      },
    ],
  },
  {
    what: 'spouses who share even one e-mail address',
    one: false,
    rows: [
      { name: 'Margaret Ostrander', emails: ['ostranders@post.example'], phones: [PHONE], addresses: [HOME] },
      { name: 'Theodore Ostrander', emails: ['ostranders@post.example'], phones: [PHONE], addresses: [HOME] },
    ],
  },
  {
    what: 'twins with one birth date, phone and address',
    one: false,
    rows: [
      { name: 'Clarissa Ostrander', birth_date: '2001-05-06', phones: [PHONE], addresses: [HOME] },
      { name: 'Benjamin Ostrander', birth_date: '2001-05-06', phones: [PHONE], addresses: [HOME] },
    ],
  },
  {
    what: 'father and son who share all but the suffix',
    one: false,
    rows: [
      { name: 'Walter Ostrander Sr', phones: [PHONE], addresses: [HOME] },
      { name: 'Walter Ostrander Jr', phones: [PHONE], addresses: [HOME] },
    ],
  },
  {
    what: 'two people of one name whose first days of a year differ in one digit',
    one: false,
    rows: [
      { name: 'Emma Louise Clarke', birth_date: '1990-01-01' },
      { name: 'Emma Clarke', birth_date: '1970-01-01' },
    ],
  },
  {
    what: 'two people of one name, of whom one has an e-mail with the initial',
    one: false,
    rows: [
      { name: 'Emma Louise Clarke', emails: ['emma.clarke@gmail.com'] },
      { name: 'Emma Clarke', emails: ['eclarke@gmail.com'] },
    ],
  },
  {
    what: 'father and son of one name with two birth dates',
    one: false,
    rows: [
      { name: 'Walter Ostrander', birth_date: '1948-02-11', phones: [PHONE], addresses: [HOME] },
      { name: 'Walter Ostrander', birth_date: '1979-10-30', phones: [PHONE], addresses: [HOME] },
    ],
  },
  {
    what: 'two people of one common name in two places',
    one: false,
    rows: [
      { name: 'James Brown', emails: ['james.brown@post.example'], addresses: [HOME] },
      {
        name: 'James Brown',
        emails: ['jb1970@post.example'],
        addresses: [{ street: '5 Harbor Lane', city: 'Mobile', state: 'AL', zip: '36602' }],
      },
    ],
  },
  {
    what: 'a nickname with the same phone',
    one: true,
    rows: [
      { name: 'Margaret Ostrander', phones: [PHONE], emails: ['m.ostrander@post.example'] },
      { name: 'Peggy Ostrander', phones: [PHONE], addresses: [HOME] },
    ],
  },
  {
    what: 'a typo in the name with the same e-mail',
    one: true,
    rows: [
      { name: 'Margaret Ostrander', emails: ['m.ostrander@post.example'] },
      { name: 'Margaret Ostrandre', emails: ['m.ostrander@post.example'] },
    ],
  },
  {
    what: 'a changed family name with the same phone and e-mail',
    one: true,
    rows: [
      { name: 'Margaret Ostrander', phones: [PHONE], emails: ['margaret.o@post.example'] },
      { name: 'Margaret Vandermolen', phones: [PHONE], emails: ['margaret.o@post.example'] },
    ],
  },
  {
    what: 'accents, order and case with the same phone',
    one: true,
    rows: [
      { name: 'José Ostrander', phones: [PHONE] },
      { name: 'OSTRANDER, JOSE', phones: [PHONE] },
    ],
  },
  {
    what: 'a name in another script with the same e-mail',
    one: true,
    rows: [
      { name: 'Екатерина Вознесенская', emails: ['voznesenskaya@post.example'] },
      { name: 'Ekaterina Voznesenskaya', emails: ['voznesenskaya@post.example'] },
    ],
  },
  {
    what: 'a name in Han characters with the same phone',
    one: true,
    rows: [
      { name: '山田太郎', phones: [PHONE] },
      { name: 'Taro Yamada', phones: [PHONE] },
    ],
  },
  {
    what: 'spouses in two scripts who share a phone',
    one: false,
    rows: [
      { name: '山田太郎', phones: [PHONE] },
      { name: 'Hanako Yamada', phones: [PHONE] },
    ],
  },
  {
    what: 'a man and a woman whose names in two scripts differ in the last vowel, with the same phone',
    one: false,
    rows: [
      { name: 'Александр Иванихин', phones: [PHONE] },
      { name: 'Alexandra Ivanikhina', phones: [PHONE] },
    ],
  },
  {
    what: 'a sister and her brother in two scripts who share a phone',
    one: false,
    rows: [
      { name: 'سميرة السعدي', phones: [PHONE] },
      { name: 'Samir Saadi', phones: [PHONE] },
    ],
  },
  {
    what: 'a woman in two scripts, with the same phone',
    one: true,
    rows: [
      { name: 'سميرة السعدي', phones: [PHONE] },
      { name: 'Samira Saadi', phones: [PHONE] },
    ],
  },
  {
    what: 'the first and the second of a name, who share all else',
    one: false,
    rows: [
      { name: 'Walter Ostrander I', phones: [PHONE], addresses: [HOME] },
      { name: 'Walter Ostrander II', phones: [PHONE], addresses: [HOME] },
    ],
  },
  {
    what: 'people of one name in one district, but not in one street',
    one: false,
    rows: [
      {
        name: 'Margaret Ostrander',
        addresses: [{ zip: 'BN3 6EF', country: 'GB' }],
        emails: ['one@post.example'],
      },
      {
        name: 'Margot Ostrander',
        addresses: [{ zip: 'BN3 1AB', country: 'GB' }],
        emails: ['two@post.example'],
      },
    ],
  },
  {
    what: 'one rare name and birth date, with no contact in common',
    one: true,
    rows: [
      { name: 'Margaret Ostrander', birth_date: '1969-07-20', emails: ['one@post.example'] },
      { name: 'Margaret Ostrander', birth_date: '1969-07-20', emails: ['two@post.example'] },
    ],
  },
  {
    what: 'a record without a name that has the e-mail and the phone',
    one: true,
    rows: [
      { name: 'Margaret Ostrander', emails: ['m.ostrander@post.example'], phones: [PHONE] },
      { emails: ['m.ostrander@post.example'], phones: [PHONE] },
    ],
  },
  {
    what: 'records that only a third one joins',
    one: true,
    rows: [
      { name: 'Margaret Ostrander', emails: ['m.ostrander@post.example'] },
      { name: 'Margaret Ostrander', phones: [PHONE] },
      { name: 'Margaret Ostrander', emails: ['m.ostrander@post.example'], phones: [PHONE] },
    ],
  },
  {
    what: 'anything under one identity label',
    one: true,
    rows: [
      { identity: 'L1', name: 'Margaret Ostrander', emails: ['one@post.example'] },
      { identity: 'L1', name: 'Hiroshi Tanaka', phones: [PHONE] },
    ],
  },
  {
    what: 'equal records under two identity labels',
    one: false,
    rows: [
      {
        identity: 'L1',
        name: 'Margaret Ostrander',
        emails: ['m.ostrander@post.example'],
        phones: [PHONE],
        birth_date: '1969-07-20',
      },
      {
        identity: 'L2',
        name: 'Margaret Ostrander',
        emails: ['m.ostrander@post.example'],
        phones: [PHONE],
        birth_date: '1969-07-20',
      },
    ],
  },
];

/** Returns the rows of a case with another phone, mailbox, house, label and ending of the family name than those of any other case. */
export function rowsOf({ rows }: Case, index: number): Row[] {
  const ending = `${'bcdfghjklmnprstvzwxqy'[index]}a`;
  const own = (text: string) =>
    text.replace(/Ostrand/gi, (stem) => `${stem.slice(0, -1)}${ending}`).replace('@', `.${index}@`);
  return rows.map((row, i) => ({
    ...row,
    record_id: `case${index}-${i}`,
    ...(row.identity ? { identity: `${row.identity}-${index}` } : {}),
    ...(row.name ? { name: own(row.name) } : {}),
    ...(row.emails ? { emails: row.emails.map(own) } : {}),
    ...(row.phones ? { phones: row.phones.map((phone) => phone.replace('234', String(300 + index))) } : {}),
    ...(row.addresses
      ? {
          addresses: row.addresses.map((it) => ({
            ...it,
            street: it.street?.replace(/^\d+/, (n) => `${n}${index}`),
          })),
        }
      : {}),
  }));
}
