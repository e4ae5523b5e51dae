// What a plan allows its account's keys to ask for. A key without a plan may ask for all that its scopes allow.
import { BonafideError } from '../../errors.ts';
import type { Caller } from '../model.ts';
import type { Claim, Endpoint } from '../../model.ts';

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
