import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { completeInterruptedErasure, eraseRecords } from '../../../src/people/erase/erase.ts';
import { generateRecordLines } from '../../../src/generate/records.ts';
import { createFingerprintFunctions } from '../../../src/graph/encryption/fingerprints.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { listKeyByteEncodings } from '../../../src/graph/link-cache/erasing.ts';
import { getNameKeys, prepareName } from '../../../src/names/index.ts';
import { normaliseContact } from '../../../src/normalise/contact.ts';
import { findFilesContaining } from '../../../src/people/erase/search.ts';
import { listSelectedRecords, selectRecords } from '../../../src/people/select-records.ts';
import { endOfTurn } from '../../../src/platform/turn.ts';
import { randomNumbers } from '../../bench/people.ts';
import { worldOf } from '../../generate/world.ts';
import { freshFolder } from '../../kit/folder.ts';
import { SECRET } from '../../kit/graphs/found.ts';
import { identitiesIn, importInto, queryOf, type Row, strangers } from '../../kit/graphs/graph.ts';
import { allIn } from './graph-contents.ts';

const NOW = Date.UTC(2026, 0, 2);

const namesOf = (rows: Row[]) =>
  rows.map(({ record_id, source = 'crm' }) => ({ source, recordId: record_id }));

async function imported(rows: Row[]): Promise<string> {
  const folder = freshFolder();
  const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
  await importInto(graph, [rows]);
  await graph.close();
  return folder;
}

async function erased(
  folder: string,
  rows: Row[],
  options: { allowReturn?: boolean; rewrite?: boolean } = {},
) {
  const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
  const told = await eraseRecords(graph, namesOf(rows), { folder, now: NOW, ...options });
  await graph.close();
  return told;
}

/** Draws all records of some generated people, and single records of others. */
function drawn(seed: number, share: number): { all: Row[]; out: Row[] } {
  const random = randomNumbers(seed);
  const all: Row[] = [];
  const out: Row[] = [];
  for (const { records } of generateRecordLines(
    worldOf(30 + Math.floor(random() * 60), { seed, countries: ['US', 'GB'] }),
  )) {
    const isOut = random() < share;
    for (const line of records.trim().split('\n').filter(Boolean)) {
      const row = JSON.parse(line) as Row;
      all.push(row);
      if (isOut || random() < share / 4) out.push(row);
    }
  }
  const order = new Map(all.map((row) => [row, random()]));
  return { all: all.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)), out };
}

test.for([1, 2, 3, 4, 5, 6])(
  'after an erasure, a graph is as if the records had never been imported (world %i)',
  async (seed) => {
    const { all, out } = drawn(seed, [0.02, 0.1, 0.5][seed % 3] ?? 0.1);
    expect(out.length).toBeGreaterThan(0);
    const folder = await imported(all);
    expect(await erased(folder, out)).toMatchObject({ records: out.length, traces: [], logsEmpty: true });
    const rest = all.filter((row) => !out.includes(row));
    expect(await allIn(folder, all)).toEqual(await allIn(await imported(rest), all));
  },
);

/** Records of one person in two sources, with an e-mail, a phone, an address and a name that nobody else has. */
const GONE: Row[] = [
  {
    record_id: 'gone-1',
    name: 'Wilhelmina Quackenbush',
    emails: ['wilhelmina@quackenbush.example'],
    phones: ['+1 503 234 0101'],
    addresses: [{ street: '418 Alder Creek Road', city: 'Portland', state: 'OR', zip: '97219' }],
    birth_date: '1961-02-03',
    last_seen: '2024-06-01',
  },
  {
    record_id: 'gone-2',
    source: 'shop',
    name: 'Wilhelmina Quackenbush',
    emails: ['wilhelmina@quackenbush.example'],
    birth_date: '1961-02-03',
  },
];

/** Returns the bytes that a file with data of this person would contain: the keys of records and values under the secret, in every number format. */
function bytesOfGone(): Buffer[] {
  const { of, ofRecord: record } = createFingerprintFunctions(SECRET);
  const contacts = [
    normaliseContact('email', 'wilhelmina@quackenbush.example', 'US'),
    normaliseContact('phone', '+1 503 234 0101', 'US'),
  ];
  const keys = [
    ...contacts.flatMap((contact) => contact?.keys.map(({ type, text }) => of(type, text)) ?? []),
    ...getNameKeys(prepareName('Wilhelmina Quackenbush')).map((text) => of('name', text)),
    of('label', 'gone-1'),
    of('label', 'gone-2'),
  ];
  // The keys contain no name of a provider and no single letter, which other people have too.
  return [record('crm', 'gone-1'), record('shop', 'gone-2'), ...keys.flatMap(listKeyByteEncodings)];
}

test('an erased person leaves no byte in any file of the folder, nor in the logs beside the files', async () => {
  const folder = await imported([...strangers(60), ...GONE]);
  const reading = openSqliteGraph({ dataDir: folder, secret: SECRET });
  // Encrypted values of the person, as the files contain them before the erasure.
  const sealed = (await reading.erasing?.collectTraces(await reading.records.listByIdentity(61)))?.() ?? [];
  await reading.close();
  expect(findFilesContaining(folder, bytesOfGone()).length).toBeGreaterThan(0);
  expect(findFilesContaining(folder, sealed).length).toBeGreaterThan(0);
  expect(await erased(folder, GONE)).toMatchObject({
    records: 2,
    identities: [61],
    logsEmpty: true,
    traces: [],
  });
  for (const one of [...bytesOfGone(), ...sealed]) expect(findFilesContaining(folder, [one])).toEqual([]);
});

test('a file is searched for the bytes of any number of records', () => {
  const folder = freshFolder();
  const wanted = Array.from({ length: 300_000 }, (_, i) => Buffer.from(`trace ${i}!`));
  writeFileSync(join(folder, 'other'), 'trace 300000!');
  expect(findFilesContaining(folder, wanted)).toEqual([]);
  writeFileSync(join(folder, 'left'), 'a trace 299999! here');
  expect(findFilesContaining(folder, wanted)).toEqual([join(folder, 'left')]);
});

test.each([1, 100])('a value of %i is found across the blocks in which a file is read', (count) => {
  const folder = freshFolder();
  const wanted = Array.from({ length: count }, (_, i) => Buffer.from(`trace ${i}!`));
  const before = Buffer.alloc(4 * 2 ** 20 - 4, 'x');
  writeFileSync(join(folder, 'none'), before);
  writeFileSync(join(folder, 'left'), Buffer.concat([before, wanted.at(-1)!, before]));
  expect(findFilesContaining(folder, wanted)).toEqual([join(folder, 'left')]);
});

test('and none while a server has the graph open, which answers as if they had never been there', async () => {
  const folder = await imported([...strangers(60), ...GONE]);
  const serving = openSqliteGraph({ dataDir: folder, secret: SECRET });
  const ask = async () =>
    (await serving.resolve(queryOf({ emails: ['wilhelmina@quackenbush.example'] }))).values[0];
  expect(await ask()).toHaveLength(1);
  await endOfTurn();
  expect(await erased(folder, GONE)).toMatchObject({ logsEmpty: true, traces: [] });
  expect(findFilesContaining(folder, bytesOfGone())).toEqual([]);
  expect(await ask()).toEqual([]);
  await serving.close();
});

test('who was erased does not come back with the next import of that source, under the same id or another', async () => {
  const folder = await imported([...strangers(60), ...GONE]);
  await erased(folder, GONE);
  const again: Row[] = [...GONE, ...GONE.map((row) => ({ ...row, record_id: `new-${row.record_id}` }))];
  const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
  expect(await importInto(graph, [again])).toMatchObject({ added: 0, identities: 60 });
  const namesake: Row = { record_id: 'other', name: 'Wilhelmina Quackenbush', emails: ['w@other.example'] };
  expect(await importInto(graph, [[namesake]])).toMatchObject({ added: 1, identities: 61 });
  const sister: Row = { record_id: 'sister', name: 'Ottilie Quackenbush', phones: ['+1 503 234 0101'] };
  expect(await importInto(graph, [[sister]])).toMatchObject({ added: 1, barred: 0, alike: 1 });
  const elsewhere = GONE.map((row) => ({ ...row, source: 'elsewhere' }));
  expect(await importInto(graph, [elsewhere])).toMatchObject({ added: 2 });
  await graph.close();
});

test('unless they may return', async () => {
  const folder = await imported([...strangers(60), ...GONE]);
  expect(await erased(folder, GONE, { allowReturn: true })).toMatchObject({ marks: [] });
  const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
  expect(await importInto(graph, [GONE])).toMatchObject({ added: 2, identities: 61 });
  await graph.close();
});

test('a graph may be emptied to the last record', async () => {
  const folder = await imported(GONE);
  expect(await erased(folder, GONE)).toMatchObject({ records: 2, identities: [1], traces: [] });
  const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
  expect(await graph.stats()).toMatchObject({ records: 0, identities: 0, postings: 0, settled: true });
  expect(await identitiesIn(graph)).toEqual(new Map());
  await graph.close();
});

test('an erasure that was cut short before the files were overwritten is told, and completed by the next', async () => {
  const folder = await imported([...strangers(60), ...GONE]);
  const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
  await graph.erasing?.suppress([], NOW, 'it');
  expect(await graph.warnings()).toEqual([expect.stringContaining('graph compact')]);
  await completeInterruptedErasure(graph);
  await endOfTurn();
  expect(await graph.warnings()).toEqual([]);
  await graph.close();
});

test.each([
  ['another record of the person', { record_id: 'late' }],
  ['a newer version of the record', { record_id: 'gone', last_seen: '2025-12-30' }],
])('nothing is erased if %s is stored after the records were selected', async (_, change) => {
  const person = { record_id: 'gone', name: 'Wilhelmina Quackenbush', emails: ['w@quackenbush.example'] };
  const folder = await imported([...strangers(20), person]);
  const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
  onTestFinished(() => graph.close());
  const [{ identity = null } = {}] = await graph.records.findByRecordId('gone');
  const selection = { identities: [identity ?? 0], region: 'US' };
  const select = async () => listSelectedRecords(await selectRecords(graph, selection));
  const erase = async (of: typeof graph) => eraseRecords(of, await select(), { folder, now: NOW, select });
  const { erasing } = graph;
  const collectTraces: typeof erasing.collectTraces = async (rows) => {
    await importInto(graph, [[{ ...person, ...change }]]);
    return erasing.collectTraces(rows);
  };
  const raced = Object.create(graph, {
    erasing: { value: Object.create(erasing, { collectTraces: { value: collectTraces } }) },
  }) as typeof graph;
  await expect(erase(raced)).rejects.toMatchObject({ code: 'database_busy' });
  expect((await graph.records.listByIdentity(identity ?? 0)).length).toBeGreaterThan(0);
  await erase(graph);
  expect(await graph.records.count()).toBe(20);
});
