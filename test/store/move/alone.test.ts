import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holdFolderForMoving } from '../../../src/store/move/alone.ts';
import { freshFolder } from '../../kit/folder.ts';

test('a data folder is filled by one copy at a time, and is free when that has ended', () => {
  const folder = join(freshFolder(), 'to-be-made');
  const first = holdFolderForMoving(folder);
  expect(() => holdFolderForMoving(folder)).toThrow(
    expect.objectContaining({ code: 'database_busy', message: expect.stringContaining('this data folder') }),
  );
  first.close();
  expect(existsSync(join(folder, 'moving.lock'))).toBe(false);
  holdFolderForMoving(folder).close();
});
