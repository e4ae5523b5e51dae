// Counts with the same serialized effect give every pair the same weight, so that no pair has to be compared again.
import { describe, expect, test } from 'vitest';
import { createFingerprintFunctions } from '../../../src/graph/encryption/fingerprints.ts';
import { toStoredRecord } from '../../../src/import/stored.ts';
import { parseImportRecord } from '../../../src/import/record.ts';
import { type LinkStatistics, UNMEASURED_ERROR_RATES } from '../../../src/link/compare/evidence.ts';
import { comparePair } from '../../../src/link/compare/pair.ts';
import {
  serializeWeightEffectOfCount,
  getNameWeightBits,
  getPostcodeWeightBits,
} from '../../../src/link/statistics/weight-effects.ts';
import { COUNT_TYPES, toLinkCacheRecord } from '../../../src/link/statistics/link-cache-record.ts';
import { roundLinkStatistics } from '../../../src/link/statistics/levels.ts';
import { toLinkableRecord } from '../../../src/link/link-record.ts';

const { of, ...fingerprints } = createFingerprintFunctions('5e'.repeat(32));

function recordOf(row: number, raw: object) {
  const outcome = parseImportRecord({ record_id: `${row}`, ...raw }, { source: 'test', region: 'US' });
  if (!('record' in outcome)) throw new Error('the record cannot be used');
  const stored = toStoredRecord(outcome.record, { fingerprints: { of, ...fingerprints } });
  return toLinkableRecord({ ...stored, row, key: '', identity: null }, of);
}

const contextOf = (records: number, counts: Partial<LinkStatistics>): LinkStatistics =>
  roundLinkStatistics({
    records,
    sharers: () => 1,
    nameCount: () => 1,
    wordCount: () => 1,
    dateCount: () => 1,
    placeCount: () => 1,
    nameAndBirthCount: () => 1,
    perPerson: 4,
    errorRates: UNMEASURED_ERROR_RATES,
    ...counts,
  });

const SIZES = [300, 20_000, 1_000_000];
const UP_TO = Array.from({ length: 3000 }, (_, i) => i + 1);

/** Checks that neighbouring counts with one effect have equal bits. Returns the number of counts at which the effect changes. */
function steps(
  records: number,
  {
    effect,
    bits,
  }: { effect: (count: number, common: LinkStatistics) => unknown; bits: (count: number) => unknown },
): number {
  const common = contextOf(records, {});
  const alike = UP_TO.filter((count) => effect(count, common) === effect(count + 1, common));
  expect(alike.filter((count) => String(bits(count)) !== String(bits(count + 1)))).toEqual([]);
  return UP_TO.length - alike.length;
}

describe.each(SIZES)('among %i records', (records) => {
  const pairs = [
    ['Henrietta Ostrander', 'Henrietta Ostrander'],
    ['Henrietta Ostrander', 'Ostrander, Henrietta M.'],
    ['Henrietta', 'Henrietta Ostrander'],
  ].map(
    (names) =>
      names.map((name, i) => recordOf(i, { name })) as [
        ReturnType<typeof recordOf>,
        ReturnType<typeof recordOf>,
      ],
  );

  test('how many bear a name', () => {
    const [one] = pairs[0] ?? [];
    if (!one) throw new Error('there is a pair');
    const facts = toLinkCacheRecord(one, of);
    const found = steps(records, {
      effect: (count, common) => getNameWeightBits(facts, () => count, common),
      bits: (count) =>
        pairs.map((pair) => {
          const context = contextOf(records, { nameCount: () => count, wordCount: () => count });
          return comparePair(...pair, context).bits;
        }),
    });
    expect(found).toBeGreaterThan(0);
  });

  test('how many are in a place, and in a street that its postcode means', () => {
    const at = (address: object) =>
      recordOf(1, { name: 'Ida Berg', addresses: [address], birth_place: 'Leeds' });
    const towns = [at({ street: '1 Elm Road', city: 'Boise', state: 'ID', zip: '83702', country: 'US' })];
    towns.push(at({ street: '9 Oak Lane', city: 'Boise', state: 'ID', zip: '83702', country: 'US' }));
    const streets = [at({ street: '1 Elm Road', city: 'Leeds', zip: 'LS1 4AP', country: 'GB' })];
    streets.push(at({ street: '1 Oak Mews', city: 'Leeds', zip: 'LS1 4AP', country: 'GB' }));
    expect(toLinkCacheRecord(towns[0] ?? recordOf(0, {}), of).streets).toEqual([]);
    expect(toLinkCacheRecord(streets[0] ?? recordOf(0, {}), of).streets).toHaveLength(1);
    const bits =
      ([one, two]: typeof towns) =>
      (count: number) =>
        one && two && comparePair(one, two, contextOf(records, { placeCount: () => count })).bits;
    const general = (count: number, common: LinkStatistics) =>
      serializeWeightEffectOfCount(COUNT_TYPES.place, count, common);
    const both = (count: number, common: LinkStatistics) =>
      `${general(count, common)} ${getPostcodeWeightBits(count, common)}`;
    const inTowns = steps(records, { effect: general, bits: bits(towns) });
    const inStreets = steps(records, { effect: both, bits: bits(streets) });
    expect(inTowns).toBeGreaterThan(0);
    expect(inStreets).toBeGreaterThanOrEqual(inTowns);
  });
});

test('in a large graph a few more who bear a name change nothing, and in a place that is no street', () => {
  const facts = toLinkCacheRecord(recordOf(1, { name: 'Henrietta Ostrander' }), of);
  const common = contextOf(1_000_000, {});
  const names = [1, 2, 3, 5, 8, 13, 21].map((count) => getNameWeightBits(facts, () => count, common));
  expect(new Set(names).size).toBe(1);
  const places = [30, 60, 120, 250, 500, 1000].map((count) =>
    serializeWeightEffectOfCount(COUNT_TYPES.place, count, common),
  );
  expect(new Set(places).size).toBe(1);
});
