// The nouns of Bonafide. Types only: nothing here runs, and nothing here imports.

/** A kind of contact value. A name is not a contact: it is what contacts are checked against. */
export type ContactKind = 'email' | 'phone' | 'address';
export type ClaimField = 'name' | ContactKind;

export type Intent =
  | 'online-dating'
  | 'buying-or-selling'
  | 'sending-money'
  | 'suspected-scam'
  | 'reconnecting'
  | 'general';

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

export type Endpoint = 'validate' | 'validate_ai' | 'enhanced';

export type ResponseVersion = 'v1' | 'v2';

/** What a caller submitted: read, trimmed, without duplicates, every contact normalised once. */
export interface Claim {
  name: string;
  /** E-mails, then phones, then addresses, each in the order sent; a value that can't be looked up stays, without keys. */
  contacts: Contact[];
  /** ISO country in which numbers and addresses that name none were read. */
  region: string;
  intent: Intent;
  operation: 'validate' | 'raw';
  include: { trust_enhancement: boolean; fraud_detection: boolean; name_matching: boolean };
}

/**
 * One canonical spelling of a value, under which it can be looked up. The first form of a value is the
 * exact one; later ones are looser (a mailbox without its tag, an address without its unit …).
 */
export interface LookupKey {
  type: LookupKeyType;
  text: string;
}
export type LookupKeyType =
  | 'email'
  | 'mailbox'
  | 'phone'
  | 'address'
  | 'premise'
  | 'core'
  | 'core_city'
  | 'street'
  | 'name';

/** A value after normalising: how it is shown, and the keys it is looked up by (none = cannot be looked up). */
export interface NormalisedValue<S> {
  standardized: S;
  keys: LookupKey[];
}

/** A text that may have been written with a typo, and what of it must agree all the same (digits, a house number). */
export interface TypoSignature {
  kind: 'email' | 'address';
  exactPart: string;
  text: string;
}

interface ContactShape<K extends ContactKind, I, S> {
  kind: K;
  /** As submitted, or as a record holds it. */
  input: I;
  /** How it is shown. */
  standardized: S;
  /** The exact key first, looser ones after; none where the value cannot be looked up. */
  keys: LookupKey[];
  /** What a typo is looked for in; null where it is not looked for. */
  signature: TypoSignature | null;
}
/** `extension`: a phone that was sent with the way to a desk behind it. */
export type TextContact = ContactShape<'email' | 'phone', string, string> & { hasExtension?: boolean };
export type AddressContact = ContactShape<'address', Address, StandardAddress>;

/** One contact value, normalised once: everything that a check, an import and an answer need of it. */
export type Contact = TextContact | AddressContact;

/** A value in the words of whoever submitted it; `other_phone` is what a submitted phone may mean abroad, in E.164. */
export type RawContact =
  | Pick<TextContact, 'kind' | 'input'>
  | Pick<AddressContact, 'kind' | 'input'>
  | { kind: 'other_phone'; input: string };

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
  isSame: boolean;
  /** It is the identity's primary name that agrees best. */
  isPrimary: boolean;
  /**
   * 0-100: how much of the name agrees. Where it is the same, how sure the name engine is (50 and above); else less than 50, by the words
   * that agree and how nearly the others do.
   */
  agreement: number;
  variation: string;
  /** The one of its names that agrees best; null where none was read. */
  closestName: string | null;
  /** Not the same name, but this half of it is. */
  sharedHalf: 'given' | 'family' | null;
  /** A half of it is, and an e-mail that nobody else has spells the whole. */
  isSpeltByEmail?: boolean;
  /** The identity carries no name at all, so the name says nothing about it. */
  isNameless: boolean;
}

/** One submitted contact value agrees with one identity. */
export interface Agreement {
  identity: number;
  type: LookupKeyType | 'typo';
  primary: boolean;
  /** How many identities have this key of the value in common. */
  share: number;
  /** When the identity was seen first and last: milliseconds since 1970, or null where no record carries a date. */
  firstSeen: number | null;
  lastSeen: number | null;
}

/** What the graph holds about one submitted contact value; no agreements = no matching record. */
export interface ContactEvidence {
  kind: ContactKind;
  agreements: Agreement[];
  /** It means the same as an earlier value (one phone with and without country code), so it counts once. */
  isRepeat: boolean;
  /** It is not on record, but somebody of this name has an e-mail that differs from it by a typo. */
  hasLookAlike: boolean;
  /** How a phone is shown that was found as it is dialled in the country of a submitted address; null where it was not. */
  standardized: string | null;
  /** It was sent with an extension. */
  hasExtension: boolean;
}

/** All that a score is made of. */
export interface Evidence {
  /** Identities in the graph. */
  graphSize: number;
  /** Identities that have exactly this name. */
  nameHolders: number;
  /** When the graph's newest record was last seen: milliseconds since 1970, or null where no record carries a date. */
  newestSeen: number | null;
  nameAgreements: Map<number, NameAgreement>;
  identities: Map<number, Identity>;
  contacts: ContactEvidence[];
}

export type MatchStatus = 'primary' | 'secondary' | 'different' | 'unverified';
export type Band = 'HIGH' | 'MEDIUM' | 'LOW' | 'VERY_LOW';
export type Confidence = 'HIGH' | 'MEDIUM' | 'LOW';

/** What became of one submitted value, and the identity that it resolved to; null where the status is unverified. */
export interface Resolution {
  status: MatchStatus;
  identity: number | null;
}
export type NameVerdict = Resolution & { input: string; standardized: string };
export type TextVerdict = TextContact & Resolution;
export type AddressVerdict = AddressContact & Resolution;
export type ContactVerdict = TextVerdict | AddressVerdict;

/** Everything of a verdict that follows from the evidence as a whole. */
export interface Score {
  /** 0-100, integer. */
  value: number;
  band: Band;
  confidence: Confidence;
  isPossibleCatfish: boolean;
  summary: string;
  message: string;
  insights: string[];
  dominantIdentity: number | null;
  /** The name on record that the submitted one matched, for name matching; never part of the base response. */
  matchedName: string | null;
  /** How surely it did, 0-100; null where none matched. */
  nameConfidence: number | null;
  /** What explains most of the difference; null where none matched. */
  nameVariation: string | null;
  /** The identity that most values belong to bears the submitted name, or no name of it was compared. */
  dominantHasName: boolean;
  identityScore: {
    final: number;
    raw: number;
    adjusted: number;
    penalties: number;
    bonuses: number;
    fraudRiskPenalty: number;
  };
  trustScore: { final: number; raw: number; reasons: string[] };
  combined: { final: number; preCapped: number; explanation: string };
  history: { firstSeen: number | null; lastSeen: number | null };
  /** How many different identities the contacts resolved to. */
  identityCount: number;
  /** How many contacts the identity has that bears the name, also where they are another identity's too. */
  nameHolderContacts: number;
  /** E-mails and phones that another identity than that of the name has for itself alone. */
  exclusiveOtherContacts: number;
  /** How many contacts resolved to an identity whose records carry no name. */
  namelessContacts: number;
  /** Version of the scoring model. */
  scoringModel: number;
}

/** A rising map from the score as it stands before the bounds to what it should be, both in points of 100, fitted to cases. */
export interface Calibration {
  name: string;
  /** Version of the scoring model that it was fitted for. */
  scoringModel: number;
  /** Corners of the map, rising in both; beyond the outermost it is level. */
  knots: readonly (readonly [from: number, to: number])[];
}

/** One weighed piece of evidence, as `operation: raw` shows it. */
export interface WeighedEvidence {
  /** Of the catalogue in data/docs/reasons.md. */
  code: string;
  field: ClaimField | null;
  /** Place of the value among those of its field; null where it is no value's. */
  index: number | null;
  /** The key under which the value was found. */
  key: Agreement['type'] | null;
  /** Bits. */
  weight: number;
  /** The score of the same check without this value; null where it is no value's. */
  score_without: number | null;
}

/** The whole answer of a check, before any response version gives it a shape. */
export interface Verdict {
  name: NameVerdict;
  /** One for each contact of the claim, in its order. */
  contacts: ContactVerdict[];
  score: Score;
  /** What the graph engine answered, as it answered it, and the evidence; only for operation `raw`. */
  raw?: { graph: unknown; explanation: WeighedEvidence[] };
}

/** What is there at once, or comes. */
export type Awaitable<T> = T | Promise<T>;

/** Every intent, as the interface specification lists them. */
export const INTENTS = [
  'online-dating',
  'buying-or-selling',
  'sending-money',
  'suspected-scam',
  'reconnecting',
  'general',
] as const satisfies readonly Intent[];
