import { expect, test } from 'vitest';
import { parseImportRecord } from '../../src/import/record.ts';

function read(gender: string) {
  const it = parseImportRecord(
    { record_id: '1', source: 's', name: 'Zoe Quent', gender },
    { source: '', region: 'US' },
  );
  return 'record' in it ? [it.record.gender, it.dropped] : [it];
}

test.each([
  ['weiblich', 'female'],
  ['Femme', 'female'],
  ['männlich', 'male'],
  ['Hombre', 'male'],
  ['женский', 'female'],
  ['Mrs', 'female'],
  ['男', 'male'],
  ['女性', 'female'],
  ['여', 'female'],
  ['Ж', 'female'],
  ['муж.', 'male'],
  ['Γυναίκα', 'female'],
  ['ذكر', 'male'],
  ['נקבה', 'female'],
  ['ชาย', 'male'],
  ['divers', 'other'],
  ['K', 'female'],
  ['E', 'male'],
  ['unknown', null],
  ['N/A', null],
  ['', null],
])('a gender of %j is read as %j', (gender, expected) => {
  expect(read(gender)).toEqual([expected, []]);
});

test.each(['2', 'M/F', 'Frau divers'])('a gender of %j is unknown, and reported', (gender) => {
  expect(read(gender)).toEqual([null, ['gender cannot be used']]);
});
