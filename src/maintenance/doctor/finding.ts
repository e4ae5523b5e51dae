import { BonafideError, type ErrorCode } from '../../errors.ts';
import { toPermissionError } from '../../platform/files.ts';
import { isDamageError } from '../integrity.ts';

export interface DoctorCheckResult {
  /** Subject of the check, such as settings, folder or secret. */
  check: string;
  state: 'ok' | 'warning' | 'bad';
  says: string;
  /** Advice for the operator; null if nothing has to be done. */
  todo: string | null;
}

export const RESTORE_ADVICE = 'Stop the server and restore a backup: bonafide restore FILE --force';

/** Advice for files that are sound but cannot be used, by the code of the error. */
const UNUSABLE_FILE_ADVICE: Partial<Record<ErrorCode, string>> = {
  read_only:
    'Run this command as the user of the server. If the server reports the same, correct the owner and the permissions of the file.',
  database_busy: 'Run this command again when the other process has ended.',
  disk_full: 'Free some space, and run this command again.',
  disk_failed: 'Check the disk, and copy the data folder to another disk.',
};

/** Returns the finding about a file that cannot be used. A backup is advised only for a damaged file. */
export function createUnusableFileCheckResult(
  check: string,
  error: Pick<BonafideError, 'code' | 'message'>,
): DoctorCheckResult {
  const advice = UNUSABLE_FILE_ADVICE[error.code] ?? 'Remove the cause, and run this command again.';
  return createBadCheckResult(check, error.message, isDamageError(error) ? RESTORE_ADVICE : advice);
}

/** Returns the findings of a check. A file that this user may not read becomes a finding of `check`. */
export async function runDoctorCheck(
  check: string,
  work: () => DoctorCheckResult | DoctorCheckResult[] | Promise<DoctorCheckResult>,
): Promise<DoctorCheckResult[]> {
  try {
    return [await work()].flat();
  } catch (error) {
    const known = error instanceof BonafideError ? error : toPermissionError(error);
    if (known === null) throw error;
    return [createUnusableFileCheckResult(check, known)];
  }
}

/** Advice after an interrupted `migrate-to`, which copies a graph or a store. */
export const RESUME_MIGRATE_TO_ADVICE =
  'Run bonafide migrate-to once more, as it was started: it continues where it stopped. To start again: "A copy that cannot continue" on the page postgres (bonafide docs postgres).';

/** Returns the advice for data in PostgreSQL that cannot be used. */
export const getPostgresAdvice = ({ code }: BonafideError): string =>
  code === 'data_missing' ? RESUME_MIGRATE_TO_ADVICE : 'See the page postgres: bonafide docs postgres';

export const createOkCheckResult = (check: string, says: string): DoctorCheckResult => ({
  check,
  state: 'ok',
  says,
  todo: null,
});

export const createWarningCheckResult = (check: string, says: string, todo: string): DoctorCheckResult => ({
  check,
  state: 'warning',
  says,
  todo,
});

export const createBadCheckResult = (check: string, says: string, todo: string): DoctorCheckResult => ({
  check,
  state: 'bad',
  says,
  todo,
});
