import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates an empty folder that is removed when the test ends. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const NOBODY = 65_534;

/**
 * Runs work on a folder as its owner, who is not root, and may not open the path `denied` inside it. A test that runs as root gives the rest of
 * the folder to another user, and runs as that user.
 */
export async function runAsOtherUser<T>(folder: string, denied: string, work: () => Promise<T>): Promise<T> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot)
    for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
      chownSync(join(folder, name), NOBODY, NOBODY);
  const path = join(folder, denied);
  if (isRoot) chownSync(path, 0, 0);
  chmodSync(path, isRoot ? 0o700 : 0);
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(path, 0o700);
  }
}
