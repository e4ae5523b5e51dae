import { expect, test } from 'vitest';
import {
  createSharedMemoryRecords,
  createFirstEqualRecordFinder,
  createSharedMemoryRecordReader,
  createRecordPacker,
} from '../../src/link/packed-records.ts';
import type { RecordPartsForLinking } from '../../src/link/link-record.ts';

const BARE: RecordPartsForLinking = {
  source: '',
  names: [],
  birthDate: null,
  label: null,
  firstSeen: null,
  lastSeen: null,
  contacts: [],
  birthPlace: null,
  gender: null,
  identifiers: [],
  order: 0,
  nameFingerprints: [],
  nameKeys: [],
  nameAndBirth: null,
};

const WHOLE: RecordPartsForLinking = {
  source: 'crm',
  names: ['Ann Lindqvist', 'José Ñandú', ''],
  birthDate: '1980-02',
  label: '\u00001.2',
  firstSeen: 0,
  lastSeen: -86_400_000,
  contacts: [
    {
      kind: 'email',
      keys: [
        ['email', 2 ** 52 - 1],
        ['mailbox', 1],
      ],
      signature: { exactPart: 77, grams: [0, 3, 0xfffe, 0xffff] },
      places: [],
    },
    { kind: 'phone', keys: [['phone', 5]], signature: null, places: [] },
    { kind: 'address', keys: [], signature: { exactPart: 1, grams: [] }, places: [4, 5, 6] },
    { kind: 'address', keys: [], signature: null, places: [4, 5], postcode: 5, unit: 2 ** 51 },
  ],
  birthPlace: 9,
  gender: 'other',
  identifiers: [
    { type: 1, value: 2, once: true },
    { type: 3, value: 4, once: false },
  ],
  order: 2 ** 52 - 1,
  nameFingerprints: [
    { keys: [11, 12], givenKey: 2 ** 52 - 1, form: 14 },
    { keys: [15], givenKey: null, form: 16 },
    { keys: [], givenKey: null, form: 0 },
  ],
  nameKeys: [11, 12],
  nameAndBirth: 13,
};

const packRecords = (records: RecordPartsForLinking[]) => {
  const packer = createRecordPacker();
  for (const record of records) packer.add(record);
  return packer.take();
};

test('a record that was packed is what it was, whatever it holds and whatever stands beside it', () => {
  const others: RecordPartsForLinking[] = [
    { ...BARE, names: ['山田太郎', '\ud800 alone'] },
    { ...WHOLE, label: null, contacts: WHOLE.contacts.toReversed() },
    { ...BARE, label: '' },
  ];
  const all = [BARE, WHOLE, ...others];
  const sharedRecords = createSharedMemoryRecords(20, Infinity);
  sharedRecords.put([3, 4], packRecords(all.slice(0, 2)));
  sharedRecords.put([7, 11, 19], packRecords(all.slice(2)));
  const read = createSharedMemoryRecordReader(sharedRecords.view());
  expect([3, 4, 7, 11, 19].map(read)).toEqual(all);
  expect([0, 5, 18].map(read)).toEqual([null, null, null]);
});

test('beyond the memory that there is, records are left out', () => {
  const sharedRecords = createSharedMemoryRecords(4, 200);
  for (const row of [1, 2, 3]) sharedRecords.put([row], packRecords([BARE]));
  const read = createSharedMemoryRecordReader(sharedRecords.view());
  expect([1, 2, 3].map((row) => read(row) !== null)).toEqual([true, true, false]);
});

test('records are equal if they differ only in order, source and dates', () => {
  const equal = { ...WHOLE, order: 5, source: 'shop', firstSeen: null, lastSeen: 86_400_000 };
  const shared = createSharedMemoryRecords(9, Infinity);
  shared.put([2, 4, 6], packRecords([WHOLE, equal, { ...equal, gender: null }]));
  const firstOf = createFirstEqualRecordFinder([2, 4, 6, 8], createSharedMemoryRecordReader(shared.view()));
  expect([2, 4, 6, 8].map(firstOf)).toEqual([2, 2, 6, 8]);
});
