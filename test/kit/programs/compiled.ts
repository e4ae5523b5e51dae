// A folder for as long as the tests run. Programs that tests start load in half the time: the folder keeps what Node compiled of the source.
// The folders of all tests are in it too, in memory if there is enough: most of a test on a disk is waiting until it has written.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Installed packages and executables take most of it. */
const ENOUGH_BYTES = 4 * 2 ** 30;

export default function setUp(): () => void {
  const folder = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'bonafide-'));
  // PostgreSQL and the executable run as another user in folders of their own below it.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  process.env.TESTS_FOLDER = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Returns true if files can be kept in memory, enough of them, and be run there. TESTS_ON_DISK=1 says no. */
function hasMemory(): boolean {
  if (process.env.TESTS_ON_DISK === '1') return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const folder = mkdtempSync(join(MEMORY, 'bonafide-'));
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    const { status } = spawnSync(program);
    rmSync(folder, { recursive: true });
    return status === 0 && bavail * bsize > ENOUGH_BYTES;
  } catch {
    return false;
  }
}
