// Converts errors of PostgreSQL and of its connections to BonafideErrors. The original texts are never shown,
// because they may contain values.
import { BonafideError, type ErrorCode } from '../../errors.ts';
import { NO_USABLE_HOST_ERROR_CODE } from '../../platform/postgres/hosts.ts';

/** Error codes and messages, by the first characters of PostgreSQL's SQLSTATE or of the driver's or system's error code. */
const CAUSES: [RegExp, ErrorCode, string][] = [
  [/^(53100|58030)/, 'disk_full', 'is out of disk space: free some space'],
  [/^42501/, 'read_only', 'does not let this role write: grant it write access'],
  [
    new RegExp(`^(25006|${NO_USABLE_HOST_ERROR_CODE})`),
    'store_unavailable',
    'is a standby, or read-only, at each host that answers: check which host of its address takes writes',
  ],
  [/^(40001|40P01|55P03|57014|55006)/, 'database_busy', 'is busy with other work: try again'],
  [/^(28|3D000)/, 'store_unavailable', 'refused the login: check user, password and database in its address'],
  [
    /^(CONNECT_TIMEOUT|CONNECTION_DESTROYED)/,
    'store_unavailable',
    'sends no answer, or is not a PostgreSQL server: check its address',
  ],
  [
    /^53300/,
    'store_unavailable',
    'has no free connection: raise its max_connections (25 per server or worker)',
  ],
  [
    /^(08|57P|53|CONNECT|CONNECTION|E[A-Z]+$)/,
    'store_unavailable',
    'does not answer: check that it runs, and its address',
  ],
  [
    /^(42P01|42883|3F000|42703)/,
    'damaged_database',
    'lacks tables or functions of the store: restore it from a backup',
  ],
];

export const getPostgresErrorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const findCause = (code: string) => CAUSES.find(([pattern]) => pattern.test(code));

/** True for an error that means that the store does not answer, or that its connection was lost. */
export const isStoreConnectionLostError = (error: unknown): boolean =>
  findCause(getPostgresErrorCode(error))?.[1] === 'store_unavailable';

/** Matches codes of errors that PostgreSQL or the system sends before it executes a statement. */
const NOT_EXECUTED = new RegExp(
  `^(28|3D000|25006|53|57P03|CONNECT_TIMEOUT|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENO|EAI_|${NO_USABLE_HOST_ERROR_CODE})`,
);

/** True for an error after which it is unknown whether the statement was executed: it was sent, but its answer was lost. */
export const isAnswerLostError = (error: unknown): boolean =>
  isStoreConnectionLostError(error) && !NOT_EXECUTED.test(getPostgresErrorCode(error));

/** True for an error that rolled the statement back because of another transaction, so that it can be repeated. */
export const isRolledBackError = (error: unknown): boolean =>
  /^(40001|40P01)/.test(getPostgresErrorCode(error));

/** Converts an error of PostgreSQL to a BonafideError; returns any other error unchanged. */
export function convertPostgresErrorToBonafideError(error: unknown): unknown {
  if (error instanceof BonafideError) return error;
  const cause = getPostgresErrorCode(error);
  const [, code, text] = findCause(cause) ?? [];
  if (code) return new BonafideError(code, `The store’s PostgreSQL ${text} (${cause}).`, { cause });
  if (!/^[0-9A-Z]{5}$/.test(cause)) return error;
  return new BonafideError(
    'internal_error',
    `PostgreSQL refused a statement (${cause}). The log of PostgreSQL has the reason.`,
    { cause },
  );
}
