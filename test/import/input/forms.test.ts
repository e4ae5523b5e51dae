import { Readable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRecords } from '../../../src/import/read.ts';
import type { DetectedInputFormat } from '../../../src/import/input/input.ts';

/** Returns the names of the records, or their problems, and the detected forms. */
async function read(
  content: Buffer,
  {
    name = 'people.csv',
    chunk = 65_536,
    encoding,
  }: { name?: string; chunk?: number; encoding?: string } = {},
) {
  const chunks = Array.from({ length: Math.ceil(content.length / chunk) }, (_, i) =>
    content.subarray(i * chunk, (i + 1) * chunk),
  );
  const forms: DetectedInputFormat[] = [];
  const items: [number, string | undefined][] = [];
  const onInputDetected = (form: DetectedInputFormat) => void forms.push(form);
  for await (const { line, problem, record } of readRecords(Readable.from(chunks), {
    name,
    encoding,
    onInputDetected,
  }))
    items.push([line, problem ?? record?.names[0]]);
  return { items, form: forms[0] };
}

const TABLE = 'id;name\r\n1;Zoë Müller\r\n2;Jürgen Groß\r\n';
const NAMES = [
  [2, 'Zoë Müller'],
  [3, 'Jürgen Groß'],
];
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('encodings', () => {
  test.each([
    ['UTF-8', Buffer.from(TABLE)],
    ['UTF-8', Buffer.from(`\ufeff${TABLE}`)],
    ['UTF-16LE', Buffer.from(`\ufeff${TABLE}`, 'utf16le')],
    ['UTF-16BE', bigEndian(`\ufeff${TABLE}`)],
    ['UTF-16LE', Buffer.from(TABLE, 'utf16le')],
    ['UTF-16BE', bigEndian(TABLE)],
    ['Windows-1252', Buffer.from(TABLE, 'latin1')],
  ])('%s is recognised and told, in whatever chunks it comes', async (encoding, content) => {
    for (const chunk of [1, 7, 65_536])
      expect(await read(content, { chunk })).toMatchObject({ items: NAMES, form: { encoding } });
  });

  test('Polish names of an old spreadsheet keep their letters', async () => {
    const content = Buffer.from('id;name\n1;Pawe\xb3 W\xf3jcik\n2;Gra\xbfyna \xa3\xeacka\n', 'latin1');
    expect(await read(content)).toMatchObject({
      items: [
        [2, 'Paweł Wójcik'],
        [3, 'Grażyna Łęcka'],
      ],
      form: { encoding: 'Windows-1250' },
    });
  });

  const MUELLER = 'id;name\n1;J?rg M?ller\n2;?nne Wei?\n';
  const inBytes = (text: string, bytes: string) =>
    Buffer.from(
      [...bytes].reduce((one, byte) => one.replace('?', byte), text),
      'latin1',
    );
  test.each([
    ['Mac Roman', inBytes(MUELLER, '\x9a\x9f\x80\xa7'), ['Jörg Müller', 'Änne Weiß']],
    [
      'Mac Roman',
      Buffer.from('id;name\r1;J\x9arg M\x9fller\r2;Ren\x8e N\x9c\x96ez\r', 'latin1'),
      ['Jörg Müller', 'René Núñez'],
    ],
    ['CP850', inBytes(MUELLER, '\x94\x81\x8e\xe1'), ['Jörg Müller', 'Änne Weiß']],
    [
      'ISO-8859-2',
      Buffer.from('id;name\n1;Agnieszka \xa6wi\xb1tek\n2;Gra\xbfyna W\xb1sowska\n', 'latin1'),
      ['Agnieszka Świątek', 'Grażyna Wąsowska'],
    ],
    [
      'Windows-1250',
      Buffer.from('id;name\n1;Zuzana Dvo\xf8\xe1kov\xe1\n2;Krystof \x8eelezn\xfd\n', 'latin1'),
      ['Zuzana Dvořáková', 'Krystof Železný'],
    ],
    [
      'Windows-1254',
      Buffer.from('id;name\n1;Ay\xfee Y\xfdlmaz\n2;G\xf6khan Do\xf0an\n', 'latin1'),
      ['Ayşe Yılmaz', 'Gökhan Doğan'],
    ],
    [
      'Windows-1252',
      Buffer.from('id;name\n1;Gu\xf0r\xfan Magnusson\n2;Th\xe9r\xe8se S\xf8rensen\n', 'latin1'),
      ['Guðrún Magnusson', 'Thérèse Sørensen'],
    ],
    [
      'UTF-8 encoded twice',
      Buffer.from(Buffer.from('id;name\n1;Jörg Müller\n2;Łukasz Weiß\n').toString('latin1')),
      ['Jörg Müller', 'Łukasz Weiß'],
    ],
  ])('%s is told by the letters that come of it', async (encoding, content, names) => {
    const { items, form } = await read(content);
    expect([form?.encoding, ...items.map(([, name]) => name)]).toEqual([encoding, ...names]);
  });

  test('the first letter beyond ASCII may be far from the start', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `${i};Ann Lee`).join('\n');
    const { items } = await read(Buffer.from(`id;name\n${rows}\n77777;Ren\xe9 Roux\n`, 'latin1'));
    expect(items.at(-1)).toEqual([20_002, 'René Roux']);
  });

  test.each([
    ['Windows-1251', '\xc0\xed\xed\xe0 \xcf\xe5\xf2\xf0\xee\xe2\xe0'],
    ['KOI8-R', '\xe1\xce\xce\xc1 \xf0\xc5\xd4\xd2\xcf\xd7\xc1'],
    ['CP866', '\x80\xad\xad\xa0 \x8f\xa5\xe2\xe0\xae\xa2\xa0'],
  ])('Cyrillic text in %s is recognised, even beside many Latin words', async (encoding, name) => {
    const rows = `1;${name};ann.petrova@post.example;Main Street, Springfield, Illinois\n`;
    const result = await read(Buffer.from(`id;name;email;note\n${rows}`, 'latin1'));
    expect(result).toMatchObject({ items: [[2, 'Анна Петрова']], form: { encoding } });
  });

  test.each([['Chinese', '\xcd\xf5\xce\xb0\xb5\xe4 \xc0\xee\xc4\xc8']])(
    'a few characters in %s are no Western text, and their encoding is not guessed',
    async (_, name) => {
      const row = `1;${name};ann.petrova@post.example;Main Street, Springfield, Illinois\n`;
      const { items } = await read(Buffer.from(`id;name;email;note\n${row}`, 'latin1'));
      expect(items).toEqual([[2, 'the line is not valid UTF-8']]);
    },
  );

  test('dashes, quotes and signs of Windows-1252 beside words are no letters of Mac Roman', async () => {
    const row = '1;Jos\xe9 Nu\xf1ez;member \x96 \x93gold\x94 \x80\n';
    const text = `id;name;note\n${row}${'2;Zo\xeb Lee;long \x97 standing \x93customer\x94 \x95\n'.repeat(20)}`;
    const { items, form } = await read(Buffer.from(text, 'latin1'));
    expect([form?.encoding, items[0]]).toEqual(['Windows-1252', [2, 'José Nuñez']]);
  });

  /** Returns the bytes of a text in an encoding that TextDecoder has. */
  function encode(text: string, label: string): Buffer {
    const [single, double] = [new TextDecoder(label), new Map<string, number[]>()];
    for (let lead = 0xfe; lead >= 0x80; lead--) {
      for (let trail = 0xfe; trail >= 0x40; trail--)
        double.set(single.decode(Uint8Array.of(lead, trail)), [lead, trail]);
      double.set(single.decode(Uint8Array.of(lead)), [lead]);
    }
    return Buffer.from(Array.from(text, (sign) => double.get(sign) ?? [sign.codePointAt(0) ?? 0]).flat());
  }

  const WORLD: [encoding: string, label: string, names: string[]][] = [
    ['Shift_JIS', 'shift_jis', ['山田　太郎', '佐藤 ハナコ', '鈴木健一', '能登ソノ']],
    ['EUC-JP', 'euc-jp', ['山田　太郎', '佐藤 ハナコ', '鈴木健一', 'すずき れい']],
    ['GBK', 'gb18030', ['王伟', '李秀英', '张敏', '赵丽娜', '徐静', '周建国', '许强']],
    ['Big5', 'big5', ['陳志明', '林春嬌', '黃淑芬', '張俊傑', '李雅婷']],
    ['EUC-KR', 'euc-kr', ['김민수', '이지영', '박서준', '최하은']],
    ['Windows-1253', 'windows-1253', ['Γιώργος Παπαδόπουλος', 'ΜΑΡΙΑ ΝΙΚΟΛΑΟΥ', 'Ελένη Άγγελος']],
    ['ISO-8859-7', 'iso-8859-7', ['Γιώργος Παπαδόπουλος', 'ΜΑΡΙΑ ΝΙΚΟΛΑΟΥ', 'Ελένη Άγγελος']],
    ['Windows-1255', 'windows-1255', ['יוסי כהן', 'דנה לוי', 'משה מזרחי', 'רחל פרץ']],
    ['Windows-1256', 'windows-1256', ['محمد العتيبي', 'فاطمة القحطاني', 'علي السيد']],
    ['Windows-874', 'windows-874', ['สมชาย ใจดี', 'สมหญิง สุขใจ', 'วิชัย ทองดี']],
    ['KOI8-R', 'koi8-r', ['ИВАНОВ ИВАН', 'ПЕТРОВА АННА СЕРГЕЕВНА', 'СИДОРОВ ПЁТР']],
  ];
  const tableOf = (names: string[]) =>
    `id,name,email\r\n${names.map((name, i) => `${i},${name},a${i}@post.example\r\n`).join('')}`;

  test.each(WORLD)(
    '%s is recognised beside headers in English, and named',
    async (encoding, label, names) => {
      const content = encode(tableOf(names), label);
      const items = names.map((name, i) => [i + 2, name.replace('　', ' ')]);
      for (const chunk of [1, 7, 65_536])
        expect(await read(content, { chunk })).toMatchObject({ items, form: { encoding } });
      expect(await read(content, { encoding: label })).toMatchObject({ items, form: { encoding } });
    },
  );

  test.each(['windows-1252', 'macintosh', 'windows-1250'])(
    'Latin text in %s is not taken for another script',
    async (label) => {
      const text = 'id;name\n1;Éléonore Béchard\n2;Jürgen Müller\n3;Zoé Lefévre\n4;Björn Höß\n';
      const { items } = await read(encode(text, label));
      expect(items.map(([, name]) => name)).toEqual([
        'Éléonore Béchard',
        'Jürgen Müller',
        'Zoé Lefévre',
        'Björn Höß',
      ]);
    },
  );

  test('Chinese lines that are valid UTF-8 by chance do not change the encoding', async () => {
    const names = ['王伟', '李秀英', '张敏', '赵丽娜', '徐静', '周建国', '许强', '陈学新', '杨晓峰', '吴芳'];
    const chance = Buffer.from('99,\u06b0\u06b1,x@post.example\r\n');
    const content = Buffer.concat([encode(tableOf(names), 'gb18030'), chance]);
    expect((await read(content)).form).toMatchObject({ encoding: 'GBK' });
  });

  test('text in another encoding than the named one is refused, and an unknown name lists the known ones', async () => {
    const content = encode(tableOf(['王伟', '李秀英']), 'gb18030');
    await expect(read(content, { encoding: 'utf-8' })).rejects.toThrow(
      'people.csv is not text in UTF-8: it has bytes that this encoding does not have.',
    );
    await expect(read(content, { encoding: 'klingon' })).rejects.toThrow(
      'Unknown encoding klingon. Use one of UTF-8, UTF-16LE',
    );
  });

  test('a file whose header is in an unknown encoding is refused with the way on', async () => {
    const kanji = Buffer.from(
      '\xbb\xb3\xc5\xc4,\xcc\xee\xbf\xbf\n\xbb\xb3\xc5\xc4,a@post.example\n',
      'latin1',
    );
    await expect(read(kanji)).rejects.toThrow(
      /is not UTF-8, and its encoding is not recognised\. Name the encoding, for example --encoding Shift_JIS/,
    );
  });
});

describe('compressed files', () => {
  test.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ])('%s is told by its first bytes', async (packing, pack) => {
    for (const name of ['people.csv', 'people.csv.zst', '-'])
      expect(await read(pack(TABLE), { name })).toMatchObject({ items: NAMES, form: { packing } });
  });

  test.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ])('%s that was cut off is one clear error', async (packing, pack) => {
    const whole = pack(
      `id,name\n${Array.from({ length: 5000 }, (_, id) => `${id},Ann ${id} Lee\n`).join('')}`,
    );
    await expect(read(whole.subarray(0, -100))).rejects.toThrow(
      `people.csv is a damaged or cut-off ${packing}`,
    );
  });

  test('a decompression bomb is refused before it is written anywhere', async () => {
    const bomb = zstdCompressSync(Buffer.alloc(80 * 1024 * 1024, 'a'));
    await expect(read(bomb)).rejects.toThrow(/^people\.csv decompresses to more than 250 times its size/);
  });
});

describe('JSON', () => {
  const RECORDS = [
    { record_id: 1, name: 'Ann "]}," Lee', emails: ['ann@example.com', 'a\\'] },
    { record_id: 2, name: 'René 山田', addresses: [{ city: 'Salem' }] },
  ];
  const names = RECORDS.map(({ name }) => name);

  test.each([
    ['one array on a line', JSON.stringify(RECORDS), [1, 1]],
    ['an array laid out over lines', JSON.stringify(RECORDS, null, 2), [2, 10]],
    ['records laid out over lines', RECORDS.map((one) => JSON.stringify(one, null, 2)).join('\n'), [1, 9]],
    ['an array behind a byte order mark', `\ufeff ${JSON.stringify(RECORDS)}`, [1, 1]],
  ])('%s is read, each record with its line', async (_what, text, lines) => {
    for (const name of ['people.json', '-'])
      for (const chunk of [1, 7, 65_536])
        expect((await read(Buffer.from(text), { name, chunk })).items).toEqual(
          lines.map((line, i) => [line, names[i]]),
        );
  });

  test('elements of an array that are no records are reported, and the others are read', async () => {
    const text =
      '[17, "x,]", {"record_id":1,"name":"Ann Lee"}, [{}], {broken}, {"record_id":2,"name":"Bo Dijk"';
    expect((await read(Buffer.from(text), { name: 'a.json' })).items.map(([, said]) => said)).toEqual([
      'the line is not a JSON object',
      'the line is not a JSON object',
      'Ann Lee',
      'the line is not a JSON object',
      'the line is not valid JSON',
      'the line is not valid JSON',
    ]);
  });

  test('a record longer than 1 MiB is reported, and the others are read', async () => {
    const long = JSON.stringify([{ record_id: 1, name: 'x'.repeat(2 ** 20) }, RECORDS[1]]);
    expect((await read(Buffer.from(long), { name: 'a.json' })).items).toEqual([
      [1, 'the record is longer than 1 MiB'],
      [1, names[1]],
    ]);
  });

  test('an array of any values returns one item for each', async () => {
    const values = fc.array(fc.jsonValue(), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom(undefined, 1), async (list, indent) => {
        const { items } = await read(Buffer.from(JSON.stringify(list, null, indent)), {
          name: 'a.json',
          chunk: 5,
        });
        expect(items).toHaveLength(list.length);
      }),
    );
  });
});

describe('tables', () => {
  test('a separator inside quoted headers does not count, and the sep= line of Excel is skipped', async () => {
    const { items } = await read(Buffer.from('sep=;\r\nid;"name, as, it, is";name\r\n1;x;Ann Lee\r\n'));
    expect(items).toEqual([[3, 'Ann Lee']]);
  });

  test('a first line that cannot be read ends the import, not the first record', async () => {
    await expect(read(Buffer.from(`${'a,'.repeat(2 ** 20)}\nid,name\n`))).rejects.toThrow(
      /^people\.csv: its first line cannot be read: the line is longer than 1 MiB\./,
    );
  });

  test.each([
    ['PK\x03\x04', /is damaged\. Save the sheet as CSV/],
    ['%PDF-1.7', /is a PDF\./],
    ['PAR1', /is damaged, or compressed in an unusual way\. Write it as CSV or JSON Lines/],
    ['id\0name\x01\0', /is not a text file: it contains NUL bytes\./],
  ])('%j is refused with advice', async (start, said) => {
    await expect(read(Buffer.from(start.padEnd(100, 'x'), 'latin1'))).rejects.toThrow(said);
  });
});
