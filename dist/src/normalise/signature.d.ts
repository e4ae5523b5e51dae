import type { Signature, StandardAddress } from '../model.ts';
/**
 * An e-mail may hide a slip in its letters, never in its digits: bob1@ and bob2@ are two mailboxes. Nor in its domain, unless that is a
 * well-known provider's: a look-alike domain is what an impostor registers.
 */
export declare function emailSignature(email: string): Signature;
/** A street name may hide a slip; house number and place must agree. Null where there is no house number or no place. */
export declare function addressSignature(address: StandardAddress): Signature | null;
