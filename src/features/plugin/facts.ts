// Facts of a call that features may receive. Submitted values are never among the facts, except the two names, which only name matching may
// declare.
import type { Band, Confidence, Disguise, Intent, MatchStatus } from '../../model.ts';

/**
 * Part of `ai_insights` that a feature makes. A `trust_enhancement` feature makes two blocks from one answer: `trust_enhancement` and
 * `overview`.
 */
export type Slot = 'trust_enhancement' | 'fraud_detection' | 'name_matching';

export const FEATURE_SLOTS = [
  'trust_enhancement',
  'fraud_detection',
  'name_matching',
] as const satisfies readonly Slot[];

/** Results of the submitted values of one kind. `submitted` is the sum of the other counts. */
export interface FieldFacts {
  submitted: number;
  /** Values that belong to the dominant identity: `primary` + `secondary`. */
  matched: number;
  primary: number;
  secondary: number;
  /** Values on record for a different identity. */
  different: number;
  /** Values without a matching record. This is not a negative finding. */
  unverified: number;
}

/** Main explanations of the difference between two names. */
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

/** Submitted name, matched name, and their comparison by the name engine. `comparison` is null if no name was matched. */
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

/** Earlier call of the caller, without the identity of key, request or person. */
export interface StreamRecord {
  /** Time of the call in milliseconds since 1970. */
  time: number;
  catfish: boolean;
}

/** Earlier calls of the caller. Models never receive this fact. */
export interface StreamFacts {
  /** End of the time window, in milliseconds since 1970. */
  now: number;
  /** Newest calls of the last 24 hours, at most 1,000, oldest first. */
  records: StreamRecord[];
  /**
   * Call counts per time span, newest span first; the newest span ends now (of a key with more calls in the time than `records` holds: up
   * to one second ago). Calls that are not in `records` count too.
   */
  pace: {
    /** Calls in the last second, minute and hour: one number each, capped at 1,000, 2,000 and 10,000. */
    second: number[];
    minute: number[];
    hour: number[];
    /** Calls in each of the last 60 minutes (`minutes`) and the last 144 ten-minute spans (`ten_minutes`), each capped at 100. */
    minutes: number[];
    ten_minutes: number[];
  };
}

export type VerdictWord = 'VERIFIED' | 'LIKELY REAL' | 'SUSPICIOUS' | 'HIGH RISK';

/** All facts that a feature can declare, by name. A feature receives only the facts that it declares. */
export interface Facts {
  intent: Intent;
  score: {
    /** Score from 0 to 100. */
    score: number;
    band: Band;
    verdict: VerdictWord;
    /** Amount of evidence, regardless of its direction. */
    confidence: Confidence;
    possible_catfish: boolean;
  };
  matches: {
    name: MatchStatus;
    email: FieldFacts;
    phone: FieldFacts;
    address: FieldFacts;
    /** Totals over all kinds of contact. */
    contacts: FieldFacts;
    /** Number of different identities that the contacts resolved to. */
    identities: number;
    /**
     * Number of contacts that the identity with the submitted name has, including contacts that resolved to another identity which shares
     * them.
     */
    of_bearers: number;
    /**
     * Number of e-mails and phones that belong only to an identity other than that of the name. Shared values and addresses do not count.
     */
    others_own: number;
    /** Signs that submitted values are written to look like other values, or are numbers that cannot exist; each once. */
    disguises: Disguise[];
    /** Number of contacts that resolved to identities without a name on record, so that their owner is unknown. */
    nameless: number;
  };
  /** Age of the identity's records in whole days; null if nothing resolved. */
  history: { days_since_first_seen: number | null; days_since_last_seen: number | null };
  stream: StreamFacts;
  names: NameFacts;
}
export type FactName = keyof Facts;

/** Facts that a feature may declare, by the slot of the feature. */
export const ALLOWED_FACTS: Record<Slot, readonly FactName[]> = {
  trust_enhancement: ['intent', 'score', 'matches', 'history'],
  fraud_detection: ['intent', 'score', 'matches', 'stream'],
  name_matching: ['intent', 'names'],
};

/** Verdict words of the API message for each score band. */
export const VERDICT_WORDS: Record<Band, VerdictWord> = {
  HIGH: 'VERIFIED',
  MEDIUM: 'LIKELY REAL',
  LOW: 'SUSPICIOUS',
  VERY_LOW: 'HIGH RISK',
};
