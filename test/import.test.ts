import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Readable } from 'node:stream';
import { getGraphFilePath, openSqliteGraph } from '../src/graph/sqlite/open.ts';
import { importRecords } from '../src/import.ts';
import { freshFolder } from './kit/folder.ts';
import {
  identitiesOf,
  importRows,
  operate,
  partitionOf,
  queryOf,
  type Row,
  strangers,
} from './kit/graphs/graph.ts';

const ANN: Row = {
  record_id: 'ann',
  name: 'Ann Lindqvist',
  emails: ['ann@post.example'],
  phones: ['+1 503 234 0101'],
};

/** People with several records each, some in households, for the linker to find. */
const FAMILIES: Row[] = Array.from({ length: 12 }, (_, i): Row[] => {
  const family = ['Bartosz', 'Calloway', 'Drummond', 'Eastlake'][i % 4];
  const phone = `+1 415 ${300 + i} 0101`;
  const home = { street: `${10 + i} Orchard Street`, city: 'Oakland', state: 'CA', zip: String(94_600 + i) };
  const mail = (name: string) => `${name}.${family}${i}@post.example`.toLowerCase();
  return [
    {
      record_id: `w${i}-1`,
      name: `Margaret ${family}`,
      emails: [mail('margaret')],
      phones: [phone],
      addresses: [home],
    },
    {
      record_id: `w${i}-2`,
      source: 'shop',
      name: `Peggy ${family}`,
      emails: [mail('margaret')],
      addresses: [home],
    },
    {
      record_id: `w${i}-3`,
      source: 'club',
      name: `Margaret ${family}`,
      phones: [phone, `+1 415 ${500 + i} 0102`],
      addresses: [home],
    },
    {
      record_id: `h${i}-1`,
      name: `Stellan ${family}`,
      emails: [mail('stellan')],
      phones: [phone],
      addresses: [home],
    },
    {
      record_id: `h${i}-2`,
      source: 'shop',
      name: `Stelan ${family}`,
      emails: [mail('stellan')],
      phones: [phone],
    },
  ];
}).flat();

describe('the result of an import', () => {
  test('the partition depends neither on the order of the records nor on their files', async () => {
    const rows = [...FAMILIES, ...strangers(240)];
    const one = freshFolder();
    await importRows(one, [rows]);
    const expected = await partitionOf(one);
    expect(expected).toContain('h0-1 h0-2');
    expect(expected).toContain('w0-1 w0-2 w0-3');
    for (const seed of [1, 2, 3, 4]) {
      const [shuffled = []] = fc.sample(fc.shuffledSubarray(rows, { minLength: rows.length }), {
        numRuns: 1,
        seed,
      });
      const folder = freshFolder();
      const cut = 7 * seed;
      if (seed % 2) await importRows(folder, [shuffled.slice(0, cut), shuffled.slice(cut)]);
      else {
        await importRows(folder, [shuffled.slice(0, cut)]);
        await importRows(folder, [shuffled.slice(cut)]);
      }
      expect(await partitionOf(folder)).toEqual(expected);
    }
  });

  test('importing the same records again replaces them and keeps every number', async () => {
    const folder = freshFolder();
    await importRows(folder, [FAMILIES]);
    const before = await identitiesOf(folder);
    const identities = new Set(before.values()).size;
    const summary = await importRows(folder, [FAMILIES.toReversed()]);
    expect(summary).toMatchObject({ read: 60, added: 0, replaced: 60, records: 60, identities });
    expect(await identitiesOf(folder)).toEqual(before);
  });

  test('a record that is imported again with other values loses the earlier ones', async () => {
    const folder = freshFolder();
    await importRows(folder, [[ANN]]);
    await importRows(folder, [[{ ...ANN, emails: ['ann.new@post.example'] }]]);
    const graph = openSqliteGraph({ dataDir: folder });
    const { values } = await graph.resolve(queryOf({ emails: ['ann@post.example', 'ann.new@post.example'] }));
    expect(values.map((hits) => hits.length)).toEqual([0, 1]);
    graph.close();
  });

  test('one record id in two sources is two records', async () => {
    const folder = freshFolder();
    await importRows(folder, [
      [ANN, { ...ANN, source: 'shop', name: 'Hugo Grimaldi', emails: ['hugo@post.example'], phones: [] }],
    ]);
    const stats = await operate(folder, (graph) => graph.stats());
    expect(stats).toMatchObject({ records: 2, identities: 2, merged: 0, unlinked: 0 });
  });

  test('an empty file is no error and results in an empty graph', async () => {
    const folder = freshFolder();
    const summary = await importRows(folder, [[]]);
    expect(summary).toMatchObject({
      read: 0,
      added: 0,
      rejected: 0,
      identities: 0,
      records: 0,
      rejectsFile: null,
    });
    const stats = await operate(folder, (graph) => graph.stats());
    expect(stats.linkedAt).not.toBeNull();
  });

  test('a dry run reads and counts, and writes no graph', async () => {
    const folder = freshFolder();
    const summary = await importRows(folder, [[ANN, { record_id: '' }]], { dryRun: true });
    expect(summary).toMatchObject({ read: 1, added: 0, rejected: 1, identities: 0, records: 0 });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('an import that is interrupted', () => {
  const more = [{ ...ANN, record_id: 'ann-2', emails: ['ann.two@post.example'] }, ...strangers(399)];

  test.each(['reading', 'linking', 'publishing'])(
    'while %s leaves nothing behind: not for checks, and not for the import that comes next',
    async (moment) => {
      const folder = freshFolder();
      await importRows(folder, [[ANN]]);
      const stop = (phase: string) => {
        if (phase === moment) throw new Error('interrupted');
      };
      await expect(importRows(folder, [more, more], { onPhase: stop })).rejects.toThrow('interrupted');
      const graph = openSqliteGraph({ dataDir: folder });
      const ask = queryOf({ emails: ['ann@post.example', 'ann.two@post.example'] });
      expect(await graph.resolve(ask)).toMatchObject({ total: 1, values: [[{ identity: 1 }], []] });
      expect(await graph.stats()).toMatchObject({ records: 1, identities: 1, unlinked: 0 });
      graph.close();
      const next = await importRows(folder, [[{ record_id: 'next', name: 'Hugo Grimaldi' }]]);
      expect(next).toMatchObject({ added: 1, records: 2, identities: 2 });
      expect(await importRows(folder, [more])).toMatchObject({ added: 400, replaced: 0, records: 402 });
    },
  );

  test('an import that is declined after reading changes nothing', async () => {
    const graph = openSqliteGraph({ dataDir: freshFolder() });
    const inputs = ['a', 'b'].map((name) => ({
      name: `${name}.csv`,
      stream: Readable.from([Buffer.from('id,name\n1,Ann Lindqvist\n')]),
      bytes: null,
    }));
    let asked = 0;
    const onPlan = async () => {
      if (++asked === 2) throw new Error('no');
    };
    await expect(importRecords({ graph, inputs, region: 'US', onPlan })).rejects.toThrow('no');
    expect(await graph.stats()).toMatchObject({ records: 0, linkedAt: null });
    await graph.close();
  });
});

describe('values and records that could not be used', () => {
  const marked = 'zzmarkedzz';
  const bad: Row[] = [
    { record_id: 'r1', name: 'Ann Lindqvist', emails: [`${marked} at nowhere`], phones: [`${marked}12`] },
    { record_id: 'r2' },
    { record_id: 'r3', name: 'Hugo Grimaldi', birth_date: `${marked}` },
  ];

  test('are reported by line, record id and reason, without a value', async () => {
    const folder = freshFolder();
    const rejects = join(folder, 'rejects.jsonl');
    const summary = await importRows(folder, [bad], { rejects });
    expect(summary).toMatchObject({ read: 2, rejected: 1, dropped: 3, rejectsFile: rejects });
    const text = readFileSync(rejects, 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toHaveLength(4);
    expect(lines[2]).toEqual({
      input: 'file-1.jsonl',
      line: 2,
      record_id: 'r2',
      whole: true,
      reason: 'it has no usable name and no usable contact',
    });
    expect(text).not.toMatch(/zzmarkedzz|Lindqvist/);
    expect(statSync(rejects).mode & 0o777).toBe(0o600);
  });

  test('create no file if there are none', async () => {
    const folder = freshFolder();
    await importRows(folder, [[ANN]], { rejects: join(folder, 'rejects.jsonl') });
    expect(existsSync(join(folder, 'rejects.jsonl'))).toBe(false);
  });

  test('result in one clear error if the rejects file cannot be written', async () => {
    const folder = freshFolder();
    const importing = importRows(folder, [bad], { rejects: join(folder, 'missing', 'rejects.jsonl') });
    await expect(importing).rejects.toMatchObject({ code: 'read_only' });
  });
});

test('the graph file contains no e-mail, phone, address, birth date, record id or name in plain text', async () => {
  const folder = freshFolder();
  const marked: Row = {
    record_id: 'recordmark77',
    source: 'sourcemark',
    identity: 'labelmark',
    name: 'Givenmark Familymark',
    emails: ['mailmark@domainmark.example'],
    phones: ['+1 503 234 7788'],
    addresses: [
      // Five digits may be in a file of numbers by chance, which happened once.
      {
        street: '918273 Streetmark Road',
        street2: 'Apt 66',
        city: 'Citymark',
        state: 'ON',
        zip: 'K1A 0B1',
        country: 'CA',
      },
    ],
    birth_date: '1971-03-14',
  };
  await importRows(folder, [[marked, { ...marked, record_id: 'recordmark78' }, ...strangers(50)]]);
  // An open connection keeps SQLite from merging the WAL: both files are searched.
  const graph = openSqliteGraph({ dataDir: folder });
  await importRows(folder, [[{ ...marked, record_id: 'recordmark79' }]]);
  const files = readdirSync(folder).filter((name) => name !== 'secret');
  expect(files).toContain('graph.db-wal');
  const bytes = Buffer.concat(files.map((name) => readFileSync(join(folder, name))));
  for (const encoding of ['latin1', 'utf16le'] as const) {
    const text = bytes.toString(encoding);
    const marks =
      /[a-z]+mark\b|recordmark7|5032347788|918273|k1a ?0b1|1971-?03-?14|abernathy|stranger\.example/i.exec(
        text,
      );
    expect(marks).toBeNull();
  }
  expect(bytes.length).toBeGreaterThan(statSync(getGraphFilePath(folder)).size);
  graph.close();
});
