// Names that agree with the submitted name, but may be a relative's.
import { expect, test } from 'vitest';
import { createNameComparer } from '../../src/match/name.ts';
import { findNamesOfRelatives } from '../../src/match/relatives.ts';
import { prepareName } from '../../src/names/index.ts';
import { createIdentity } from '../kit/values/identity.ts';

test.each([
  ['Evan James Wetherby', 'James Evan Wetherby'],
  ['EVAN JAMES WETHERBY', 'James Evan Wetherby'],
  ['evan james wetherby', 'JAMES EVAN WETHERBY'],
])('a father who has the name as middle name is another person than the son: %s, %s', (father, son) => {
  const name = prepareName('James Wetherby');
  const compare = createNameComparer(name);
  const names = new Map([father, son].map((record, id) => [id, compare(createIdentity(id, record))]));
  const relatives = findNamesOfRelatives(names, name, 0, () => false);
  expect(relatives.map(([id]) => id)).toEqual([0]);
});
