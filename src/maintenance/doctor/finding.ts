import type { BonafideError } from '../../errors.ts';

/** What doctor says of one thing it looked at. */
export interface Finding {
  /** What was looked at: settings, folder, secret … */
  check: string;
  state: 'ok' | 'warning' | 'bad';
  says: string;
  /** What an operator should do; null where nothing is to be done. */
  todo: string | null;
}

/** Of a copy that was interrupted; the page postgres says it at length. */
export const GOES_ON =
  'Run bonafide migrate-to once more, as it was begun: it goes on where it was. To begin anew: "A copy that cannot go on" on the page postgres (bonafide docs postgres).';

/** Of what is in a PostgreSQL and cannot be used. */
export const adviceFor = ({ code }: BonafideError): string =>
  code === 'data_missing' ? GOES_ON : 'See the page postgres: bonafide docs postgres';

export const fine = (check: string, says: string): Finding => ({ check, state: 'ok', says, todo: null });

export const warning = (check: string, says: string, todo: string): Finding => ({
  check,
  state: 'warning',
  says,
  todo,
});

export const bad = (check: string, says: string, todo: string): Finding => ({
  check,
  state: 'bad',
  says,
  todo,
});
