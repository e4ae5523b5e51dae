// Advice of an import on columns that would make checks more certain.
import { expect, test } from 'vitest';
import {
  addRecordToStatistics,
  createRecordStatistics,
  describeRecordStatistics,
} from '../../src/import/statistics.ts';
import { parseImportRecord } from '../../src/import/record.ts';

test.each([
  ['first_seen', true],
  ['last_seen', false],
])('records that have only %s: advice about the last date is %s', (field, isGiven) => {
  const statistics = createRecordStatistics();
  for (let i = 0; i < 20; i++) {
    const raw = {
      record_id: `${i}`,
      name: 'Jane Quimby',
      emails: [`jane${i}@example.com`],
      [field]: '2009-03-01',
    };
    const result = parseImportRecord(raw, { source: 'club' });
    if ('record' in result) addRecordToStatistics(statistics, result.record);
  }
  expect(describeRecordStatistics(statistics, 20).better.join().includes('a column last_seen')).toBe(isGiven);
});
