// Domain types of Bonafide. This file imports nothing, and only declares types and one list.

/** Kind of a contact value. A name is not a contact: contacts are checked against the name. */
export type ContactKind = 'email' | 'phone' | 'address';
export type ClaimField = 'name' | ContactKind;

/** All intents, in the order of the interface specification. */
export const INTENTS = [
  'online-dating',
  'buying-or-selling',
  'sending-money',
  'suspected-scam',
  'reconnecting',
  'general',
] as const;
/** Reason of the caller for a check. It changes the tone of AI texts only. */
export type Intent = (typeof INTENTS)[number];

/** Parts of a postal address. Missing parts are empty strings. */
export interface Address {
  street: string;
  street2: string;
  city: string;
  state: string;
  zip: string;
  country: string;
}

/** A standardised address: upper case, `plus4` split from a US zip, ISO country code. */
export interface StandardAddress extends Address {
  plus4: string;
}

export type Endpoint = 'validate' | 'validate_ai' | 'enhanced';

export type ResponseVersion = 'v1' | 'v2';

/** A parsed request: texts trimmed, duplicates removed, every contact normalised. */
export interface Claim {
  name: string;
  /** E-mails, then phones, then addresses, each in the order of the request. */
  contacts: Contact[];
  /** ISO country in which phones and addresses without a country are read. */
  region: string;
  intent: Intent;
  operation: 'validate' | 'raw';
  include: { trust_enhancement: boolean; fraud_detection: boolean; name_matching: boolean };
}

/**
 * Canonical spelling of a value, by which the value is looked up in the graph. The first key of a value is exact; later keys are looser (a
 * mailbox without its tag, an address without its unit).
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

/** Text in which a typing error is searched, and the part that must agree exactly (digits, a house number). */
export interface TypoSignature {
  kind: 'email' | 'address';
  exactPart: string;
  text: string;
  /**
   * Other spellings of `text` that a record may have, such as street types in short and in full. Used only in
   * queries.
   */
  spellings?: readonly string[];
  /** The street without its directional, and with each other one; null if it has none. Used only in queries. */
  directions?: StreetDirections | null;
}

/** Spellings of a street without its directional (`512 main st`), and with each other directional (`512 n main st`). */
export interface StreetDirections {
  without: readonly string[];
  others: readonly string[];
}

interface ContactShape<K extends ContactKind, I, S> {
  kind: K;
  /** The value as it was submitted, or as a record has it. */
  input: I;
  /** The value as it is displayed. */
  standardized: S;
  /** Look-up keys, the exact key first. A value without keys cannot be looked up. */
  keys: LookupKey[];
  /** Null if no typing error is searched in the value. */
  signature: TypoSignature | null;
}
/** An e-mail or a phone. `hasExtension` is true for a phone that was sent with an extension. */
export type TextContact = ContactShape<'email' | 'phone', string, string> & { hasExtension?: boolean };
export type AddressContact = ContactShape<'address', Address, StandardAddress>;

/** Contact value, normalised once for checks, imports and answers. */
export type Contact = TextContact | AddressContact;

/** A contact value as it was submitted. `other_phone` is the E.164 number that a phone without a country code may mean abroad. */
export type RawContact =
  | Pick<TextContact, 'kind' | 'input'>
  | Pick<AddressContact, 'kind' | 'input'>
  | { kind: 'other_phone'; input: string };

/** The facts on one identity of the graph that a check needs. Times are milliseconds since 1970; null if no record has a date. */
export interface Identity {
  /** Positive integer, stable across imports. */
  id: number;
  /** Names as the records spell them, the primary name first. */
  names: string[];
  firstSeen: number | null;
  lastSeen: number | null;
  /** Number of records of the identity. */
  records: number;
  /** Number of sources of these records. */
  sources: number;
}

/** Agreement of the submitted name with the names of one identity. */
export interface NameAgreement {
  /** True if the submitted name and a name of the identity are one person's. */
  isSame: boolean;
  /** True if the primary name of the identity agrees best. */
  isPrimary: boolean;
  /**
   * Share of the name that agrees, 0-100. Names that are the same have at least 50: the confidence of the name engine. Other names have
   * less than 50.
   */
  agreement: number;
  /** Kind of difference that explains most of the difference between the names; see `NameDifferenceKind`. */
  variation: string;
  /** The name of the identity that agrees best; null if no name was compared. */
  closestName: string | null;
  /** The half of the name that agrees, if the whole name does not. */
  sharedHalf: 'given' | 'family' | null;
  /**
   * Set if the submitted name is no more of the closest name than initials, or one word with or without initials. One word that many people
   * have is `common_word`.
   */
  part?: 'initials' | 'word' | 'common_word';
  /** True if one half agrees, and the other half is that of an e-mail of this identity alone, or of somebody at the same address. */
  isSpeltByEmail?: boolean;
  /** True if the identity has no name on record; then the name is no evidence for or against it. */
  isNameless: boolean;
  /** Rarity, 0-1, of a family name that is the shared half: two people with a rare family name are likely relatives. */
  kinship?: number;
  /** Generation (Jr, Sr, III) in the name on record; missing or 0 without a suffix. */
  generation?: number;
  /** True if the suffixes tell that the identity is a parent, child or namesake of the person. */
  isOtherGeneration?: boolean;
  /** True if the name on record is a company's. */
  isCompany?: boolean;
}

/** Agreement of one submitted contact with one identity. Times are milliseconds since 1970; null if no record has a date. */
export interface Agreement {
  identity: number;
  /** Key that found the contact. */
  type: LookupKeyType | 'typo';
  /** True if the contact is the identity's primary one of its kind. */
  primary: boolean;
  /** Number of identities with this key. */
  share: number;
  firstSeen: number | null;
  lastSeen: number | null;
}

/** Records of the graph that match one submitted contact. Without agreements, the contact has no matching record. */
export interface ContactEvidence {
  kind: ContactKind;
  agreements: Agreement[];
  /** True if the contact means the same as another one (a phone with and without country code), so that it does not count again. */
  isRepeat: boolean;
  /** True for an e-mail that is not on record, if a person of this name has an e-mail that differs by a typing error. */
  hasLookAlike: boolean;
  /** Sign that the contact is disguised; null or missing if there is none. */
  disguise?: Disguise | null;
  /** E.164 of a phone that was found in the country of a submitted address; null for other contacts. */
  standardized: string | null;
  /** True for a phone that was sent with an extension. */
  hasExtension: boolean;
}

/** Sort of a name that is not one person's name: a company, two people, a family, or a person's relative. */
export type NonPersonName = 'company' | 'couple' | 'family' | 'relation';

/**
 * Sign that a submitted value is written to look like another value, or cannot exist: an e-mail close to one of a person of this name, letters
 * that look alike, the domain of a large provider with another letter, or digits that are no subscriber's number.
 */
export type Disguise = 'similar_email' | 'look_alike_letters' | 'similar_provider' | 'impossible_number';

/** Everything from which the score of a check is computed. */
export interface Evidence {
  /** Number of identities in the graph. */
  graphSize: number;
  /** Sort of a submitted name that is no person's name; null for a person's name. */
  nonPerson?: NonPersonName | null;
  /** True if a word of the submitted name has letters of two scripts that look alike. */
  hasMixedScripts?: boolean;
  /** Number of identities with exactly the submitted name. */
  nameHolders: number;
  /** Pairs of identities with the name whose birth dates show that they are two people. */
  differentPeople?: readonly (readonly number[])[];
  /** Time of the graph's newest record, in milliseconds since 1970; null if no record has a date. */
  newestSeen: number | null;
  /** Agreement of the name with each identity, by identity number. */
  nameAgreements: Map<number, NameAgreement>;
  identities: Map<number, Identity>;
  contacts: ContactEvidence[];
  /**
   * Evidence without those addresses of the person that only make a phone of other people readable; missing if there are none. The score is
   * not lower than the score of this evidence.
   */
  withoutPhoneAddresses?: Evidence;
}

export type MatchStatus = 'primary' | 'secondary' | 'different' | 'unverified';
export type Band = 'HIGH' | 'MEDIUM' | 'LOW' | 'VERY_LOW';
/** Verdict words: the band of the score, except where no contact has a record (`no-record`) or none was sent (`name-only`). */
export const VERDICT_WORDS = [
  'verified',
  'likely-real',
  'suspicious',
  'high-risk',
  'no-record',
  'name-only',
] as const;
export type VerdictWord = (typeof VERDICT_WORDS)[number];

const BAND_VERDICTS = {
  HIGH: 'verified',
  MEDIUM: 'likely-real',
  LOW: 'suspicious',
  VERY_LOW: 'high-risk',
} as const satisfies Record<Band, VerdictWord>;

/**
 * Returns the verdict word of a check: `contacts` is the number of submitted contacts, `unknown` the number
 * of contacts without a record. The band is not used if no contact is on record, because the score then has
 * no evidence about the person.
 */
export function toVerdictWord(check: { band: Band; contacts: number; unknown: number }): VerdictWord {
  if (check.contacts === 0) return 'name-only';
  return check.unknown === check.contacts ? 'no-record' : BAND_VERDICTS[check.band];
}

/** Returns a verdict word as texts show it: `NO RECORD`. */
export const displayVerdict = (word: VerdictWord): string => word.replace('-', ' ').toUpperCase();
export type Confidence = 'HIGH' | 'MEDIUM' | 'LOW';

/** Match status of one submitted value, and the identity that the value resolves to; null if the status is `unverified`. */
export interface Resolution {
  status: MatchStatus;
  identity: number | null;
}
export type NameVerdict = Resolution & { input: string; standardized: string };
/** A submitted e-mail or phone with its result. `standardized` is null for a phone whose digits are no number of any country. */
export type TextVerdict = Omit<TextContact, 'standardized'> & { standardized: string | null } & Resolution;
export type AddressVerdict = AddressContact & Resolution;
export type ContactVerdict = TextVerdict | AddressVerdict;

/** The part of a verdict that follows from the evidence as a whole. */
export interface Score {
  /** Integer, 0-100. */
  value: number;
  band: Band;
  verdict: VerdictWord;
  confidence: Confidence;
  isPossibleCatfish: boolean;
  summary: string;
  message: string;
  insights: string[];
  /** The identity to which most values belong; null if no value is on record. */
  dominantIdentity: number | null;
  /** The name on record that the submitted name matched; only for name matching, never in the base response. Null without a match. */
  matchedName: string | null;
  /** Confidence, 0-100, that the names are one person's; null without a match. */
  nameConfidence: number | null;
  /** Kind of difference that explains most of the difference between the names; null without a match. */
  nameVariation: string | null;
  /** True if the dominant identity has the submitted name, or if its records have no name. */
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
  /** Number of identities to which the contacts resolved. */
  identityCount: number;
  /** Number of contacts of the identity with the name, also if another identity has them too. */
  nameHolderContacts: number;
  /** Number of e-mails and phones that one other identity has for itself alone. */
  exclusiveOtherContacts: number;
  /** Signs that submitted values are disguised, each once. */
  disguises: Disguise[];
  /** Number of contacts that resolved to an identity without a name on record. */
  namelessContacts: number;
  /** Version of the scoring model. */
  scoringModel: number;
}

/** A rising map from the score before the bounds to the score that it should be, both in points of 100, fitted to known cases. */
export interface Calibration {
  name: string;
  /** Version of the scoring model for which the map was fitted. */
  scoringModel: number;
  /** Corners of the map, rising in both columns. The map is level outside its corners. */
  knots: readonly (readonly [from: number, to: number])[];
}

/** Weighed piece of evidence, in the form of `operation: raw`. */
export interface WeighedEvidence {
  /** Reason code; data/docs/reasons.md explains each. */
  code: string;
  field: ClaimField | null;
  /** Index of the value among the values of its field; null if the reason has no value. */
  index: number | null;
  /** Key that found the value. */
  key: Agreement['type'] | null;
  /** Weight in bits. */
  weight: number;
  /** Score of the same check without the value; null if the reason has no value. */
  score_without: number | null;
}

/** Answer of a check, independent of the response version. */
export interface Verdict {
  name: NameVerdict;
  /** Verdicts of the claim's contacts, in the same order. */
  contacts: ContactVerdict[];
  score: Score;
  /** Codes of the reasons of the score, each once; data/docs/reasons.md explains them. */
  reasonCodes: readonly string[];
  /** Answer of the graph engine and the weighed evidence; only for operation `raw`. */
  raw?: { graph: unknown; explanation: WeighedEvidence[] };
}

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;
