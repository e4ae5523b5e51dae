// Exports of shops, advertisers and associations whose columns need more than their headers.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { ImportRecordOrProblem } from '../../../src/import/items.ts';
import type { ColumnMappingReport } from '../../../src/import/input/plan.ts';
import { type ReadRecordsOptions, readRecords } from '../../../src/import/read.ts';
import {
  addRecordToStatistics,
  createRecordStatistics,
  describeRecordStatistics,
} from '../../../src/import/statistics.ts';

async function read(text: string, more: Partial<ReadRecordsOptions> = {}): Promise<ImportRecordOrProblem[]> {
  const items: ImportRecordOrProblem[] = [];
  const options = { name: 'people.csv', makeId: () => 'row', ...more };
  for await (const item of readRecords(Readable.from([Buffer.from(text)]), options)) items.push(item);
  return items;
}

test('rows of one order belong to the source in the first of them', async () => {
  const rows = [
    '#1,Ann Lee,a@post.example,web',
    '#1,,a@post.example,',
    '#1,,a@post.example,',
    '#2,,b@post.example,',
  ];
  const items = await read(['Order,Billing Name,Email,Source', ...rows].join('\n'));
  expect(items.map(({ record }) => record?.source)).toEqual(['web', 'web', 'web', 'people']);
});

test('a lead of Facebook has the name and the postcode of the person, not the name of the form', async () => {
  const [item] = await read(
    'form_name,full_name,email,street,zip_code\nSpring form,Ann Lee,a@post.example,1 Elm St,z:78701\n',
  );
  expect(item?.record?.names).toEqual(['Ann Lee']);
  expect(item?.record?.contacts.map(({ standardized }) => (standardized as { zip?: string }).zip)).toContain(
    '78701',
  );
});

test.each([
  ['IN', 2],
  ['US', 0],
])('in a file of %s, PIN is a postcode', async (region, contacts) => {
  const rows = [1, 2, 3].map((i) => `${i},Ann Lee,41100${i},Pune`);
  const items = await read(`id,Name,PIN,City\n${rows.join('\n')}\n`, { region });
  expect(JSON.stringify(items[0]?.record?.contacts).includes('411001')).toBe(contacts > 0);
});

test('the advice names unused columns with dates, and an address needs a street or postcode', async () => {
  const plans: ColumnMappingReport[] = [];
  const rows = Array.from(
    { length: 20 },
    (_, i) => `${i},Ann Lee,a${i}@post.example,York,2024-0${(i % 9) + 1}-03,3`,
  );
  const items = await read(`id,Name,Email,Town,Inspected,Score\n${rows.join('\n')}\n`, {
    onPlan: async (plan) => void plans.push(plan),
  });
  const statistics = createRecordStatistics();
  for (const { record } of items) if (record) addRecordToStatistics(statistics, record);
  const { text, better } = describeRecordStatistics(statistics, items.length, plans);
  expect(plans[0]?.unusedDates).toEqual(['Inspected']);
  expect(better[0]).toBe(
    'people.csv: the dates in Inspected are not used. If people were first or last seen then, map them, for example --map "first_seen=Inspected"',
  );
  expect(better.join()).not.toContain('dates (created');
  expect(text[0]).toContain('none with an address');
});

test('the e-mail of the seller in an export of payments belongs to no buyer', async () => {
  const payment = (i: number) => `Ann Lee${'abcde'[i]},b${i}@post.example,Seller@shop.example`;
  const rows = [
    ...[0, 1, 2, 3, 4].map(payment),
    'Ann Leea,seller@shop.example,b0@post.example',
    ',seller@shop.example,',
  ];
  const items = await read(['Name,From Email Address,To Email Address', ...rows].join('\n'));
  expect(items.map(({ record, aside }) => aside ?? record?.contacts.map(({ input }) => input))).toEqual([
    ...[0, 1, 2, 3, 4].map((i) => [`b${i}@post.example`]),
    [],
    'company',
  ]);
  expect(items[5]?.dropped).toEqual(['emails belongs to the owner of the file']);
});

test('a fax number in an address book of Google is no phone', async () => {
  const [item] = await read(
    'First Name,Last Name,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value\nAnn,Lee,Work Fax,206-938-7155,Mobile,206-284-8608\n',
  );
  expect(item?.record?.contacts.map(({ input }) => input)).toEqual(['206-284-8608']);
});
