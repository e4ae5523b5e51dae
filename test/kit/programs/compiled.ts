// Creates a folder for one test run. It keeps code that Node compiled, so that programs load in half the time. The folders of all tests are in
// it too, in memory if there is enough: on a disk, tests mostly wait for writes.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Memory that a run needs; installed packages and executables take most of it. */
const ENOUGH_BYTES = 4 * 2 ** 30;

export default function setUp(): () => void {
  const folder = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'bonafide-'));
  // PostgreSQL and the executable run as another user in folders below it.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  process.env.TESTS_FOLDER = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Returns true if there is enough memory for files, and programs can run from there. TESTS_ON_DISK=1 turns it off. */
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
