import type { Evidence, MatchStatus, Verdict } from '../model.ts';
/** The status of one submitted value, and the identity it resolved to. */
export interface Status {
    status: MatchStatus;
    identity: number | null;
}
/** Everything of a verdict that follows from the evidence; the submitted values themselves are put to it by the check. */
export interface Scored extends Pick<Verdict, 'score' | 'band' | 'confidence' | 'catfish' | 'summary' | 'message' | 'insights' | 'dominant' | 'matchedName' | 'identityScore' | 'trustScore' | 'combined' | 'history' | 'identities'> {
    name: Status;
    /** One per contact value, in the order of the evidence. */
    contacts: Status[];
}
/**
 * Score, verdicts and reasons of one check, from one pass over the evidence. Pure: the same evidence gives the same answer.
 */
export declare function score(evidence: Evidence): Scored;
