/** A kind of contact value. A name is not a contact: it is what contacts are checked against. */
export type Kind = 'email' | 'phone' | 'address';
export type Field = 'name' | Kind;
export type Intent = 'online-dating' | 'buying-or-selling' | 'sending-money' | 'suspected-scam' | 'reconnecting' | 'general';
/** An address in Bonafide's own words. Parts that were not given are empty strings. */
export interface Address {
    street: string;
    street2: string;
    city: string;
    state: string;
    zip: string;
    country: string;
}
/** A standardised address: uppercase, `plus4` split from the zip, ISO country code. */
export interface StandardAddress extends Address {
    plus4: string;
}
/** What a caller submitted: parsed, trimmed, without duplicates, not yet normalised. */
export interface Claim {
    name: string;
    /** Lowercased. */
    emails: string[];
    /** ASCII digits only, 10-15 of them. A leading `+` is not kept. */
    phones: string[];
    addresses: Address[];
    intent: Intent;
    operation: 'validate' | 'raw';
    include: {
        trust_enhancement: boolean;
        fraud_detection: boolean;
        name_matching: boolean;
    };
}
/**
 * One canonical spelling of a value, under which it can be looked up. The first form of a value is the
 * exact one; later ones are looser (a mailbox without its tag, an address without its unit …).
 */
export interface LookupKey {
    type: KeyType;
    text: string;
}
export type KeyType = 'email' | 'mailbox' | 'phone' | 'address' | 'premise' | 'core' | 'core_city' | 'street' | 'name';
/** A value after normalising: how it is shown, and the keys it is looked up by (none = cannot be looked up). */
export interface Normal<S> {
    standardized: S;
    keys: LookupKey[];
}
/** A text that may have been written with a typo, and what of it must agree all the same (digits, a house number). */
export interface Signature {
    kind: 'email' | 'address';
    exactPart: string;
    text: string;
}
interface ContactOf<K extends Kind, I, S> {
    kind: K;
    /** As submitted, or as a record holds it. */
    input: I;
    /** How it is shown. */
    standardized: S;
    /** The exact key first, looser ones after; none where the value cannot be looked up. */
    keys: LookupKey[];
    /** What a typo is looked for in; null where it is not looked for. */
    signature: Signature | null;
}
export type TextContact = ContactOf<'email' | 'phone', string, string>;
export type AddressContact = ContactOf<'address', Address, StandardAddress>;
/** One contact value, normalised once: everything that a check, an import and an answer need of it. */
export type Contact = TextContact | AddressContact;
/** One identity of the graph, as far as a check needs it. */
export interface Identity {
    /** Positive integer, stable across imports. */
    id: number;
    /** Names as the records spell them, the primary first. */
    names: string[];
    /** Milliseconds since 1970, or null where no record carries a date. */
    firstSeen: number | null;
    lastSeen: number | null;
    /** How many records, and how many different sources, stand behind the identity. */
    records: number;
    sources: number;
}
/** How far one identity of the graph bears the submitted name. */
export interface NameAgreement {
    /** The name engine holds the submitted name and one of the identity's for one person's. */
    same: boolean;
    /** It is the identity's primary name that agrees best. */
    primary: boolean;
    /** 0-100, see `compareNames`; 0 where the identity has no name. */
    confidence: number;
    variation: string;
    /** Not the same name, but the given names are: a family name may have changed. */
    givenSame: boolean;
    /** The identity carries no name at all, so the name says nothing about it. */
    nameless: boolean;
}
/** One submitted contact value agrees with one identity. */
export interface Agreement {
    identity: number;
    type: KeyType | 'typo';
    primary: boolean;
    /** How many identities have this key of the value in common. */
    share: number;
}
/** What the graph holds about one submitted contact value; no agreements = no matching record. */
export interface ContactEvidence {
    kind: Kind;
    agreements: Agreement[];
    /** It means the same as an earlier value (one phone with and without country code), so it counts once. */
    repeats: boolean;
}
/** All that a score is made of. */
export interface Evidence {
    /** Identities in the graph. */
    total: number;
    /** Identities that have exactly this name. */
    bearers: number;
    names: Map<number, NameAgreement>;
    identities: Map<number, Identity>;
    contacts: ContactEvidence[];
}
export type MatchStatus = 'primary' | 'secondary' | 'different' | 'unverified';
export type Band = 'HIGH' | 'MEDIUM' | 'LOW' | 'VERY_LOW';
export type Confidence = 'HIGH' | 'MEDIUM' | 'LOW';
/** The verdict on one submitted value: one row of `inputs[]`. */
export interface ValueVerdict<I = string, S = I> {
    input: I;
    standardized: S;
    status: MatchStatus;
    /** The identity that the value resolved to; null where `status` is unverified. */
    identity: number | null;
}
export type NameVerdict = ValueVerdict;
export type AddressVerdict = ValueVerdict<Address, StandardAddress>;
/** The whole answer of a check, before any response version gives it a shape. */
export interface Verdict {
    /** 0-100, integer; equals `combined.final`. */
    score: number;
    band: Band;
    confidence: Confidence;
    catfish: boolean;
    summary: string;
    message: string;
    insights: string[];
    name: NameVerdict;
    emails: ValueVerdict[];
    phones: ValueVerdict[];
    addresses: AddressVerdict[];
    dominant: number | null;
    /** Primary name of the dominant identity, for name matching; never part of the base response. */
    matchedName: string | null;
    identityScore: {
        final: number;
        raw: number;
        adjusted: number;
        penalties: number;
        bonuses: number;
        fraudRiskPenalty: number;
    };
    trustScore: {
        final: number;
        raw: number;
        reasons: string[];
    };
    combined: {
        final: number;
        preCapped: number;
        explanation: string;
    };
    history: {
        firstSeen: number | null;
        lastSeen: number | null;
    };
    /** How many different identities the contacts resolved to. */
    identities: number;
    /** What the graph engine answered, as it answered it; only for operation `raw`. */
    raw?: unknown;
}
/** Who is asking. */
export interface Caller {
    keyId: string;
    scopes: Scope[];
}
export type Scope = 'validate' | 'raw' | 'admin';
export type Endpoint = 'validate' | 'validate_ai' | 'enhanced';
/** One accepted call, as the request stream keeps it: counts and outcomes, never a submitted value. */
export interface CallRecord {
    requestId: string;
    keyId: string;
    /** Milliseconds since 1970. */
    time: number;
    endpoint: Endpoint;
    responseVersion: 'v1' | 'v2';
    emails: number;
    phones: number;
    addresses: number;
    score: number;
    band: Band;
    confidence: Confidence;
    catfish: boolean;
    /** How many submitted contact values came back as another identity's, and as Unverified. */
    different: number;
    unverified: number;
    latencyMs: number;
}
export {};
