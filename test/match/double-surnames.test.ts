// Names of which one has a middle name, and the other one a double family name.
import { expect, test } from 'vitest';
import { createNameComparer } from '../../src/match/name.ts';
import { prepareName } from '../../src/names/index.ts';

const identityOf = (name: string) => ({
  id: 1,
  names: [name],
  firstSeen: null,
  lastSeen: null,
  records: 1,
  sources: 1,
});

test.each([
  ['Sarah Donnelly-Kowalski', 'Sarah Beth Donnelly', true],
  ['Sarah Kowalski-Donnelly', 'Sarah Beth Donnelly', true],
  ['Sarah Beth Donnelly', 'Sarah Donnelly-Kowalski', true],
  ['Sarah Anne Donnelly-Kowalski', 'Sarah Beth Donnelly', false],
  ['Maria García López', 'Maria Carmen García', false],
])('a middle name left out beside a half of a double family name: %s, %s: %s', (name, record, isSame) =>
  expect(createNameComparer(prepareName(name))(identityOf(record)).isSame).toBe(isSame),
);
