import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { BonafideError } from '../../../src/errors.ts';
import { loadOrCreateSecret } from '../../../src/graph/encryption/secret.ts';
import { type GraphDatabaseOptions, openGraphDatabase } from '../../../src/graph/sqlite/database.ts';
import { deriveGraphCiphersAndFingerprints } from '../../../src/graph/encryption/keys.ts';
import { getGraphFilePath, openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { runWithConvertedSqliteErrors } from '../../../src/platform/sqlite.ts';
import { GRAPH_FILE_TYPE_DEFINITION } from '../../../src/graph/sqlite/schema.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importRows, queryOf, strangers } from '../../kit/graphs/graph.ts';

/** Returns the folder of a graph of two hundred people whose file is complete, without a WAL. */
async function filled(): Promise<string> {
  const folder = freshFolder();
  await importRows(folder, [strangers(200)]);
  const db = new Database(getGraphFilePath(folder));
  db.pragma('journal_mode = DELETE');
  db.close();
  return folder;
}

const coded = (code: string) => expect.objectContaining({ code });

describe('a file that is no graph of ours is refused', () => {
  test('a database of another program', () => {
    const folder = freshFolder();
    const db = new Database(getGraphFilePath(folder));
    db.exec('CREATE TABLE notes (text TEXT)');
    db.close();
    loadSecretBeside(folder);
    expect(() => openSqliteGraph({ dataDir: folder })).toThrow(coded('foreign_database'));
  });

  test('a database of another program that marks its files', () => {
    const folder = freshFolder();
    const db = new Database(getGraphFilePath(folder));
    db.pragma('application_id = 42');
    db.exec('CREATE TABLE notes (text TEXT)');
    db.close();
    loadSecretBeside(folder);
    expect(() => openSqliteGraph({ dataDir: folder })).toThrow(coded('foreign_database'));
  });

  test('a graph of a newer version', async () => {
    const folder = await filled();
    const db = new Database(getGraphFilePath(folder));
    db.pragma('user_version = 99');
    db.close();
    expect(() => openSqliteGraph({ dataDir: folder })).toThrow(coded('newer_database'));
  });

  test('a graph of an older version', async () => {
    const folder = await filled();
    const db = new Database(getGraphFilePath(folder));
    db.pragma('user_version = 3');
    db.close();
    expect(() => openSqliteGraph({ dataDir: folder })).toThrow(
      /made by an older Bonafide.*import the records again/,
    );
  });

  test('random bytes', () => {
    const folder = freshFolder();
    loadOrCreateSecret(folder);
    writeFileSync(
      getGraphFilePath(folder),
      Buffer.from(Array.from({ length: 9000 }, (_, i) => (i * 73 + (i >> 5)) % 251)),
    );
    expect(() => openSqliteGraph({ dataDir: folder })).toThrow(coded('foreign_database'));
  });

  test('a text', () => {
    const folder = freshFolder();
    loadOrCreateSecret(folder);
    writeFileSync(
      getGraphFilePath(folder),
      'not a database at all, though long enough to hold a header of a hundred bytes.'.repeat(9),
    );
    expect(() => openSqliteGraph({ dataDir: folder })).toThrow(coded('foreign_database'));
  });

  test('a folder', () => {
    const folder = freshFolder();
    loadOrCreateSecret(folder);
    mkdirSync(getGraphFilePath(folder));
    expect(() => openSqliteGraph({ dataDir: folder })).toThrow(coded('unreadable_file'));
  });
});

/** Writes a secret file: a secret is never created beside an existing graph. */
function loadSecretBeside(folder: string): void {
  writeFileSync(`${folder}/secret`, 'c3'.repeat(32), { mode: 0o600 });
}

/** Opens, queries and reads a graph as a server and an import would. Returns the code of the first error, or null. */
async function use(folder: string): Promise<string | null> {
  try {
    const graph = openSqliteGraph({ dataDir: folder });
    try {
      for (const row of strangers(200))
        await graph.resolve(queryOf({ name: row.name, emails: row.emails, phones: row.phones }));
      await graph.stats();
      graph.ping();
    } finally {
      await graph.close();
    }
    await importRows(folder, [strangers(3)]);
    return null;
  } catch (error) {
    return error instanceof BonafideError ? error.code : String(error);
  }
}

const DAMAGED = [
  null,
  'damaged_database',
  'graph_bad_response',
  'foreign_database',
  'newer_database',
  'wrong_secret',
  'graph_unavailable',
];

test('a graph cut short is damaged, wherever the cut', async () => {
  const folder = await filled();
  const whole = readFileSync(getGraphFilePath(folder));
  const found: (string | null)[] = [];
  for (const share of [0.9, 0.5, 0.2, 0.05]) {
    writeFileSync(getGraphFilePath(folder), whole);
    truncateSync(getGraphFilePath(folder), Math.floor(whole.length * share));
    found.push(await use(folder));
  }
  for (const code of found) expect(['damaged_database', 'graph_bad_response']).toContain(code);
});

test('bits that flipped anywhere in a graph lead to an error with a code of Bonafide, never to another error or a crash', async () => {
  const folder = await filled();
  const whole = readFileSync(getGraphFilePath(folder));
  const found = new Set<string | null>();
  for (let i = 0; i < 24; i++) {
    const damaged = Buffer.from(whole);
    // Flips 64 bytes at a place that differs from case to case; the first cases flip bytes of the header.
    const start = i < 4 ? 16 + i * 24 : (i * 7919 * 61) % (whole.length - 64);
    for (let at = start; at < start + (i < 4 ? 24 : 64); at++)
      damaged.writeUInt8(whole.readUInt8(at) ^ 0xff, at);
    writeFileSync(getGraphFilePath(folder), damaged);
    found.add(await use(folder));
  }
  expect([...found].filter((code) => !DAMAGED.includes(code))).toEqual([]);
  expect([...found].some((code) => code !== null)).toBe(true);
});

/** Options with which `openGraphDatabase` opens the existing graph of a folder and creates none. */
function databaseOf(folder: string): GraphDatabaseOptions {
  return {
    file: getGraphFilePath(folder),
    keys: deriveGraphCiphersAndFingerprints(loadOrCreateSecret(folder)),
    create: false,
  };
}

test('a missing graph is reported if none may be created', () => {
  const folder = freshFolder();
  expect(() => openGraphDatabase(databaseOf(folder))).toThrow(coded('graph_unavailable'));
});

test('a graph that another import writes to can be read, and a second writer gets the error of a busy graph', async () => {
  const folder = freshFolder();
  await importRows(folder, [strangers(3)]);
  const other = new Database(getGraphFilePath(folder));
  other.exec('BEGIN IMMEDIATE');
  const db = openGraphDatabase(databaseOf(folder));
  db.pragma('busy_timeout = 50');
  expect(db.prepare('SELECT count(*) FROM identity').pluck().get()).toBe(3);
  const write = () =>
    runWithConvertedSqliteErrors(
      getGraphFilePath(folder),
      () => db.exec('BEGIN IMMEDIATE'),
      GRAPH_FILE_TYPE_DEFINITION,
    );
  expect(write).toThrow(coded('database_busy'));
  other.exec('COMMIT');
  write();
  db.close();
  other.close();
});
