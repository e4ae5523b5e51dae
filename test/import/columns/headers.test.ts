import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { assignFieldsToColumns } from '../../../src/import/columns/columns.ts';
import { guessColumn } from '../../../src/import/columns/guess.ts';

const LIST = readFileSync(new URL('headers.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'));

test('the list has 387 headers of eighteen languages', () => {
  expect([LIST.length, new Set(LIST.map(([language]) => language)).size]).toEqual([387, 18]);
});

test.each(LIST)('%s %s: %s', (_, kind, header = '') => {
  expect(guessColumn(header)?.field ?? 'none').toBe(kind);
});

const choose = (headers: string[], samples: string[][]) =>
  assignFieldsToColumns(headers, { name: 'a.csv', makeId: () => 'row', samples });
const PEOPLE = [
  ['Oskar Lindqvist', 'VIP', 'Leipzig'],
  ['Maria Gonzalez', 'VIP', 'Mainz'],
  ['Владимир Петров', 'basic', 'Köln'],
  ['王小明', 'basic', 'Bonn'],
  ['Priya Raghunathan', 'basic', 'Ulm'],
];

describe('a column of names', () => {
  test('is proposed by its cells where no header says it', () => {
    expect(choose(['Column 1', 'Level', 'City'], PEOPLE)).toEqual([
      { field: 'name', group: '', isGuess: true },
      null,
      { field: 'city', group: '' },
    ]);
  });

  test.each(['Company', 'Sales rep', 'Product'])('is not proposed under %s', (header) => {
    expect(choose([header, 'Level', 'City'], PEOPLE)[0]).toBeNull();
  });

  test.each([
    ['towns', ['Leipzig', 'New York', 'San Francisco', 'Mainz', 'Bad Homburg']],
    ['things', ['Blue shirt', 'Red lamp', 'Garden chair', 'Oak table', 'Desk lamp']],
    ['streets', ['Main Street', 'Harbor View', 'King Street', 'Alder Way', 'Oak Lane']],
    ['one repeated name', Array.from({ length: 9 }, () => 'Maria Gonzalez')],
  ])('is not proposed for %s', (_, values) => {
    expect(
      choose(
        ['Column 1', 'City'],
        values.map((value) => [value, 'Ulm']),
      )[0],
    ).toBeNull();
  });

  test.each(['Oskar Lindqvist', 'Gonzalez, Maria', 'Владимир Петров'])(
    'is not proposed if the first line is a record too: %s',
    (name) => {
      const read = () => choose([name, 'VIP', 'Leipzig'], PEOPLE);
      expect(read).toThrow('The first line looks like data');
      expect(read).not.toThrow(name);
    },
  );

  test('beside family names of customers is the given name', () => {
    const fields = (headers: string[]) => choose(headers, []).map((column) => column?.field);
    expect(fields(['Nombre del cliente', 'Apellidos del cliente'])).toEqual(['given', 'family']);
    expect(fields(['Имя', 'Фамилия', 'Почта'])).toEqual(['given', 'family', 'email']);
    expect(fields(['Nom du client', 'Prénom du client'])).toEqual(['family', 'given']);
  });
});

test.each(['Konto', 'A/C', 'Acct', 'Cód.', 'Nr karty'])(
  'a first column %s is the id of a record if its cells are different numbers',
  (header) => {
    const field = (cells: string[]) =>
      choose(
        [header, 'Name'],
        cells.map((cell, i) => [cell, PEOPLE[i]?.[0] ?? '']),
      )[0]?.field;
    expect(field(['1001', '1002', '1003'])).toBe('record_id');
    expect(field(['1001', '1001', '1001'])).toBeUndefined();
    expect(field(['Savings', 'Giro', 'Loan'])).toBeUndefined();
  },
);

describe('headers that mean something only beside others', () => {
  const fields = (headers: string[], map?: string) =>
    assignFieldsToColumns(headers, { name: 'a.csv', makeId: () => 'row', samples: [], map }).map(
      (column) => column?.field ?? null,
    );

  test('are short names of LDAP in a table with its headers as LDAP spells them', () => {
    expect(fields(['DN', 'cn', 'givenName', 'sn', 'l', 'c']).slice(1)).toEqual([
      'name',
      'given',
      'family',
      'city',
      'country',
    ]);
    expect(fields(['givenName', 'sn', 'mail', 'co'])).toEqual(['given', 'family', 'email', 'country']);
    expect(fields(['givenName', 'sn', 'mail', 'C/O', 'L'])).toEqual(['given', 'family', 'email', null, null]);
    const ordinary = ['Given Name', 'Display Name', 'Mail', 'Telephone Number', 'SN', 'l', 'c'];
    expect(fields(ordinary).slice(4)).toEqual([null, null, null]);
  });

  test.each([
    ['Huisnr.', 'Toev.'],
    ['Hausnr.', 'Hausnr.-Zusatz'],
    ['Numéro', 'Compl.', 'Bte'],
    ['Gatuadress', 'Lgh'],
    ['Adresse', 'Etage', 'Dør'],
    ['Calle', 'Esc.', 'Pis.', 'Pta'],
    ['Numero civico', 'Int.'],
    ['Numero', 'Portal'],
    ['Nr domu', 'm.'],
    ['Ulice', 'Byt'],
    ['Дом', 'кв.'],
    ['Sokak', 'D.'],
  ])('are additions to an address directly after its street: %s %s', (...headers) => {
    const [street, ...others] = headers;
    const all = ['Name', 'street', street ?? '', ...others];
    expect(fields(all).slice(3)).toEqual(others.map(() => 'street2'));
  });

  test('are not used elsewhere, nor if the map says that a column has no field', () => {
    expect(fields(['street', 'Name', 'M', 'D.'])).toEqual(['street', 'name', null, null]);
    for (const [street, header] of [
      ['Address', 'Bus'],
      ['Street', 'Sal'],
      ['Address', 'Portal'],
    ])
      expect(fields(['Name', street ?? '', header ?? ''])[2]).toBeNull();
    expect(fields(['Name', 'Address 1', 'Address 2', 'Top'])[3]).toBeNull();
    expect(fields(['Name', 'street', 'Toev.', 'Unit'], 'street2=Unit')[2]).toBeNull();
    expect(fields(['street', 'Toev.', 'numero', 'Name'], 'none=Toev.,none=numero')).toEqual([
      'street',
      null,
      null,
      'name',
    ]);
  });
});

describe('a column Personnummer', () => {
  const numbers = ['19580317-0009', '560104-0008', '501016-0009'];
  const chosen = (headers: string[], cells = numbers, more: object = {}) =>
    assignFieldsToColumns(headers, {
      name: 'a.csv',
      samples: cells.map((cell, i) => [String(i + 1), cell, 'Ann']),
      ...more,
    });

  test('gives the birth date, and also the id if no other column does', () => {
    const birth = { field: 'birth_date', group: '', isPersonalNumber: true };
    expect(chosen(['Kundnr', 'Personnummer', 'Namn'])[1]).toEqual(birth);
    expect(chosen(['Id', 'Personnummer', 'Namn'], numbers, { map: 'record_id=Id' })[1]).toEqual(birth);
    for (const more of [{}, { makeId: () => 'row' }])
      expect(chosen(['Antal', 'Personnummer', 'Namn'], numbers, more)[1]).toEqual({
        ...birth,
        field: 'record_id',
      });
    expect(chosen(['Antal', 'Persnr', 'Namn'], numbers, { makeId: () => 'row' })[1]).toEqual(birth);
    expect(chosen(['Födelsedatum', 'Personnummer', 'Namn'])[1]).toEqual({ field: 'record_id', group: '' });
  });

  test('is none if its values are no Swedish personal numbers, or if the map names it', () => {
    expect(chosen(['Kundnr', 'Personnummer', 'Namn'], ['1234', '12345', '17'])[1]?.field).not.toBe(
      'birth_date',
    );
    expect(chosen(['Kundnr', 'Personnummer', 'Namn'], numbers, { map: 'none=Personnummer' })[1]).toBeNull();
  });
});

test('the table of headers names each header of a field once, and no header of street2 as an addition', () => {
  const rows = readFileSync(`${import.meta.dirname}/../../../data/import/headers.txt`, 'utf8').matchAll(
    /^(\w+): (.+)$/gm,
  );
  const seen = new Set<string>();
  const repeated = [...rows].flatMap(([, key = '', words = '']) => {
    const field = key.replace(/^(?:ambiguous_)?house_addition$/, 'street2');
    return words.split(' ').filter((word) => seen.size === seen.add(`${field} ${word}`).size);
  });
  expect(repeated).toEqual([]);
});
