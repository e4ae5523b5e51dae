// Who may: what a key lets its caller do.
import { isInNetworks } from './addresses.ts';
import { BonafideError } from '../errors.ts';
import type { Caller, Scope } from './model.ts';
import type { Claim, Endpoint } from '../model.ts';

export const SCOPES: readonly Scope[] = ['validate', 'read', 'raw', 'metrics', 'graph', 'admin'];

/** Who works on the machine itself, at its command line. */
export const OPERATOR_CALLER: Caller = {
  keyId: 'command-line',
  account: null,
  scopes: ['validate', 'raw'],
  test: false,
  plan: null,
};

/** Who signed in to the console with a link that was made on the machine. */
export const CONSOLE_CALLER: Caller = { ...OPERATOR_CALLER, keyId: 'console', scopes: [...SCOPES] };

/**
 * Refuses a caller who may not see what its key called: that takes no more than to have called, or the scope for looking alone.
 *
 * Errors: forbidden.
 */
export function requireReadScope({ scopes }: Caller): void {
  if (scopes.some((scope) => MAY_READ.has(scope))) return;
  throw new BonafideError('forbidden', 'This needs a key with the scope `read` or `validate`.');
}
const MAY_READ: ReadonlySet<Scope> = new Set<Scope>(['read', 'validate', 'admin']);

/**
 * Refuses a caller whose key may not be used from an address.
 *
 * Errors: forbidden.
 */
export function requireAllowedAddress({ allowedNetworks: allowed }: Caller, address: () => string): void {
  if (!allowed || isInNetworks(allowed, address())) return;
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

// What a plan allows its account's keys to ask for. A key without a plan may ask for all that its scopes allow.
/**
 * Refuses an operation that is not in the caller's plan.
 *
 * Errors: forbidden.
 */
export function requireOperation({ plan }: Caller, endpoint: Endpoint): void {
  const operation = endpoint === 'enhanced' ? 'enhanced' : 'validate';
  if (!plan || plan.terms.operations.includes(operation)) return;
  throw new BonafideError('forbidden', `The plan of this key does not have the operation \`${operation}\`.`);
}

/**
 * Refuses a call that asks for a feature which is not in the caller's plan.
 *
 * Errors: forbidden.
 */
export function requireFeatures({ plan }: Caller, endpoint: Endpoint, include: Claim['include']): void {
  if (!plan || endpoint === 'validate') return;
  const asked = endpoint === 'validate_ai' ? { trust_enhancement: true } : include;
  for (const [feature, wanted] of Object.entries(asked))
    if (wanted && !plan.terms.features.includes(feature as keyof Claim['include']))
      throw new BonafideError(
        'forbidden',
        `The plan of this key does not have ${feature}. ${adviceOn(feature, endpoint)}`,
      );
}

const adviceOn = (feature: string, endpoint: Endpoint) =>
  endpoint === 'enhanced' ? `Send \`include_${feature}\`: false.` : 'Leave out `ai=true`.';
