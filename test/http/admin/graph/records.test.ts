// Feeding records over HTTP: the next check sees them, and unusable lines are reported.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listAuditEntries } from '../../../../src/store/audit.ts';
import { openSqliteStore, getStoreFile } from '../../../../src/store/sqlite/open.ts';
import { json, PEOPLE } from '../../../kit/app.ts';
import { adminApp, sharedAdminApp } from '../kit.ts';

const LINES = { 'content-type': 'application/x-ndjson' };
const line = (record: object) => `${JSON.stringify(record)}\n`;
const ODA = { record_id: '9', source: 'crm', name: 'Oda Thorvald', emails: ['oda@example.net'] };
const OF_ODA = { name: 'Oda Thorvald', emails: ['oda@example.net'] };

const open = sharedAdminApp();

async function feedApp(it: Awaited<ReturnType<typeof adminApp>>) {
  const put = (body: string, query = '') => it.ask('POST', `records${query}`, body, LINES);
  const statusOf = async (values: object) => (await json(it.post('/v1/validate', values))).input_validation;
  const onRecord = async (values: object) => (await statusOf(values)).email.match_status;
  return { ...it, put, taken: async (body: string, query = '') => json(put(body, query)), onRecord };
}

test('the next check sees a record that was put, and no record that was removed', async () => {
  const { taken, onRecord } = await feedApp(await adminApp());
  expect(await onRecord(OF_ODA)).toBe('Unverified');
  expect(await taken(line(ODA))).toEqual({
    put: 1,
    deleted: 0,
    barred: 0,
    refused: [],
    left_out: [],
    linked: true,
  });
  expect(await onRecord(OF_ODA)).toBe('Primary Match');
  const other = { ...ODA, emails: ['oda.t@example.net'] };
  expect(await taken(line(other))).toMatchObject({ put: 1, linked: true });
  expect(await onRecord(OF_ODA)).toBe('Unverified');
  expect(await onRecord({ ...OF_ODA, emails: other.emails })).toBe('Primary Match');
  const gone = { ...ODA, deleted: true };
  expect(await taken(line(gone))).toMatchObject({ put: 0, deleted: 1, linked: true });
  expect(await onRecord({ ...OF_ODA, emails: other.emails })).toBe('Unverified');
  expect(await taken(line(gone))).toMatchObject({ put: 0, deleted: 1, linked: true });
});

test('a record with an unknown field is refused with its pointer and the field that was probably meant', async () => {
  const { put, taken } = await feedApp(await open());
  const wrong = [
    [{ ...ODA, emials: ['oda@example.net'] }, '/emials', 'emails'],
    [
      { ...ODA, addresses: [{ street: '12 Oak St', postalCode: '97301' }] },
      '/addresses/0/postalCode',
      'addresses.zip',
    ],
    [{ ...ODA, fullName: 'Oda Thorvald' }, '/fullName', 'name'],
  ] as const;
  for (const [record, pointer, nearest] of wrong) {
    const response = await put(line(record));
    expect(response.status).toBe(422);
    const { errors } = await json(response);
    expect(errors).toEqual([
      expect.objectContaining({
        pointer,
        code: 'unknown_field',
        detail: expect.stringContaining(`${nearest}?`),
      }),
    ]);
  }
  const both = await taken(line({ ...ODA, emials: [] }) + line({ ...ODA, record_id: '10' }));
  expect(both).toMatchObject({ put: 1, refused: [{ line: 1, pointer: '/emials' }] });
  expect(await taken(line({ ...ODA, deleted: true, note: 'gone' }))).toMatchObject({ deleted: 1 });
});

test('the name of an unknown field that may be personal data is not repeated', async () => {
  const { put } = await feedApp(await open());
  for (const [record, pointer] of [
    [{ ...ODA, 'email of Vigdis Marker': 'x' }, ''],
    [{ ...ODA, vigdismarker: 'x' }, ''],
    [{ ...ODA, 'marker.name': 'x' }, ''],
    [{ ...ODA, 'constructor.marker': 'x' }, ''],
    [{ ...ODA, '06 12 34 56 78': 'x' }, ''],
    [{ ...ODA, addresses: [{ street: '12 Oak St', 'vigdis/marker': '97301' }] }, '/addresses/0'],
  ] as const) {
    const text = await (await put(line(record))).text();
    expect(JSON.parse(text).errors).toMatchObject([{ pointer, code: 'unknown_field' }]);
    expect(text).not.toMatch(/marker|12 34/i);
  }
});

test('unusable lines are reported, and the other lines are applied', async () => {
  const { put, onRecord, logged, everyByte, refusal } = await feedApp(await adminApp());
  const response = await put(
    `Zqx\n${line({ ...ODA, source: undefined, phones: ['Zqx'] })}${line({ name: 'Zqx' })}`,
    '?source=crm',
  );
  const body = await response.text();
  expect(JSON.parse(body)).toMatchObject({
    put: 1,
    refused: [
      { line: 1, reason: 'the line is not valid JSON' },
      { line: 3, reason: 'record_id is missing' },
    ],
    left_out: [{ line: 2, reason: 'phones[0] cannot be used' }],
  });
  expect(await onRecord(OF_ODA)).toBe('Primary Match');
  const none = await refusal('POST', 'records', 'Zqx\n\nZqx\n');
  expect(none).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  const nothing = await json(put('Zqx\n\nZqx\n'));
  expect(nothing).toMatchObject({
    status: 422,
    code: 'invalid_request',
    errors: [
      { code: 'unusable_line', detail: 'Line 1: the line is not valid JSON.' },
      { code: 'unusable_line', detail: 'Line 3: the line is not valid JSON.' },
    ],
  });
  for (const text of [body, JSON.stringify(nothing), logged(), everyByte()])
    expect(text).not.toContain('Zqx');
});

test.each([
  ['no line', '', 'no_lines'],
  ['blank lines', '\n\n \n', 'no_lines'],
  ['more than 1,000 lines', line(ODA).repeat(1001), 'too_many_lines'],
])('%s is refused', async (_, body, code) => {
  const { put } = await feedApp(await open());
  expect(await json(put(body))).toMatchObject({ status: 422, errors: [{ code }] });
});

test('a thousand lines with blank lines between them are accepted; more are refused with their number', async () => {
  const { taken, put } = await feedApp(await open());
  const most = line(ODA).repeat(999) + '\n \t\r\n' + line(ODA) + '\n';
  expect(await taken(most)).toMatchObject({ put: 1000, refused: [] });
  const detail = 'The body has 1001 lines with content; at most 1000 are allowed.';
  expect(await json(put(`${most}x`))).toMatchObject({ status: 422, errors: [{ detail }] });
});

test('a body of more than 4 MiB, of another type or compressed is refused with what to do', async () => {
  const { put, ask, do: post } = await feedApp(await open());
  expect(await json(put('x'.repeat(2 ** 22 + 1)))).toMatchObject({ status: 413, code: 'body_too_large' });
  expect(await json(ask('POST', 'records', '{}', { 'content-type': 'text/csv' }))).toMatchObject({
    status: 415,
    detail: 'The body must be sent as Content-Type: application/x-ndjson or application/jsonl.',
  });
  const packed = { ...LINES, 'content-encoding': 'gzip' };
  expect(await json(ask('POST', 'records', line(ODA), packed))).toMatchObject({
    status: 415,
    detail: 'The body must be sent uncompressed, without Content-Encoding.',
  });
  expect(await post('records?source=')).toMatchObject({ status: 415 });
});

test('a hundred concurrent calls are applied in their order, and are one entry of the audit log for each minute', async () => {
  const began = performance.now();
  const { taken, onRecord, app, get, folder } = await feedApp(await adminApp());
  const calls = Array.from({ length: 100 }, (_, i) =>
    taken(line({ ...ODA, emails: [`oda${i}@example.net`] }) + line({ ...ODA, record_id: `n${i}` })),
  );
  const answers = await Promise.all(calls);
  expect(answers.every(({ put, linked }) => put === 2 && linked)).toBe(true);
  expect(await onRecord({ ...OF_ODA, emails: ['oda99@example.net'] })).toMatch(/Match/);
  expect(await onRecord({ ...OF_ODA, emails: ['oda98@example.net'] })).toBe('Unverified');
  expect((await get('graph')).records).toBe(PEOPLE.length + 101);
  await app.close();
  const store = openSqliteStore({ file: getStoreFile(folder) });
  const entries = listAuditEntries(store, { limit: 100 }).filter(({ act }) => act === 'graph.records');
  store.close();
  // The server writes one entry for each minute in which there were calls.
  expect(entries.length).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 60_000));
  const sumOf = (field: string) =>
    entries.reduce((sum, { detail }) => sum + Number((detail as Record<string, unknown>)[field]), 0);
  expect(['calls', 'put', 'deleted', 'refused'].map(sumOf)).toEqual([100, 200, 0, 0]);
});

test('the folder of the demo accepts no records', async () => {
  const { put, folder } = await feedApp(await adminApp());
  writeFileSync(join(folder, 'demo-key'), '');
  expect(await json(put(line(ODA)))).toMatchObject({ status: 403, code: 'forbidden' });
});
