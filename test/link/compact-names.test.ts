// Conflicts that are found by given names alone are those that a comparison of the records finds.
import { expect, test } from 'vitest';
import { Random } from '../../src/generate/random.ts';
import { generateRecordLines } from '../../src/generate/records.ts';
import { createFingerprintFunctions } from '../../src/graph/encryption/fingerprints.ts';
import { toStoredRecord } from '../../src/import/stored.ts';
import { parseImportRecord } from '../../src/import/record.ts';
import { comparePair } from '../../src/link/compare/pair.ts';
import {
  createCompactNameEncoder,
  createCompactNameStore,
  createNameConflictTest,
} from '../../src/link/compare/compact-names.ts';
import { listStatisticsCountsOfRecord } from '../../src/link/statistics/link-cache-record.ts';
import { roundLinkStatistics } from '../../src/link/statistics/levels.ts';
import { createLinkStatisticsCollector } from '../../src/link/statistics/collected.ts';
import { UNMEASURED_ERROR_RATES } from '../../src/link/compare/evidence.ts';
import { toLinkableRecord } from '../../src/link/link-record.ts';
import { worldOf } from '../generate/world.ts';

const fingerprints = createFingerprintFunctions('5e'.repeat(32));

const lines = [...generateRecordLines(worldOf(250, { seed: 5 }))].flatMap(({ records }) =>
  records.trim().split('\n'),
);
const records = lines.flatMap((line, row) => {
  const outcome = parseImportRecord(JSON.parse(line), { source: 'test', region: 'US' });
  if (!('record' in outcome)) return [];
  const stored = toStoredRecord(outcome.record, { fingerprints });
  return [toLinkableRecord({ ...stored, row: row + 1, key: '', identity: null }, fingerprints.of)];
});
const counting = createLinkStatisticsCollector(fingerprints.of);
for (const record of records) counting.see(listStatisticsCountsOfRecord(record, fingerprints.of));
const exact = { ...counting.statistics(), sharers: () => 1 };
const outlines = createCompactNameStore(lines.length + 1);
const batch = createCompactNameEncoder();
for (const record of records) batch.add(record);
outlines.keep(
  records.map(({ row }) => row),
  batch.take(),
);

test('every pair that names decide is in conflict, and names decide most pairs of strangers', () => {
  const context = roundLinkStatistics({ ...exact, errorRates: UNMEASURED_ERROR_RATES });
  const isSettled = createNameConflictTest(outlines.view(), context);
  const random = new Random(2, 2, 2);
  let settled = 0;
  for (let i = 0; i < 6000; i++) {
    const [a, b] = [random.pick(records), random.pick(records)];
    if (a === undefined || b === undefined || a === b || !isSettled(a.row, b.row)) continue;
    settled++;
    expect(isSettled(b.row, a.row)).toBe(true);
    expect(comparePair(a, b, context).conflict).toBe(true);
  }
  expect(settled).toBeGreaterThan(3000);
});

test('names decide no pair if names have errors', () => {
  const isSettled = createNameConflictTest(outlines.view(), {
    errorRates: { ...UNMEASURED_ERROR_RATES, name: { rate: 0.1, others: 0.1 } },
  });
  expect(records.some((a) => records.some((b) => isSettled(a.row, b.row)))).toBe(false);
});
