// Two names: one has a middle name, the other has a double family name.
import { expect, test } from 'vitest';
import { createNameComparer } from '../../src/match/name.ts';
import { prepareName } from '../../src/names/index.ts';
import { createIdentity } from '../kit/values/identity.ts';

test.each([
  ['Sarah Donnelly-Kowalski', 'Sarah Beth Donnelly', true],
  ['Sarah Kowalski-Donnelly', 'Sarah Beth Donnelly', true],
  ['Sarah Beth Donnelly', 'Sarah Donnelly-Kowalski', true],
  ['Sarah Anne Donnelly-Kowalski', 'Sarah Beth Donnelly', false],
  ['Maria García López', 'Maria Carmen García', false],
])('a middle name left out beside a half of a double family name: %s, %s: %s', (name, record, isSame) =>
  expect(createNameComparer(prepareName(name))(createIdentity(1, record)).isSame).toBe(isSame),
);
