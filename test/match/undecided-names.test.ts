import { expect, test } from 'vitest';
import { createNameComparer } from '../../src/match/name.ts';
import { raiseUndecidedNames } from '../../src/match/undecided-names.ts';
import type { Identity } from '../../src/model.ts';
import { prepareName } from '../../src/names/index.ts';
import { createIdentity } from '../kit/values/identity.ts';

/** Returns the match of a name with each of the recorded names. */
function match(text: string, ...recorded: string[]) {
  const name = prepareName(text);
  const compare = createNameComparer(name);
  const identities = new Map<number, Identity>(recorded.map((known, id) => [id, createIdentity(id, known)]));
  const matches = new Map([...identities].map(([id, identity]) => [id, compare(identity)]));
  return [...raiseUndecidedNames(matches, name, identities).values()];
}

test('an English name of a Chinese speaker is undecided, and not that of a relative', () =>
  expect(match('David Zhang', 'Wei Zhang')).toMatchObject([{ agreement: 29, sharedHalf: null }]));

test('a name is not undecided if an identity has it', () => {
  const [other] = match('David Zhang', 'Wei Zhang', 'David Zhang');
  expect(other).toMatchObject({ sharedHalf: 'family' });
  expect(other?.agreement).toBeLessThan(20);
});
