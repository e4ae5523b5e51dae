// A data folder without one of its files is reported, at the start and while it is served.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { openSqliteGraph } from '../../src/graph/sqlite/open.ts';
import { openLog } from '../../src/observe/log.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { registerDataFolderDatabase } from '../../src/platform/data-folder.ts';
import { freshApp, JANE, json } from '../kit/app.ts';
import { bonafide, runHere } from '../kit/cli.ts';
import { freshFolder } from '../kit/folder.ts';

/** Creates a folder that was served once, with people and a key, and is not served now. */
async function servedFolder() {
  const { app, folder } = await freshApp();
  await app.close();
  return folder;
}

const away = (folder: string, ...names: string[]) => {
  for (const name of names)
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, name + end), { force: true });
};

async function start(folder: string) {
  const config = await loadConfig({ env: {}, cwd: folder, flags: { dataDir: folder, port: '0' } });
  const app = await openApp(config, openLog('silent'));
  onTestFinished(() => app.close());
}

describe('a folder that has lost', () => {
  it.each([
    [
      'its graph',
      (folder: string) => away(folder, 'graph.db'),
      /graph\.db is missing, .* bonafide graph link/,
    ],
    [
      'its graph and the records of it',
      (folder: string) => away(folder, 'graph.db', 'records.db'),
      /graph\.db is missing, but it contained records before/,
    ],
    [
      'its keys',
      (folder: string) => away(folder, 'store.db'),
      /store\.db is missing, but it contained keys before/,
    ],
    [
      'all but the name of its graph',
      (folder: string) => (away(folder, 'graph.db'), writeFileSync(join(folder, 'graph.db'), '')),
      /is missing/,
    ],
    [
      'what was in its graph',
      (folder: string) => (away(folder, 'graph.db'), openSqliteGraph({ dataDir: folder }).close()),
      /graph\.db is empty, but it contained records before/,
    ],
    [
      'what was in its store',
      (folder: string) => (
        away(folder, 'store.db'),
        openSqliteStore({ file: join(folder, 'store.db') }).close()
      ),
      /store\.db is empty, but it contained keys before/,
    ],
  ])('%s is not served as if it were new', async (_, lose, message) => {
    const folder = await servedFolder();
    await start(folder);
    lose(folder);
    await expect(start(folder)).rejects.toMatchObject({
      code: 'data_missing',
      message: expect.stringMatching(message),
    });
    rmSync(join(folder, 'held.json'));
    await start(folder);
  });

  it('its graph and the records of it gets no new ones by an import as if it had had none', async () => {
    const folder = await servedFolder();
    registerDataFolderDatabase(folder, 'records');
    away(folder, 'graph.db', 'records.db');
    const records = join(freshFolder(), 'more.jsonl');
    writeFileSync(records, '{"record_id": "1", "source": "x", "name": "Ann Lee"}\n');
    const { code, stderr } = await runHere(['graph', 'import', records, '--data-dir', folder]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('graph.db is missing, but it contained records'),
    ]);
    expect(existsSync(join(folder, 'graph.db'))).toBe(false);
    rmSync(join(folder, 'held.json'));
    expect((await runHere(['graph', 'import', records, '--data-dir', folder])).code).toBe(0);
  });

  it('its keys gets no new ones as if it had had none', async () => {
    const folder = await servedFolder();
    registerDataFolderDatabase(folder, 'keys');
    away(folder, 'store.db');
    const { code, stderr } = await runHere(['keys', 'create', '--name', 'x', '--data-dir', folder]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('store.db is missing')]);
    expect(existsSync(join(folder, 'store.db'))).toBe(false);
  });
});

describe('a memory of what was held that', () => {
  it('is a folder is told by its name, at start and by what would write it', async () => {
    const folder = await servedFolder();
    rmSync(join(folder, 'held.json'));
    mkdirSync(join(folder, 'held.json'));
    const told = (how: string) => ({
      code: 'unreadable_file',
      message: expect.stringContaining(`held.json ${how}`),
    });
    await expect(start(folder)).rejects.toMatchObject(told('is a folder'));
    expect(() => registerDataFolderDatabase(folder, 'keys')).toThrow(
      expect.objectContaining(told('cannot be used')),
    );
    expect(readdirSync(folder).filter((name) => name.startsWith('held.json'))).toEqual(['held.json']);
  });

  it('is garbled counts as none', async () => {
    const folder = await servedFolder();
    writeFileSync(join(folder, 'held.json'), '{');
    await start(folder);
    expect(readFileSync(join(folder, 'held.json'), 'utf8')).toBe('{"held":["keys","records"]}\n');
  });
});

describe('a folder in use whose', () => {
  it.each([
    ['graph', 'graph.db', 'graph_unavailable', (file: string) => renameSync(file, `${file}.away`)],
    ['store', 'store.db', 'store_unavailable', (file: string) => renameSync(file, `${file}.away`)],
    [
      'graph',
      'graph.db',
      'graph_unavailable',
      (file: string) => (renameSync(file, `${file}.away`), writeFileSync(file, readFileSync(`${file}.away`))),
    ],
  ] as const)(
    '%s is gone or another one is told within two seconds and answers 503, and again 200 when it is back',
    async (part, name, code, lose) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      const test = await freshApp();
      await test.app.listen();
      /** Answers after two seconds. */
      const answer = async (): Promise<object> => {
        vi.advanceTimersByTime(2000);
        const response = await test.post('/v1/validate', JANE);
        return { status: response.status, code: (await json(response)).code };
      };
      lose(join(test.folder, name));
      vi.advanceTimersByTime(2000);
      expect(test.logged()).toContain(`${name} was removed or replaced while in use`);
      await expect.poll(answer).toEqual({ status: 503, code });
      const ready = await test.send('/readyz', { key: null });
      expect([ready.status, (await json(ready))[part]]).toEqual([503, 'failed']);
      const { calls } = await json(test.send('/v1/usage'));
      renameSync(join(test.folder, `${name}.away`), join(test.folder, name));
      await expect.poll(answer).toEqual({ status: 200 });
      expect(await json(test.send('/v1/usage'))).toMatchObject({ calls: calls + 1 });
    },
  );
});

describe('a folder that is named and holds nothing', () => {
  const serve = (...args: string[]) => bonafide(['serve', '--port', '99999', ...args]);

  it('is not served unless that is asked for', async () => {
    const folder = join(freshFolder(), 'new');
    const { code, stderr } = await bonafide(['serve', '--port', '0', '--data-dir', folder]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('contains no data of Bonafide. Check --data-dir'),
    ]);
    expect(existsSync(folder)).toBe(false);
    expect((await serve('--data-dir', folder)).stderr).toContain('port (from --port)');
  });

  it('is made by a key or an import, which say so, and by nothing else', async () => {
    const folder = join(freshFolder(), 'new');
    const run = (...args: string[]) => runHere([...args, '--data-dir', folder]);
    for (const what of [['list'], ['revoke', 'key_x']])
      expect(await run('keys', ...what)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('There is no folder'),
      });
    expect(existsSync(folder)).toBe(false);
    expect((await run('keys', 'create', '--name', 'x')).stderr).toBe(`Created the data folder ${folder}\n`);
    expect((await run('keys', 'create', '--name', 'y')).stderr).toBe('');
    truncateSync(join(folder, 'store.db'));
    expect((await run('keys', 'create', '--name', 'z')).stderr).toContain('store.db is missing');
  });
});
