import type { BonafideError } from '../../errors.ts';

export interface DoctorCheckResult {
  /** Subject of the check, such as settings, folder or secret. */
  check: string;
  state: 'ok' | 'warning' | 'bad';
  says: string;
  /** Advice for the operator; null if nothing has to be done. */
  todo: string | null;
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
