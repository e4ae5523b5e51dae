import { describe, expect, it, test } from 'vitest';
import { assignFieldsToColumns, requireNameColumn } from '../../../src/import/columns/columns.ts';
import {
  isFirstLineRecord,
  hideHeadersThatMayBeData,
  formatColumnMap,
} from '../../../src/import/columns/map.ts';
import { guessColumn } from '../../../src/import/columns/guess.ts';

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

describe('assignFieldsToColumns', () => {
  it('does not guess the parts of a name if the whole name is mapped', () => {
    const columns = assignFieldsToColumns(['id', 'First', 'Person'], { name: 'a.csv', map: 'name=Person' });
    expect(columns).toEqual([{ field: 'record_id', group: '' }, null, { field: 'name', group: '' }]);
  });

  it('finds a mapped header in any letter case', () => {
    expect(assignFieldsToColumns(['ID', 'TEL'], { name: 'a.csv', map: 'phones=tel' })[1]).toEqual({
      field: 'phone',
      group: '',
    });
  });

  it('names the file and its columns if none of them looks like a record id', () => {
    expect(() => assignFieldsToColumns(['Shoe', 'Mail'], { name: 'a.csv' })).toThrow(
      /^a\.csv: no column looks like a record id\. .* The columns are: Shoe, Mail\.$/,
    );
  });

  it('repeats nothing of a first line that a stray quote joined with others, or without any known header', () => {
    const said = (headers: string[]) => {
      try {
        return assignFieldsToColumns(headers, { name: 'a.csv' });
      } catch (error) {
        return String(error);
      }
    };
    expect(said(['Mail', 'name\nMarked Value'])).toMatch(/^(?!.*Marked).* looks like data/s);
    expect(said(['Mail', 'Marked '.repeat(10)])).toMatch(/^(?!.*Marked).* looks like data/s);
    expect(said(['Marked', 'Value'])).toMatch(/^(?!.*Marked).* None of the columns has a known name/s);
  });

  it('shows unused columns by their position if one of them looks like data', () => {
    expect(hideHeadersThatMayBeData(['id', 'Shoe'], ['record_id', null])).toEqual(['id', 'Shoe']);
    expect(hideHeadersThatMayBeData(['id', 'Marked', 'name\n1'], ['record_id', null, null])).toEqual([
      'id',
      'column 2',
      'column 3',
    ]);
  });

  it('refuses a line of a million columns', () => {
    expect(() => assignFieldsToColumns(Array(1_000_000).fill('email'), { name: 'a.csv' })).toThrow(
      /^a\.csv: its first line has more than 1000 columns\./,
    );
  });

  it('repeats nothing of a first line that looks like data', () => {
    expect(() => assignFieldsToColumns(['17', 'Ann', 'ann@post.example'], { name: 'a.csv' })).toThrow(
      /^a\.csv: no column .* The first line looks like data: [^@]*$/,
    );
  });
});

describe('what the values look like', () => {
  const fieldsOf = (headers: string[], ...rows: string[][]) =>
    assignFieldsToColumns(headers, { name: 'a.csv', samples: rows, makeId: () => 'row' }).map(
      (column) => column?.field ?? null,
    );
  const three = (cells: string[]) => [1, 2, 3].map((n) => cells.map((cell) => cell.replaceAll('N', `${n}`)));

  test.each([
    ['a contact full of e-mails is an e-mail', 'Contact', 'annN@example.com', 'email'],
    ['a contact full of phones is a phone', 'Kontakt', '+49 30 555018N', 'phone'],
    ['a phone for emergencies is none of the record', 'Tél. urgence', '06 39 98 01 0N', null],
    ['a phone of a relative is none of the record', 'Tel. Mutter', '030 555018N', null],
    ['so is what begins like one', 'Tel./Mobil', '030 555018N\n0151 5550144', 'phone'],
    ['a phone full of words is none', 'phone', 'mobile', null],
    ['an address full of e-mails is an e-mail', 'Address', 'annN@example.com', 'email'],
    ['a customer full of phones is a phone', 'Kunde', '0341 555014N', 'phone'],
    ['a customer of numbers that may be phones is neither', 'Kunde', '415555014N', null],
    ['a customer full of numbers is a number', 'Kunde', '10014N', 'record_id'],
    ['a last purchase that is an amount is no date', 'Última compra', 'N5,90 €', null],
    ['a last purchase is a date', 'Última compra', '1N/03/2024', 'last_seen'],
    ['what has a country code is a phone', 'Numero di riferimento', '+39 06 555018N', 'phone'],
    ['a name without letters is a number', 'Order', '#100N', 'record_id'],
    ['a name without letters tells rows apart', 'Name', '#100N', 'record_id'],
    ['whom things are sent to is a name', 'Ship To', 'Ann Lee', 'name'],
    ['where things are sent to is an address', 'Ship To', 'N Oak Street, Salem', 'address'],
    ['names that have numbers are names', 'Nome completo', 'Ana Silva N', 'name'],
    ['four digits of a card are no family name', 'Card Last4', '424N', null],
    ['a colleague is none of the record', 'Contact Owner', 'repN@example.com', null],
    ['a column that stays the same says nothing of the record', 'Team', 'desk@example.com', null],
  ])('%s', (_what, header, cell, field) => {
    expect(fieldsOf(['Full Name', header], ...three(['Ann Lee', cell]))[1]).toBe(field);
  });

  it('takes a column whose values are all e-mails for e-mails, from two rows on', () => {
    const rows = [1, 2].map((n) => [`Ann Lee`, `ann${n}@example.com`, '+49 30 5550188 / +49 171 5550144']);
    for (const header of ['Correio eletrónico', 'Zugang', 'phone'])
      expect(fieldsOf(['Full Name', header, 'Rufnr.'], ...rows)[1]).toBe('email');
    expect(fieldsOf(['Full Name', 'Zugang'], ['Ann Lee', 'ann@example.com'])[1]).toBe(null);
  });

  it('recognises two phones in a cell', () => {
    const rows = three(['Ann Lee', '030 555018N und 0171 5550144']);
    expect(fieldsOf(['Full Name', 'Telefon privat / Mobil'], ...rows)[1]).toBe('phone');
  });

  it('follows the header if there are few values', () => {
    expect(fieldsOf(['Full Name', 'phone'], ['Ann Lee', 'mobile'])[1]).toBe('phone');
    expect(fieldsOf(['Full Name', 'Tel./Mobil'], ['Ann Lee', '030 5550188'])[1]).toBe('phone');
  });

  it('takes the id that differs from row to row', () => {
    const rows = [
      ['A1', 'c1'],
      ['A1', 'c2'],
      ['A2', 'c3'],
    ];
    expect(fieldsOf(['Account ID', 'Contact ID'], ...rows)).toEqual([null, 'record_id']);
    expect(fieldsOf(['Order ID', 'Customer ID'])).toEqual([null, 'record_id']);
  });

  it('uses labels of people, and no ids of rows of a shop', () => {
    expect(fieldsOf(['id', 'identity', 'Name'])).toEqual(['record_id', 'identity', 'name']);
    expect(fieldsOf(['identity', 'Name', 'email'])).toEqual(['identity', 'name', 'email']);
    expect(fieldsOf(['truth_id', 'Name'])).toEqual(['identity', 'name']);
    expect(fieldsOf(['entity_id', 'firstname'])).toEqual(['record_id', 'given']);
    expect(fieldsOf(['unique_id', 'cluster_id', 'Name'])).not.toContain('identity');
    const mapped = assignFieldsToColumns(['person', 'Name'], {
      name: 'a.csv',
      map: 'identity=person',
      makeId: String,
    });
    expect(mapped[0]?.field).toBe('identity');
  });

  it('takes a title beside a salutation for a job', () => {
    expect(fieldsOf(['Salutation', 'Title', 'Name'])).toEqual(['title', null, 'name']);
    expect(fieldsOf(['Title', 'Name'])).toEqual(['title', 'name']);
  });

  it('takes the title of a recipient for no title of the customer', () => {
    const recipient = ['Shipping Salutation', 'Shipping First Name'];
    expect(fieldsOf(['Title', 'First Name', ...recipient])).toEqual(['title', 'given', null, 'given']);
    expect(fieldsOf(recipient)).toEqual(['title', 'given']);
  });

  it('takes a number for a house number only beside a street', () => {
    expect(fieldsOf(['Name', 'Calle', 'Número'])).toEqual(['name', 'street', 'street']);
    expect(fieldsOf(['Name', 'Dirección', 'Número'])).toEqual(['name', 'address', 'street']);
    expect(fieldsOf(['Name', 'Número'])).toEqual(['name', null]);
  });

  it('takes a name beside a given name for a family name, unless it contains both', () => {
    expect(fieldsOf(['Name', 'Vorname'], ['Doe', 'Jane'], ['Brandt', 'Jürgen'])).toEqual(['family', 'given']);
    expect(fieldsOf(['Name', 'First name'], ['Jane Doe', 'Jane'])).toEqual(['name', 'given']);
    expect(fieldsOf(['Name', 'Vorname', 'Nachname'], ['Dr. Doe', 'Jane', 'Doe'])[0]).toBe('name');
  });

  it('takes names of one word in numbered columns for halves of a name, the family name first as in SAP', () => {
    const fields = ['family', 'given', null];
    const header = ['Name 1', 'Name 2', 'Name 3'];
    expect(fieldsOf(header, ['Brandt', 'Jürgen', ''], ['Kowalska', 'Anna', ''])).toEqual(fields);
    expect(fieldsOf(header, ['Xq', 'Zz', ''], ['Brandt GmbH', '', ''], ['Vw', 'Yy', ''])).toEqual(fields);
    expect(fieldsOf(['Name', 'Name2'], ['Jürgen', 'Brandt'], ['Eva', 'Meier'])).toEqual(['given', 'family']);
    expect(fieldsOf(['Name', 'Name'], ['Brandt', 'Jürgen'], ['Meier', 'Eva'])).toEqual(['family', 'given']);
  });

  it('joins longer names in numbered columns, but not those of two people', () => {
    const rows = [
      ['Jürgen Brandt', 'Schreinerei'],
      ['Hans-Peter von', 'Waldburg-Zeil'],
      ['Eva Meier', ''],
    ];
    expect(fieldsOf(['Name 1', 'Name 2'], ...rows)).toEqual(['given', 'family']);
    const couples = [
      ['Jürgen Brandt', 'Eva Brandt'],
      ['Hans Meier', 'Anna Meier'],
    ];
    expect(fieldsOf(['Name 1', 'Name 2'], ...couples)).toEqual(['name', 'name']);
  });

  it('takes digits of one length with leading zeros under a word for people for ids, not phones', () => {
    const rows = three(['000100000N', 'Ann Lee']);
    expect(fieldsOf(['Kunde', 'Name 1'], ...rows)).toEqual(['record_id', 'name']);
    expect(fieldsOf(['Kunde', 'Name 1'], ...three(['030 555018N', 'Ann Lee']))[0]).toBe('phone');
  });

  it('keeps an e-mail column whose cells have several e-mails', () => {
    const rows = three(['Ann Lee', 'aN@example.com ::: bN@example.com']);
    expect(fieldsOf(['Name', 'E-mail 1 - Value'], ...rows)).toEqual(['name', 'email']);
  });

  it('joins the numbered lines of one address', () => {
    const fields = fieldsOf(['氏名', '郵便番号', '住所1', '住所2']);
    expect(fields).toEqual(['name', 'zip', 'address', 'street2']);
    const columns = assignFieldsToColumns(['Name', 'Anschrift 1', 'Anschrift 2', 'Ort'], {
      name: 'a.csv',
      makeId: () => 'row',
    });
    expect(new Set(columns.map((column) => column?.group))).toEqual(new Set(['']));
  });

  it('uses given names that are whole names as such', () => {
    const rows = [['Bruno Oliveira'], ['Cláudia Tavares'], ['Ana']];
    expect(fieldsOf(['Nome'], ...rows)).toEqual(['name']);
    expect(fieldsOf(['Nome', 'Sobrenome'], ...rows)).toEqual(['given', 'family']);
    expect(fieldsOf(['Nome'], ['Ana'], ['Cláudia'], ['João Pedro'])).toEqual(['given']);
  });

  it('takes initials for the given name of a table that has no other', () => {
    expect(fieldsOf(['Voorletters', 'Achternaam'])).toEqual(['given', 'family']);
    expect(fieldsOf(['Voorletters', 'Voornaam', 'Achternaam'])).toEqual([null, 'given', 'family']);
  });

  it('keeps a contact with unknown words beside one of a relative', () => {
    expect(fieldsOf(['Name', 'Email - Choir', 'Email - Spouse'])).toEqual(['name', 'email', null]);
  });

  test.each([
    [['Frist Name', 'Lastt Name', 'Phne No', 'Adress', 'Ctiy'], 'given family phone address city'],
    [['Vornanme', 'Nachnname', 'Strase', 'Postleitzhal', 'Telefn'], 'given family street zip phone'],
    [['Zipp Code', 'Contry', 'Birtday', 'Joind'], 'zip country birth_date first_seen'],
  ])('understands misspelled words: %s', (headers, fields) => {
    expect(fieldsOf(['Email', ...headers]).slice(1)).toEqual(fields.split(' '));
  });

  test.each(['County', 'Contract Name', 'Stage', 'Stat', 'Grade', 'Berth'])(
    'a word of its own is no misspelling: %s',
    (header) => expect(fieldsOf(['Email', header])[1]).toBeNull(),
  );

  it('joins a street and a place of which one has no owner', () => {
    const columns = assignFieldsToColumns(['Name', 'Street 1', 'Ship City', 'Ship Zipcode'], {
      name: 'a.csv',
      makeId: () => 'row',
    });
    expect(columns.slice(1).map((column) => column?.group)).toEqual(['', '', '']);
  });

  it('leaves out the address of the receiver of a payment', () => {
    expect(fieldsOf(['Name', 'From Email Address', 'To Email Address'])).toEqual(['name', 'email', null]);
  });

  it('drops a guess with unknown words if another column is certainly the same', () => {
    expect(fieldsOf(['Name', 'Patient'])).toEqual(['name', null]);
    expect(fieldsOf(['E-Mail', 'Patient'])).toEqual(['email', 'name']);
  });

  test.each([
    ['an e-mail', ['Marked Value', 'Bonn', 'ann@example.com']],
    ['a postcode', ['Marked Value', '12 rue des Lilas', '69003']],
    ['a phone', ['Marked Value', 'Bonn', '+49 30 555']],
  ])('refuses a first line with %s and without a known header', (_, first) => {
    expect(isFirstLineRecord(first)).toBe(true);
    expect(() => fieldsOf(first, ['Ann Lee', '9 Oak Ave', '12345'])).toThrow(
      /^(?!.*Marked).* looks like data/,
    );
    expect(() => requireNameColumn(first, [{ field: 'name', group: '' }], { name: 'a.csv' })).toThrow(
      /looks like data/,
    );
  });

  test.each([
    [['Name', 'Sales 2023', '2024']],
    [['Name', '10001', '10002']],
    [['E-Mail', 'contact@work']],
    [['Level', '2023']],
  ])('does not take the headers %j for a record', (headers) => {
    expect(isFirstLineRecord(headers)).toBe(false);
  });

  it('refuses a first line that is a record without repeating it', () => {
    const rows = three(['Bo Dijk', 'boN@example.com']);
    expect(() => fieldsOf(['Marked Value', 'ann@example.com'], ...rows)).toThrow(
      /^(?!.*Marked).* looks like data/,
    );
    expect(() => fieldsOf(['Marked', 'Value'], ...rows)).toThrow(
      /^(?!.*Marked).* None of the columns has a known/,
    );
  });
});

describe('a map in a file', () => {
  it('repeats what was guessed, with several addresses and columns of one header apart', () => {
    const headers = ['Full Name', 'Phone', 'Phone', 'Billing ZIP', 'Shipping ZIP', 'Notes', 'City'];
    const guessed = assignFieldsToColumns(headers, { name: 'a.csv', makeId: () => 'row' });
    const map = formatColumnMap(headers, guessed).replace('city=City', 'none=City');
    const again = assignFieldsToColumns(headers, { name: 'a.csv', makeId: () => 'row', map });
    expect(again).toEqual([...guessed.slice(0, -1), null]);
  });
});
