import { readFileSync } from 'node:fs';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readJobLines } from '../../src/jobs/read.ts';
import type { JobUpload } from '../../src/jobs/read.ts';

const read = (text: string | Uint8Array, form: JobUpload['form'], name: string | null = null) =>
  readJobLines({ bytes: Buffer.from(text), form, name });

/** Returns the issue with which a file is refused. */
const refusal = async (text: string | Uint8Array, form: JobUpload['form'], name: string | null = null) => {
  const error = await read(text, form, name).then(
    () => null,
    (thrown) => thrown,
  );
  expect(error?.code).toBe('invalid_request');
  return error.details.issues[0];
};

it('columns of a table are recognised, and a column reference is repeated', async () => {
  const csv = 'Full Name,E-Mail,reference,Notes\nAda Quill,ada@example.com,seller-1,x\n\nBen Osei,,,\n';
  const { lines, columns } = await read(csv, 'csv', 'people.txt');
  expect(columns).toEqual([
    { header: 'Full Name', field: 'name' },
    { header: 'E-Mail', field: 'email' },
    { header: 'reference', field: 'reference' },
    { header: 'Notes', field: null },
  ]);
  const empty = { emails: [], phones: [], addresses: [] };
  expect(lines).toEqual([
    { line: 2, reference: 'seller-1', request: { ...empty, name: 'Ada Quill', emails: ['ada@example.com'] } },
    { line: 4, reference: null, request: { ...empty, name: 'Ben Osei' } },
  ]);
});

it('a phone of nine digits in a file is read in the region, and in a list of requests as it is', async () => {
  const phonesIn = async (text: string, form: JobUpload['form']) => {
    const { lines } = await readJobLines({ bytes: Buffer.from(text), form, name: null, region: 'PL' });
    return lines.map(({ request }) => request?.phones);
  };
  const json = '{"name":"Artur Melcer","phones":["668 905 108"]}';
  expect(await phonesIn('Name,Tel\nArtur Melcer,668 905 108\n', 'csv')).toEqual([['+48668905108']]);
  expect(await phonesIn(`${json}\n`, 'jsonl')).toEqual([['+48668905108']]);
  expect(await phonesIn(`{"requests":[${json}]}`, 'requests')).toEqual([['668 905 108']]);
});

it('a line lists its left-out e-mails and phones by column and reason, without the values', async () => {
  const csv =
    'Name,Email,Mobile\nAda Quill,ada@example.com,999-999-9999\nBen Osei,ben@example.com,+1 415 555 0142\n';
  const { lines } = await read(csv, 'csv', 'people.csv');
  expect(lines.map(({ leftOut }) => leftOut)).toEqual([
    [{ field: 'phone', column: 'Mobile', reason: 'placeholder' }],
    undefined,
  ]);
});

it('cells that are too long are left out, and no person is checked without the contacts of such a cell', async () => {
  const names = (count: number) => Array.from({ length: count }, () => 'Ada Quill').join('; ');
  const csv = `Name,Email,Mobile\n"${names(60_000)}",ada@example.com,\nBen Osei,"${'b@example.com '.repeat(9000)}",\n"${names(3)}",,+1 415 555 0142\n`;
  const { lines } = await read(gzipSync(csv), 'any', 'people.csv.gz');
  expect(lines.map(({ request, leftOut }) => [request?.name, request?.emails, leftOut])).toEqual([
    [undefined, ['ada@example.com'], [{ field: 'name', column: 'Name', reason: 'too_long' }]],
    ['Ben Osei', ['too long a cell'], [{ field: 'email', column: 'Email', reason: 'too_long' }]],
    ['Ada Quill', [], undefined],
  ]);
});

it('rows of totals are not checked, as an import skips them', async () => {
  const csv =
    'Nr,Name,Email,Fee\n1,Ada Quill,ada@example.com,60\nTOTAL,,,120\n,Razem: 2,,120\n# END OF EXTRACT\n';
  const { lines } = await read(csv, 'csv', 'people.csv');
  expect(lines.map(({ line }) => line)).toEqual([2]);
});

it('columns are recognised by their values too, as in an import', async () => {
  const csv =
    'Name,Reach them,Kunde\nAda Quill,ada@example.com,0001000001\nBen Osei,ben@example.com,0001000002\n';
  const { columns } = await read(csv, 'csv', 'people.txt');
  expect(columns.map(({ field }) => field)).toEqual(['name', 'email', 'record_id']);
});

it('a line of JSON is a request or a record, and a broken one has a problem of its own', async () => {
  const { lines } = await read(
    '{"name":"Ada","reference":"a"}\n{"names":["Ben"],"email":"b@example.com"}\n{oops\n',
    'jsonl',
  );
  expect(lines).toMatchObject([
    { line: 1, reference: 'a', request: { name: 'Ada' } },
    { line: 2, reference: null, request: { name: 'Ben', emails: ['b@example.com'] } },
    { line: 3, problem: { status: 422, code: 'invalid_request' } },
  ]);
});

it.each([
  ['half of a surrogate pair', 'a\ud800b'],
  ['a control character', 'a\0b'],
  ['a character that changes the direction of text', 'a\u202eb'],
  ['201 characters', 'a'.repeat(201)],
  ['a number', 7],
])('a reference with %s is refused as that of a watch', async (_, reference) => {
  const { lines } = await read(JSON.stringify({ name: 'Ada', reference }), 'jsonl');
  const detail = 'This must be a text of at most 200 characters without control characters, or null.';
  const errors = [{ pointer: '/reference', code: 'invalid_reference', detail }];
  expect(lines[0]).toMatchObject({ reference: null, problem: { status: 422, errors } });
});

it('a reference may have any other character, and a body with one error is told so', async () => {
  const { lines } = await read('{"name":"Ben","reference":"😀"}\n', 'jsonl');
  expect(lines[0]).toMatchObject({ reference: '😀', request: { name: 'Ben' } });
  await expect(read('{"requests":{}}', 'requests')).rejects.toThrow(
    'The request has one error; see `errors`.',
  );
});

it('lines of objects of other programs keep their order, references and columns', async () => {
  const customer = (id: number) => ({
    id,
    reference: `r${id}`,
    customer: { name: 'Ada Quill', email: 'n/a', phone: '+14155550142' },
  });
  const texts = [customer(1), { name: 'Ben', reference: 'r2' }, customer(3), 'oops', customer(5)];
  const { lines, columns } = await read(texts.map((line) => JSON.stringify(line)).join('\n'), 'jsonl');
  expect(lines.map(({ line, reference }) => [line, reference])).toEqual([
    [1, 'r1'],
    [2, 'r2'],
    [3, 'r3'],
    [4, null],
    [5, 'r5'],
  ]);
  expect(lines[4]).toMatchObject({
    request: { name: 'Ada Quill', phones: ['+14155550142'] },
    leftOut: [{ field: 'email', column: 'customer.email', reason: 'no_value' }],
  });
  expect(columns).toContainEqual({ header: 'customer.name', field: 'name' });
});

it('each of the requests has its number, and what cannot be the body of a check has a problem', async () => {
  const deep = JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) as unknown;
  const requests = [
    { name: 'Ada' },
    5,
    { name: 'Ben', reference: 7 },
    { name: 'x'.repeat(70_000) },
    { name: Array.from({ length: 800 }, () => ({})) },
  ];
  const { lines } = await read(JSON.stringify({ requests }), 'requests');
  expect(lines.map(({ line, problem }) => [line, problem?.status ?? 200])).toEqual([
    [1, 200],
    [2, 422],
    [3, 422],
    [4, 413],
    [5, 422],
  ]);
  expect(await refusal(JSON.stringify({ requests: [{ name: deep }] }), 'requests')).toMatchObject({
    code: 'too_deep',
  });
  expect(await refusal('{"requests":[]}', 'requests')).toMatchObject({ code: 'empty', pointer: '/requests' });
  expect(await refusal('{"request":[]}', 'requests')).toMatchObject({ code: 'unknown_field' });
  const many = JSON.stringify({ requests: Array.from({ length: 10_001 }, () => ({ name: 'Ada' })) });
  expect(await refusal(many, 'requests')).toMatchObject({ code: 'too_many' });
});

it('a hostile or damaged file is refused with its line', async () => {
  const wide = `${['name', ...Array.from({ length: 5000 }, (_, i) => `c${i}`)].join(',')}\nAda\n`;
  const deep = `{"name":"Ada"}\n{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}\n`;
  const latin = Buffer.concat([
    Buffer.from('name\nAda\n'),
    Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0x81, 0x0a]),
  ]);
  expect((await refusal(wide, 'csv')).detail).toContain('first line has more than 1000 columns');
  expect((await refusal(deep, 'jsonl')).detail).toBe('Line 2: the line is nested more than 64 levels deep.');
  expect((await refusal(latin, 'csv')).detail).toBe('Line 3: the line is not valid UTF-8.');
  expect((await refusal(`name\n${'x'.repeat(1_100_000)}\n`, 'csv')).detail).toBe(
    'Line 2: the line is longer than 1 MiB.',
  );
  expect((await refusal(`name\n${'Ada\n'.repeat(10_001)}`, 'csv')).detail).toMatch(
    /^Line 10002: A job has at most/,
  );
  expect((await refusal('mail\na@example.com\n', 'csv', 'p.csv')).detail).toBe(
    'p.csv: no column looks like a name.',
  );
  expect((await refusal('name\n', 'csv')).code).toBe('empty');
  expect((await refusal(Buffer.from('%PDF-1.7'), 'any', 'p.pdf')).detail).toContain('is a PDF');
});

it('a zip bomb is refused before it is read', async () => {
  const sheet = deflateRawSync(Buffer.alloc(600 * 1024 * 1024, '<row>'), { level: 1 });
  expect(
    (await refusal(zip('xl/worksheets/sheet1.xml', sheet, 600 * 1024 * 1024), 'any', 'p.xlsx')).code,
  ).toBe('unreadable_file');
});

it('a compressed file of empty lines is refused before all its lines are read', async () => {
  const bytes = gzipSync(Buffer.concat([Buffer.from('name\n'), Buffer.alloc(64 * 1024 * 1024, '\n')]));
  expect((await refusal(bytes, 'any')).detail).toBe(
    'The file has more than 200000 lines. Send several jobs.',
  );
});

/** Returns a zip archive with one deflated file. */
function zip(name: string, packed: Buffer, size: number): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(size, 22);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(20, 4);
  entry.writeUInt16LE(20, 6);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([local, Buffer.from(name), packed, entry, Buffer.from(name), end]);
}

it('a body is read in parts: sixteen MiB of line ends are refused before they are in memory as lines', async () => {
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().heapUsed)), 5);
  expect((await refusal('\n'.repeat(2 ** 24), 'jsonl')).code).toBe('too_many');
  clearInterval(watch);
  expect(Math.max(most, process.memoryUsage().heapUsed) - before).toBeLessThan(200 * 2 ** 20);
});

it('requests with more fields than ten thousand full ones are refused before they are parsed', async () => {
  const fields = Array.from({ length: 500_001 }, (_, i) => `"${i}":1`);
  expect(await refusal(`{"requests":[{${fields.join(',')}}]}`, 'requests')).toMatchObject({
    code: 'too_many',
  });
});

it('an encoding and a sheet can be chosen, and a wrong one is refused', async () => {
  const text = Buffer.from('Name,E-Mail\nĄda,ada@example.com\n'.replace('Ą', '\u00a5'), 'latin1');
  const upload = { bytes: text, form: 'csv', name: null } as const;
  const { lines } = await readJobLines({ ...upload, encoding: 'Windows-1250' });
  expect(lines[0]?.request?.name).toBe('Ąda');
  await expect(readJobLines({ ...upload, encoding: 'nonsense' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  const bytes = readFileSync(new URL('../fixtures/exports/customers.xlsx', import.meta.url));
  const book = { bytes, form: 'any', name: 'customers.xlsx' } as const;
  const [issue] = await readJobLines({ ...book, sheet: 'Nope' }).then(
    () => [],
    (error) => error.details.issues,
  );
  expect(issue.detail).toContain('Name one of them with ?sheet=NAME.');
});

it('a phone of which a spreadsheet kept the first digits is left out', async () => {
  const { lines } = await read('Name,E-Mail,Phone\nAda Li,ada@example.com,4.91712E+11\n', 'csv');
  expect(lines[0]?.request).toMatchObject({ name: 'Ada Li', phones: [] });
});
