import { BonafideError } from '../errors.ts';
import type { Claim, CheckEndpoint } from '../model.ts';
import { isIpAddressInNetworks } from './addresses.ts';
import type { Caller, Scope } from './model.ts';

export const API_KEY_SCOPES: readonly Scope[] = ['validate', 'read', 'raw', 'metrics', 'graph', 'admin'];

/** Caller that represents a command on the command line of this machine. */
export const COMMAND_LINE_CALLER: Caller = {
  keyId: 'command-line',
  account: null,
  scopes: ['validate', 'raw'],
  test: false,
  plan: null,
};

/** Caller that represents a person who signed in to the console with a link created on this machine. */
export const CONSOLE_LINK_CALLER: Caller = {
  ...COMMAND_LINE_CALLER,
  keyId: 'console',
  scopes: [...API_KEY_SCOPES],
};

/** Returns the id of the caller's account, or of its API key if it has no account. */
export const getAccountOrKeyId = ({ account, keyId }: Caller): string => account ?? keyId;

/** Throws if the caller's API key lacks a scope. Errors: forbidden. */
export function requireScope({ scopes }: Caller, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new BonafideError('forbidden', `This operation needs a key with the scope \`${scope}\`.`, {
    rule: `scope ${scope}`,
  });
}

const READ_SCOPES: ReadonlySet<Scope> = new Set<Scope>(['read', 'validate', 'admin']);

/** Throws unless the API key may read its own calls: it needs the scope `read` or a scope for checks. Errors: forbidden. */
export function requireScopeForReadingOwnCalls({ scopes }: Caller): void {
  if (scopes.some((scope) => READ_SCOPES.has(scope))) return;
  throw new BonafideError('forbidden', 'This operation needs a key with the scope `read` or `validate`.', {
    rule: 'scope read',
  });
}

/** Throws if the caller may not administer the server. A test key never may. Errors: forbidden. */
export function requireAdmin(caller: Caller): void {
  requireScope(caller, 'admin');
  if (caller.test)
    throw new BonafideError(
      'forbidden',
      'A test key cannot be used for administration. Use a live key with the scope `admin`.',
      { rule: 'live key' },
    );
}

/** Name of the rule that the log of refused calls contains if an API key was used from a network address that is not allowed. */
export const IP_NOT_ALLOWED_REFUSAL_RULE = 'allowed addresses';

/** Throws if the caller's API key may not be used from this network address. Errors: forbidden. */
export function requireAllowedIpAddress({ allowedNetworks }: Caller, getAddress: () => string): void {
  if (!allowedNetworks || isIpAddressInNetworks(allowedNetworks, getAddress())) return;
  throw new BonafideError(
    'forbidden',
    'This key is not allowed from the network address of this request. Call from one of the allowed addresses of the key, or ask the operator to add this address.',
    {
      rule: IP_NOT_ALLOWED_REFUSAL_RULE,
    },
  );
}

/** Throws if the caller's plan does not include an operation. A caller without a plan may use all operations. Errors: forbidden. */
export function requirePlanOperation({ plan }: Caller, endpoint: CheckEndpoint): void {
  const operation = endpoint === 'enhanced' ? 'enhanced' : 'validate';
  if (!plan || plan.terms.operations.includes(operation)) return;
  throw new BonafideError('forbidden', `The plan of this key does not have the operation \`${operation}\`.`, {
    rule: `plan without ${operation}`,
  });
}

/** Throws if a call requests a feature that the caller's plan does not include. Errors: forbidden. */
export function requirePlanFeatures(
  { plan }: Caller,
  endpoint: CheckEndpoint,
  include: Claim['include'],
): void {
  if (!plan || endpoint === 'validate') return;
  const requested = endpoint === 'validate_ai' ? { trust_enhancement: true } : include;
  for (const [feature, isRequested] of Object.entries(requested)) {
    if (!isRequested || plan.terms.features.includes(feature as keyof Claim['include'])) continue;
    const advice = endpoint === 'enhanced' ? `Send \`include_${feature}\`: false.` : 'Leave out `ai=true`.';
    throw new BonafideError('forbidden', `The plan of this key does not have ${feature}. ${advice}`, {
      rule: `plan without ${feature}`,
    });
  }
}
