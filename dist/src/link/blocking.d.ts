import type { Vault } from '../graph/vault.ts';
import type { LinkRecord } from './record.ts';
/**
 * The keys under which a record meets others, without duplicates. Two records are compared when they share one: a key of a contact, the
 * house number with the postcode, the name together with a place or a birth date, or a birth date together with an initial. Nothing
 * else is ever compared.
 */
export declare function blockKeys(record: LinkRecord, vault: Vault): Set<number>;
