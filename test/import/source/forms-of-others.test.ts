// Workbooks that no spreadsheet made, and what records of other programs must not be taken for.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { type ReadItem, readRecords } from '../../../src/import/read.ts';
import { PACKED_FILES } from '../../trials/hostile/packed.ts';

async function read(name: string, bytes: Buffer | string): Promise<ReadItem[]> {
  const items: ReadItem[] = [];
  let made = 0;
  const options = { name, idOf: (text: string) => `made ${++made} ${text.length}` };
  for await (const item of readRecords(Readable.from([Buffer.from(bytes)]), options)) items.push(item);
  return items;
}

test.each([
  'a workbook of entities that grow',
  'a workbook with a cell far to the right',
  'a Parquet file of nothing',
])('%s is refused in a clear line', async (name) => {
  const { ending, bytes } = PACKED_FILES[name]?.() ?? { ending: '', bytes: Buffer.alloc(0) };
  await expect(read(`file.${ending}`, bytes)).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:unreadable_file|invalid_arguments)$/),
    message: expect.stringContaining(`file.${ending}`),
  });
});

test('things in an order are nobody, and neither is who sells it', async () => {
  const order = {
    id: 12345678901234567890n,
    email: 'ann@post.example',
    customer: { first_name: 'Ann', last_name: 'Lee' },
    owner: { name: 'Bob Hale', email: 'bob@shop.example' },
    line_items: [{ name: 'A lamp', vendor: 'Lamps' }],
  };
  const text = JSON.stringify(order, (_, value: unknown) =>
    typeof value === 'bigint' ? `#${value}#` : value,
  );
  const [item] = await read('orders.jsonl', text.replace(/"#(\d+)#"/, '$1'));
  expect(item?.recordId).toBe('12345678901234567890');
  expect(item?.record?.names).toEqual(['Ann Lee']);
  expect(item?.record?.contacts.map(({ standardized }) => standardized)).toEqual(['ann@post.example']);
});

test('a record of ours without an id gets one that the order of its fields does not change', async () => {
  const made = async (text: string) => (await read('people.jsonl', text))[0]?.recordId;
  const one = await made('{"name":"Ann Lee","emails":["ann@post.example"]}');
  expect(await made('{"emails":["ann@post.example"],"name":"Ann Lee"}')).toBe(one);
  expect(one).toMatch(/^made 1 /);
});
