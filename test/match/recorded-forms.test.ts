import { expect, test } from 'vitest';
import { createNameComparer } from '../../src/match/name.ts';
import { prepareName } from '../../src/names/index.ts';
import { createIdentity } from '../kit/values/identity.ts';

test.each([
  ['an initial', 'Andreas Fuchs', ['A Fuchs', 'Alexander Fuchs']],
  ['an initial behind the family name', 'Debin Shi', ['shi d', 'Dawei Shi']],
  ['another script', 'Jawad Issa', ['جود عيسى', 'Jood Issa']],
])('a recorded form with %s agrees with no other name than the full form', (_, name, records) => {
  const compare = createNameComparer(prepareName(name));
  expect(compare(createIdentity(1, ...records))).toMatchObject({ isSame: false, sharedHalf: 'family' });
  expect(compare(createIdentity(1, records[0]!)).sharedHalf).toBe(null);
});

test.each([
  ['Aya Lindqvist', 'Ayana Lindqvist'],
  ['Jongho Hwang', 'Hwang Junsub'],
  ['Tomoe Kimura', 'Tomona Kimura'],
])('%s has only the family name of %s', (name, record) =>
  expect(createNameComparer(prepareName(name))(createIdentity(1, record))).toMatchObject({
    isSame: false,
    sharedHalf: 'family',
  }),
);
