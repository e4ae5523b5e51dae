import { expect, test } from 'vitest';
import { createFingerprintFunctions } from '../../src/graph/encryption/fingerprints.ts';
import {
  computeSuppressionMarks,
  type SuppressionMatch,
  matchRecordWithSuppressionList,
} from '../../src/graph/suppression.ts';
import { toStoredRecord } from '../../src/import/stored.ts';
import { type ImportRecord, parseImportRecord } from '../../src/import/record.ts';
import type { StoredRecord } from '../../src/link/stored-record.ts';
import { SECRET } from '../kit/graphs/found.ts';
import type { Row } from '../kit/graphs/graph.ts';

const FINGERPRINTS = createFingerprintFunctions(SECRET);

function stored(row: Partial<Row>): StoredRecord {
  const read = parseImportRecord({ record_id: 'another', ...row }, { source: 'crm', region: 'US' });
  return toStoredRecord((read as { record: ImportRecord }).record, { fingerprints: FINGERPRINTS });
}

const STREET = { street: '418 Alder Creek Road', city: 'Portland', state: 'OR', zip: '97219' };
const [EMAIL, PHONE] = ['robert@example.com', '+1 503 234 0101'];
/** Records of one person; no single record has all values. */
const FORGOTTEN = [
  { record_id: '1', name: 'Robert Hale', emails: [EMAIL], birth_date: '1984-05-17' },
  { record_id: '2', phones: [PHONE] },
  { record_id: '3', name: 'Bob Hale-Jones', addresses: [STREET] },
];

/** Returns the match of a record with the suppression list of forgotten records. */
function judged(row: Partial<Row>, forgotten: Partial<Row>[] = FORGOTTEN): SuppressionMatch {
  const marks = computeSuppressionMarks(forgotten.map(stored), FINGERPRINTS).map((mark) =>
    mark.toString('hex'),
  );
  const known = new Set(marks);
  return matchRecordWithSuppressionList(stored(row), [FINGERPRINTS], (mark) =>
    known.has(mark.toString('hex')),
  );
}

test('a forgotten person is recognised by the record id, or by a name with a contact', () => {
  expect(judged({ record_id: '2', name: 'Anybody' })).toBe('forgotten');
  expect(judged({ name: 'HALE, Robert', emails: [EMAIL] })).toBe('forgotten');
  expect(judged({ name: 'Bob Hale', emails: [EMAIL] })).toBe('forgotten');
  expect(judged({ name: 'Robert J. Hale', phones: [PHONE] })).toBe('forgotten');
  expect(judged({ name: 'Robert Hale', addresses: [STREET] })).toBe('forgotten');
  expect(judged({ name: 'Bobby Hale', addresses: [STREET] })).toBe('free');
});

test('an e-mail with a tag, or with dots that its provider ignores, matches', () => {
  const [tagged, dotted] = ['robert+news@example.com', 'r.hale+x@googlemail.com'];
  expect(judged({ name: 'Robert Hale', emails: [tagged] })).toBe('forgotten');
  expect(judged({ emails: [tagged, EMAIL] })).toBe('forgotten');
  expect(judged({ emails: [tagged, 'office@example.com'] })).toBe('alike');
  expect(judged({ name: 'Ottilie Hale', emails: [tagged] })).toBe('alike');
  const gmail = [{ record_id: '1', name: 'Robert Hale', emails: [dotted] }];
  expect(judged({ name: 'Robert Hale', emails: ['rhale@gmail.com'] }, gmail)).toBe('forgotten');
  expect(judged({ name: 'Robert Hale', emails: ['r.hale@example.com'] }, gmail)).toBe('free');
});

test('a record without a name and with only their e-mails and phones matches', () => {
  expect(judged({ emails: [EMAIL], phones: [PHONE] })).toBe('forgotten');
  expect(judged({ phones: [PHONE], emails: ['office@example.com'] })).toBe('alike');
  expect(judged({ addresses: [STREET] })).toBe('free');
});

test('a relative with the same phone, e-mail or address is only alike', () => {
  expect(judged({ name: 'Roberta Hale', phones: [PHONE] })).toBe('alike');
  expect(judged({ name: 'Ottilie Hale', emails: [EMAIL], addresses: [STREET] })).toBe('alike');
  expect(judged({ name: 'Ottilie Hale', addresses: [STREET] })).toBe('free');
  expect(
    judged({ name: 'Joan Miller', phones: [PHONE] }, [
      { record_id: '1', name: 'John Miller', phones: [PHONE] },
    ]),
  ).toBe('alike');
});

test('a person with the same name and another birth year does not match', () => {
  expect(judged({ name: 'Robert Hale', phones: [PHONE], birth_date: '1951-02-03' })).toBe('alike');
  expect(judged({ name: 'Robert Hale', phones: [PHONE], birth_date: '1984' })).toBe('forgotten');
});

test('the same person in another source, or without a common contact, does not match', () => {
  expect(judged({ source: 'shop', name: 'Robert Hale', emails: [EMAIL] })).toBe('free');
  expect(judged({ name: 'Robert Hale', emails: ['other@example.com'] })).toBe('free');
});
