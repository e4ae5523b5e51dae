import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refuseFolderWithoutData } from '../../../src/commands/maintenance/upgrade.ts';
import { freshFolder } from '../../kit/folder.ts';

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
