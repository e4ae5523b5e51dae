// Domain types of Bonafide. This file imports nothing, and only declares types and one list.

/** Kind of a contact. A name is not a contact. */
export type ContactKind = 'email' | 'phone' | 'address';
export type ClaimField = 'name' | ContactKind;

/** All intents: reasons for a check that the caller can name in the request. */
export const INTENTS = [
  'online-dating',
  'buying-or-selling',
  'sending-money',
  'suspected-scam',
  'reconnecting',
  'general',
] as const;
/** Caller's reason for a check. It changes only the tone of AI texts. */
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
  /** ISO country code for submitted phones and addresses without a country. */
  region: string;
  intent: Intent;
  operation: 'validate' | 'raw';
  include: { trust_enhancement: boolean; fraud_detection: boolean; name_matching: boolean };
}

/**
 * Normalised spelling of a value, under which the graph finds its records. The first key of a value is exact. Later keys find more, such as an
 * address without its unit.
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
 * Data for finding records that have this value with a typing error. `text` of a record may differ in letters; `exactPart` (such as the house number)
 * must be equal.
 */
export interface TypoSearchData {
  kind: 'email' | 'address';
  exactPart: string;
  text: string;
  /** Other spellings of `text` that a record may have, such as abbreviated street types. Only in queries. */
  spellings?: readonly string[];
  /** Spellings of the street without its direction and with other directions (`N`, `SW`); null if there are none. Only in queries. */
  directions?: OtherDirectionStreetSpellings | null;
}

/** Spellings of a street without a direction (`512 main st`), and with each other direction (`512 n main st`). */
export interface OtherDirectionStreetSpellings {
  without: readonly string[];
  others: readonly string[];
}

interface ContactShape<K extends ContactKind, I, S> {
  kind: K;
  /** Value as submitted, or as in an imported record. */
  input: I;
  /** Normalised value, as shown in answers. */
  standardized: S;
  /** Look-up keys, the exact key first. A value without keys cannot be found. */
  keys: LookupKey[];
  /** Data for finding records that have this value with a typing error; null if such records are not searched for. */
  signature: TypoSearchData | null;
}
/** E-mail or phone. `hasExtension` is true for a phone that was submitted with an extension. */
export type EmailOrPhoneContact = ContactShape<'email' | 'phone', string, string> & {
  hasExtension?: boolean;
};
export type PostalAddressContact = ContactShape<'address', Address, StandardAddress>;

/** Normalised contact of a check or a record. */
export type Contact = EmailOrPhoneContact | PostalAddressContact;

/**
 * Contact as submitted. For `other_phone`, `input` is the E.164 number of a phone without country code, read as a number of the country of a
 * submitted address.
 */
export type RawContact =
  | Pick<EmailOrPhoneContact, 'kind' | 'input'>
  | Pick<PostalAddressContact, 'kind' | 'input'>
  | { kind: 'other_phone'; input: string };

/** One person of the graph. Times are milliseconds since 1970; null if no record has a date. */
export interface Identity {
  /** Identity number, positive and stable across imports. */
  id: number;
  /** Names in the spelling of the records, the primary name first. */
  names: string[];
  /** First and last date of the identity's records. If a record has no last date, `lastSeen` is null: the identity counts as current. */
  firstSeen: number | null;
  lastSeen: number | null;
  /** Number of the identity's records. */
  records: number;
  /** Number of sources of the identity's records. */
  sources: number;
}

/** Match of the submitted name with the names of one identity. */
export interface NameMatch {
  /** True if the submitted name and a name of the identity may belong to one person. */
  isSame: boolean;
  /** True if `closestName` is the primary name of the identity. */
  isPrimary: boolean;
  /** Agreement of the names from 0 (different) to 100 (equal). At 50 or more, the names count as the same. */
  agreement: number;
  /** Kind of the main difference between the names; see `NameDifferenceType`. */
  variation: string;
  /** True if only a title (Dr.) distinguishes the two names. */
  differsOnlyByTitle?: boolean;
  /** Value of `variation` for a doubtful name that contacts confirm; `typo` if missing. */
  difference?: string;
  /** The identity's name that agrees most with the submitted name; null if no name was compared. */
  closestName: string | null;
  /** Half of the name (given or family) that is equal in both names, if only one half is; otherwise null. */
  sharedHalf: 'given' | 'family' | null;
  /** True if only the given name is equal, and it is a common name of men, who seldom change their family name. */
  hasMansName?: boolean;
  /**
   * Set if the names count as the same only because contacts of the identity support it: the half of the name that is equal, or null if neither half
   * is.
   */
  supportedHalf?: 'given' | 'family' | null;
  /**
   * True if both given names may be one person's: an English and a Chinese or Korean one, or a first and a middle name. Set only if another identity
   * has the submitted name.
   */
  mayBeSecondName?: boolean;
  /**
   * True if the given names are two forms of one name: Liz, Elizabeth. If another identity has the whole submitted name, the similar given name then
   * counts for nothing.
   */
  isOtherForm?: boolean;
  /** Set if the submitted name is only a part of `closestName`: initials, or one word (`common_word` if many people have this word). */
  part?: 'initials' | 'word' | 'common_word';
  /**
   * True if the given or the family name is equal, and a submitted e-mail spells the other half. Only this identity, or a person at its address, has
   * the e-mail.
   */
  isSpeltByEmail?: boolean;
  /** True if the identity has the family name of another recorded name of the person: Dwayne Reed, for Ada Vance who is also on record as Ada Reed. */
  isOfOtherFamilyName?: boolean;
  /** True if only the family name is equal, and a submitted e-mail of the identity contains the given name on record. */
  isGivenNameInEmail?: boolean;
  /** True if the identity has no name on record. Then the submitted name is no evidence for or against it. */
  isNameless: boolean;
  /** True if a patronymic shows that the two names are those of a parent and a child: Petr Ivanovich; Hana Abebe Bekele, Abebe Bekele Tessema. */
  isParentOrChild?: boolean;
  /** True if the given names differ, but the double family names share one word: Ana Ruiz Soto, Eva Leal Ruiz. */
  hasFamilyWord?: boolean;
  /** Rarity (0 to 1) of the family name, if both names share it. Two people with one rare family name are probably relatives. */
  kinship?: number;
  /** Generation (1 for Sr, 2 for Jr, 3 for III) of the suffix on record; missing or 0 without a suffix. */
  generation?: number;
  /** True if the suffixes (Sr, Jr) show that the identity is another person of the family, such as a parent or child. */
  isOtherGeneration?: boolean;
  /** True if the name on record is a company's name. */
  isCompany?: boolean;
  /**
   * True if each of the two names has a word that the other name lacks (John Robert Smith, John Michael Smith). Even equal contacts then do
   * not make the names the same.
   */
  hasDifferentWords?: boolean;
  /**
   * True if another recorded name of the identity has a word that contradicts the submitted name: James Wilson and James T. Wilson are on record,
   * James R. Wilson was submitted. The other fields then describe the longer name (James T. Wilson).
   */
  hasOtherWord?: boolean;
  /** True if the names count as the same, but relatives may have the given names, which are forms of one name: Sean, Ian. */
  mayBeRelative?: boolean;
  /** The name, submitted or on record, that has a word without a counterpart. Set only for names that differ in part. */
  longer?: 'submitted' | 'record' | 'both';
  /** True if the submitted name has an initial in place of a word of the recorded name: M. Whitcombe. */
  hasInitial?: boolean;
  /** True if the record has only an initial in place of the submitted given name, so that no record confirms the given name. */
  isInitialOnRecord?: boolean;
}

/** Match of one submitted contact with one identity. Times are milliseconds since 1970; null if no record has a date. */
export interface ContactMatch {
  identity: number;
  /** Type of the look-up key that found the contact in the graph; `typo` if only a misspelling of it is on record. */
  type: LookupKeyType | 'typo';
  /** True if the contact is the identity's main value: the e-mail, phone or address that most of its records have. */
  primary: boolean;
  /** Number of identities that have this look-up key. */
  share: number;
  /** First and last date of the identity's records. */
  firstSeen: number | null;
  lastSeen: number | null;
  /**
   * Time at which the identity was last seen with this contact, if it is earlier than `lastSeen`. Null if a record with the contact has no last date, so
   * that the contact may be current.
   */
  contactLastSeen?: number | null;
}

/** Returns when an identity was last seen with a contact; null if unknown. */
export const getContactLastSeen = ({ contactLastSeen, lastSeen }: ContactMatch): number | null =>
  contactLastSeen === undefined ? lastSeen : contactLastSeen;

/** Matches of one submitted contact with identities of the graph. The contact is not on record if there are none. */
export interface ContactEvidence {
  kind: ContactKind;
  agreements: ContactMatch[];
  /** True if the claim has the same contact twice (a phone with and without country code) and this one is not counted. */
  isRepeat: boolean;
  /** True for an e-mail that is not on record, if an identity with the submitted name has an almost equal e-mail. */
  hasLookAlike: boolean;
  /** True for a mailbox of a role, such as info@, that several identities have. */
  isSharedRoleMailbox?: boolean;
  /** Sign that the contact imitates another one or cannot exist; null or missing without such a sign. */
  disguise?: DisguisedValueSign | null;
  /** E.164 number of a phone that is on record as a number of a submitted address's country; null for all other contacts. */
  standardized: string | null;
  /** True for a phone that was submitted with an extension. */
  hasExtension: boolean;
}

/** Type of a name that is not one person's name: company, couple, family, or a relative ("mother of …"). */
export type NonPersonNameType = 'company' | 'couple' | 'family' | 'relation';

/**
 * Sign that a contact imitates another one or cannot exist: an e-mail similar to one on record for this name, look-alike letters, a misspelt domain
 * of a large provider, or digits that are no phone number.
 */
export type DisguisedValueSign =
  | 'similar_email'
  | 'look_alike_letters'
  | 'similar_provider'
  | 'impossible_number';

/** All evidence of one check. Its score is computed from nothing else. */
export interface CheckEvidence {
  /** Number of identities in the graph. */
  graphSize: number;
  /** Type of a submitted name that is not one person's name; null for a person's name. */
  nonPerson?: NonPersonNameType | null;
  /** True if a word of the submitted name mixes letters of two scripts that look alike. */
  hasMixedScripts?: boolean;
  /** Number of identities with exactly the submitted name. */
  nameHolders: number;
  /** Pairs of identities that have the submitted name but different birth dates, so that they are different people. */
  differentPeople?: readonly (readonly number[])[];
  /** Pairs of identities with the same address on record: one has the submitted name, the other one has a submitted contact. */
  housemates?: readonly (readonly number[])[];
  /** Time of the graph's newest record (ms since 1970); null if no record has a date. */
  newestSeen: number | null;
  /** Match of the submitted name with each identity, by identity number. */
  nameAgreements: Map<number, NameMatch>;
  identities: Map<number, Identity>;
  contacts: ContactEvidence[];
  /**
   * The same evidence without addresses of the person in a country where a submitted phone belongs to other people. Missing if there are no such
   * addresses. They must not lower the score: if the score without them is higher, it is used, up to `CONFLICT_SCORE_UPPER_BOUND`.
   */
  withoutPhoneAddresses?: CheckEvidence;
}

/**
 * Part of a name that two names share, if the submitted name agrees with a recorded one only in part: `given` or `family`; `patronymic` of a parent or
 * child; `suffix`, all but the suffix (Jr); `part`, all of the shorter name; `words`, all but one word of each; `both`, a similar given and family name;
 * `nameless` if the record has no name.
 */
export type SharedNamePart =
  | 'given'
  | 'family'
  | 'patronymic'
  | 'suffix'
  | 'part'
  | 'words'
  | 'both'
  | 'nameless';

export type MatchStatus = 'primary' | 'secondary' | 'different' | 'unverified';
export type ScoreBand = 'HIGH' | 'MEDIUM' | 'LOW' | 'VERY_LOW';
/** Verdicts in words: one for each band of the score, `no-record` if no contact is on record, and `name-only` if no contact was sent. */
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
 * Returns the verdict of a check in words. `contacts` is the number of submitted contacts, `unknown` the number of those that are not on record. The
 * band of the score is used only if at least one contact is on record.
 */
export function toVerdictWord(check: { band: ScoreBand; contacts: number; unknown: number }): VerdictWord {
  if (check.contacts === 0) return 'name-only';
  return check.unknown === check.contacts ? 'no-record' : BAND_VERDICTS[check.band];
}

/** Formats a verdict for texts: `no-record` becomes `NO RECORD`. */
export const formatVerdictWord = (word: VerdictWord): string => word.replace('-', ' ').toUpperCase();
export type Confidence = 'HIGH' | 'MEDIUM' | 'LOW';

/** Match status of one submitted value, and the number of the identity that has the value; null if the status is `unverified`. */
export interface MatchResult {
  status: MatchStatus;
  identity: number | null;
}
export type NameMatchResult = MatchResult & { input: string; standardized: string };
/** Submitted e-mail or phone with its match status. `standardized` is null for a phone that is not a valid number of any country. */
export type EmailOrPhoneMatchResult = Omit<EmailOrPhoneContact, 'standardized'> & {
  standardized: string | null;
} & MatchResult;
export type AddressMatchResult = PostalAddressContact & MatchResult;
export type ContactMatchResult = EmailOrPhoneMatchResult | AddressMatchResult;

/** Score of a check, with all texts and numbers that are derived from the evidence. */
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
  /** Number of the identity that has most of the submitted values; null if no value is on record. */
  dominantIdentity: number | null;
  /** Name on record that matches the submitted name; null without a match. Answers without AI features never contain it. */
  matchedName: string | null;
  /** Confidence (0 to 100) that the submitted name and `matchedName` belong to one person; null without a match. */
  nameConfidence: number | null;
  /** Kind of the main difference between the submitted name and `matchedName`; null without a match. */
  nameVariation: string | null;
  /** True if the dominant identity has the submitted name, or has no name on record. */
  dominantHasName: boolean;
  /** Type of the submitted name if it is not the name of one person; otherwise null. */
  nonPerson: NonPersonNameType | null;
  /**
   * Part of the submitted name that the scored identity, or somebody at a submitted address, has. Null if the scored identity has the whole name, or
   * nobody has a part.
   */
  sharedNamePart: SharedNamePart | null;
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
  history: {
    firstSeen: number | null;
    lastSeen: number | null;
    /** Latest time at which the dominant identity was seen with one of the contacts; equal to `lastSeen` if unknown. */
    contactsLastSeen: number | null;
  };
  /** Number of different identities to which the submitted contacts were assigned. Each contact is assigned to at most one. */
  identityCount: number;
  /** True if an identity without the submitted name has all contacts on record, also those of the identity with the name. */
  otherHasAllContacts: boolean;
  /** Number of submitted contacts of the identity with the submitted name, including contacts that other identities share. */
  nameHolderContacts: number;
  /** Number of submitted e-mails and phones that only one identity has, if this identity has a name and is not the one taken for the person. */
  exclusiveOtherContacts: number;
  /** Number of submitted contacts of another person who has the same name but another suffix (Jr) or birth date. */
  namesakeContacts: number;
  /** Number of the person's submitted contacts with which the person was last seen years ago, though newer records exist. */
  oldContacts: number;
  /** Number of the person's submitted phones with which somebody else was seen years after the person. */
  passedOnPhones: number;
  /** True if a reason subtracts bits from the score. */
  hasNegativeReason: boolean;
  /** Signs that submitted values imitate others or cannot exist, without duplicates. */
  disguises: DisguisedValueSign[];
  /** Number of submitted contacts that the person does not have, but another identity of the same name, which may be the same person. */
  sameNameContacts: number;
  /** Number of submitted contacts that the person does not have, but a possible relative, or somebody with the same home. */
  householdContacts: number;
  /** Number of submitted contacts that belong to an identity without a name. */
  namelessContacts: number;
  /** Upper bounds that keep the score below the next band, the lowest bound first. Empty in the highest band, and if no bound does. */
  limits: readonly ScoreLimitName[];
  /** Version of the scoring model. */
  scoringModel: number;
}

/**
 * Names of the upper bounds that can limit a score. Each name says what lifts the bound: `person`, the name of one person; `name`, the full name or a
 * former name; `middle_name`, the right one of two middle names or initials; `own_contact`, a contact that is on record with the name;
 * `unshared_contact`, an e-mail or phone that only this person has; `other_kind`, a contact of another kind; `foreign_contact`, an explanation of the
 * contact that is on record for somebody else.
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

/** Map from a computed score (before bounds are applied) to the score that an operator's known cases justify. Both are 0 to 100. */
export interface Calibration {
  name: string;
  /** Version of the scoring model for which this calibration was fitted. */
  scoringModel: number;
  /** Points of the map, rising in both values. Below the first and above the last point, the result is constant. */
  knots: readonly (readonly [from: number, to: number])[];
}

/** One piece of evidence and its weight, as in the answer to `operation: raw`. */
export interface WeighedEvidence {
  /** Reason code; see data/docs/reasons.md. */
  code: string;
  field: ClaimField | null;
  /** Index of the value among the submitted values of `field`; null if the evidence is not about one value. */
  index: number | null;
  /** Type of the look-up key that found the value in the graph; null if none did. */
  key: ContactMatch['type'] | null;
  /** Weight in bits: positive for the person of the name, negative against. */
  weight: number;
  /** Score that the check would have without the value; null if the evidence is not about one value. */
  score_without: number | null;
}

/** Result of a check, before it is written in the format of a response version. */
export interface Verdict {
  name: NameMatchResult;
  /** Results of the claim's contacts, in the order of the claim. */
  contacts: ContactMatchResult[];
  score: Score;
  /** Codes of the score's reasons, without duplicates; see data/docs/reasons.md. */
  reasonCodes: readonly string[];
  /** Answer of the graph, and the weighed evidence. Only for `operation: raw`. */
  raw?: { graph: unknown; explanation: WeighedEvidence[] };
}

export type Awaitable<T> = T | Promise<T>;
