import { type Why } from '../../link/why.ts';
import type { GraphStats } from '../graph.ts';
import type { Vault } from '../vault.ts';
/** One identity for an operator's eyes; never a contact value, which the graph does not have. */
export interface IdentityCard {
    identity: number;
    /** The number that was asked for, where another stands for it now. */
    mergedFrom: number | null;
    names: string[];
    firstSeen: number | null;
    lastSeen: number | null;
    records: {
        recordId: string;
        source: string;
    }[];
}
export interface Operator {
    stats(): GraphStats;
    /** What makes checks weaker than they could be: a sentence each. */
    warnings(): string[];
    /** Every record id and its identity, in the order of import. */
    identities(): Iterable<{
        record_id: string;
        source: string;
        identity: number | null;
    }>;
    /** The evidence for and against two records being one person. Errors: `not_found`, `invalid_arguments` (not unique). */
    why(a: string, b: string): Why;
    /** Follows redirects of merged identities. Error: `not_found`. */
    show(identity: number): IdentityCard;
    close(): void;
}
/** What an operator asks of the embedded graph. Errors on opening: those of `openDatabase`. */
export declare function openOperator({ file, vault }: {
    file: string;
    vault: Vault;
}): Operator;
