// Who may: what a key lets its caller do.
import { BonafideError } from '../errors.ts';
import type { Caller, Scope } from '../model.ts';

export const SCOPES: readonly Scope[] = ['validate', 'raw', 'metrics', 'admin'];

/** Who works on the machine itself, at its command line. */
export const OPERATOR: Caller = {
  keyId: 'command-line',
  account: null,
  scopes: ['validate', 'raw'],
  test: false,
  plan: null,
};

/**
 * Refuses a caller whose key lacks a scope.
 *
 * Errors: forbidden.
 */
export function requireScope({ scopes }: Caller, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new BonafideError('forbidden', `This needs a key with the scope \`${scope}\`.`);
}
