import { expect, test } from 'vitest';
import { parseFeedRequest } from '../../../src/import/feed/lines.ts';
import { createFingerprintFunctions } from '../../../src/graph/encryption/fingerprints.ts';

const KNOWN = createFingerprintFunctions('5e'.repeat(32));
const read = (text: string | Uint8Array, source = '') =>
  parseFeedRequest({ lines: Buffer.from(text), source, region: 'US' }, { fingerprints: KNOWN });
const line = (record: object) => `${JSON.stringify(record)}\n`;
const ADA = { record_id: '1', source: 'crm', name: 'Ada Byron', emails: ['ada@example.com'] };

test('lines add and remove records, and the last of several lines about one record counts', async () => {
  const one = await read(line(ADA) + line({ ...ADA, record_id: '2' }) + line({ ...ADA, name: 'Ada King' }));
  expect(one).toMatchObject({ put: 3, deleted: 0, refused: [], leftOut: [] });
  expect([...one.records.values()].map(({ record }) => record?.names)).toEqual([['Ada King'], ['Ada Byron']]);
  const two = await read(`\n${line(ADA)}${line({ record_id: '1', source: 'crm', deleted: true })}`);
  expect(two).toMatchObject({ put: 0, deleted: 2 });
  const three = await read(line({ ...ADA, deleted: true }) + line(ADA) + line(ADA));
  expect(three).toMatchObject({ put: 3, deleted: 0 });
  expect([...two.records.values()]).toEqual([
    { name: { source: 'crm', recordId: '1' }, record: null, lines: 2 },
  ]);
});

test('unusable lines are reported by their number, and never by a value', async () => {
  const lines = [
    line(ADA),
    'Zqx is no JSON\n',
    '["Zqx"]\n',
    line({ name: 'Zqx' }),
    line({ record_id: 'Zqx', source: 'crm' }),
    line({ record_id: 'Zqx', name: 'Zqx' }),
    line({ ...ADA, record_id: '7', emails: ['Zqx'], birth_date: 'Zqx' }),
    line({ record_id: 'Zqx', deleted: true }),
  ];
  const changes = await read(lines.join(''));
  expect(changes.refused).toEqual([
    { line: 2, reason: 'the line is not valid JSON' },
    { line: 3, reason: 'the line is not a JSON object' },
    { line: 4, reason: 'record_id is missing' },
    { line: 5, reason: 'it has no usable name and no usable contact' },
    { line: 6, reason: 'source is missing: name it in the record, or for all records in the query' },
    { line: 8, reason: 'source is missing: name it in the record, or for all records in the query' },
  ]);
  expect(changes.leftOut.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
    '7: emails[0] cannot be used',
    '7: birth_date cannot be read without guessing',
  ]);
  expect([...changes.records.keys()]).toEqual(['crm\x001', 'crm\x007']);
  expect(JSON.stringify([changes.refused, changes.leftOut])).not.toContain('Zqx');
});

test('deleted is read as in files, and a line with neither yes nor no adds nothing', async () => {
  const says = ['true', 'YES', 1, 'no', {}, 'Zqx'];
  const lines = says.map((deleted, i) => line({ ...ADA, record_id: String(i), deleted }));
  const { records, refused } = await read(lines.join(''));
  expect([...records.values()].map(({ record }) => record?.names ?? null)).toEqual([
    null,
    null,
    null,
    ['Ada Byron'],
  ]);
  const reason = 'deleted is neither true nor false';
  expect(refused).toEqual([
    { line: 5, reason },
    { line: 6, reason },
  ]);
});

test('a birth date in the future, and a last activity years ahead, are left out and reported', async () => {
  const dates = { birth_date: '2099-04-01', first_seen: '2019-05-06', last_seen: '2098' };
  const told = { lines: Buffer.from(line({ ...ADA, ...dates })), source: '', region: 'US' };
  const { put, leftOut, records } = await parseFeedRequest(
    { ...told, now: Date.UTC(2026, 10, 22) },
    { fingerprints: KNOWN },
  );
  expect({ put, leftOut }).toEqual({
    put: 1,
    leftOut: [
      { line: 1, reason: 'last_seen is in the future' },
      { line: 1, reason: 'birth_date is in the future' },
    ],
  });
  expect([...records.values()].map(({ record }) => record)).toMatchObject([
    { birthDate: null, firstSeen: Date.UTC(2019, 4, 6), lastSeen: null },
  ]);
});

test('records without a source get the source of the call', async () => {
  const { records } = await read(
    line({ ...ADA, source: undefined }) + line({ ...ADA, source: 'shop' }),
    'crm',
  );
  expect([...records.values()].map(({ name }) => name.source)).toEqual(['crm', 'shop']);
});

test.each([
  [
    'UTF-16',
    Buffer.from(line(ADA), 'utf16le'),
    'the body is UTF-16LE: save it as UTF-8, or import it as a whole with: bonafide graph import',
  ],
  ['Windows-1252', Buffer.from(line({ ...ADA, name: 'Ren\xe9e' }), 'latin1'), 'the line is not valid UTF-8'],
  ['gzip', Buffer.from('1f8b0800000000000003', 'hex'), 'the body is compressed (gzip): decompress it'],
  ['a line of 2 MiB', line({ ...ADA, name: 'x'.repeat(2 ** 21) }), 'the line is longer than 1 MiB'],
  ['null bytes', '\0\0\0\n', 'the line is not valid JSON'],
])('%s is refused', async (_, bytes, reason) => {
  const { refused, records } = await read(bytes);
  expect(refused[0]?.reason).toContain(reason);
  expect(records.size).toBe(0);
});
