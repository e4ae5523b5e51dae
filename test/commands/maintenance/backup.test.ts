import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';

test('backup --with-secret with a mistyped data folder is refused, and creates neither folder nor secret', async () => {
  const folder = join(freshFolder(), 'mistyped');
  const file = join(freshFolder(), 'backup.tar');
  const { code, stderr } = await runHere(['backup', file, '--with-secret', '--data-dir', folder]);
  expect([code, stderr]).toEqual([
    1,
    `error: There is no secret in ${folder}. Check --data-dir. For a backup without the secret, leave out --with-secret.\n`,
  ]);
  expect(existsSync(folder)).toBe(false);
});
