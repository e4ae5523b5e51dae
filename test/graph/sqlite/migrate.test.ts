import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { why } from '../../../src/graph/inspect.ts';
import { graphFile, openGraph } from '../../../src/graph/sqlite/open.ts';
import { linkRecords } from '../../../src/people/linking/linking.ts';
import { freshFolder } from '../../kit/folder.ts';
import { CONTRACT_ROWS } from '../../kit/graphs/contract.ts';
import {
  identitiesIn,
  identitiesOf,
  importRows,
  operate,
  queryOf,
  type Row,
} from '../../kit/graphs/graph.ts';

describe('a graph that 0.1.0 wrote', () => {
  const ROWS: Row[] = [
    {
      record_id: 'r1',
      identity: 'rf',
      name: 'Rosalind Fairweather',
      emails: ['rosalind@fairweather.example'],
      phones: ['+1 503 234 0101'],
      addresses: [
        { street: '418 Alder Creek Road', street2: 'Apt 5', city: 'Portland', state: 'OR', zip: '97219' },
      ],
      birth_date: '1971-03-14',
      first_seen: '2015-01-01',
      last_seen: '2018-01-01',
    },
    {
      record_id: 'r2',
      source: 'shop',
      identity: 'rf',
      name: 'Rosalind Fairweather',
      emails: ['rosalind@fairweather.example'],
      addresses: [{ street: '418 Alder Creek Road', city: 'Portland', state: 'OR', zip: '97219' }],
      last_seen: '2024-06-01',
    },
    {
      record_id: 'q1',
      name: 'Quentin Drummond',
      emails: ['quentin.drummond@post.example'],
      addresses: [{ street: '9 Quarry Road', city: 'Denver', state: 'CO', zip: '80014' }],
      birth_date: '1988-08-08',
    },
    {
      record_id: 'q2',
      source: 'shop',
      name: 'Quentin Drummond',
      emails: ['quentin.drumnond@post.example'],
      addresses: [{ street: '9 Quarrry Road', city: 'Denver', state: 'CO', zip: '80014' }],
      birth_date: '1988-08-08',
    },
  ];
  const ASKED = [
    { name: 'Rosalind Fairweather', emails: ['rosalnid@fairweather.example'], phones: ['5032340101'] },
    { name: 'Quentin Drummond', addresses: [{ street: '9 Quarrz Road', city: 'Denver', zip: '80014' }] },
    { name: 'Somebody Else', emails: ['quentin.drummond@post.example'] },
  ].map(queryOf);

  /** The file as it was written of these rows, in a folder of its own. */
  function kept(): string {
    const folder = freshFolder();
    writeFileSync(`${folder}/secret`, 'a1'.repeat(32), { mode: 0o600 });
    const packed = readFileSync(`${import.meta.dirname}/../../fixtures/graph/version-2.db.gz`);
    writeFileSync(graphFile(folder), gunzipSync(packed));
    return folder;
  }

  async function made(): Promise<string> {
    const folder = freshFolder();
    await importRows(folder, [ROWS]);
    return folder;
  }

  test('answers as one that is made of the same records today', async () => {
    const answers = (folder: string) =>
      operate(folder, (graph) => Promise.all(ASKED.map((query) => graph.resolve(query))));
    const [old, fresh] = [await answers(kept()), await answers(await made())];
    expect(old).toEqual(fresh);
    expect(old.flatMap(({ values }) => values.flat().map(({ type }) => type))).toContain('typo');
  });

  test('keeps the evidence of its records, and links them as before', async () => {
    const [old, fresh] = [kept(), await made()];
    const explained = (folder: string) => operate(folder, (graph) => why(graph, 'q1', 'q2'));
    expect(await explained(old)).toEqual(await explained(fresh));
    const relinked = await operate(old, async (graph) => {
      await linkRecords(graph);
      return identitiesIn(graph);
    });
    expect(relinked).toEqual(await identitiesOf(fresh));
  });

  test('is kept beside the upgraded one, as the earlier program knows it', async () => {
    const folder = kept();
    await operate(folder, (graph) => graph.stats());
    const earlier = new Database(`${graphFile(folder)}.version-2`);
    expect(earlier.pragma('user_version', { simple: true })).toBe(2);
    expect(earlier.prepare('SELECT count(*) FROM crowd').pluck().get()).toBe(0);
    expect(earlier.prepare('SELECT count(sketches) FROM identity').pluck().get()).toBeGreaterThan(0);
    earlier.close();
  });

  test('is not touched by a wrong secret', () => {
    const folder = kept();
    const before = readFileSync(graphFile(folder));
    expect(() => openGraph({ dataDir: folder, secret: '0'.repeat(64) })).toThrow(/secret does not belong/);
    const db = new Database(graphFile(folder));
    expect(db.pragma('user_version', { simple: true })).toBe(2);
    db.close();
    expect(readFileSync(graphFile(folder)).length).toBe(before.length);
  });
});

/** A graph of the rows of the contract as version 3 wrote it, in a folder of its own. */
function ofVersion3(): string {
  const folder = freshFolder();
  writeFileSync(`${folder}/secret`, 'a1'.repeat(32), { mode: 0o600 });
  const packed = readFileSync(`${import.meta.dirname}/../../fixtures/graph/version-3.db.gz`);
  writeFileSync(graphFile(folder), gunzipSync(packed));
  return folder;
}

async function ofToday(): Promise<string> {
  const folder = freshFolder();
  writeFileSync(`${folder}/secret`, 'a1'.repeat(32), { mode: 0o600 });
  await importRows(folder, [CONTRACT_ROWS]);
  return folder;
}

const ASKED = [
  { name: 'Rosalind Fairweather', emails: ['rosalind@fairweather.example'] },
  { name: 'Ada Jurgensen', phones: ['+1 206 234 0199', '+1 503 234 0101'] },
  { name: 'Rosalind Fairweather', emails: ['rosalnid@fairweather.example'] },
].map(queryOf);

/** Answers, what the graph is like, and whose every record is; times of linking differ. */
const told = (folder: string) =>
  operate(folder, async (graph) => ({
    answers: await Promise.all(ASKED.map((query) => graph.resolve(query))),
    stats: { ...(await graph.stats()), linkedAt: null },
    identities: await identitiesIn(graph),
    // The name tables of today are not those that the file was written with.
    warnings: (await graph.warnings()).filter((text) => !text.startsWith('The name tables')),
  }));

test('a graph of version 3, whose file held the records too, answers as one that is made today', async () => {
  const [old, fresh] = [ofVersion3(), await ofToday()];
  expect(await told(old)).toEqual(await told(fresh));
  const relinked = await operate(old, async (graph) => {
    await linkRecords(graph);
    return identitiesIn(graph);
  });
  expect(relinked).toEqual(await identitiesOf(fresh));
});

test('its records are in a file of their own then, and its own file is smaller', async () => {
  const folder = ofVersion3();
  const before = statSync(graphFile(folder)).size;
  const { identities } = await told(folder);
  expect(statSync(graphFile(folder)).size).toBeLessThan(before / 2);
  const records = new Database(`${folder}/records.db`, { readonly: true });
  expect(records.prepare('SELECT count(*) FROM record').pluck().get()).toBe(identities.size);
  expect(records.pragma('quick_check', { simple: true })).toBe('ok');
  records.close();
});

test('an upgrade that was cut after the records had their place is made again', async () => {
  const folder = ofVersion3();
  const expected = await told(ofVersion3());
  await told(folder);
  const earlier = readFileSync(`${graphFile(folder)}.version-3`);
  writeFileSync(graphFile(folder), earlier);
  expect(await told(folder)).toEqual(expected);
});

test('records that version 3 had not linked yet are told, and linked by the next import', async () => {
  const folder = ofVersion3();
  const db = new Database(graphFile(folder));
  db.exec(
    "UPDATE meta SET value = value + 1 WHERE name = 'revision'; UPDATE record SET identity = NULL WHERE id = 1",
  );
  db.close();
  const { stats, warnings } = await told(folder);
  expect(stats.unlinked).toBe(1);
  expect(warnings).toContainEqual(expect.stringContaining('not linked yet'));
  await importRows(folder, [[]]);
  expect((await told(folder)).stats.unlinked).toBe(0);
});

test('a graph of the first version, which kept a row for every holder of a key, answers as before', async () => {
  const folder = ofVersion3();
  toFirstVersion(graphFile(folder));
  expect(() => openGraph({ dataDir: folder, secret: '0'.repeat(64) })).toThrow(/secret does not belong/);
  expect(await told(folder)).toEqual(await told(await ofToday()));
});

test('a graph of the first version, which kept no exact parts in short, finds a typo as before', async () => {
  const folder = ofVersion3();
  toFirstVersion(graphFile(folder));
  const db = new Database(graphFile(folder));
  db.exec('DROP TABLE IF EXISTS anchor');
  db.close();
  const { answers } = await told(folder);
  expect(answers.at(-1)).toMatchObject({ values: [[{ type: 'typo' }]] });
});

/** Writes the postings of a graph of version 3 as the first version did. */
function toFirstVersion(file: string): void {
  const db = new Database(file);
  const packed = db.prepare('SELECT key, ids FROM posting').raw().all() as [number, string | number][];
  const frequent = db.prepare('SELECT key, id, meta FROM frequent').raw().all() as [number, number, number][];
  db.exec(`DROP TABLE posting; DROP TABLE frequent; DROP TABLE exact_part;
    ALTER TABLE identity RENAME COLUMN signatures TO sketches;
    CREATE TABLE posting (key INTEGER NOT NULL, id INTEGER NOT NULL, meta INTEGER NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;
    DELETE FROM meta WHERE name = 'postings'; PRAGMA user_version = 1`);
  const insert = db.prepare('INSERT INTO posting VALUES (?, ?, ?)');
  const share = new Map<number, number>();
  const put = (key: number, id: number, meta: number) => {
    share.set(key, (share.get(key) ?? 0) + 1);
    insert.run(key, id, meta);
  };
  for (const [key, id, meta] of frequent) put(key, id, meta);
  for (const [key, ids] of packed)
    if (!String(ids).includes(':'))
      for (const number of String(ids).split(' ').map(Number)) put(key, number >> 1, number & 1);
  for (const [key, count] of share) if (count > 1) insert.run(key, 0, count);
  db.close();
}
