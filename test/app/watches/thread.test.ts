// The thread that re-checks watches: what wakes it, and what it leaves open.
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { startWatchThread } from '../../../src/app/watches/thread.ts';
import { parseClaim } from '../../../src/claim/parse.ts';
import { loadConfig } from '../../../src/config.ts';
import { loadOrCreateSecret } from '../../../src/graph/encryption/secret.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { openWatchStore } from '../../../src/store/events/watches.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { createWatchCodec } from '../../../src/watches/watch.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importInto, strangers } from '../../kit/graphs/graph.ts';

it(
  'looks for changes when it is woken, and says at once that there are events',
  { timeout: 120_000 },
  async () => {
    const dataDir = freshFolder();
    const graph = openSqliteGraph({ dataDir });
    await importInto(graph, [strangers(5)]);
    await graph.close();
    const store = openSqliteStore({ file: `${dataDir}/store.db` });
    onTestFinished(() => store.close());
    const watches = openWatchStore(store);
    const { sealClaim, listKeys } = createWatchCodec(loadOrCreateSecret(dataDir));
    const claim = parseClaim({ value: { name: 'Ottoline Brackenridge' }, issues: [] }, 'US');
    const add = (number: number, expires: number) =>
      watches.addWatch(
        {
          number,
          owner: 'a',
          reference: null,
          created: 0,
          expires,
          notifyOn: 'band',
          minChange: 5,
          claim: sealClaim(claim),
          keys: listKeys(claim),
          digest: Buffer.from('x'),
          state: '50 LOW u///',
        },
        null,
        { actor: 'a', now: 1 },
      );
    const due = () => watches.getWatchStatistics().due;
    add(1, 9e15);
    const config = await loadConfig({ env: {}, cwd: dataDir, flags: { dataDir, watches: 'true' } });
    let events = 0;
    const log = { warn: () => undefined, info: () => undefined };
    const thread = startWatchThread(config, log, { watches } as never, {
      onEvents: () => events++,
      lookEveryMs: 1_000_000,
    });
    onTestFinished(() => thread.close());
    const until = { timeout: 60_000, interval: 20 };
    // A thread that re-checked something looks once more after as long as that took.
    await expect.poll(due, until).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    add(2, 1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(due()).toBe(1);
    thread.wake();
    await expect.poll(due, until).toBe(0);
    await expect.poll(() => events, until).toBe(1);
  },
);

it('leaves nothing open while the graph cannot be opened', { timeout: 240_000 }, async () => {
  const dataDir = freshFolder();
  const store = openSqliteStore({ file: `${dataDir}/store.db` });
  onTestFinished(() => store.close());
  writeFileSync(`${dataDir}/graph.db`, 'not a database'.repeat(100));
  const config = await loadConfig({ env: {}, cwd: dataDir, flags: { dataDir, watches: 'true' } });
  const countOpen = () =>
    readdirSync('/proc/self/fd').filter((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`).startsWith(dataDir);
      } catch {
        return false;
      }
    }).length;
  const before = countOpen();
  const warnings: string[] = [];
  const log = { warn: (text: string) => void warnings.push(text), info: () => undefined };
  const thread = startWatchThread(config, log, { watches: openWatchStore(store) } as never, {
    onEvents: () => undefined,
    lookEveryMs: 10,
  });
  onTestFinished(() => thread.close());
  await expect.poll(() => warnings.length, { timeout: 150_000 }).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 5000));
  // SQLite may close a file later, while the process has it open elsewhere.
  expect(countOpen()).toBeLessThan(before + 3);
});

it('closes at once while the thread is down, and logs why it failed', { timeout: 120_000 }, async () => {
  const dataDir = freshFolder();
  const config = await loadConfig({ env: {}, cwd: dataDir, flags: { dataDir, watches: 'true' } });
  const warnings: string[] = [];
  const log = { warn: (text: string) => void warnings.push(text), info: () => undefined };
  const nameTables = [`${dataDir}/missing.csv`];
  const thread = startWatchThread({ ...config, nameTables }, log, {} as never, { onEvents: () => undefined });
  await expect.poll(() => warnings, { timeout: 60_000 }).toEqual([expect.stringContaining('missing.csv')]);
  // The thread ends after its error was reported.
  await new Promise((resolve) => setTimeout(resolve, 500));
  thread.wake();
  const started = performance.now();
  await thread.close();
  expect(performance.now() - started).toBeLessThan(1000);
});
