import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadOrCreateSecret } from '../../../src/graph/encryption/secret.ts';
import { getGraphFilePath, openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importRows, strangers } from '../../kit/graphs/graph.ts';

const ONE = 'a1'.repeat(32);
const OTHER = 'b2'.repeat(32);

test('a secret is created at first use, readable by its owner only, and used again', () => {
  const folder = join(freshFolder(), 'new');
  const secret = loadOrCreateSecret(folder);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  expect(loadOrCreateSecret(folder)).toBe(secret);
  expect(loadOrCreateSecret(join(freshFolder(), 'other'))).not.toBe(secret);
});

test('a secret from the environment is used and not stored', () => {
  const folder = freshFolder();
  expect(loadOrCreateSecret(folder, ` ${ONE.toUpperCase()}\n`)).toBe(ONE);
  expect(existsSync(join(folder, 'secret'))).toBe(false);
});

test.each(['', 'short', `${ONE}00`, 'z'.repeat(64)])(
  'a secret that is not 64 hexadecimal characters is refused',
  (text) => {
    expect(() => loadOrCreateSecret(freshFolder(), text)).toThrow(
      expect.objectContaining({ code: 'wrong_secret' }),
    );
    const folder = freshFolder();
    writeFileSync(join(folder, 'secret'), text, { mode: 0o600 });
    expect(() => loadOrCreateSecret(folder)).toThrow(expect.objectContaining({ code: 'wrong_secret' }));
  },
);

test.skipIf(process.platform === 'win32')(
  'a secret that other users can read is refused, with the command to fix it',
  () => {
    const folder = freshFolder();
    loadOrCreateSecret(folder);
    chmodSync(join(folder, 'secret'), 0o640);
    expect(() => loadOrCreateSecret(folder)).toThrow(`chmod 600 ${join(folder, 'secret')}`);
    chmodSync(join(folder, 'secret'), 0o600);
    expect(loadOrCreateSecret(folder)).toMatch(/^[0-9a-f]{64}$/);
  },
);

test('an error about a secret does not contain the secret', () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'secret'), `${ONE}-tail`, { mode: 0o600 });
  expect(() => loadOrCreateSecret(folder)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('a1a1') }),
  );
});

test('no secret is created beside a graph without its secret', () => {
  const folder = freshFolder();
  openSqliteGraph({ dataDir: folder }).close();
  rmSync(join(folder, 'secret'));
  expect(() => openSqliteGraph({ dataDir: folder })).toThrow(
    expect.objectContaining({ code: 'secret_missing' }),
  );
  expect(existsSync(join(folder, 'secret'))).toBe(false);
});

test('a wrong secret is refused, and the graph stays unchanged', () => {
  const folder = freshFolder();
  openSqliteGraph({ dataDir: folder, secret: ONE }).close();
  const before = readFileSync(getGraphFilePath(folder));
  expect(() => openSqliteGraph({ dataDir: folder, secret: OTHER })).toThrow(
    expect.objectContaining({ code: 'wrong_secret' }),
  );
  expect(readFileSync(getGraphFilePath(folder)).equals(before)).toBe(true);
  openSqliteGraph({ dataDir: folder, secret: ONE }).close();
});

test.each(['the folder', 'a folder above it'])('a file in place of %s is reported', (where) => {
  const file = join(freshFolder(), 'file');
  writeFileSync(file, '');
  const folder = where === 'the folder' ? file : join(file, 'data');
  expect(() => loadOrCreateSecret(folder)).toThrow(expect.objectContaining({ code: 'read_only' }));
});

test('a folder in place of the secret file is reported', () => {
  const folder = freshFolder();
  mkdirSync(join(folder, 'secret'));
  expect(() => loadOrCreateSecret(folder)).toThrow(expect.objectContaining({ code: 'unreadable_file' }));
});

test.skipIf(process.platform === 'win32')(
  'a data folder that other users can access is refused by all commands, with the command to fix it',
  async () => {
    const folder = freshFolder();
    await importRows(folder, [strangers(3)]);
    for (const mode of [0o755, 0o770, 0o701]) {
      chmodSync(folder, mode);
      for (const command of [
        ['keys', 'list'],
        ['graph', 'stats'],
        ['check', '--name', 'Ada Abernathy'],
      ]) {
        const { code, stderr } = await runHere([...command, '--data-dir', folder]);
        expect([code, stderr]).toEqual([1, expect.stringContaining(`Run chmod 700 ${folder}.`)]);
      }
    }
    chmodSync(folder, 0o700);
    expect(await runHere(['graph', 'stats', '--data-dir', folder])).toMatchObject({ code: 0 });
  },
);

test.skipIf(process.platform === 'win32').each([[[]], [['demo', `bonafide-${'0'.repeat(24)}`]]])(
  'a new data folder that contains %j is made private',
  (inside) => {
    const folder = join(freshFolder(), 'new');
    mkdirSync(folder, { mode: 0o755 });
    for (const name of inside) mkdirSync(join(folder, name));
    loadOrCreateSecret(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  },
);
