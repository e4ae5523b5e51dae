import { describe, expect, it, test } from 'vitest';
import { guessColumn, readColumns, shownHeaders } from '../../../src/import/source/columns.ts';

describe('guessColumn', () => {
  test.each([
    ['email', 'email', ''],
    ['E-Mail', 'email', ''],
    ['mail1', 'email', ''],
    ['Work Email', 'email', ''],
    ['phone_1', 'phone', ''],
    ['Mobile', 'phone', ''],
    ['home phone', 'phone', ''],
    ['first name', 'given', ''],
    ['Given', 'given', ''],
    ['fname', 'given', ''],
    ['Surname', 'family', ''],
    ['DOB', 'birth_date', ''],
    ['Place of Birth', 'birth_place', ''],
    ['Gender', 'gender', ''],
    ['Date of Birth', 'birth_date', ''],
    ['addr1', 'street', ''],
    ['Address Line 1', 'street', ''],
    ['Address Line 2', 'street2', ''],
    ['Town', 'city', ''],
    ['Province', 'state', ''],
    ['Postcode', 'zip', ''],
    ['Billing ZIP', 'zip', 'billing'],
    ['address_2_city', 'city', '2'],
    ['zip2', 'zip', '2'],
    ['Country Code', 'country', ''],
    ['record_id', 'record_id', ''],
    ['Straße', 'street', ''],
    ['Apellidos', 'family', ''],
  ])('%s is %s', (header, field, group) => {
    expect(guessColumn(header)).toEqual({ field, group });
  });

  test.each(['', 'Notes', 'Newsletter', 'Amount', 'Occupation', '1', 'Work ID'])(
    '%j is nothing',
    (header) => {
      expect(guessColumn(header)).toBeNull();
    },
  );
});

describe('readColumns', () => {
  it('does not guess the parts of a name that is mapped whole', () => {
    const columns = readColumns(['id', 'First', 'Person'], { name: 'a.csv', map: 'name=Person' });
    expect(columns).toEqual([{ field: 'record_id', group: '' }, null, { field: 'name', group: '' }]);
  });

  it('finds a mapped header in whatever case', () => {
    expect(readColumns(['ID', 'TEL'], { name: 'a.csv', map: 'phones=tel' })[1]).toEqual({
      field: 'phone',
      group: '',
    });
  });

  it('names the file and its columns where none of them looks like a record id', () => {
    expect(() => readColumns(['Shoe', 'Mail'], { name: 'a.csv' })).toThrow(
      /^a\.csv: no column looks like a record id; .* The columns are: Shoe, Mail\.$/,
    );
  });

  it('repeats nothing of a first line that a stray quote has joined with others, or that no header is known of', () => {
    const said = (headers: string[]) => {
      try {
        return readColumns(headers, { name: 'a.csv' });
      } catch (error) {
        return String(error);
      }
    };
    expect(said(['Mail', 'name\nMarked Value'])).toMatch(/^(?!.*Marked).* looks like data/s);
    expect(said(['Mail', 'Marked '.repeat(10)])).toMatch(/^(?!.*Marked).* looks like data/s);
    expect(said(['Marked', 'Value'])).toMatch(/^(?!.*Marked).* None of the columns has a known name/s);
  });

  it('shows columns that are not used by their places where one of them looks like data', () => {
    expect(shownHeaders(['id', 'Shoe'], ['record_id', null])).toEqual(['id', 'Shoe']);
    expect(shownHeaders(['id', 'Marked', 'name\n1'], ['record_id', null, null])).toEqual([
      'id',
      'column 2',
      'column 3',
    ]);
  });

  it('refuses a line of a million columns', () => {
    expect(() => readColumns(Array(1_000_000).fill('email'), { name: 'a.csv' })).toThrow(
      /^a\.csv: its first line has more than 1000 columns\./,
    );
  });

  it('repeats nothing of a first line that looks like data', () => {
    expect(() => readColumns(['17', 'Ann', 'ann@post.example'], { name: 'a.csv' })).toThrow(
      /^a\.csv: no column .* The first line looks like data: [^@]*$/,
    );
  });
});
