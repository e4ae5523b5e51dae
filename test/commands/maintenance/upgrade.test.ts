import { chownSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  backUpBeforeUpgrade,
  formatUpgrade,
  refuseFolderWithoutData,
} from '../../../src/commands/maintenance/upgrade.ts';
import { loadConfig } from '../../../src/config.ts';
import { freshFolder } from '../../kit/folder.ts';
import { importRows, strangers } from '../../kit/graphs/graph.ts';

test('an upgrade without data to back up is refused, and the error names the folder and both options', () => {
  const folder = freshFolder();
  expect(() => refuseFolderWithoutData(folder)).toThrow(
    expect.objectContaining({
      code: 'file_not_found',
      message: expect.stringMatching(new RegExp(`^${folder} .*--data-dir .*--without-backup`)),
    }),
  );
  writeFileSync(join(folder, 'store.db'), 'x');
  expect(() => refuseFolderWithoutData(folder)).not.toThrow();
});

test('the backup before an upgrade has its time in its name and belongs to the owner of the data folder', async () => {
  const dataDir = freshFolder();
  await importRows(dataDir, [strangers(3)]);
  if (process.getuid?.() === 0) chownSync(dataDir, 65_534, 65_534);
  const { uid, gid } = statSync(dataDir);
  const file = await backUpBeforeUpgrade(
    await loadConfig({ env: {}, cwd: dataDir, flags: { dataDir } }),
    '9.9.9',
  );
  expect(basename(file)).toMatch(/^before-9\.9\.9-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar$/);
  for (const path of [dirname(file), file]) expect(statSync(path)).toMatchObject({ uid, gid });
  const config = await loadConfig({ env: {}, cwd: dataDir, flags: { dataDir } });
  await expect(backUpBeforeUpgrade(config, '9.9.9', file)).rejects.toThrow(
    `${file} already exists. Name another file with --backup.`,
  );
});

test('an upgrade says with which whole commands to go back', () => {
  const text = formatUpgrade('/opt/bonafide', '9.9.9', {
    dataDir: '/var/data',
    backupFile: '/var/data/b.tar',
  });
  expect(text).toContain('/opt/bonafide upgrade --back\n');
  expect(text).toContain('/opt/bonafide restore /var/data/b.tar --force --data-dir /var/data');
});
