// Whose a file or folder is that is there only while a process works on it: told from its name, so that what a kill leaves is known.
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from '../files.ts';

/** A folder on a shared disk may hold another machine's, whose processes we cannot see. */
const HOST = hash('sha256', hostname()).slice(0, 8);
const DAY_MS = 86_400_000;

/** `gone`: its process has ended; `unknown`: another machine's, and not a day old. */
export type Owner = 'alive' | 'gone' | 'unknown';

/** What this process puts into the name of what it works on. */
export const ownMark = (): string => `${HOST}-${process.pid}`;

/** @param mark as `ownMark` makes it; without one nobody can be alive on this machine */
export function ownerOf(mark: string | undefined, path: string): Owner {
  const [host, number] = mark?.split('-') ?? [];
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (host !== HOST) return touched < Date.now() - DAY_MS ? 'gone' : 'unknown';
  const pid = Number(number);
  // In a container every process may have the number 1: one that was made before we began is another's.
  if (pid === process.pid) return touched < Date.now() - process.uptime() * 1000 ? 'gone' : 'alive';
  try {
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    return errorCode(error) === 'ESRCH' ? 'gone' : 'alive';
  }
}
