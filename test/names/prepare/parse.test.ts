import { expect, test } from 'vitest';

import { compareNames } from '../../../src/names/index.ts';
import { parseName } from '../../../src/names/prepare/parse.ts';
import { getTitleWordSets } from '../../../src/names/title-words.ts';

const words = (text: string) =>
  parseName(text).words.map((word) => (word.prefix ? `${word.prefix}+${word.text}` : word.text));

test.each([
  ['Dr. Helen Okafor, MD', ['Helen', 'Okafor']],
  ['Smith, John Q., Jr.', ['Smith', 'John', 'Q']],
  ['Juan Carlos de la Vega', ['Juan', 'Carlos', 'dela+Vega']],
  ['Vincent van Gogh', ['Vincent', 'van+Gogh']],
  ['Vincent v.d. Gogh', ['Vincent', 'vd+Gogh']],
  ['VINCENT V.D. GOGH', ['VINCENT', 'vd+GOGH']],
  ['Vincent v.den Gogh', ['Vincent', 'vden+Gogh']],
  ['Juan V. de la Vega', ['Juan', 'V', 'dela+Vega']],
  ['Trần Văn Hùng', ['Trần', 'Văn', 'Hùng']],
  ['Van Morrison', ['Van', 'Morrison']],
  ['Nguyen Van', ['Nguyen', 'Van']],
  ["Sinead O'Connor", ['Sinead', 'OConnor']],
  ['J.R.R. Tolkien', ['J', 'R', 'R', 'Tolkien']],
  ['Case, Ed', ['Case', 'Ed']],
  ['Earl L. Carter', ['Earl', 'L', 'Carter']],
  ['マイケル・ジャクソン', ['マイケル', 'ジャクソン']],
  ['The Rt. Hon. Paul Keating', ['The', 'Rt', 'Hon', 'Paul', 'Keating']],
])('%s has the words %j', (text, expected) => {
  expect(words(text).slice(-expected.length)).toEqual(expected.slice(-words(text).length));
});

test('a family name comes before a comma', () => {
  expect(parseName('García Márquez, Gabriel').familyWordCount).toBe(2);
  expect(parseName('Gabriel García, Jr.').familyWordCount).toBe(0);
});

test.each([
  ['Walter Bright Jr.', 2],
  ['Walter Bright, III', 3],
  ['Walter Bright Senior', 1],
  ['Walter Bright', 0],
  ['Emil Raschke sen.', 1],
  ['Raschke, Emil, jun.', 2],
  ['Raschke, Emil jun.', 2],
  ['Emil Raschke jun', 2],
  ['Emil Raschke, Jun', 2],
  ['EMIL RASCHKE SEN.', 1],
  ['Lukas Kranz d. Ä.', 1],
  ['Lukas Kranz d.J.', 2],
  ['Lukas Kranz der Ältere', 1],
  ['Lukas Kranz der Juengere', 2],
  ['Pieter Brook the Elder', 1],
  ['Carlos Figueira Filho', 2],
  ['Carlos Figueira Neto', 3],
  ['Figueira Filho, Carlos', 2],
  ['Figueira, Carlos Filho', 2],
  ['Carlos Figueira Sobrinho', 20],
  ['Juan Pérez hijo', 2],
  ['Juan Pérez padre', 1],
  ['Alexandre Damas père', 1],
  ['Alexandre Damas fils', 2],
  ['Mario Rossi figlio', 2],
  ['Juan Ramos Gil (padre)', 1],
  ['Juan Ramos Gil (hijo)', 2],
  ['Walter Brandt (Sr.)', 1],
  ['Walter Brandt (II)', 2],
])('%s is of generation %i', (text, generation) => {
  expect(parseName(text).generation).toBe(generation);
});

test.each([
  'Amartya Sen',
  'Amartya Sen.',
  'Amartya Kumar Sen',
  'amartya kumar sen',
  'Wang Jun',
  'Wang, Li Jun',
  'Kim Hyun Jun',
  'Kim Min-jun',
  'Kim Min-Jun',
  'Agostinho Neto',
  'Agostinho Neto, MD',
  'Neto, Maria',
  'Maria Silva Neto',
  'Maria Casals Pere',
  'Anna d. J.',
])('%s bears a name that is a suffix elsewhere', (text) => {
  expect(parseName(text).generation).toBe(0);
});

const { sureTitles, sureSuffixes } = getTitleWordSets();
const ANY_PLACE = [
  (word: string) => `${word} Walter Bright`,
  (word: string) => `Walter ${word} Bright`,
  (word: string) => `Walter Bright ${word}`,
  (word: string) => `Walter Bright, ${word}`,
  (word: string) => `Bright ${word}, Walter`,
  (word: string) => `Bright, ${word} Walter`,
  (word: string) => `${word}, Walter Bright`,
];

test.each([...sureSuffixes])('the suffix %s is of generation %s in any place', (suffix, generation) => {
  for (const place of ANY_PLACE) {
    const parsed = parseName(place(suffix));
    expect([parsed.generation, parsed.words.length]).toEqual([Number(generation), 2]);
  }
});

test.each([...sureTitles])('the title %s is no part of the name in any place', (title) => {
  for (const place of ANY_PLACE) {
    const parsed = parseName(place(title));
    expect([parsed.titles, parsed.words.length]).toEqual([[title], 2]);
  }
});

test.each([
  'Dr. med.',
  'Dr. med. dent.',
  'Dr. rer. nat.',
  'Dr. rer. nat. habil.',
  'Dr. phil.',
  'Dr. Phil.',
  'DR. PHIL.',
  'Dr. phil',
  'Dr. h. c.',
  'Dr. h.c. mult.',
  'Dr. Ing.',
  'Dr.-Ing.',
  'Dr.-Ing. e. h.',
  'Dipl.-Ing.',
  'Dipl. Ing.',
  'Dipl.-Kfm.',
  'Dipl.-Wirt.-Ing.',
])('%s is one title in any place', (title) => {
  const parts = title.toLowerCase().match(/[a-z]+/g) ?? [];
  for (const place of ANY_PLACE) {
    const parsed = parseName(place(title));
    expect([place(title), parsed.titles, parsed.words.length]).toEqual([place(title), parts, 2]);
  }
});

test.each([
  'Med Hondo',
  'Dr. Med Hondo',
  'Dr. Ing Kantha Phavi',
  'Walter Ing',
  'Med Walter Bright',
  'Dr. Phil Walter Bright',
  'Dr. H. C. Walter Bright',
  'Dr. h. c. Bright',
  'Bright Dr. h. c.',
  'Dr. Nat Walter Bright',
  'Dr. Med-Amine Bright',
  'Dr. rer. Nat-Walter Bright',
])('%s has a name that elsewhere is a part of a title', (text) => {
  const name = text.replace(/Dr. (?:rer. )?/, '');
  expect(words(text).join(' ')).toBe(name.replaceAll('.', '').replaceAll('-', ' '));
});

test.each(['Junior Alexander Smith', 'Junior Santos'])('the first word of %s may be a given name', (text) =>
  expect([parseName(text).generation, words(text).join(' ')]).toEqual([0, text]),
);

test.each(['Dr Bright', 'Dr.med.', 'Jr Bright', 'Chen Jr-Ming'])('%s keeps its only words', (text) => {
  expect(parseName(text).generation).toBe(0);
  expect(words(text).length).toBeGreaterThan(0);
});

test('nicknames are in quotation marks and brackets, a birth name follows née', () => {
  expect(parseName('Robert "Bob" Smith').nicknames).toEqual(['Bob']);
  expect(parseName('Mary Smith (née Jones)').formerNames).toEqual(['Jones']);
  expect(parseName('Mary Smith née Jones').formerNames).toEqual(['Jones']);
});

test.each([
  ['MAHESH LAL GUPTA S/O HARPREET GUPTA', 'MAHESH LAL GUPTA'],
  ['Sita Devi, D/O. Ram (Ramu) Lal', 'Sita Devi'],
  ['Priya Nair (w / o Sanjay Nair)', 'Priya Nair'],
  ['Aarav Iyer (MINOR) U/G Hari Iyer', 'Aarav Iyer'],
  ['Amit Sharma son of Vijay Sharma', 'Amit Sharma'],
  ['Ada Poole c/o Ben Hart', 'Ada Poole'],
  ['So S.O.', 'So S O'],
  ['Minh So Do', 'Minh So Do'],
])('%s is the name of %s alone', (text, person) => {
  expect(words(text).join(' ')).toBe(person);
  expect(parseName(text).nicknames).toEqual([]);
});

test.each(['', ' ', '...', '12345', '(((', '",",'])(
  'the text %j holds no words and throws nothing',
  (text) => {
    expect(words(text).every((word) => /\d/.test(word))).toBe(true);
  },
);

test.each([
  'Mag.',
  'MUDr.',
  'Ing.',
  'Mgr.',
  'Dott.',
  'Dott.ssa',
  'Avv.',
  'Sig.ra',
  'Univ.-Prof.',
  'Priv.-Doz.',
  'Lic.',
  'Arq.',
  'Dra.',
  'Drs.',
  'Encik',
  'Doç. Dr.',
  'Exmo. Sr.',

  'Господин',
  'г-н',
  'д-р',
  'Κα',
  'د.',
  'ד"ר',
  'श्रीमती',
])('%s before a name is a title', (title) => {
  expect(compareNames(`${title} Walter Bright`, 'Walter Bright').confidence).toBeGreaterThan(95);
  expect(compareNames(`${title} Walter Bright`, 'Walter Henry Bright').same).toBe(true);
});

test.each(['Mag Walter Bright', 'M. Walter Bright', 'Г. Иван Петров', 'Rabbi Islam', 'Eng Hock Tan'])(
  '%s begins with a name or an initial',
  (name) => expect(parseName(name).titles).toEqual([]),
);

test.each([
  ['田中 一郎様', '田中 一郎'],
  ['田中 一郎 さん', '田中 一郎'],
  ['李小龍先生', '李小龍'],
  ['김민수씨', '김민수'],
  ['김민수 님', '김민수'],
  ['Walter Bright, M.Sc.', 'Walter Bright'],
  ['Walter Bright, LL.M.', 'Walter Bright'],
  ['Bright, M.Sc. Walter', 'Walter Bright'],
  ['Bright, B.Sc. Walter', 'Walter Bright'],
  ['Bright, M.Eng. Walter', 'Walter Bright'],
])('%s is %s with a word that is no part of the name', (name, without) => {
  expect(compareNames(name, without).confidence).toBeGreaterThan(95);
});

test.each([
  'HJ. Walter Schmidt',
  'OP. Gupta',
  'SN. Das Gupta',
  'Sig. Hansson',
  'Doc. Holliday',
  'السيد علي',
  'Пан Виктор Иванович',
])('%s begins with initials or a name that may be a title elsewhere', (name) =>
  expect(parseName(name).titles).toEqual([]),
);

test('ING. in a name in capitals is a title', () => {
  expect(parseName('ING. PAVEL NOVAK').titles).toEqual(['ing']);
});

test.each([
  ['Sig.ra Rossi', 'Rossi'],
  ['Dott.ssa Bianchi', 'Bianchi'],
  ["גב' רות כהן", 'רות כהן'],
  ["פרופ' רות כהן", 'רות כהן'],
  ['ד״ר רות כהן', 'רות כהן'],
  ['עו״ד רות כהן', 'רות כהן'],
])('%s is %s with a title', (text, name) => expect(words(text)).toEqual(words(name)));

test.each([
  ['Walter Bright, Sig.ra', 'Walter Bright Sig ra'],
  ['Bright Dr.-Ing.', 'Bright Dr Ing'],
])('%s keeps a title together with its part', (text, name) => expect(words(text).join(' ')).toBe(name));

test.each(['Smith, B. Phil', 'Lim, M. Eng Hock'])('%s has no degree after one word', (text) =>
  expect(words(text)).toContain(text.split(' ')[2]),
);

test.each([
  ['Dr. SC Das Gupta', 'SC Das Gupta'],
  ['박예님', 'Park Yenim'],
  ['السيد علي', 'Elsayed Ali'],
])('%s and %s are one name', (name, other) => {
  expect(compareNames(name, other)).toMatchObject({ same: true });
});
