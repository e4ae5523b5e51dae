import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import { BonafideError } from '../errors.ts';

/** One thing that an import could not use: never a value, only where it stands and why. */
export interface Reject {
  input: string;
  line: number;
  recordId: string | null;
  reason: string;
  /** The whole record, or one value of a record that was used otherwise. */
  whole: boolean;
}

export interface Rejects {
  add(reject: Reject): void;
  /** The file, where something was written to it. */
  file(): string | null;
  /** The first few, for a summary. */
  first(): Reject[];
  end(): void;
}

const FIRST = 5;

/**
 * Writes rejects as JSON Lines; the file (mode 0600) is made with the first one. Without a file they are only counted.
 * Written at once: a stream would gather an endless queue in memory, and would tell a missing folder too late.
 *
 * Errors of `add`: `disk_full`, `read_only`.
 */
export function rejectsWriter(file: string | undefined): Rejects {
  let open: number | null = null;
  let used = false;
  const first: Reject[] = [];
  return {
    first: () => first,
    add(reject) {
      if (first.length < FIRST) first.push(reject);
      if (file === undefined) return;
      const { input, line, recordId, whole, reason } = reject;
      try {
        open ??= opened(file, used ? 'a' : 'w');
        used = true;
        writeSync(open, `${JSON.stringify({ input, line, record_id: recordId, whole, reason })}\n`);
      } catch (error) {
        throw cannotWrite(file, error);
      }
    },
    file: () => (used && file !== undefined ? file : null),
    end() {
      if (open !== null) closeSync(open);
      open = null;
    },
  };
}

/** One that is there already may be anybody's to read. */
function opened(file: string, flags: 'a' | 'w'): number {
  const open = openSync(file, flags, 0o600);
  if (fstatSync(open).isFile()) fchmodSync(open, 0o600);
  return open;
}

function cannotWrite(file: string, error: unknown): BonafideError {
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
    return new BonafideError(
      'disk_full',
      `The disk that holds ${file} is full: free some space and run this again.`,
    );
  return new BonafideError(
    'read_only',
    `Cannot write what could not be used to ${file}: choose another with --rejects.`,
  );
}
