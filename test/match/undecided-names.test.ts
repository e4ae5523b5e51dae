import { expect, test } from 'vitest';
import { createNameComparer } from '../../src/match/name.ts';
import { raiseAgreementsOfUndecidedNames } from '../../src/match/undecided-names.ts';
import type { Identity } from '../../src/model.ts';
import { prepareName } from '../../src/names/index.ts';
import { createIdentity } from '../kit/values/identity.ts';

/** Returns the match of a name with each of the recorded names. */
function match(text: string, ...recorded: string[]) {
  const name = prepareName(text);
  const compare = createNameComparer(name);
  const identities = new Map<number, Identity>(recorded.map((known, id) => [id, createIdentity(id, known)]));
  const matches = new Map([...identities].map(([id, identity]) => [id, compare(identity)]));
  return [...raiseAgreementsOfUndecidedNames(matches, name, identities).values()];
}

test.each([
  ['David Zhang', 'Wei Zhang'],
  ['Youngsun Jeon', 'Betty Jeon'],
  ['Yongchul Kim', 'Terry Kim'],
  ['전가숙', 'Betty Jeon'],
  ['Ngọc Minh Mai', 'John Mai'],
  ['Gary Lương', 'Ngoc Minh Luong'],
])('an English name of a Chinese or Korean speaker is undecided, and not that of a relative', (name, other) =>
  expect(match(name, other)).toMatchObject([{ agreement: 29, sharedHalf: null }]),
);

test.each([
  ['Youngsun Jeon', 'Betty Jeon', true],
  ['Jihoon Kim', 'Hyunwoo Kim', undefined],
  ['Minh Nguyen', 'Lan Nguyen', undefined],
  ['Coy Do', 'Colin Do', undefined],
  ['Mary Lee', 'Robert Lee', undefined],
])('beside an identity with the name %s, %s may be a second name: %s', (name, other, mayBeSecondName) =>
  expect(match(name, other, name)[0]?.mayBeSecondName).toBe(mayBeSecondName),
);

test('a name is not undecided if an identity has it', () => {
  const [other] = match('David Zhang', 'Wei Zhang', 'David Zhang');
  expect(other).toMatchObject({ sharedHalf: 'family' });
  expect(other?.agreement).toBeLessThan(20);
});
