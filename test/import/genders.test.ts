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

test('an unknown gender is reported', () => {
  expect(read('2')).toEqual([null, ['gender cannot be used']]);
});
