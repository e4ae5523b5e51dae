import type { Agreement, LookupKey, Identity, Signature } from '../model.ts';
/** What a check asks a graph: the look-up keys of one name, and the keys of each contact value, in the order submitted. */
export interface GraphQuery {
    /** Keys of the name, the exact one first; see `nameKeys` in names */
    nameKeys: string[];
    /** Key of the given name alone; null where there is none to speak of. */
    givenKey: string | null;
    values: QueryValue[];
}
export interface QueryValue {
    /** Exact form first, looser ones after; none where the value cannot be looked up. */
    keys: LookupKey[];
    /** What a slip is looked for in; null where it is not looked for. */
    signature: Signature | null;
}
export interface GraphAnswer {
    /** How many identities the graph holds. */
    total: number;
    /** One list per value, in the order asked; each identity at most once, strictest key first, then lower number. */
    values: Agreement[][];
    name: {
        /** Identities that have one of the name keys, lower number first; at most `NAME_LIMIT`. */
        identities: number[];
        /** How many identities have the exact name. */
        bearers: number;
        /** Identities among the hits that share the given name. */
        given: number[];
    };
    /** The identities behind the hits that may bear the name, and where there is none, the best corroborated ones. */
    identities: Map<number, Identity>;
}
/** Of a value that more identities share than this, the first ones are read; `share` still tells how many there are. */
export declare const SHARE_LIMIT = 24;
/** Identities looked up by a name key alone. */
export declare const NAME_LIMIT = 24;
/**
 * A place that identities are resolved in. One file per engine; every engine passes the same contract test.
 * Errors of `resolve`: `graph_unavailable`, `graph_bad_response`, `graph_timeout`.
 */
export interface IdentityGraph {
    readonly engine: string;
    resolve(query: GraphQuery): GraphAnswer | Promise<GraphAnswer>;
    stats(): GraphStats;
    /** What makes checks weaker than they could be, and what an operator can do about it: a sentence each. */
    warnings(): string[];
    /** Throws `graph_unavailable` where the graph cannot answer. */
    ping(): void;
    close(): void;
}
export interface GraphStats {
    records: number;
    identities: number;
    merged: number;
    postings: number;
    /** Records that were imported but not linked yet, because an import was interrupted. */
    unlinked: number;
    linkedAt: string | null;
}
