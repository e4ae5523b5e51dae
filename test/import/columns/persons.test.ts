import { describe, expect, test } from 'vitest';
import { isGivenNameBesideTradeWord } from '../../../src/names/index.ts';
import {
  isTotalsOrLayoutRow,
  isGuestPlaceholderName,
  isEmptyMarker,
  isPlaceholderEmail,
  isPlaceholderPhone,
  findNonPersonReason,
  removeAttentionNotesAndCompany,
} from '../../../src/import/columns/persons.ts';

describe("rows that are no person's", () => {
  test.each([
    'Acme Ltd',
    'Acme Widgets, LLC',
    'Müller GmbH & Co. KG',
    'Bäckerei Schulz e.K. GmbH',
    'Lindner AG',
    'Rossi S.p.A.',
    'Rossi S.r.l.',
    'Dupont SARL',
    'De Vries B.V.',
    'Kowalski Sp. z o.o.',
    'Osgood & Sons',
  ])('%s is a company', (name) => {
    expect(findNonPersonReason([name], [])).toBe('company');
  });

  test.each(['Harbor Supply', 'Hope Antiques', 'Accounts Payable', 'Stadtwerke Ulm', 'Boulangerie Martin'])(
    '%s is a firm or a department',
    (name) => expect(findNonPersonReason([name], [])).toBe('company'),
  );

  test.each(['Firma', 'Company', 'Société', 'Empresa', 'Ditta', 'Bedrijf', 'Företag', 'Компания', '会社'])(
    'a row with the title %s is a company, with any name',
    (title) => {
      expect(findNonPersonReason([], ['mail@quiring.example'], title)).toBe('company');
      expect(findNonPersonReason(['Malermeister Quiring'], [], title)).toBe('company');
    },
  );

  test.each(['Sr.', 'Herr', 'Mr', 'Dr. med.', 'Account Management', 'Company Secretary'])(
    'a row with the title %s is a person',
    (title) => expect(findNonPersonReason(['Uwe Tjarks'], [], title)).toBeNull(),
  );

  test('a mailbox of a firm or of guests beside no name is no person’s; beside a name it is the person’s', () => {
    expect(findNonPersonReason([], ['orders@harbor.example'])).toBe('company');
    expect(findNonPersonReason([], ['guest@shop.example'])).toBe('placeholder');
    expect(findNonPersonReason([], ['orders@harbor.example', 'ann@post.example'])).toBeNull();
    expect(findNonPersonReason(['Rosa Garcia'], ['info@garcia.example'])).toBeNull();
  });

  test('a row of headers is part of the table, in whatever words, and a row of names is not', () => {
    expect(isTotalsOrLayoutRow(['', 'Name', 'Date', 'Phone', 'Email', '', ''])).toBe(true);
    expect(isTotalsOrLayoutRow(['Vorname', 'Nachname', 'Ort', 'E-Mail'])).toBe(true);
    expect(isTotalsOrLayoutRow(['Vorname', 'Nachname', 'Ort', 'ann@post.example'])).toBe(false);
    expect(isTotalsOrLayoutRow(['Name', 'Surname'])).toBe(false);
    expect(isTotalsOrLayoutRow(['Ann', 'Street', 'City'])).toBe(false);
  });

  test('an account of a program is no person, if its name and its e-mail say so', () => {
    expect(findNonPersonReason(['svc_backup'], ['svc_backup@corp.example'])).toBe('placeholder');
    expect(findNonPersonReason(['svc_backup'], ['ann.lee@corp.example'])).toBeNull();
    expect(findNonPersonReason(['Ann Lee'], ['service-desk@corp.example'])).toBeNull();
    expect(findNonPersonReason(['svc_backup'], [])).toBeNull();
    expect(findNonPersonReason([], ['srv_reddy@yahoo.example'])).toBeNull();
  });

  test.each(['Test', 'test test', 'Test User 2', 'Dummy Customer'])('%s is a test', (name) => {
    expect(findNonPersonReason([name], [])).toBe('placeholder');
  });

  test.each([
    'Kim Sa',
    'KIM SA',
    'Li Co',
    'Ann Limit',
    'Jo Ag',
    'Testa Rossi',
    'Ana Spa-Lopez',
    'Peter Test-Meyer',
    'Christopher Null',
    'Guesty Lee',
  ])('%s may be a person', (name) => {
    expect(findNonPersonReason([name], ['a@example.com'])).toBeNull();
    expect(isGuestPlaceholderName(name)).toBe(false);
  });

  test.each([
    ['Mark und Carol Reed', ''],
    ['Familie Reed', ''],
    ['Reed', 'Familie'],
    ['John Reed', 'Mr. & Mrs.'],
    ['Otto Reed', 'Herr und Frau'],
  ])('%s with the title %j is a couple or a family', (name, title) => {
    expect(findNonPersonReason([name], ['a@example.com'], title)).toBe('household');
  });

  test.each(['Sales and Marketing', 'Accounts Payable', 'Frau', 'M.'])(
    'the title %s is that of one person',
    (title) => expect(findNonPersonReason(['Helen Okafor'], [], title)).toBeNull(),
  );

  test("a row with names of both kinds may be a person's", () => {
    expect(findNonPersonReason(['Ann Lee', 'Acme Ltd'], [])).toBeNull();
  });

  test.each([
    ['Harbor Supply, Ann Lee', 'Ann Lee'],
    ['Van den Berg, Jan Peter', 'Van den Berg, Jan Peter'],
    ['Ann Lee, Harbor Supply', 'Ann Lee'],
    ['Harlow Freight / Rita Castellano', 'Rita Castellano'],
    ['Rita Castellano / Harlow Freight', 'Rita Castellano'],
    ['Harlow Freight LLC - Rita Castellano', 'Rita Castellano'],
    ['Harlow Freight / Salt Lake City', 'Harlow Freight / Salt Lake City'],
    ['Harlow Freight / Accounts Payable', 'Harlow Freight / Accounts Payable'],
    ['Rita Castellano / Paolo Castellano', 'Rita Castellano / Paolo Castellano'],
  ])('the contact of a company in one cell, %s, is %s', (cell, name) => {
    expect(removeAttentionNotesAndCompany(cell)).toBe(name);
  });

  test.each([
    ['RAM LAL S/O MOHAN LAL', 'RAM LAL'],
    ['Sita Devi, w/o. Ram Lal', 'Sita Devi'],
    ['AARAV IYER (MINOR) U/G HARI IYER', 'AARAV IYER'],
    ['Ram (D/O Mohan Lal)', 'Ram'],
    ['Noriko Tanabe c/o Reship Depot', 'Noriko Tanabe'],
    ['Do Minh So', 'Do Minh So'],
  ])('after the name in %s, another person is named', (cell, name) => {
    expect(removeAttentionNotesAndCompany(cell)).toBe(name);
  });

  test.each([
    'none@none.com',
    'NOTAVAILABLE@GMAIL.COM',
    'no.email@yahoo.com',
    'na@na.com',
    'nomail@nomail.com',
  ])('the e-mail %s is nobody’s', (email) => expect(isPlaceholderEmail(email)).toBe(true));

  test.each(['na@example.com', 'nona@gmail.com', 'donot@gmail.com'])(
    'the e-mail %s may be a person’s',
    (email) => expect(isPlaceholderEmail(email)).toBe(false),
  );

  test('a phone of one repeated digit is nobody’s, also with a country code', () => {
    expect(['999-999-9999', '0000000000', '+1 555 555 5555', '٩٩٩٩٩٩٩٩٩٩'].every(isPlaceholderPhone)).toBe(
      true,
    );
    expect(['999-999-9998', '+49 30 88888888', '1111'].some(isPlaceholderPhone)).toBe(false);
  });

  test.each(['M/S KHAN TRADERS', 'SHARMA HUF', 'Ramesh Sharma (HUF)', 'شركة العنزي للتجارة', 'مؤسسة النور'])(
    '%s is a firm',
    (name) => expect(findNonPersonReason([name], [])).toBe('company'),
  );

  test('a word of trade is a family name beside a given name in a column of its own', () => {
    expect(isGivenNameBesideTradeWord('María', 'Company Santamaria')).toBe(true);
    expect(isGivenNameBesideTradeWord('Acme', 'Company')).toBe(false);
    expect(isGivenNameBesideTradeWord('Martin', 'GmbH')).toBe(false);
  });

  test('Huf is also a family name, and a couple may have middle names', () => {
    expect(findNonPersonReason(['PETER HUF'], [])).toBeNull();
    expect(findNonPersonReason(['REKHA KUMAR PATEL & DEEPA PATEL'], [])).toBe('household');
  });

  test('a guest has no name, and signs for nothing are no value', () => {
    expect(['Guest', 'guest customer', 'Gast', 'N/A'].map(isGuestPlaceholderName)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(['Guest Guest', 'Guest Lee'].map(isGuestPlaceholderName)).toEqual([true, false]);
    expect(
      ['n/a', 'N/A', '-', '#N/A', 'NULL', 'k.A.', 'no tiene', 'нет', '…', '???', 'tbd', 'xxxxx'].every(
        isEmptyMarker,
      ),
    ).toBe(true);
    expect(['see notes', 'Siehe Notizen', 'voir remarques', 'ver notas'].every(isEmptyMarker)).toBe(true);
    expect(['Null', 'None', 'a', 'Na', 'Notes Street 3'].some(isEmptyMarker)).toBe(false);
  });
});
