// Who may: what a key lets its caller do.
import { isWithin } from './addresses.ts';
import { BonafideError } from '../errors.ts';
import type { Caller, Scope } from './model.ts';

export const SCOPES: readonly Scope[] = ['validate', 'read', 'raw', 'metrics', 'graph', 'admin'];

/** Who works on the machine itself, at its command line. */
export const OPERATOR: Caller = {
  keyId: 'command-line',
  account: null,
  scopes: ['validate', 'raw'],
  test: false,
  plan: null,
};

/** Who signed in to the console with a link that was made on the machine. */
export const CONSOLE: Caller = { ...OPERATOR, keyId: 'console', scopes: [...SCOPES] };

/**
 * Refuses a caller who may not see what its key called: that takes no more than to have called, or the scope for looking alone.
 *
 * Errors: forbidden.
 */
export function requireReading({ scopes }: Caller): void {
  if (scopes.some((scope) => MAY_READ.has(scope))) return;
  throw new BonafideError('forbidden', 'This needs a key with the scope `read` or `validate`.');
}
const MAY_READ: ReadonlySet<Scope> = new Set<Scope>(['read', 'validate', 'admin']);

/**
 * Refuses a caller whose key may not be used from an address.
 *
 * Errors: forbidden.
 */
export function requireAddress({ allowed }: Caller, address: () => string): void {
  if (!allowed || isWithin(allowed, address())) return;
  throw new BonafideError('forbidden', 'This key may not be used from this address.');
}

/**
 * Refuses a caller whose key lacks a scope.
 *
 * Errors: forbidden.
 */
export function requireScope({ scopes }: Caller, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new BonafideError('forbidden', `This needs a key with the scope \`${scope}\`.`);
}

/**
 * Refuses a caller who may not administer. A test key has to do with invented people alone.
 *
 * Errors: forbidden.
 */
export function requireAdmin(caller: Caller): void {
  requireScope(caller, 'admin');
  if (caller.test)
    throw new BonafideError('forbidden', 'A test key administers nothing: this needs a live one.');
}
