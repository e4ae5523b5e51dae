// The header Idempotency-Key, and what tells that a retry was one.
import { idempotencyKeyOf, isSeveral, MOST_CHARACTERS } from '../accounts/idempotency.ts';
import type { ValidationIssue } from '../errors.ts';
import { ProblemError } from './problems.ts';

/** Says that an earlier call with this Idempotency-Key was counted, and this one was not. */
export const REPLAYED: [string, string] = ['idempotency-replayed', 'true'];

/**
 * The key that a request carries, or null; one that breaks a rule is put to `issues`.
 *
 * Errors: malformed_request where there are several.
 */
export function keyIn(headers: Headers, issues: ValidationIssue[]): string | null {
  const value = headers.get('idempotency-key');
  if (value === null) return null;
  if (isSeveral(value)) throw new ProblemError({ code: 'malformed_request', detail: SEVERAL });
  const key = idempotencyKeyOf(value);
  if (key === null) issues.push({ pointer: '', code: 'invalid_idempotency_key', detail: WRONG });
  return key;
}

const SEVERAL =
  'The request carries several values of `Idempotency-Key`. Send one; a key that holds a comma goes in double quotes.';
const WRONG = `The header \`Idempotency-Key\` has 1 to ${MOST_CHARACTERS} printable ASCII characters, bare or in double quotes.`;
