import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readRecords } from '../../../src/import/read.ts';

async function read(lines: string[], keepCompanies = false): Promise<string[]> {
  const told: string[] = [];
  const source = Readable.from([Buffer.from(lines.join('\n'))]);
  const makeId = () => 'made';
  for await (const { record, aside } of readRecords(source, { name: 'a.csv', keepCompanies, makeId }))
    told.push(aside ?? record?.names.join() ?? 'none');
  return told;
}

const GOOGLE = ['First Name,Last Name,Organization Name,E-mail 1 - Value'];
const OUTLOOK = ['First Name,Last Name,Company,Business Phone,Home Phone,E-mail Address'];
const OUTLOOK_DE = ['Vorname;Nachname;Firma;Telefon (privat);Telefon (geschäftlich);E-Mail-Adresse'];

test('a company in an address book without a person’s name is left out; its employees are people', async () => {
  const bakery = ',,Alder Street Bakery,orders@bakery.example';
  const nora = 'Nora,Whitlock,Alder Street Bakery,nora@bakery.example';
  expect(await read([...GOOGLE, bakery, nora])).toEqual(['company', 'Nora Whitlock']);
  expect(await read([...OUTLOOK, ',,Alder Street Bakery,+1 208 555 0119,,orders@bakery.example'])).toEqual([
    'company',
  ]);
  expect(await read([...OUTLOOK_DE, ';;Bäckerei Alder;;+49 341 5550119;laden@alder.example'])).toEqual([
    'company',
  ]);
});

test('with --keep-companies, a company is imported under its name', async () => {
  expect(await read([...GOOGLE, ',,Alder Street Bakery,orders@bakery.example'], true)).toEqual([
    'Alder Street Bakery',
  ]);
});

test('a row without a name in another table is a person, although it names a company', async () => {
  const leads = ['First Name,Last Name,Company,Email', ',,Alder Street Bakery,nora@bakery.example'];
  expect(await read(leads)).toEqual(['']);
});
