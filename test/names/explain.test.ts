import { expect, test } from 'vitest';

import { areNamesOfParentAndChild, compareNames, prepareName } from '../../src/names/index.ts';

test.each([
  [
    'Bob Miller',
    'Robert James Miller',
    'Bob is a short form of Robert; the middle name James is missing in the first name.',
  ],
  [
    'Rike v. Stein',
    'Rike Charlotte von Stein',
    'A particle before Stein is abbreviated; the middle name Charlotte is missing in the first name.',
  ],
  ['J. Smith', 'John Smith', 'J may stand for John.'],
  ['Katherine Hampton', 'Katherine Hamptom', 'Hampton and Hamptom differ by a typing error.'],
  ['Giuseppe Verdi', 'Joseph Verdi', 'Giuseppe and Joseph are one name in two languages.'],
  ['Anna Ivanova', 'Anna Ivanov', 'Ivanova and Ivanov are forms of one family name.'],
  ['Walter Bright Jr.', 'Walter Bright', 'The suffix Jr is missing in the second name.'],
  ['Jane Doe', 'Doe, Jane', 'The names are equal.'],
  ['Jane Doe', '', 'One of the two texts contains no name.'],
])('%s and %s: %s', (a, b, explanation) => {
  expect(compareNames(a, b).explanation).toBe(explanation);
});

test('different given names and different generations are concerns', () => {
  expect(compareNames('Jessica Clauser', 'Robert Clauser').concerns).toEqual([
    'Different given names: Jessica and Robert.',
  ]);
  expect(compareNames('Walter Bright Jr', 'Walter Bright Sr').concerns).toEqual([
    'Jr and Sr are usually parent and child.',
  ]);
  expect(compareNames('Smith', 'John Smith').concerns[0]).toMatch(/^Only part of the name/);
  expect(compareNames('María García', 'María José García López').concerns).toEqual([]);
  expect(compareNames('Ivan Drexel and Nina Solberg', 'Ivan Drexel').concerns).toEqual([]);
  expect(compareNames('Bob Miller', 'Robert Miller').concerns).toEqual([]);
});

test.each([
  ['Pyotr Ivanovich Orlov', 'Ivan Petrovich Orlov', true],
  ['Olga Ilyinichna Orlova', 'Ilya Orlov', true],
  ['Пётр Иванович Орлов', 'Ivan Orlov', true],
  ['Lev Pavlovych Orlov', 'Pavel Lvovich Orlov', true],
  ['Ivan Petrovich Orlov', 'Oleg Petrovich Orlov', false],
  ['Fritz Heinrich Orlov', 'Heinz Orlov', false],
])('%s and %s as parent and child: %s', (a, b, expected) => {
  expect(areNamesOfParentAndChild(prepareName(a), prepareName(b))).toBe(expected);
  const { explanation } = compareNames('Pyotr Ivanovich Orlov', 'Ivan Petrovich Orlov');
  expect(explanation).toBe('Pyotr Ivanovich does not match Ivan Petrovich.');
});

test('the alignment follows the first name and is swapped with the names', () => {
  const rows = compareNames('Bob Miller', 'Miller, Robert').alignment;
  expect(rows.map((row) => [row.a, row.b, row.relation])).toEqual([
    ['Bob', 'Robert', 'nickname'],
    ['Miller', 'Miller', 'equal'],
  ]);
  const turned = compareNames('Miller, Robert', 'Bob Miller').alignment;
  expect(turned.map((row) => [row.a, row.b])).toContainEqual(['Robert', 'Bob']);
});

test.each([
  ['Jan van Berg', 'Jan von Berg', 'The names have different particles before Berg.'],
  ['Jan de Berg', 'Jan Berg', 'Only one of the names has a particle before Berg.'],
  ['Jan v.d. Berg', 'Jan van den Berg', 'A particle before Berg is abbreviated.'],
  ["Donal O'Brien", 'Dónal Ó Briain', 'OBrien and Briain are one name in two languages.'],
  ["Pat O'Sullivan", 'Pat Sullivan', 'OSullivan and Sullivan have the main part in common.'],
  ['Hsu Chih-mo', '徐志摩', '徐 can be read as Hsu; 志摩 can be read as Chih mo.'],
  ['Jan Vd Berg', 'Jan van der Berg', 'A particle before Berg is abbreviated.'],
  ['Jan v.den Berg', 'Jan van den Berg', 'A particle before Berg is abbreviated.'],
  ['Max v. d. Heide', 'Max von der Heide', 'A particle before Heide is abbreviated.'],
  ['Paul Laroche', 'Paul de La Roche', 'Only one of the names has a particle before Laroche.'],
  ['Jane Doe née Roe', 'Jane Roe', 'One of the names has Roe as a former name.'],
  ['Jane Doe (Rowntree)', 'Jane Rowntree', 'One of the names has Rowntree as a former name.'],
  ['Robert Hale (Bobbo)', 'Bobbo Hale', 'One of the names has Bobbo as a nickname.'],
  ['Ada Poole c/o Ben Hart', 'Ada Poole', 'The names are equal.'],
  ['Hoa Tran', 'Trần Văn Hoa', 'The word Văn is missing in the first name.'],
  [
    'Olga Petrov',
    'Ольга Петрова',
    'Ольга can be read as Olga; Petrov and Петрова are forms of one family name.',
  ],
  ['Yossi Cohen', 'יוסף כהן', 'Yossi and יוסף are forms of one name; כהן can be read as Cohen.'],
  ['דוד בן ארי', 'דוד ארי', 'The word בן is missing in the second name.'],
  ['Mark and Hess', 'Mark Hess', 'The first name is that of two people.'],
  ['Tobias Marsh', 'Tobias & Helen Marsh', 'The second name is that of two people.'],
  ['Omar Al Rashid', 'Omar ibn Khalid Al-Rashid', 'The name part Khalid is missing in the first name.'],
  ['Katie Hess', 'Kate Hess', 'Katie and Kate are forms of one name.'],
  ['Mai Tran', 'Trần Thị Mai', 'The name part Thị is missing in the first name.'],
  ['Carlo Rossi', 'Gian Carlo Rossi', 'The name part Gian is missing in the first name.'],
  [
    'Elena Shevchenko',
    'Олена Шевченко',
    'Шевченко can be read as Shevchenko; Elena and Олена are forms of one name.',
  ],
  ['Javier Ruiz', 'Javier Hernández Ruiz', 'The name part Hernández is missing in the first name.'],
  ['Abebe Bekele', 'Abebe Bekele Tessema', 'The name part Tessema is missing in the first name.'],
  ['Estate of Walter Grün', 'Walter Grün', 'The words Estate of are missing in the second name.'],
  ['c/o Jane Doe', 'Jane Doe', 'The words c/o are missing in the second name.'],
  [
    'George Papadopoulos',
    'Γεώργιος Παπαδόπουλος',
    'Παπαδόπουλος can be read as Papadopoulos; George and Γεώργιος are forms of one name.',
  ],
  [
    'Berg, Pieter van den',
    'Pieter van den Berg',
    'The names have the same words in another order or with other spaces.',
  ],
  ['Juergen Mohr', 'Jürgen Mohr', 'The names differ only in the spelling of single letters.'],
  ["Siobhan O'Brian", "Siobhan O'Brien", 'OBrian and OBrien are spellings of one name.'],
  ['Ann Larsen', 'Ann Larson', 'Larsen and Larson are spellings of one name.'],
])('%s and %s: %s', (a, b, explanation) => {
  const { same, explanation: text } = compareNames(a, b);
  expect([same, text]).toEqual([true, explanation]);
});

test('a repeated word is not missing', () => {
  expect(compareNames('Sukarni Sukarni', 'Sukarni').explanation).toBe('The first name repeats Sukarni.');
  const { explanation, concerns } = compareNames('Ann Lee Moor', 'Moor Ann Moor');
  expect([explanation, concerns]).toEqual([
    'The name part Lee is missing in the second name; the second name repeats Moor.',
    [],
  ]);
});

test('the legal form of a company is no family name', () => {
  const { explanation } = compareNames('Cascade Roofing', 'Cascade Roofing LLC');
  expect(explanation).toBe('The word LLC is missing in the first name.');
});
