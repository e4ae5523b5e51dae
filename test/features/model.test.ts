// The file with the API key of a model.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSecretReader } from '../../src/features/model.ts';
import { freshFolder } from '../kit/folder.ts';

const secret = createSecretReader({});

test('a key is read from a small regular file', () => {
  const file = join(freshFolder(), 'key');
  writeFileSync(file, 'sk-house\n');
  expect(secret({ file })).toBe('sk-house');
});

test.each([
  ['a named pipe', (file: string) => execFileSync('mkfifo', [file])],
  ['a device', (file: string) => symlinkSync('/dev/zero', file)],
  ['a folder', (file: string) => mkdirSync(file)],
  ['a file of 1 GB', (file: string) => (writeFileSync(file, ''), truncateSync(file, 1e9))],
])('%s is refused at once, with its name', (_, create) => {
  const file = join(freshFolder(), 'key');
  create(file);
  const started = performance.now();
  expect(() => secret({ file })).toThrow(
    expect.objectContaining({
      code: 'model_misconfigured',
      hint: expect.stringMatching(/file \S+key cannot be read\. It must be a regular file of at most 5 MB/),
    }),
  );
  expect(performance.now() - started).toBeLessThan(500);
});
