import { BonafideError } from '../../errors.ts';

/** The number of an identity, as it is written. Errors: `invalid_arguments`. */
export function identityOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new BonafideError('invalid_arguments', 'An identity is a positive whole number.');
}
