import type { LookupKey } from '../../model.ts';
import type { Vault } from '../vault.ts';
import type { Db } from './database.ts';
import { type Found } from './postings.ts';
export interface LookUps {
    /** Looks all keys up in one statement; an answer each, in their order, and how many identities there are. */
    all(keys: LookupKey[]): {
        found: Found[];
        total: number;
    };
    /** Whether the value is the identity's primary one, where the identity has this key; else undefined. */
    primaryOf(found: Found, id: number): boolean | undefined;
}
/** Look-ups in the postings. */
export declare function lookUps(db: Db, vault: Vault): LookUps;
/** Do more identities share the key than were read? */
export declare function isWide({ share, ids }: Found): boolean;
