import { expect, test } from 'vitest';
import { comparePreparedNames, getFirstGivenName, prepareName } from '../../src/names/index.ts';
import { parsePersonTraits } from '../../src/import/traits.ts';

const genderOf = (raw: Parameters<typeof parsePersonTraits>[0]) => parsePersonTraits(raw, []).gender;

test.each([
  ['Signora', 'Signor'],
  ['Sig.ra', 'Sig.'],
  ['Doña', 'Don'],
  ['Sra.', 'Sr.'],
  ['Srta.', 'Señor'],
  ['Senhora', 'Senhor'],
  ['Dona', 'Dom'],
  ['mevrouw', 'de heer'],
  ['mevr.', 'dhr.'],
  ['mw.', 'meneer'],
  ['Pani', 'Pan'],
  ['paní', 'pan'],
  ['Mme', 'M.'],
  ['Mlle', 'Monsieur'],
  ['Fru', 'Herr'],
  ['Fröken', 'hr.'],
  ['Rouva', 'Herra'],
  ['Bayan', 'Bay'],
  ['Κυρία', 'Κύριος'],
  ['Gospođa', 'Gospodin'],
  ['Госпожа', 'Господин'],
  ['Frau Prof. Dr.', 'Herr Dr.'],
  ['Frau Dipl.-Kffr.', 'Herr Dr. techn.'],
  ['Sra. Arq.', 'Mr. Rev.'],
])('%s is a title of women, %s of men', (hers, his) => {
  expect(genderOf({ title: hers })).toBe('female');
  expect(genderOf({ title: his })).toBe('male');
});

test.each([
  'Sr. Engineer',
  'VP M',
  'Lord of the Manor',
  'Dr.',
  'Prof.',
  'Mr and Mrs',
  'Herr und Frau',
  'M. et Mme',
  'BA',
  'Mx',
  '',
])('the title %j tells no gender', (title) => {
  expect(genderOf({ title })).toBeNull();
});

test.each([
  ['Signora G. Rossi', 'female'],
  ['Sig.ra Rossi', 'female'],
  ['de heer P. Jansen', 'male'],
  ['Mevrouw Jansen', 'female'],
  ['Mrs Lord', 'female'],
  ['Senhora Dona Figueira', 'female'],
  ['Mr and Mrs J. Doe', null],
  ['Mr & Mrs Doe', null],
  ['Herr und Frau Roth', null],
  // Words that are names as well count only in a field of their own.
  ['Don Draper', null],
  ['Dona Smith', null],
  ['Pan Wei', null],
  ['Bay Harlow', null],
  ['Signora', null],
])('title in front of a name: %s (%s)', (name, gender) => {
  expect(genderOf({ name })).toBe(gender);
  expect(genderOf({ names: ['G. R.', name] })).toBe(gender);
});

test('a title in a gender field may have other words', () => {
  expect(genderOf({ gender: 'Frau (Kundin)' })).toBe('female');
  expect(genderOf({ gender: 'Herr X' })).toBe('male');
});

test('a gender field outweighs the title', () => {
  expect(genderOf({ gender: 'male', title: 'Mrs' })).toBe('male');
});

test.each([
  'Miss',
  'Ms',
  'Frau',
  'Herrn',
  'Signora',
  'Mevrouw',
  'Gospodin',
  'Gospodična',

  'Proua',
  'Kundze',
  'Kungs',
])('%s in front of a name tells a gender and is no given name', (title) => {
  const name = `${title} Nikola Berg`;
  expect(genderOf({ name })).not.toBeNull();
  expect(getFirstGivenName(prepareName(name))).toBe('nikola');
});

test.each(['Hr.', 'Mw.', 'Sig.'])(
  '%s in front of a name may be its initials or its first word: it is still one name',
  (title) => {
    const [titled, plain] = [`${title} Nikola Berg`, 'Nikola Berg'].map(prepareName);
    if (!titled || !plain) throw new Error('no names');
    expect(comparePreparedNames(titled, plain).same).toBe(true);
  },
);
