import type { BonafideError } from '../../errors.ts';

/** What doctor says of one thing it looked at. */
export interface DoctorFinding {
  /** What was looked at: settings, folder, secret … */
  check: string;
  state: 'ok' | 'warning' | 'bad';
  says: string;
  /** What an operator should do; null where nothing is to be done. */
  todo: string | null;
}

/** Of a copy that was interrupted; the page postgres says it at length. */
export const RESUME_COPY_ADVICE =
  'Run bonafide migrate-to once more, as it was begun: it goes on where it was. To begin anew: "A copy that cannot go on" on the page postgres (bonafide docs postgres).';

/** Of what is in a PostgreSQL and cannot be used. */
export const getPostgresAdvice = ({ code }: BonafideError): string =>
  code === 'data_missing' ? RESUME_COPY_ADVICE : 'See the page postgres: bonafide docs postgres';

export const okFinding = (check: string, says: string): DoctorFinding => ({
  check,
  state: 'ok',
  says,
  todo: null,
});

export const warningFinding = (check: string, says: string, todo: string): DoctorFinding => ({
  check,
  state: 'warning',
  says,
  todo,
});

export const badFinding = (check: string, says: string, todo: string): DoctorFinding => ({
  check,
  state: 'bad',
  says,
  todo,
});
