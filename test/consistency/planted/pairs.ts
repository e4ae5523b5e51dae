import { person } from '../good/cases.ts';
import type { Plant } from './plant.ts';
import { analysis, names } from './plant.ts';

export const PAIRS: Plant[] = [
  ['hyphen-of-the-record', person, (it) => void (names(it).matched_name = 'Jane-Quimby')],
  [
    'one-name-is-no-concern',
    person,
    (it) => void analysis(it).concerns.push('Only part of the name can be compared: Rae has no counterpart.'),
  ],
];
