// Exports of all data about a person, with whole records and with fingerprints only.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eraseRecordsAndWriteReceipt } from '../../src/people/erase/forget.ts';
import { findFilesContaining } from '../../src/people/erase/search.ts';
import { openRecordStoringGraph } from '../../src/graph/engines.ts';
import { DEFAULT_GRAPH_SETTINGS } from '../../src/config.ts';
import { exportPerson } from '../../src/people/export-person.ts';
import { splitIdentity, undoManualLink } from '../../src/people/manual-links.ts';
import { changeGraphSecret } from '../../src/people/rekey.ts';
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
  openRecordStoringGraph({ dataDir, secret: SECRET, graph: { ...DEFAULT_GRAPH_SETTINGS, keep } });

/** Returns all bytes of the folder's files as text. */
const bytesOf = (folder: string) =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');

test('where whole records are kept, a person is given the values themselves; no file holds them in the clear', async () => {
  const folder = freshFolder();
  const graph = opened(folder, 'sealed');
  await importInto(graph, [[...strangers(20), WHOLE]]);
  const held = await exportPerson(graph, 21);
  expect(held.records[0]?.whole).toMatchObject({
    emails: ['Wilhelmina@Quackenbush.example'],
    phones: ['(503) 234-0101'],
    addresses: [STREET],
    identifiers: [{ type: 'passport', country: 'US', value: 'X 123 4567' }],
    birth_place: 'Astoria',
  });
  expect(held.about.join(' ')).toContain('as they were read');
  expect(bytesOf(folder)).not.toMatch(/quackenbush|alder creek|234.?0101|astoria/i);
  await graph.close();
});

test('without whole records, the export has no values, and older records are marked', async () => {
  const folder = freshFolder();
  const plain = opened(folder, 'fingerprints');
  await importInto(plain, [[...strangers(20), WHOLE]]);
  expect((await exportPerson(plain, 21)).records[0]?.whole).toBeNull();
  await plain.close();
  const graph = opened(folder, 'sealed+5y');
  await importInto(graph, [[{ ...WHOLE, record_id: 'again' }]]);
  const { records, about } = await exportPerson(graph, 21);
  expect(records.map(({ whole }) => whole === null)).toEqual([true, false]);
  expect(about.join(' ')).toContain('For records with "whole"');
  await graph.close();
});

test('rows that become one record are kept as one whole record', async () => {
  const folder = freshFolder();
  const graph = opened(folder, 'sealed');
  await importInto(graph, [[...strangers(3), WHOLE, { ...WHOLE, phones: ['503 234 0102'] }]]);
  expect((await exportPerson(graph, 4)).records[0]?.whole).toMatchObject({
    phones: ['(503) 234-0101', '503 234 0102'],
    emails: ['Wilhelmina@Quackenbush.example'],
  });
  await graph.close();
});

test('whole records are linked like fingerprints, and forgotten with the person', async () => {
  const [whole, plain] = [freshFolder(), freshFolder()];
  const rows = [...strangers(30), WHOLE, { ...WHOLE, record_id: 'x', source: 'shop' }];
  const graph = opened(whole, 'sealed');
  const other = opened(plain, 'fingerprints');
  for (const one of [graph, other]) await importInto(one, [rows]);
  expect(await identitiesIn(graph)).toEqual(await identitiesIn(other));
  const sealed = (await graph.erasing?.collectTraces(await graph.records.listByIdentity(31)))?.() ?? [];
  expect(findFilesContaining(whole, sealed).length).toBeGreaterThan(0);
  const names = ['crm', 'shop'].map((source, i) => ({ source, recordId: i === 0 ? 'w' : 'x' }));
  const { receipt } = await eraseRecordsAndWriteReceipt(graph, names, { dataDir: whole, now: Date.now() });
  expect(receipt).toMatchObject({ records: 2, identities: [31], traces: [] });
  for (const one of sealed) expect(findFilesContaining(whole, [one])).toEqual([]);
  await Promise.all([graph.close(), other.close()]);
});

test('the export has manual links, undone ones and labels of the source, without internal values and other people', async () => {
  for (const keep of ['sealed', 'fingerprints']) {
    const graph = opened(freshFolder(), keep);
    const mine = { ...WHOLE, identity: 'cust-99', gender: 'w', title: 'Dr' };
    const also = { ...mine, record_id: 'w2', source: 'shop', names: ['Mina Q.'] };
    await importInto(graph, [[...strangers(3), mine, also]]);
    const judge = { who: 'command-line:oscar', time: Date.UTC(2026, 0, 2) };
    const first = await splitIdentity(graph, ['crm:w'], { ...judge, why: 'two customers, told by mail' });
    await undoManualLink(graph, first.id, Date.UTC(2026, 0, 3));
    await splitIdentity(graph, ['crm:w'], { ...judge, why: 'twins' });
    const [{ identity } = { identity: 0 }] = await graph.records.findByRecordId('w');
    const held = await exportPerson(graph, identity ?? 0);
    expect(held.judgements).toEqual([
      {
        kind: 'split',
        time: '2026-01-02T00:00:00.000Z',
        why: 'two customers, told by mail',
        undone: '2026-01-03T00:00:00.000Z',
        records: [1],
      },
      { kind: 'split', time: '2026-01-02T00:00:00.000Z', why: 'twins', undone: null, records: [1] },
    ]);
    expect(held.records).toMatchObject([{ identity_label: 'cust-99', gender: 'female' }]);
    expect(JSON.stringify(held)).not.toMatch(/\\u0000|oscar|Mina|shop/);
    await graph.close();
  }
});

test('numbers and places are exported as they were written, also for merged rows and with another secret', async () => {
  const folder = freshFolder();
  const of = (keep: string) =>
    openRecordStoringGraph({ dataDir: folder, graph: { ...DEFAULT_GRAPH_SETTINGS, keep } });
  const graph = of('sealed');
  const other = { ...WHOLE, birth_place: 'ASTORIA', identifiers: [{ type: 'id card', value: 'k-77 8' }] };
  await importInto(graph, [[...strangers(3), WHOLE, other]]);
  const written = { identifiers: [{ value: 'X 123 4567' }, { value: 'k-77 8' }], birth_place: 'Astoria' };
  expect((await exportPerson(graph, 4)).records[0]?.whole).toMatchObject(written);
  await graph.close();
  const secret = readFileSync(join(folder, 'secret'), 'utf8').trim();
  await changeGraphSecret({ dataDir: folder, secret, next: 'c3'.repeat(32), ownFile: true });
  const anew = of('sealed');
  expect((await exportPerson(anew, 4)).records[0]?.whole).toMatchObject(written);
  expect(await importInto(anew, [[WHOLE]])).toMatchObject({ replaced: 1 });
  await anew.close();
});
