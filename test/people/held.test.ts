// What is held where whole records are kept, and what is not where they are not.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forget } from '../../src/erase/forget.ts';
import { filesHolding } from '../../src/erase/search.ts';
import { openKeeping } from '../../src/graph/engines.ts';
import { USUAL_GRAPH } from '../../src/config.ts';
import { heldOn } from '../../src/people/held.ts';
import { freshFolder } from '../kit/folder.ts';
import { SECRET } from '../kit/graphs/found.ts';
import { identitiesIn, importInto, type Row, strangers } from '../kit/graphs/graph.ts';

const STREET = { street: '418 Alder Creek Road', city: 'Portland', state: 'OR', zip: '97219' };
const WHOLE: Row = {
  record_id: 'w',
  name: 'Wilhelmina Quackenbush',
  emails: ['Wilhelmina@Quackenbush.example'],
  phones: ['(503) 234-0101'],
  addresses: [STREET],
  birth_place: 'Astoria',
  identifiers: [{ type: 'Passport', value: 'X 123 4567', country: 'US' }],
};

const opened = (dataDir: string, keep: string) =>
  openKeeping({ dataDir, secret: SECRET, graph: { ...USUAL_GRAPH, keep } });

/** Every byte of the folder's files as text. */
const bytesOf = (folder: string) =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');

test('where whole records are kept, a person is given the values themselves; no file holds them in the clear', async () => {
  const folder = freshFolder();
  const graph = opened(folder, 'sealed');
  await importInto(graph, [[...strangers(20), WHOLE]]);
  const held = await heldOn(graph, 21);
  expect(held.records[0]?.whole).toMatchObject({
    emails: ['Wilhelmina@Quackenbush.example'],
    phones: ['(503) 234-0101'],
    addresses: [STREET],
    identifiers: [{ type: 'passport', country: 'US' }],
    birth_place: 'astoria',
  });
  expect(held.about.join(' ')).toContain('as they were read');
  expect(bytesOf(folder)).not.toMatch(/quackenbush|alder creek|234.?0101|astoria/i);
  await graph.close();
});

test('where they are not, they are not, and records of before are told apart', async () => {
  const folder = freshFolder();
  const plain = opened(folder, 'fingerprints');
  await importInto(plain, [[...strangers(20), WHOLE]]);
  expect((await heldOn(plain, 21)).records[0]?.whole).toBeNull();
  await plain.close();
  const graph = opened(folder, 'sealed+5y');
  await importInto(graph, [[{ ...WHOLE, record_id: 'again' }]]);
  const { records, about } = await heldOn(graph, 21);
  expect(records.map(({ whole }) => whole === null)).toEqual([true, false]);
  expect(about.join(' ')).toContain('Of records with "whole"');
  await graph.close();
});

test('rows that become one record are kept as one whole record', async () => {
  const folder = freshFolder();
  const graph = opened(folder, 'sealed');
  await importInto(graph, [[...strangers(3), WHOLE, { ...WHOLE, phones: ['503 234 0102'] }]]);
  expect((await heldOn(graph, 4)).records[0]?.whole).toMatchObject({
    phones: ['(503) 234-0101', '503 234 0102'],
    emails: ['Wilhelmina@Quackenbush.example'],
  });
  await graph.close();
});

test('what is kept whole links as what is not, and is forgotten with the person', async () => {
  const [whole, plain] = [freshFolder(), freshFolder()];
  const rows = [...strangers(30), WHOLE, { ...WHOLE, record_id: 'x', source: 'shop' }];
  const graph = opened(whole, 'sealed');
  const other = opened(plain, 'fingerprints');
  for (const one of [graph, other]) await importInto(one, [rows]);
  expect(await identitiesIn(graph)).toEqual(await identitiesIn(other));
  const sealed = (await graph.erasing?.traces(await graph.records.byIdentity(31)))?.() ?? [];
  expect(filesHolding(whole, sealed).length).toBeGreaterThan(0);
  const names = ['crm', 'shop'].map((source, i) => ({ source, recordId: i === 0 ? 'w' : 'x' }));
  const { receipt } = await forget(graph, names, { dataDir: whole, now: Date.now() });
  expect(receipt).toMatchObject({ records: 2, identities: [31], traces: [] });
  for (const one of sealed) expect(filesHolding(whole, [one])).toEqual([]);
  await Promise.all([graph.close(), other.close()]);
});
