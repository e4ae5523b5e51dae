import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { CsvReader } from '../../src/import/input/csv.ts';
import { INPUT_LIMITS } from '../../src/import/formats/limits.ts';
import { collapseSpaces } from '../../src/normalise/text.ts';
import type { ImportRecordOrProblem } from '../../src/import/items.ts';
import { readRecords, type ReadRecordsOptions } from '../../src/import/read.ts';

const fixtures = new URL('../fixtures/import/', import.meta.url);

type Shown = Omit<ImportRecordOrProblem, 'record'> & { record?: ReturnType<typeof shown> };

/** Returns a record with its contacts by kind: texts in standard form, addresses as they were read. */
function shown({ contacts, ...record }: NonNullable<ImportRecordOrProblem['record']>) {
  const texts = (kind: 'email' | 'phone') =>
    contacts.flatMap((contact) => (contact.kind === kind ? [contact.standardized] : []));
  return {
    ...record,
    emails: texts('email'),
    phones: texts('phone'),
    addresses: contacts.flatMap((contact) => (contact.kind === 'address' ? [contact.input] : [])),
  };
}

async function collect(items: AsyncIterable<ImportRecordOrProblem>): Promise<Shown[]> {
  const all: Shown[] = [];
  for await (const { record, ...item } of items) all.push(record ? { ...item, record: shown(record) } : item);
  return all;
}

async function read(
  content: string | Uint8Array | Uint8Array[],
  options: Partial<ReadRecordsOptions> = {},
): Promise<Shown[]> {
  const chunks = Array.isArray(content) ? content : [Buffer.from(content as string)];
  return collect(readRecords(Readable.from(chunks), { name: 'people.jsonl', ...options }));
}

const readFixture = (name: string, options: Partial<ReadRecordsOptions> = {}): Promise<Shown[]> =>
  collect(readRecords(createReadStream(new URL(name, fixtures)), { name, ...options }));

const csv = (content: string, map?: string): Promise<Shown[]> =>
  read(content, { name: 'people.csv', ...(map === undefined ? {} : { map }) });

describe('JSON Lines', () => {
  it('returns every record, normalised, with its line', async () => {
    const [first] = await readFixture('people.jsonl');
    expect(first).toEqual({
      line: 1,
      recordId: 'r1',
      dropped: [],
      record: {
        recordId: 'r1',
        source: 'shop',
        names: ['Ann Lee'],
        emails: ['ann.lee@example.com'],
        phones: ['+14155550100'],
        addresses: [
          { street: '12 Oak St', street2: '', city: 'Salem', state: 'OR', zip: '97301-1234', country: '' },
        ],
        birthDate: '1976-06-13',
        birthPlace: null,
        gender: null,
        identifiers: [],
        firstSeen: Date.UTC(2015, 0, 1),
        lastSeen: Date.UTC(2024, 0, 1, 10),
        identity: null,
      },
    });
  });

  it('accepts numbers as texts, names in parts and in lists, and takes the file name for a missing source', async () => {
    const [, second] = await readFixture('people.jsonl');
    expect(second?.record).toMatchObject({
      recordId: '2',
      source: 'people',
      names: ['Bo van Dijk Jr', 'B. van Dijk', 'Bo Dijk'],
      phones: ['+14155550101'],
      addresses: [{ zip: '1234', state: 'MA' }],
      identity: 'p2',
    });
  });

  it('reads a phone number as it is dialled in the country of the address, else in the default region', async () => {
    const address = { street: '14 Tannery Row', country: 'United Kingdom' };
    const lines = [
      { record_id: 1, phones: ['020 7946 0231', '415-555-0100'], addresses: [address] },
      { record_id: 2, phones: ['020 7946 0231'] },
    ];
    const content = lines.map((line) => JSON.stringify(line)).join('\n');
    expect((await read(content)).map((item) => item.record?.phones)).toEqual([
      ['+442079460231', '+14155550100'],
      ['+02079460231'],
    ]);
    expect((await read(content, { region: 'GB' }))[1]?.record?.phones).toEqual(['+442079460231']);
  });

  it('reads an e-mail as mail programs write it', async () => {
    const [item] = await read(
      '{"record_id":1,"emails":["Jay Doe <Jay@example.com>","\\"Jay, D.\\" <jd@example.com>"]}',
    );
    expect(item?.record?.emails).toEqual(['jay@example.com', 'jd@example.com']);
  });

  it('drops single unusable values and reports which', async () => {
    const item = (await readFixture('people.jsonl'))[2];
    expect(item).toMatchObject({
      line: 4,
      recordId: 'r3',
      record: { emails: ['cy@example.com'], phones: [], birthDate: null },
    });
    expect(item?.dropped).toEqual([
      'emails[0] cannot be used',
      'phones[0] cannot be used',
      'birth_date is ambiguous: day and month may be swapped',
    ]);
  });

  it('rejects each line that is no record, with its reason, and continues', async () => {
    const items = await readFixture('people.jsonl');
    expect(items.slice(3).map(({ line, recordId, problem }) => [line, recordId, problem])).toEqual([
      [5, null, 'record_id is missing'],
      [6, 'r5', 'it has no usable name and no usable contact'],
      [7, null, 'the line is not valid JSON'],
      [8, null, 'the line is not a JSON object'],
      [9, 'r8', undefined],
    ]);
  });

  test.each([
    ['Windows line ends', '{"record_id":1,"name":"A b"}\r\n{"record_id":2,"name":"C d"}\r\n'],
    ['old Macintosh line ends', '{"record_id":1,"name":"A b"}\r{"record_id":2,"name":"C d"}'],
    ['a byte order mark', '\ufeff{"record_id":1,"name":"A b"}\n{"record_id":2,"name":"C d"}'],
  ])('reads %s', async (_what, content) => {
    expect((await read(content)).map((item) => [item.line, item.record?.recordId])).toEqual([
      [1, '1'],
      [2, '2'],
    ]);
  });

  it('rejects a line longer than 1 MiB and continues, whatever the size of the chunks', async () => {
    const long = `{"record_id":1,"name":"${'x'.repeat(INPUT_LIMITS.recordBytes)}"}\n{"record_id":2,"name":"C d"}\n`;
    const whole = Buffer.from(long);
    const pieces = Array.from({ length: Math.ceil(whole.length / 65_536) }, (_, index) =>
      whole.subarray(index * 65_536, (index + 1) * 65_536),
    );
    for (const chunks of [[whole], pieces]) {
      const items = await read(chunks);
      expect(items.map((item) => [item.line, item.problem])).toEqual([
        [1, 'the line is longer than 1 MiB'],
        [2, undefined],
      ]);
    }
  });

  it('rejects a line that is not UTF-8 and continues', async () => {
    const items = await read([
      Buffer.from('{"record_id":1,"name":"Ren\xe9"}\n', 'latin1'),
      Buffer.from('{"record_id":2,"name":"René"}'),
    ]);
    expect(items.map((item) => item.problem ?? item.record?.names)).toEqual([
      'the line is not valid UTF-8',
      ['René'],
    ]);
  });

  it('reads a file byte by byte with the same result', async () => {
    const content = Buffer.from('{"record_id":1,"name":"René 山田"}\n{"record_id":2,"name":"C d"}\n');
    expect(await read(Array.from(content, (byte) => Buffer.from([byte])))).toEqual(await read([content]));
  });
});

describe('gzip', () => {
  const content = '{"record_id":1,"name":"Ann Lee"}\n';

  it('is detected by its first bytes, whatever the file name', async () => {
    for (const name of ['people.jsonl', 'people.jsonl.gz', '-']) {
      expect((await read([gzipSync(content)], { name }))[0]?.record?.names).toEqual(['Ann Lee']);
    }
  });

  it('that is cut off returns its records and then one clear error', async () => {
    const whole = gzipSync(
      Array.from({ length: 5000 }, (_, id) => `{"record_id":${id},"name":"Ann ${id} Lee"}\n`).join(''),
    );
    await expect(read([whole.subarray(0, -100)])).rejects.toMatchObject({ code: 'unreadable_file' });
  });
});

describe('format', () => {
  test.each([
    ['-', '{"record_id":1,"name":"Ann Lee"}', 'stdin'],
    ['-', 'id,name\n1,Ann Lee', 'stdin'],
    ['/data/crm.csv.gz', 'id,name\n1,Ann Lee', 'crm'],
    ['people.tsv', 'id\tname\n1\tAnn Lee', 'people'],
    ['people.data', 'id|name\n1|Ann Lee', 'people.data'],
  ])('%s with %j is read, with the source %s', async (name, content, source) => {
    expect((await read(content, { name }))[0]?.record).toMatchObject({ names: ['Ann Lee'], source });
  });
});

describe('CSV', () => {
  it('guesses its columns and delimiter, and joins columns that belong together', async () => {
    const items = await readFixture('people.csv');
    expect(items[0]).toMatchObject({
      line: 2,
      record: {
        names: ['Ann Lee'],
        emails: ['ann@example.com'],
        phones: ['+14155550100', '+14155550101'],
        birthDate: '1976-06-13',
        addresses: [
          { street: 'Oak St, 12', zip: '97301', city: 'Salem', country: 'US' },
          { city: 'Portland' },
        ],
      },
    });
    expect(items[1]).toMatchObject({ line: 4, record: { emails: ['bo@example.com', 'bo@example.org'] } });
    expect(items[2]).toMatchObject({
      line: 5,
      record: { addresses: [{ street: 'Main St, Suite 5, 9', city: 'New York' }] },
    });
    expect(items[3]).toMatchObject({
      line: 8,
      record: { names: ['Dee;Dee Ray'], emails: ['dee@example.com'] },
    });
  });

  it('lets a map overrule the guesses', async () => {
    const items = await csv(
      'Number,Mail,Other,Full, Name\n7,a@example.com,b@example.com,Ann Lee\n'.replace(
        'Full, Name',
        '"Full, Name"',
      ),
      'record_id=Number,email=Other,name=Full, Name',
    );
    expect(items[0]?.record).toMatchObject({ recordId: '7', emails: ['b@example.com'], names: ['Ann Lee'] });
  });

  test.each([
    ['an unknown field', 'id,name\n', 'e_mail=name'],
    ['a missing column', 'id,name\n', 'email=Mail'],
    ['no pair', 'id,name\n', 'email'],
    ['no record id', 'name,mail\n', undefined],
  ])('refuses a map with %s', async (_what, content, map) => {
    await expect(csv(content, map)).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  it('loses only the line of a quote that is never closed', async () => {
    const items = await csv('id,name\n1,"Ann Lee\n2,Bo Dijk\n3,Cy Moss\n');
    expect(items.map((item) => [item.line, item.problem ?? item.record?.names[0]])).toEqual([
      [2, 'a quoted cell is never closed'],
      [3, 'Bo Dijk'],
      [4, 'Cy Moss'],
    ]);
  });

  it('reads back every cell that is written by RFC 4180', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'B', '"', ',', ';', '\n', 'é', ' ') });
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 5 }), async (cells) => {
        const rows = cells.map((text, i) => `${i + 1},Ann Lee,"${text.replaceAll('"', '""')}",end`);
        const items = await csv(`id,name,identity,source\n${rows.join('\n')}`);
        expect(items.map((item) => item.record?.identity)).toEqual(
          cells.map((text) => collapseSpaces(text) || null),
        );
        expect(items.every((item) => item.record?.source === 'end')).toBe(true);
      }),
    );
  });

  it('parses no line more than a few times, however many stray quotes there are', () => {
    let looks = 0;
    const texts = ['id,name', ...Array<string>(5000).fill('"""'), '9,Ann Lee'];
    const lines = texts.map((text, i) => ({
      line: i + 1,
      get text() {
        looks++;
        return text;
      },
    }));
    const reader = new CsvReader({ name: 'people.csv' });
    const rows = [...reader.push(lines), ...reader.end()];
    expect(JSON.stringify(rows.at(-1)?.raw)).toContain('Ann Lee');
    expect(looks).toBeLessThan(5 * texts.length);
  });
});

describe('any bytes', () => {
  it('result in records and problems, never in an undocumented exception', async () => {
    const codes = new Set(['unreadable_file', 'invalid_arguments']);
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('a.jsonl', 'a.csv', '-'),
        async (bytes, name) => {
          const outcome = await read([bytes], { name }).catch((error: { code?: string }) => error.code);
          expect(Array.isArray(outcome) || codes.has(outcome as string)).toBe(true);
        },
      ),
    );
  });

  it('of JSON cause no exception either, and no reason contains a value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.anything({ withNullPrototype: false }), async (json, value) => {
        const field = JSON.stringify(value) ?? 'null';
        const lines = [
          '{}',
          json,
          `{"record_id":"x","name":${field},"emails":${field},"phones":${field},"addresses":${field},"birth_date":${field},"last_seen":${field}}`,
        ];
        for (const item of await read(lines.join('\n').replaceAll('\u2028', ''))) {
          for (const reason of [item.problem ?? '', ...item.dropped])
            expect(reason).toMatch(/^[a-z_A-Z0-9[\] -]*$/);
        }
      }),
    );
  });
});
