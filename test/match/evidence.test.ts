import { describe, expect, test } from 'vitest';
import { collectEvidence } from '../../src/match/evidence.ts';
import { createNameComparer } from '../../src/match/name.ts';
import { findOtherGenerationNames } from '../../src/match/relatives.ts';
import { prepareName } from '../../src/names/index.ts';
import type { ContactMatch, Contact, LookupKey } from '../../src/model.ts';
import { createIdentity } from '../kit/values/identity.ts';

const hit = (identity: number): ContactMatch => ({
  identity,
  type: 'phone',
  primary: true,
  share: 1,
  firstSeen: null,
  lastSeen: null,
});
const keys = (...texts: string[]): LookupKey[] => texts.map((text) => ({ type: 'phone', text }));

describe('agreement of a name with an identity', () => {
  const agreementOf = (name: string, ...names: string[]) =>
    createNameComparer(prepareName(name))(createIdentity(1, ...names));

  test.each([
    ['the same name', 'Margaret Ostrander', ['Margaret Ostrander'], { isSame: true, isPrimary: true }],
    [
      'another of its names',
      'Margaret Vandermolen',
      ['Margaret Ostrander', 'Margaret Vandermolen'],
      { isSame: true, isPrimary: false },
    ],
    ['a nickname', 'Peggy Ostrander', ['Margaret Ostrander'], { isSame: true, variation: 'nickname' }],
    ['another script', 'Екатерина Вознесенская', ['Ekaterina Voznesenskaya'], { isSame: true }],
    [
      'the given name alone',
      'Margaret Vandermolen',
      ['Margaret Ostrander'],
      { isSame: false, sharedHalf: 'given' },
    ],
    [
      'another person’s name',
      'Hugo Grimaldi',
      ['Margaret Ostrander'],
      { isSame: false, sharedHalf: null, isNameless: false },
    ],
    [
      'no name on record',
      'Hugo Grimaldi',
      [],
      { isSame: false, isNameless: true, agreement: 0, variation: 'no_match' },
    ],
  ])('%s', (_, name, names, expected) => {
    expect(agreementOf(name, ...names)).toMatchObject(expected);
  });

  test.each([
    ['Peter Mueller', 'Anna Müller'],
    ['Peter Meyer', 'Anna Meier'],
    ['Rivka Cohen', 'יעקב כהן'],
    ['Peter McDonald', 'Kirsty MacDonald'],
    ['Rui Silva', 'João da Silva'],
    ['Omar Al-Khatib', 'Fatima El Khatib'],
    ['Rosa Gonzalez', 'Juan Gonzales'],
    ['Nguyễn Văn Hùng', 'Nguyễn Thị Mai'],
    ['Jihoon Kim', 'Kim Minsu'],
  ])('%s and %s share the family name', (name, other) =>
    expect(agreementOf(name, other)).toMatchObject({ isSame: false, sharedHalf: 'family' }),
  );

  test.each([
    ['Marcus Baker', 'Marcus Barker'],
    ['Ines Martin', 'Ines Martins'],
    ['Wei Xi', 'Wei Xia'],
    ['Xi Wei', 'Wei Xia'],
    ['Yongbin Shi', 'Yongbin Shin'],
    ['Jongwo Ahn', 'Jongwon Ahn'],
  ])(
    'a letter more in a family name, or another rare syllable, makes it doubtful: %s and %s',
    (name, other) => {
      const { isSame, sharedHalf, agreement } = agreementOf(name, other);
      expect({ isSame, sharedHalf }).toEqual({ isSame: false, sharedHalf: null });
      expect(agreement).toBeGreaterThan(25);
    },
  );

  test.each([
    ['Lucía Quiroga Soto', 'José Luis Fernández Quiroga'],
    ['Astrid Moe-Smith', 'Peter Smith'],
  ])('one of two family names is not the family name: %s and %s', (name, other) =>
    expect(agreementOf(name, other)).toMatchObject({ isSame: false, sharedHalf: null }),
  );

  test.each([
    ['Marcus Hall', 'Marcus Hill'],
    ['Marcus Barker', 'Marcus Parker'],
    ['Wei Li', 'Wei Lu'],
    ['Wei Ma', 'Wei Mei'],
  ])('another letter in a family name makes it another one: %s and %s', (name, other) =>
    expect(agreementOf(name, other)).toMatchObject({ isSame: false, sharedHalf: 'given' }),
  );

  test('the best of several names counts, and the primary name among equals', () => {
    expect(
      agreementOf('Margaret Ostrander', 'Hugo Grimaldi', 'M. Ostrander', 'Margaret Ostrander'),
    ).toMatchObject({
      variation: 'exact',
      isPrimary: false,
    });
    expect(agreementOf('Margaret Ostrander', 'Margaret Ostrander', 'MARGARET OSTRANDER')).toMatchObject({
      isPrimary: true,
    });
  });

  test('a common initial is not a common given name', () => {
    expect(agreementOf('M. Vandermolen', 'M. Ostrander').sharedHalf).not.toBe('given');
  });
});

const phone = (keys: LookupKey[]): Contact => ({
  kind: 'phone',
  input: '1',
  standardized: '+1',
  keys,
  signature: null,
});
const plain = {
  kind: 'phone',
  isRepeat: false,
  hasLookAlike: false,
  standardized: null,
  hasExtension: false,
};

describe('gathering evidence', () => {
  const gather = (contacts: { keys: LookupKey[]; hits: ContactMatch[] }[]) =>
    collectEvidence({
      name: prepareName('Margaret Ostrander'),
      contacts: contacts.map(({ keys }) => phone(keys)),
      readings: [],
      answer: {
        total: 9,
        newest: null,
        values: contacts.map(({ hits }) => hits),
        name: { bearers: 2, given: [3] },
        identities: new Map([
          [1, createIdentity(1, 'Margaret Ostrander')],
          [2, createIdentity(2, 'Hugo Grimaldi')],
        ]),
      },
    });

  test('keeps the order of the values, and compares the name with every identity', () => {
    const it = gather([
      { keys: keys('+1'), hits: [hit(1)] },
      { keys: keys('+2'), hits: [] },
    ]);
    expect(it.contacts).toEqual([
      { ...plain, agreements: [hit(1)] },
      { ...plain, agreements: [] },
    ]);
    expect([...it.nameAgreements].map(([id, name]) => [id, name.isSame])).toEqual([
      [3, false],
      [1, true],
      [2, false],
    ]);
    expect(it.nameAgreements.get(3)).toMatchObject({ sharedHalf: 'given', isNameless: false });
    expect(it).toMatchObject({ graphSize: 9, nameHolders: 2 });
  });

  test('counts two spellings of one number once', () => {
    const it = gather([
      { keys: keys('+1'), hits: [hit(1)] },
      { keys: keys('+1'), hits: [hit(1)] },
    ]);
    expect(it.contacts.map((one) => one.isRepeat)).toEqual([false, true]);
  });

  test('of two spellings of one number, the one with more readings counts, in any order', () => {
    const narrow = { keys: keys('+1'), hits: [] };
    const wide = { keys: keys('+1', '+65'), hits: [hit(2)] };
    const counted = (contacts: (typeof wide)[]) => gather(contacts).contacts.filter((one) => !one.isRepeat);
    expect(counted([narrow, wide])).toEqual(counted([wide, narrow]));
    expect(counted([narrow, wide])[0]?.agreements).toEqual([hit(2)]);
  });

  test('values without keys are not repeats', () => {
    const it = gather([
      { keys: [], hits: [] },
      { keys: [], hits: [] },
    ]);
    expect(it.contacts.map((one) => one.isRepeat)).toEqual([false, false]);
  });
});

describe('a longer form of the name on record has another word than the submitted name', () => {
  const compare = (name: string, ...names: string[]) =>
    createNameComparer(prepareName(name))(createIdentity(1, ...names));

  test.each([
    ['Frederick R Ashdown', 'Frederick Ashdown', 'Frederick T. Ashdown'],
    ['Ashdown, Frederick R.', 'Frederick Ashdown', 'Frederick T. Ashdown'],
    ['Ashdown Frederick R', 'Frederick Ashdown', 'Frederick T. Ashdown'],
    ['Frederick Robert Ashdown', 'Frederick T. Ashdown', 'Frederick Ashdown'],
    ['Иван Петрович Вознесенский', 'Иван Вознесенский', 'Иван Андреевич Вознесенский'],
    ['Inés Garrido Ruiz', 'Inés Garrido', 'Inés Garrido Lozano'],
    ['José Antonio Jiménez Quintana', 'Pepe Jiménez', 'José Luis Jiménez Quintana'],
  ])('%s agrees no more with %s, who is also %s, than with the longer form', (name, ...names) => {
    const longer = names.toSorted((a, b) => b.length - a.length)[0] ?? '';
    const { isSame, agreement, closestName } = compare(name, longer);
    expect(isSame).toBe(false);
    expect(compare(name, ...names)).toMatchObject({ isSame, agreement, closestName, hasOtherWord: true });
  });

  test.each([
    ['Frederick Ashdown', 'Frederick Ashdown', 'Frederick T. Ashdown'],
    ['Frederick Thomas Ashdown', 'Frederick Ashdown', 'Frederick T. Ashdown'],
    ['Frederick T R Ashdown', 'Frederick Ashdown', 'Frederick T. Ashdown'],
    ['Frederick Robert Ashdown', 'Frederick Ashdown', 'Frederick Ashdown'],
    ['Frederick Roger Ashdown', 'Frederick Ashdown', 'Frederick Rodger Ashdown'],
    ['Mary Ann Ashdown', 'Maryann Ashdown', 'Mary Ellen Ashdown'],
    ['Frederick R Ashdown', 'Frederick T. Ashdown', 'Frederick R. Ashdown'],
  ])('%s has every word of %s, or of %s', (name, ...names) => {
    const { hasOtherWord, agreement } = compare(name, ...names);
    expect([hasOtherWord, agreement > 95]).toEqual([undefined, true]);
  });
});

test.each([
  ['Carlos Neto Silva', 'Carlos Neto Silva', 'Carlos Silva Neto'],
  ['Thomas Senior Smith', 'Thomas Senior Smith', 'Thomas Smith Sr'],
  ['Jun Wei Chen', 'Jun Wei Chen', 'Wei Chen Jr'],
  ['Pere Joan Mas', 'Pere Joan Mas', 'Joan Mas Sr'],
  ['Sr. Juan Lopez', 'Juan Lopez', 'Juan Lopez Sr'],
  ['Carlos Neto Silva', 'Carlos Silva', 'Carlos Neto Silva Filho'],
  ['Junior Alexander Smith', 'Junior Smith', 'Junior Alexander Smith Sr.'],
  ['Junior Walter Alan Brandt', 'Junior Brandt', 'Junior Walter Brandt III'],
  ['Carlos Alberto Neto Silva', 'Carlos Neto Silva', 'Carlos Neto Silva Filho'],
  ['Sr. Juan Carlos Lopez', 'Juan Lopez', 'Juan Lopez Jr'],
  ['Robert Jun Park', 'Robert Park', 'Robert Park III'],
  ['Carlos Neto Silva', 'Carlos Silva Neto', 'Carlos Neto Silva Filho'],
])('%s may be %s although %s is on record', (name, own, withSuffix) => {
  expect(agreementsIn(name, [own, withSuffix])).toEqual([true, true]);
});

test.each([
  ['Sr. Walter Brandt', ['Walter Brandt Jr.', 'Walter Brandt Sr.'], [false, true]],
  ['Walter Brandt Sr.', ['Walter Brandt', 'Walter Brandt Sr.'], [false, true]],
  ['Carlos Neto Silva', ['Carlos Silva Filho', 'Carlos Silva Neto'], [false, true]],
  ['Junior Walter Brandt', ['Walter Brandt Sr.'], [false]],
  ['Junior Walter Brandt', ['Walter Brandt', 'Walter Brandt Sr.'], [true, false]],
  ['Junior Walter Alan Brandt', ['Walter Brandt Sr.'], [false]],
  ['Robert jun Park', ['Robert Park III'], [false]],
])('%s is none of another recorded suffix: %s', (name, records, same) => {
  expect(agreementsIn(name, records)).toEqual(same);
});

test.each([
  ['Theodore Kosten Sr', 'Harlan Stoddart Jr', undefined],
  ['Harlan Stoddart Sr', 'Harlan Stoddart Jr', true],
  ['H. Stoddart Sr', 'Harlan Stoddart Jr', true],
])('for %s, the name %s is that of another generation: %s', (name, record, isOther) => {
  const match = createNameComparer(prepareName(name))(createIdentity(1, record));
  expect(match.isOtherGeneration).toBe(isOther);
});

/** Returns, for every recorded name, if it may be that of the submitted person beside the others. */
function agreementsIn(name: string, records: readonly string[]): boolean[] {
  const submitted = prepareName(name);
  const compare = createNameComparer(submitted);
  const names = new Map(records.map((record, i) => [i, compare(createIdentity(i, record))]));
  const others = new Set(findOtherGenerationNames(names, submitted).map(([id]) => id));
  return records.map((_, i) => names.get(i)!.isSame && !others.has(i));
}
