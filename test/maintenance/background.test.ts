import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startBackgroundMaintenance } from '../../src/maintenance/background.ts';
import type { BackgroundMaintenanceOptions } from '../../src/maintenance/background.ts';
import {
  listBackupFiles,
  createBackupFileName,
  isNextBackupDue,
  removeAndCountOldBackups,
} from '../../src/maintenance/schedule.ts';
import type { MaintenanceTaskOutcome, MaintenanceTask } from '../../src/maintenance/worker.ts';
import { freshFolder } from '../kit/folder.ts';
import { filledFolder, restoreTo, stateOf } from './kit.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);

describe('copies', () => {
  test('are told from the names in the folder, the newest first, and other files are none', () => {
    const folder = freshFolder();
    const names = [
      createBackupFileName(START, false),
      createBackupFileName(START + HOUR, true),
      'bonafide.tar',
      'people.jsonl',
    ];
    for (const name of names) writeFileSync(join(folder, name), '');
    expect(names.slice(0, 2)).toEqual([
      'bonafide-2026-01-01T00-00-00Z.tar',
      'bonafide-2026-01-01T01-00-00Z.tar.age',
    ]);
    expect(listBackupFiles(folder).map(({ time }) => time)).toEqual([START + HOUR, START]);
  });

  test('are due when there is none, and when the newest is old enough; one from the future does not count', () => {
    const at = (time: number) => ({ file: '', time });
    expect(isNextBackupDue([], HOUR, START)).toBe(true);
    expect(isNextBackupDue([at(START)], HOUR, START + HOUR - 1)).toBe(false);
    expect(isNextBackupDue([at(START)], HOUR, START + HOUR)).toBe(true);
    expect(isNextBackupDue([at(START + 9 * HOUR), at(START)], HOUR, START + 2 * HOUR)).toBe(true);
  });

  test('beyond the number to keep are removed, the oldest, and nothing else', () => {
    const folder = freshFolder();
    for (let i = 0; i < 5; i++)
      writeFileSync(join(folder, createBackupFileName(START + i * HOUR, i % 2 === 0)), '');
    writeFileSync(join(folder, 'other.tar'), '');
    expect(removeAndCountOldBackups(folder, 3, START + 4 * HOUR)).toBe(2);
    expect(listBackupFiles(folder).map(({ time }) => time - START)).toEqual([4 * HOUR, 3 * HOUR, 2 * HOUR]);
    expect(existsSync(join(folder, 'other.tar'))).toBe(true);
  });
});

describe('in the background', () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({ now: START, toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] }),
  );
  afterEach(() => void vi.useRealTimers());

  /** Starts background work whose tasks end at once with a given outcome. */
  function started(
    outcome: (task: MaintenanceTask) => MaintenanceTaskOutcome,
    over: Partial<BackgroundMaintenanceOptions> = {},
    everyMs = HOUR,
  ) {
    const to = join(freshFolder(), 'copies');
    const [tasks, said]: [MaintenanceTask[], string[]] = [[], []];
    const log = { info: (text: string) => said.push(text), error: (text: string) => said.push(`! ${text}`) };
    const run = (task: MaintenanceTask) => {
      tasks.push(task);
      const told = outcome(task);
      if (task.task === 'backup' && 'result' in told) writeFileSync(task.options.file, '');
      return { outcome: Promise.resolve(told), stop: async () => undefined };
    };
    const keeping = startBackgroundMaintenance({
      dataDir: '/nowhere',
      backups: { everyMs, to, keep: 2, withSecret: false },
      log: log as BackgroundMaintenanceOptions['log'],
      run,
      ...over,
    });
    onTestFinished(() => keeping.close());
    const kinds = () => tasks.map(({ task }) => task);
    return { to, said, kinds, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
  }
  const well = (task: MaintenanceTask): MaintenanceTaskOutcome => ({
    result:
      task.task === 'backup' ? { bytes: 5000, file: task.options.file } : { damages: [], unchecked: [] },
  });

  test('a backup is made when it is due, and as many as wanted are kept', async () => {
    const { to, said, pass } = started(well);
    await pass(4.5 * HOUR);
    expect(listBackupFiles(to).map(({ time }) => Math.floor((time - START) / HOUR))).toEqual([4, 3]);
    expect(said.filter((line) => line.includes('backup made'))).toHaveLength(5);
    expect(said.filter((line) => line.startsWith('!'))).toEqual([]);
  });

  test('an interval shorter than the wait after a failure is kept', async () => {
    const { to, said, pass } = started(well, {}, 60_000);
    await pass(6.5 * 60_000);
    expect(said.filter((line) => line.includes('backup made'))).toHaveLength(5);
    expect(listBackupFiles(to)).toHaveLength(2);
  });

  test('a backup without the graph or the store says so', async () => {
    const { said, pass } = started(well, { elsewhere: ['graph.db'] });
    await pass(HOUR / 10);
    expect(said[0]).toMatch(/^backup made: .* a backup does not contain it\..*pg_dump --schema bonafide$/);
  });

  test('after the clock was set back, backups are made as before, and those of the future go first', async () => {
    let isFailing = true;
    const { to, pass } = started((task) => (isFailing ? { failed: 'the disk is full' } : well(task)));
    mkdir(to);
    vi.setSystemTime(START + 31 * 24 * HOUR);
    for (let i = 1; i < 4; i++)
      writeFileSync(join(to, createBackupFileName(Date.now() - i * HOUR, false)), '');
    await pass(60_000);
    isFailing = false;
    vi.setSystemTime(START);
    await pass(20 * 60_000);
    expect(listBackupFiles(to).map(({ time }) => time < START + HOUR)).toEqual([false, true]);
  });

  test('a restart does not make one that is not due', async () => {
    const { to, pass, kinds } = started(well, {});
    await pass(0);
    writeFileSync(join(mkdir(to), createBackupFileName(START, false)), '');
    await pass(0.9 * HOUR);
    expect(kinds()).toEqual(['integrity']);
  });
  const mkdir = (folder: string) => {
    mkdirSync(folder, { recursive: true });
    return folder;
  };

  test('a failure is told, removes nothing, and is tried again after ten minutes', async () => {
    const { to, said, kinds, pass } = started((task) =>
      task.task === 'backup' ? { failed: 'the disk is full' } : { result: { damages: [], unchecked: [] } },
    );
    mkdir(to);
    for (let i = 1; i < 4; i++) writeFileSync(join(to, createBackupFileName(START - i * HOUR, false)), '');
    await pass(25 * 60_000);
    expect(kinds().filter((kind) => kind === 'backup')).toHaveLength(3);
    expect(said[0]).toBe('! the scheduled backup failed, and is tried again: the disk is full');
    expect(readdirSync(to)).toHaveLength(3);
  });

  test('a folder or a passphrase that cannot be used is told as a failed backup, and stops no integrity check', async () => {
    const folder = freshFolder();
    const file = join(folder, 'a file');
    writeFileSync(file, '');
    const schedule = { everyMs: HOUR, keep: 2, withSecret: false };
    for (const [backups, reason] of [
      [{ ...schedule, to: join(file, 'backups') }, 'cannot be opened'],
      [{ ...schedule, to: folder, passphraseFile: '/nowhere' }, '/nowhere does not exist'],
      [{ ...schedule, to: folder, withSecret: true }, '/nowhere/secret cannot be opened'],
    ] as const) {
      const onBackupFailed = vi.fn<(reason: string) => void>();
      const { said, kinds, pass } = started(well, { backups, onBackupFailed });
      await pass(25 * 60_000);
      expect(onBackupFailed.mock.calls).toEqual(
        Array.from({ length: 3 }, () => [expect.stringContaining(reason)]),
      );
      expect(said[0]).toMatch(/^! the scheduled backup failed, and is tried again: /);
      expect(kinds()).toEqual(['integrity']);
    }
  });

  test('backups that are due every minute leave time for the integrity check', async () => {
    const { kinds, pass } = started(well, {}, 60_000);
    await pass(25 * HOUR);
    expect(kinds().filter((kind) => kind === 'integrity')).toHaveLength(2);
    expect(kinds().slice(0, 3)).toEqual(['backup', 'integrity', 'backup']);
  });

  test('integrity is checked once a day, and damage is told with what to do', async () => {
    const damage = { name: 'records.db', table: 'record' };
    const result = { damages: [damage], unchecked: [] };
    const { said, kinds, pass } = started(() => ({ result }), { backups: undefined });
    await pass(49 * HOUR);
    expect(kinds()).toEqual(['integrity', 'integrity', 'integrity']);
    expect(said[0]).toBe(
      '! records.db is damaged in the table record. Stop the server and restore a backup: bonafide restore FILE --force',
    );
  });

  test('a database that could not be checked is told without advice to restore, and does not count as whole or damaged', async () => {
    const unchecked = [{ name: 'graph.db', code: 'database_busy', message: 'The file is locked.' }];
    const onChecked = vi.fn<(damages: unknown[]) => void>();
    const result = { damages: [], unchecked };
    const { said, pass } = started(() => ({ result }), { backups: undefined, onChecked });
    await pass(60_000);
    expect([said, onChecked.mock.calls]).toEqual([
      ['! graph.db could not be checked: The file is locked.'],
      [[[]]],
    ]);
  });

  test('damage of a database that could not be checked again stays reported, and that of one that is whole now does not', async () => {
    const damageOf = (name: string) => ({ name, table: null });
    const locked = { name: 'graph.db', code: 'database_busy', message: 'The file is locked.' };
    const results = [
      { damages: [damageOf('graph.db'), damageOf('store.db')], unchecked: [] },
      { damages: [], unchecked: [locked] },
      { damages: [damageOf('store.db')], unchecked: [locked] },
      { damages: [], unchecked: [] },
    ];
    const onChecked = vi.fn<(damages: { name: string }[]) => void>();
    const left = [...results];
    const run = () => ({ result: left.shift() }) as MaintenanceTaskOutcome;
    const { pass } = started(run, { backups: undefined, onChecked });
    await pass(73 * HOUR);
    expect(onChecked.mock.calls.map(([damages]) => damages.map(({ name }) => name))).toEqual([
      ['graph.db', 'store.db'],
      ['graph.db'],
      ['store.db', 'graph.db'],
      [],
    ]);
  });
});

test('a backup of the schedule is made in a thread of its own, and restores', async () => {
  const [folder, to] = [await filledFolder(), join(freshFolder(), 'copies')];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const said: string[] = [];
  const log = {
    info: (text: string) => void said.push(text),
    error: (text: string) => void said.push(`! ${text}`),
  };
  const backups = { everyMs: HOUR, to, keep: 2, withSecret: true };
  const keeping = startBackgroundMaintenance({ dataDir: folder, backups, log });
  await vi.advanceTimersByTimeAsync(60_000);
  await vi.waitUntil(() => said.length > 0, { timeout: 120_000, interval: 20 });
  await keeping.close();
  expect(said[0]).toMatch(/^backup made: .*, read back and compared; 0 older removed$/);
  const other = freshFolder();
  await restoreTo(other, listBackupFiles(to)[0]?.file ?? '');
  expect(await stateOf(other)).toEqual(await stateOf(folder));
});
