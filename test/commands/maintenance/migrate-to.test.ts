import { chmodSync, copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, describe } from 'vitest';
import { DEFAULT_GRAPH_SETTINGS } from '../../../src/config.ts';
import { openRecordStoringGraph } from '../../../src/graph/engines.ts';
import { setStoreCopyFinished, openPostgresStore } from '../../../src/store/postgres/open.ts';
import {
  copyStoreBetweenEngines,
  lockFolderForStoreMove,
  lockPostgresForStoreMove,
  openPostgresSourceMonitor,
} from '../../../src/store/move.ts';
import type { Store } from '../../../src/store/store.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { strangers } from '../../kit/graphs/graph.ts';
import { isWithoutPostgres } from '../../kit/graphs/postgres.ts';
import { startPostgres, type Postgres } from '../../kit/programs/postgres.ts';

describe.skipIf(isWithoutPostgres('commands on a store in PostgreSQL'))('a store in PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: 'off' });
  });
  afterAll(() => postgres?.close());

  it('has all moved rows, every command uses it, and its address is never shown', async () => {
    const url = await postgres.database();
    const folder = freshFolder();
    const config = join(freshFolder(), 'bonafide.config.json');
    const urlFile = join(freshFolder(), 'address');
    writeFileSync(urlFile, `${url}\n`);
    writeFileSync(config, JSON.stringify({ store: { urlFile } }));
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runHere([...args, '--data-dir', folder]);
      expect(stdout + stderr).not.toContain(url);
      return { code, stdout, stderr };
    };
    const there = (...args: string[]) => run(...args, '--config', config);
    expect((await run('keys', 'create', '--name', 'shop')).code).toBe(0);
    const before = (await run('keys', 'list', '--json')).stdout;
    const moved = await run('migrate-to', url, '--json');
    expect([moved.code, JSON.parse(moved.stdout)]).toMatchObject([0, { tables: { keys: 1, audit: 1 } }]);
    expect((await there('keys', 'list', '--json')).stdout).toBe(before);
    expect((await there('keys', 'create', '--name', 'second')).code).toBe(0);
    const acts = JSON.parse((await there('audit', 'show', '--json')).stdout) as { act: string }[];
    expect(acts.map(({ act }) => act)).toEqual(['keys.create', 'store.move', 'keys.create']);
    expect((await there('audit', 'verify')).code).toBe(0);
    expect((await there('usage')).code).toBe(0);
    expect((await run('keys', 'list', '--json')).stdout).toBe(before);
    expect(await there('migrate-to', 'sqlite')).toMatchObject({
      stderr: expect.stringContaining('Move it away'),
    });
    expect((await there('config', 'show')).stdout).toContain('store');
    const found = JSON.parse((await there('doctor', '--json')).stdout) as { check: string; state: string }[];
    expect(found.filter(({ check }) => check.startsWith('store'))).toMatchObject([
      { check: 'store', state: 'ok' },
    ]);
  });

  it('receives store and graph without --only, and both can be moved back', async () => {
    const url = await postgres.database();
    const [folder, back] = [freshFolder(), freshFolder()];
    const config = join(freshFolder(), 'bonafide.config.json');
    const records = join(freshFolder(), 'people.jsonl');
    writeFileSync(config, JSON.stringify({ store: { url }, graph: { engine: 'postgres', database: url } }));
    writeFileSync(
      records,
      strangers(5)
        .map((row) => JSON.stringify({ source: 'crm', ...row }))
        .join('\n'),
    );
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runHere(args);
      expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining(url)]);
      return stdout;
    };
    await run('graph', 'import', records, '--data-dir', folder);
    await run('keys', 'create', '--name', 'shop', '--data-dir', folder);
    const told = await run('migrate-to', url, '--data-dir', folder);
    expect(told).toMatch(/5 records of 5 identities.*Set `graph\.engine`.*\nkeys +1\n.*Set `store\.url`/s);
    copyFileSync(join(folder, 'secret'), join(back, 'secret'));
    chmodSync(join(back, 'secret'), 0o600);
    const brought = await run('migrate-to', 'sqlite', '--config', config, '--data-dir', back, '--json');
    expect(JSON.parse(brought)).toMatchObject({
      tables: { keys: 1 },
      graph: { engine: 'sqlite', records: 5 },
    });
    expect(JSON.parse(await run('graph', 'stats', '--data-dir', back, '--json'))).toMatchObject({
      records: 5,
    });
    expect(JSON.parse(await run('keys', 'list', '--data-dir', back, '--json'))).toHaveLength(1);
  });

  it('allows one move at a time in each direction', async () => {
    const url = await postgres.database();
    const [folder, config] = [freshFolder(), join(freshFolder(), 'bonafide.config.json')];
    writeFileSync(config, JSON.stringify({ store: { url } }));
    expect((await runHere(['keys', 'create', '--name', 'shop', '--data-dir', folder])).code).toBe(0);
    const moves = [
      () => runHere(['migrate-to', url, '--data-dir', folder]),
      () => runHere(['migrate-to', 'sqlite', '--config', config, '--data-dir', freshFolder()]),
    ];
    for (const move of moves) {
      const other = lockPostgresForStoreMove(url);
      const refused = await move();
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining('Another bonafide migrate-to'),
      ]);
      other.close();
      // The lock is released when its connection is closed, which takes some time.
      await expect.poll(async () => (await move()).code).toBe(0);
    }
  });

  it('copies no database that another server or command uses', async () => {
    const url = await postgres.database();
    const [folder, config] = [freshFolder(), join(freshFolder(), 'bonafide.config.json')];
    writeFileSync(config, JSON.stringify({ store: { url } }));
    expect((await runHere(['keys', 'create', '--name', 'shop', '--data-dir', folder])).code).toBe(0);
    expect((await runHere(['migrate-to', url, '--data-dir', folder])).code).toBe(0);
    const targets = ['sqlite', await postgres.database()];
    for (const target of targets) {
      const move = () => runHere(['migrate-to', target, '--config', config, '--data-dir', freshFolder()]);
      const used = openPostgresStore(url);
      const refused = await move();
      used.close();
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/Other servers or commands use this PostgreSQL database \(from .+\)/),
      ]);
      expect(await move()).toMatchObject({ code: 0 });
    }
  });

  it('that a server uses since the copy began is not replaced by the copy, and the next copy is', async () => {
    const [from, to] = [await postgres.database(), await postgres.database()];
    const config = join(freshFolder(), 'bonafide.config.json');
    writeFileSync(config, JSON.stringify({ store: { url: from } }));
    const monitor = openPostgresSourceMonitor(from);
    const used: Store[] = [];
    const copy = () =>
      copyStoreBetweenEngines(
        { url: from },
        { url: to },
        {
          onTable: () => void (used.length === 0 && used.push(openPostgresStore(from))),
          requireSourceUnused: () => monitor.requireUnused(),
        },
      );
    expect(copy).toThrow('Other servers or commands use this PostgreSQL database');
    monitor.close();
    used[0]?.close();
    expect(() => openPostgresStore(to)).toThrow('a copy that was interrupted');
    const move = () => runHere(['migrate-to', to, '--config', config, '--data-dir', freshFolder()]);
    await expect.poll(async () => (await move()).code).toBe(0);
  });

  it('fills a data folder from one database at a time', async () => {
    const url = await postgres.database();
    const [folder, back, config] = [
      freshFolder(),
      freshFolder(),
      join(freshFolder(), 'bonafide.config.json'),
    ];
    writeFileSync(config, JSON.stringify({ store: { url } }));
    expect((await runHere(['keys', 'create', '--name', 'shop', '--data-dir', folder])).code).toBe(0);
    expect((await runHere(['migrate-to', url, '--data-dir', folder])).code).toBe(0);
    const bring = () => runHere(['migrate-to', 'sqlite', '--config', config, '--data-dir', back]);
    const other = lockFolderForStoreMove(back);
    const refused = await bring();
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('Another bonafide migrate-to is copying into this data folder.'),
    ]);
    other.close();
    await expect.poll(async () => (await bring()).code).toBe(0);
    expect(readdirSync(back)).not.toContain('moving.lock');
  });

  it('receives only the graph with --only graph, and the graph can be moved back', async () => {
    const url = await postgres.database();
    const [folder, back] = [freshFolder(), freshFolder()];
    const [config, records] = [
      join(freshFolder(), 'bonafide.config.json'),
      join(freshFolder(), 'people.jsonl'),
    ];
    writeFileSync(config, JSON.stringify({ graph: { engine: 'postgres', database: url } }));
    writeFileSync(
      records,
      strangers(12)
        .map((row) => JSON.stringify({ source: 'crm', ...row }))
        .join('\n'),
    );
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runHere(args);
      expect(stdout + stderr).not.toContain(url);
      return { code, stdout, stderr };
    };
    expect((await run('graph', 'import', records, '--data-dir', folder)).code).toBe(0);
    const moved = await run('migrate-to', url, '--only', 'graph', '--data-dir', folder, '--json');
    expect([moved.code, JSON.parse(moved.stdout || '{}')]).toMatchObject([
      0,
      { engine: 'postgres', records: 12 },
    ]);
    const there = ['--config', config, '--data-dir', folder, '--json'];
    const stats = await run('graph', 'stats', ...there);
    expect(JSON.parse(stats.stdout)).toMatchObject({ records: 12, identities: 12 });
    copyFileSync(join(folder, 'secret'), join(back, 'secret'));
    chmodSync(join(back, 'secret'), 0o600);
    const brought = await run(
      'migrate-to',
      'sqlite',
      '--only',
      'graph',
      '--config',
      config,
      '--data-dir',
      back,
    );
    expect([brought.code, brought.stdout]).toEqual([
      0,
      expect.stringContaining('12 records of 12 identities'),
    ]);
    const here = await run('graph', 'stats', '--data-dir', back, '--json');
    expect(JSON.parse(here.stdout)).toMatchObject({ records: 12, identities: 12, settled: true });
  });

  it('or a graph that is half copied is reported by doctor, with the way to continue', async () => {
    const url = await postgres.database();
    const [folder, config] = [freshFolder(), join(freshFolder(), 'bonafide.config.json')];
    const half = async (graph?: { engine: string; database: string }) => {
      const all = graph && { ...DEFAULT_GRAPH_SETTINGS, ...graph };
      const copy = openRecordStoringGraph({ dataDir: folder, graph: all, allowUnfinishedCopy: true });
      await copy.moving?.beginCopy('1');
      await copy.close();
    };
    const elsewhere = { store: { url }, graph: { engine: 'postgres', database: url } };
    writeFileSync(config, JSON.stringify(elsewhere));
    await half(elsewhere.graph);
    const store = openPostgresStore(url, 'unfinished');
    setStoreCopyFinished(store, false);
    store.close();
    const advice = async (...more: string[]) => {
      const { stdout } = await runHere(['doctor', '--json', '--data-dir', folder, ...more]);
      const findings = JSON.parse(stdout) as { check: string; state: string; todo: string }[];
      return findings.filter(({ state }) => state === 'bad').map(({ check, todo }) => [check, todo]);
    };
    const goesOn = expect.stringMatching(/^Run bonafide migrate-to once more.*A copy that cannot continue/);
    expect(await advice('--config', config)).toEqual([
      ['store', goesOn],
      ['graph', goesOn],
    ]);
    await half();
    expect(await advice()).toEqual([['graph.db', goesOn]]);
  });

  it('that cannot be reached is reported with the cause, and without its address', async () => {
    const config = join(freshFolder(), 'bonafide.config.json');
    const url = 'postgres://somebody:hidden@127.0.0.1:1/none';
    writeFileSync(config, JSON.stringify({ store: { url } }));
    const { code, stderr } = await runHere(['keys', 'list', '--config', config, '--data-dir', freshFolder()]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not answer')]);
    expect(stderr).not.toMatch(/hidden|somebody/);
  });
});
