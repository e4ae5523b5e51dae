// Domain types of Bonafide. This file imports nothing, and only declares types and one list.

/** Kind of a contact. A name is not a contact. */
export type ContactKind = 'email' | 'phone' | 'address';
export type ClaimField = 'name' | ContactKind;

/** All intents (reasons of a check). */
export const INTENTS = [
  'online-dating',
  'buying-or-selling',
  'sending-money',
  'suspected-scam',
  'reconnecting',
  'general',
] as const;
/** Reason of the caller for a check. It changes only the tone of AI texts. */
export type Intent = (typeof INTENTS)[number];

/** Parts of a postal address. Missing parts are empty texts. */
export interface Address {
  street: string;
  street2: string;
  city: string;
  state: string;
  zip: string;
  country: string;
}

/** Standardised address: upper case, ISO country code, `plus4` separate from a US zip code. */
export interface StandardAddress extends Address {
  plus4: string;
}

export type CheckEndpoint = 'validate' | 'validate_ai' | 'enhanced';

export type ResponseVersion = 'v1' | 'v2';

/** Parsed request of a check: trimmed texts without duplicates, contacts normalised. */
export interface Claim {
  name: string;
  /** E-mails, then phones, then addresses, each in request order. */
  contacts: Contact[];
  /** ISO country code for phones and addresses that have no country. */
  region: string;
  intent: Intent;
  operation: 'validate' | 'raw';
  include: { trust_enhancement: boolean; fraud_detection: boolean; name_matching: boolean };
}

/**
 * Normalised spelling of a value, by which the graph finds it. The first key of a value is exact; later keys are looser, such as an address
 * without its unit.
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

/**
 * Data for finding records in which this value has a typing error: `text` may differ, `exactPart` (such as the house number) must be equal.
 */
export interface TypoSearchData {
  kind: 'email' | 'address';
  exactPart: string;
  text: string;
  /** Other spellings of `text` that a record may have, such as abbreviated street types. Used only in queries. */
  spellings?: readonly string[];
  /** Spellings of the street with other directions (`N`, `SW`) or without; null if there are none. Used only in queries. */
  directions?: OtherDirectionStreetSpellings | null;
}

/** Spellings of a street without a direction (`512 main st`), and with each other direction (`512 n main st`). */
export interface OtherDirectionStreetSpellings {
  without: readonly string[];
  others: readonly string[];
}

interface ContactShape<K extends ContactKind, I, S> {
  kind: K;
  /** Value as submitted, or as in the record. */
  input: I;
  /** Value as displayed. */
  standardized: S;
  /** Look-up keys, the exact key first. A value without keys cannot be found. */
  keys: LookupKey[];
  /** Data for finding records in which this value has a typing error; null if only equal keys are looked up. */
  signature: TypoSearchData | null;
}
/** E-mail or phone. `hasExtension` is true for a phone that was submitted with an extension. */
export type EmailOrPhoneContact = ContactShape<'email' | 'phone', string, string> & {
  hasExtension?: boolean;
};
export type PostalAddressContact = ContactShape<'address', Address, StandardAddress>;

/** Normalised contact of a check or a record. */
export type Contact = EmailOrPhoneContact | PostalAddressContact;

/** Contact as submitted. `other_phone` is the E.164 number of a phone without country code in the country of a submitted address. */
export type RawContact =
  | Pick<EmailOrPhoneContact, 'kind' | 'input'>
  | Pick<PostalAddressContact, 'kind' | 'input'>
  | { kind: 'other_phone'; input: string };

/** Data about one identity in the graph. Times are milliseconds since 1970; null if no record has a date. */
export interface Identity {
  /** Identity number, positive and stable across imports. */
  id: number;
  /** Names in the spelling of the records, the primary name first. */
  names: string[];
  firstSeen: number | null;
  lastSeen: number | null;
  /** Number of the identity's records. */
  records: number;
  /** Number of sources of the identity's records. */
  sources: number;
}

/** Match of the submitted name with the names of one identity. */
export interface NameMatch {
  /** True if the submitted name and a name of the identity can be the same person's. */
  isSame: boolean;
  /** True if the name of the identity that is most similar is its primary name. */
  isPrimary: boolean;
  /** Agreement of the names from 0 (different) to 100 (equal). At 50 or more, the names count as the same. */
  agreement: number;
  /** Kind of the main difference between the names; see `NameDifferenceType`. */
  variation: string;
  /** The `variation` of doubtful names if contacts show that they are the same; `typo` if missing. */
  difference?: string;
  /** Name of the identity that agrees best; null if no name was compared. */
  closestName: string | null;
  /** Part of the name (given or family) that is equal, if only one is; otherwise null. */
  sharedHalf: 'given' | 'family' | null;
  /**
   * Set if only contacts of the identity make the names the same: the half of the name that is equal, or null if neither is equal.
   */
  supportedHalf?: 'given' | 'family' | null;
  /**
   * True if the person may have the submitted given name beside the recorded one: an English name and a Chinese or Korean one, or a middle name.
   * Only set beside somebody else with the submitted name.
   */
  mayBeSecondName?: boolean;
  /** True if the shared half has another form: Liz, Elizabeth. Beside somebody with the whole name, it then shows nothing. */
  isOtherForm?: boolean;
  /** Set if the submitted name is only a part of the closest name: initials, or one word (`common_word` if many people have this word). */
  part?: 'initials' | 'word' | 'common_word';
  /**
   * True if the given or the family name is equal, and an e-mail spells the other one. The e-mail belongs only to this identity, or to a
   * person at its address.
   */
  isSpeltByEmail?: boolean;
  /** True if the identity has no name on record, so that the name is no evidence. */
  isNameless: boolean;
  /** True if a patronymic shows that the two names are those of a parent and a child: Petr Ivanovich; Hana Abebe Bekele, Abebe Bekele Tessema. */
  isParentOrChild?: boolean;
  /** True if the given names differ and one word of a double family name is equal: Ana Ruiz Soto, Eva Leal Ruiz. */
  hasFamilyWord?: boolean;
  /** Rarity (0 to 1) of the family name, if both names have it. Two people with a rare family name are probably relatives. */
  kinship?: number;
  /** Generation (1 for Sr, 2 for Jr, 3 for III) in the name on record; missing or 0 without a suffix. */
  generation?: number;
  /** True if the suffixes show that the identity is another generation of the family (parent, child or namesake). */
  isOtherGeneration?: boolean;
  /** True if the name on record is a company's name. */
  isCompany?: boolean;
  /**
   * True if each of the two names has a word that the other name lacks (John Robert Smith, John Michael Smith). Even equal contacts then do
   * not make the names the same.
   */
  hasDifferentWords?: boolean;
  /**
   * True if a short recorded form agrees, but a longer one has a word in place of which the submitted name has another one: James R. Wilson
   * beside James Wilson and James T. Wilson. The match is that of the longer form.
   */
  hasOtherWord?: boolean;
  /** True if the names are the same, but the given names are forms of one name that relatives may have: Sean, Ian. */
  mayBeRelative?: boolean;
  /** True if the record has an initial where the submitted name has a given name, so that no record confirms the given name. */
  isInitialOnRecord?: boolean;
}

/** Match of one submitted contact with one identity. Times are milliseconds since 1970; null if no record has a date. */
export interface ContactMatch {
  identity: number;
  /** Type of the look-up key that found the contact, or `typo`. */
  type: LookupKeyType | 'typo';
  /** True if the contact is the identity's primary one of its kind. */
  primary: boolean;
  /** Number of identities that have this look-up key. */
  share: number;
  firstSeen: number | null;
  lastSeen: number | null;
}

/** Matches of one submitted contact with the graph's records. Without matches, the contact is not on record. */
export interface ContactEvidence {
  kind: ContactKind;
  agreements: ContactMatch[];
  /** True if the contact repeats another one (a phone with and without country code), and does not count again. */
  isRepeat: boolean;
  /** True for an e-mail that is not on record, if a person with this name has an almost equal e-mail. */
  hasLookAlike: boolean;
  /** True for a mailbox such as info@ that several identities have. */
  isSharedRoleMailbox?: boolean;
  /** Sign that the contact is disguised; null or missing without such a sign. */
  disguise?: DisguisedValueSign | null;
  /** E.164 number of a phone that was found in the country of a submitted address; null for other contacts. */
  standardized: string | null;
  /** True for a phone that was submitted with an extension. */
  hasExtension: boolean;
}

/** Type of a name that is not one person's name: company, couple, family, or a relative ("mother of …"). */
export type NonPersonNameType = 'company' | 'couple' | 'family' | 'relation';

/**
 * Sign that a value imitates another value or cannot exist: an e-mail similar to one on record for this name, look-alike letters, a misspelt
 * domain of a large provider, or digits that are no phone number.
 */
export type DisguisedValueSign =
  | 'similar_email'
  | 'look_alike_letters'
  | 'similar_provider'
  | 'impossible_number';

/** All evidence of one check, from which its score is computed. */
export interface CheckEvidence {
  /** Number of identities in the graph. */
  graphSize: number;
  /** Type of a submitted name that is not one person's name; null for a person's name. */
  nonPerson?: NonPersonNameType | null;
  /** True if a word of the submitted name mixes look-alike letters of two scripts. */
  hasMixedScripts?: boolean;
  /** Number of identities with exactly the submitted name. */
  nameHolders: number;
  /** Pairs of identities with the submitted name that are different people by their birth dates. */
  differentPeople?: readonly (readonly number[])[];
  /** Pairs of an identity with the submitted name and one with a submitted contact that have one address on record. */
  housemates?: readonly (readonly number[])[];
  /** Time of the graph's newest record (ms since 1970); null if no record has a date. */
  newestSeen: number | null;
  /** Match of the submitted name with each identity, by identity number. */
  nameAgreements: Map<number, NameMatch>;
  identities: Map<number, Identity>;
  contacts: ContactEvidence[];
  /**
   * Evidence without the person's own addresses in whose country a submitted phone belongs to other people; missing if there are none. The
   * score is at least that of this evidence (up to `CONFLICT_SCORE_UPPER_BOUND`), so that such an address does not lower it.
   */
  withoutPhoneAddresses?: CheckEvidence;
}

export type MatchStatus = 'primary' | 'secondary' | 'different' | 'unverified';
export type ScoreBand = 'HIGH' | 'MEDIUM' | 'LOW' | 'VERY_LOW';
/** Verdict words: bands of the score, `no-record` if no contact is on record, and `name-only` if no contact was sent. */
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
} as const satisfies Record<ScoreBand, VerdictWord>;

/**
 * Returns the verdict word of a check. `contacts` is the number of submitted contacts, `unknown` the number of those without a record. The
 * score's band counts only if a contact is on record.
 */
export function toVerdictWord(check: { band: ScoreBand; contacts: number; unknown: number }): VerdictWord {
  if (check.contacts === 0) return 'name-only';
  return check.unknown === check.contacts ? 'no-record' : BAND_VERDICTS[check.band];
}

/** Formats a verdict word for texts, such as `NO RECORD`. */
export const formatVerdictWord = (word: VerdictWord): string => word.replace('-', ' ').toUpperCase();
export type Confidence = 'HIGH' | 'MEDIUM' | 'LOW';

/** Match status of one submitted value, and the identity that it belongs to; null if the status is `unverified`. */
export interface MatchResult {
  status: MatchStatus;
  identity: number | null;
}
export type NameMatchResult = MatchResult & { input: string; standardized: string };
/** Submitted e-mail or phone with its result. `standardized` is null for a phone that is not a number of any country. */
export type EmailOrPhoneMatchResult = Omit<EmailOrPhoneContact, 'standardized'> & {
  standardized: string | null;
} & MatchResult;
export type AddressMatchResult = PostalAddressContact & MatchResult;
export type ContactMatchResult = EmailOrPhoneMatchResult | AddressMatchResult;

/** Result of the evidence as a whole. */
export interface Score {
  /** Score, a whole number from 0 to 100. */
  value: number;
  band: ScoreBand;
  verdict: VerdictWord;
  confidence: Confidence;
  isPossibleCatfish: boolean;
  summary: string;
  message: string;
  insights: string[];
  /** Number of the identity that has most of the values; null if no value is on record. */
  dominantIdentity: number | null;
  /** Name on record that the submitted name matched; null without a match. It is never in the base response. */
  matchedName: string | null;
  /** Confidence (0 to 100) that both names are one person's; null without a match. */
  nameConfidence: number | null;
  /** Kind of the main difference between the names; null without a match. */
  nameVariation: string | null;
  /** True if the dominant identity has the submitted name, or has no name on record. */
  dominantHasName: boolean;
  /** Kind of the submitted name if it is not the name of one person; otherwise null. */
  nonPerson: NonPersonNameType | null;
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
  /** Number of identities that have the contacts. */
  identityCount: number;
  /** Number of contacts of the identity with the submitted name, including contacts shared with other identities. */
  nameHolderContacts: number;
  /** Number of e-mails and phones that belong to a single identity, which has no part of the submitted name or is not the one with the name. */
  exclusiveOtherContacts: number;
  /** Number of contacts of another person of the same name, whom a suffix or birth date distinguishes. */
  namesakeContacts: number;
  /** Signs that submitted values are disguised, without duplicates. */
  disguises: DisguisedValueSign[];
  /** Number of contacts that belong to an identity without a name. */
  namelessContacts: number;
  /** Upper bounds that keep the score below the next band, the lowest bound first. Empty in the highest band, and if there is no such bound. */
  limits: readonly ScoreLimitName[];
  /** Version of the scoring model. */
  scoringModel: number;
}

/**
 * Upper bounds of the score. Each has the name of what removes it: `person`, the name of one person; `name`, the full name or a former name;
 * `middle_name`, the right one of two middle names or initials; `own_contact`, a contact that is on record with the name; `unshared_contact`, an
 * e-mail or phone that only this person has; `other_kind`, a contact of another kind; `foreign_contact`, an explanation of the contact that is on
 * record for somebody else.
 */
export const SCORE_LIMIT_NAMES = [
  'person',
  'name',
  'middle_name',
  'own_contact',
  'unshared_contact',
  'other_kind',
  'foreign_contact',
] as const;
export type ScoreLimitName = (typeof SCORE_LIMIT_NAMES)[number];

/** Map from the computed score (before its bounds) to the score that known cases justify. Both are 0 to 100. */
export interface Calibration {
  name: string;
  /** Version of the scoring model for which this calibration was fitted. */
  scoringModel: number;
  /** Points of the map, rising in both values. Below the first and above the last point, the result is constant. */
  knots: readonly (readonly [from: number, to: number])[];
}

/** Piece of evidence with its weight, as in the answer to `operation: raw`. */
export interface WeighedEvidence {
  /** Reason code; see data/docs/reasons.md. */
  code: string;
  field: ClaimField | null;
  /** Index of the value among the values of its field; null if the evidence is not about one value. */
  index: number | null;
  /** Type of the look-up key that found the value. */
  key: ContactMatch['type'] | null;
  /** Weight in bits; negative against the person. */
  weight: number;
  /** Score of the same check without the value; null if the evidence is not about one value. */
  score_without: number | null;
}

/** Result of a check, independent of the response version. */
export interface Verdict {
  name: NameMatchResult;
  /** Results of the claim's contacts, in the same order. */
  contacts: ContactMatchResult[];
  score: Score;
  /** Codes of the score's reasons, without duplicates; see data/docs/reasons.md. */
  reasonCodes: readonly string[];
  /** Answer of the graph, and the weighed evidence. Only for `operation: raw`. */
  raw?: { graph: unknown; explanation: WeighedEvidence[] };
}

export type Awaitable<T> = T | Promise<T>;
