// What PostgreSQL or the way to it said went wrong, in our codes. Its own texts repeat values, and are told to nobody.
import { BonafideError } from '../../errors.ts';
import type { ErrorCode } from '../../errors.ts';

/** By the first characters of SQLSTATE (PostgreSQL, appendix A), or of the driver's and the system's own codes. */
const CAUSES: [RegExp, ErrorCode, string][] = [
  [/^(53100|58030)/, 'disk_full', 'has no room on its disk'],
  [/^(25006|42501)/, 'read_only', 'may not be written by this role, or at this server'],
  [/^(40001|40P01|55P03|57014|55006)/, 'database_busy', 'is busy with other work'],
  [/^(28|3D000)/, 'store_unavailable', 'lets nobody in: check user, password and database of the address'],
  [
    /^(CONNECT_TIMEOUT|CONNECTION_DESTROYED)/,
    'store_unavailable',
    'says nothing, or is none: check what listens at its address',
  ],
  [
    /^(08|57P|53|CONNECT|CONNECTION|E[A-Z]+$)/,
    'store_unavailable',
    'does not answer: check that it runs, and its address',
  ],
  [/^(42P01|42883|3F000|42703)/, 'damaged_database', 'lacks tables or functions of the store'],
];

/** The code of what was thrown: SQLSTATE, or the driver's or the system's word. */
export const getErrorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const causeOf = (code: string) => CAUSES.find(([pattern]) => pattern.test(code));

/** Whether a statement may or may not have been done: the way to the server was lost. */
export const isConnectionLost = (error: unknown): boolean =>
  causeOf(getErrorCode(error))?.[1] === 'store_unavailable';

/** Whether a statement was undone for the sake of another one, and may be tried again. */
export const isRolledBack = (error: unknown): boolean => /^(40001|40P01)/.test(getErrorCode(error));

/** What the engine threw, as one BonafideError; any other error as it is. */
export function toPostgresError(error: unknown): unknown {
  if (error instanceof BonafideError) return error;
  const code = getErrorCode(error);
  const [, told, text] = causeOf(code) ?? [];
  if (told === undefined) {
    if (!/^[0-9A-Z]{5}$/.test(code)) return error;
    return new BonafideError('internal_error', `PostgreSQL refused a statement (${code}).`, { cause: code });
  }
  return new BonafideError(told, `The store’s PostgreSQL ${text} (${code}).`, { cause: code });
}
