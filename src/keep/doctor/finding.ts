/** What doctor says of one thing it looked at. */
export interface Finding {
  /** What was looked at: settings, folder, secret … */
  check: string;
  state: 'ok' | 'warning' | 'bad';
  says: string;
  /** What an operator should do; null where nothing is to be done. */
  todo: string | null;
}

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
