import type { Agreement, Evidence, LookupKey, Identity, Kind, NameAgreement } from '../model.ts';
import { type PreparedName } from '../names/index.ts';
export interface MatchInput {
    name: PreparedName;
    /** Kind and keys of each submitted contact value, in the order that was asked of the graph. */
    contacts: {
        kind: Kind;
        keys: LookupKey[];
    }[];
    answer: {
        total: number;
        values: Agreement[][];
        name: {
            bearers: number;
            given: number[];
        };
        identities: Map<number, Identity>;
    };
}
/** Compares what was submitted with what the graph answered: value by value, and the name with every identity's names. No weights here. */
export declare function gatherEvidence({ name, contacts, answer }: MatchInput): Evidence;
/** The best agreement of the submitted name with any of the identity's names: an equal one, else the likeliest; of equals the primary name's. */
export declare function agreeName(name: PreparedName, identity: Identity): NameAgreement;
