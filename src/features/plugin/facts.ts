// Facts of a call that features may receive. Submitted values are never among the facts, except the two names, which only name matching may
// declare.
import type {
  ScoreBand,
  Confidence,
  DisguisedValueSign,
  Intent,
  MatchStatus,
  NonPersonNameType,
  ScoreLimitName,
  SharedNamePart,
} from '../../model.ts';

/** Name of the part of `ai_insights` that a feature creates. A `trust_enhancement` feature creates `overview` as well. */
export type AiInsightsPartName = 'trust_enhancement' | 'fraud_detection' | 'name_matching';

/** Names of the parts of the response field `ai_insights` that a feature can create. */
export const AI_INSIGHTS_PART_NAMES = [
  'trust_enhancement',
  'fraud_detection',
  'name_matching',
] as const satisfies readonly AiInsightsPartName[];

/** Number of submitted values of one kind, by result: `submitted` = `matched` + `different` + `unverified`. */
export interface FieldFacts {
  submitted: number;
  /** Number of values that belong to the dominant identity: `primary` + `secondary`. */
  matched: number;
  primary: number;
  secondary: number;
  /** Number of values on record for a different identity. */
  different: number;
  /** Number of submitted values without a record. They are no evidence against the person. */
  unverified: number;
}

/** Main explanations of the difference between the submitted and the matched name. */
export const NAME_VARIATIONS = [
  'exact',
  'nickname',
  'cultural',
  'transliteration',
  'typo',
  'partial',
  'no_match',
] as const;
export type Variation = (typeof NAME_VARIATIONS)[number];

/**
 * Agreement of the submitted name with the name on record: `equal`; `other_form` (a short form, spelling, typing error or part of it); `similar`
 * (only other evidence, such as the contacts, makes it the same name).
 */
export type NameAgreement = 'equal' | 'other_form' | 'similar';

/** Submitted name, matched name, and their comparison. `comparison` is null if no name was matched. */
export interface NameFacts {
  provided: string;
  matched: string | null;
  comparison: {
    /** Confidence of the name match, 0 to 100. */
    confidence: number;
    variation: Variation;
    same: boolean;
    concerns: string[];
    explanation: string;
  } | null;
}

/** Earlier call of the caller, without anything that identifies the API key, the request or the person. */
export interface StreamRecord {
  /** Time of the call in milliseconds since 1970. */
  time: number;
  catfish: boolean;
}

/** Earlier calls of the caller who made the check. Models never receive them. */
export interface StreamFacts {
  /** Time of the check, in milliseconds since 1970, at which the time spans of the earlier calls end. */
  now: number;
  /** Newest calls of the last 24 hours, at most 1,000, oldest first. */
  records: StreamRecord[];
  /**
   * Call counts per time span, newest span first. They include calls that are not in `records`. The newest span ends now, or up to one second ago
   * for an API key with many calls.
   */
  pace: {
    /** Number of the caller's calls in the last second, minute and hour. Each is a list of one number, at most 1,000, 2,000 and 10,000. */
    second: number[];
    minute: number[];
    hour: number[];
    /** Number of the caller's calls in each of the last 60 minutes (`minutes`) and the last 144 ten-minute spans (`ten_minutes`), capped at 100. */
    minutes: number[];
    ten_minutes: number[];
  };
}

export type VerdictWord = 'VERIFIED' | 'LIKELY REAL' | 'SUSPICIOUS' | 'HIGH RISK';

/** All data about a check that features can receive (facts), by name. A feature receives only the facts that it declares. */
export interface Facts {
  intent: Intent;
  score: {
    /** Score of the check, from 0 to 100. */
    score: number;
    band: ScoreBand;
    verdict: VerdictWord;
    /** Amount of evidence, for and against the person, behind the score. */
    confidence: Confidence;
    possible_catfish: boolean;
    /** Upper bounds that keep the score below the next band, the lowest bound first. Empty in the highest band, and if there is no such bound. */
    limits: readonly ScoreLimitName[];
    /** True if a reason of the score counts against the person. */
    any_against: boolean;
  };
  matches: {
    name: MatchStatus;
    /** Agreement of the submitted name with the name on record; null if no name was matched. */
    name_agreement: NameAgreement | null;
    /** Part of the submitted name that the identity of the score has, or somebody at a submitted address; null if it has the whole name, or nobody has a part. */
    name_part: SharedNamePart | null;
    email: FieldFacts;
    phone: FieldFacts;
    address: FieldFacts;
    /** Totals for all contacts: e-mails, phones and addresses. */
    contacts: FieldFacts;
    /** Number of different identities that have the contacts on record. */
    identities: number;
    /** True if an identity without the submitted name has all contacts on record, also those of the identity with the name. */
    other_has_all: boolean;
    /** Number of contacts on record for the identity with the submitted name, including contacts that other identities share. */
    of_bearers: number;
    /** Number of submitted e-mails and phones that only one identity has, if this identity has a name and is not the one taken for the person. */
    others_own: number;
    /** Number of contacts of another person of the same name, whom a suffix (Jr) or birth date distinguishes. */
    namesakes: number;
    /** Number of contacts that the person does not have, but another identity of the same name, which may be the same person. */
    same_name: number;
    /** Number of contacts that the person does not have, but a possible relative, or somebody with the same home. */
    household: number;
    /** Signs that submitted values imitate other values, or are numbers that cannot exist; each sign once. */
    disguises: DisguisedValueSign[];
    /** Kind of the submitted name if it is not the name of one person; otherwise null. */
    no_person: NonPersonNameType | null;
    /** Number of contacts on record only for identities without a name, so that their owner is unknown. */
    nameless: number;
  };
  /** Whole days since the identity was first and last seen on record; null if no record was found. */
  history: {
    days_since_first_seen: number | null;
    days_since_last_seen: number | null;
    /** Days since the identity was last seen with one of the submitted contacts. */
    days_since_contacts_seen: number | null;
    /** Number of the person's contacts with which the person was last seen years before the newest record. */
    old_contacts: number;
    /** Number of the person's phones with which somebody else was seen years after the person. */
    passed_on: number;
  };
  stream: StreamFacts;
  names: NameFacts;
}
export type FactName = keyof Facts;

/** Facts that a feature may declare, by the part of the response that it creates. */
export const ALLOWED_FACT_NAMES_BY_FEATURE: Record<AiInsightsPartName, readonly FactName[]> = {
  trust_enhancement: ['intent', 'score', 'matches', 'history'],
  fraud_detection: ['intent', 'score', 'matches', 'stream'],
  name_matching: ['intent', 'names'],
};

/** Verdict word in the response's message, by score band. */
export const VERDICT_WORDS: Record<ScoreBand, VerdictWord> = {
  HIGH: 'VERIFIED',
  MEDIUM: 'LIKELY REAL',
  LOW: 'SUSPICIOUS',
  VERY_LOW: 'HIGH RISK',
};
