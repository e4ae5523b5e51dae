import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listAbandonedScratchFolders, createScratchFolder } from '../../src/platform/temporary-files.ts';
import { freshFolder } from '../kit/folder.ts';
import { backUp, filledFolder } from './kit.ts';
import { getLauncher } from '../kit/programs/launcher.ts';

test('a backup that is killed is no file, and what it left is removed by the next one', async () => {
  const [folder, to] = [await filledFolder(200), freshFolder()];
  const file = join(to, 'backup.tar');
  const child = spawn(process.execPath, [getLauncher(), 'backup', file, '--data-dir', folder], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)));
  while (readdirSync(to).length === 0 && child.exitCode === null) await pause(1);
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  expect(existsSync(file)).toBe(false);
  expect(listAbandonedScratchFolders(to)).toHaveLength(1);
  await backUp(folder, { file });
  expect(readdirSync(to)).toEqual(['backup.tar']);
});

test('what another process or another machine is at work on is left alone, unless it is a day old', () => {
  const folder = freshFolder();
  const mine = createScratchFolder(folder);
  const others = join(folder, '.bonafide-scratch-01234567-1-abcdef');
  mkdirSync(others);
  createScratchFolder(folder).remove();
  expect([existsSync(mine.folder), existsSync(others)]).toEqual([true, true]);
  utimesSync(others, 0, 0);
  createScratchFolder(folder).remove();
  expect([existsSync(mine.folder), existsSync(others)]).toEqual([true, false]);
});
