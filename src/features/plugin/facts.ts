// What a feature may know of a call. A submitted value is never among the facts, but for the two names, which name
// matching alone may ask for.
import type { Band, Confidence, Intent, MatchStatus } from '../../model.ts';

/** The part of `ai_insights` that a feature gives. `trust_enhancement` comes with `overview`: one answer, two blocks. */
export type Slot = 'trust_enhancement' | 'fraud_detection' | 'name_matching';

export const SLOTS = [
  'trust_enhancement',
  'fraud_detection',
  'name_matching',
] as const satisfies readonly Slot[];

/** How the values of one kind came back: counts that add up to `submitted`. */
export interface FieldFacts {
  submitted: number;
  /** Of the dominant identity: `primary` + `secondary`. */
  matched: number;
  primary: number;
  secondary: number;
  /** On record for another identity. */
  different: number;
  /** No matching record. Not a negative finding. */
  unverified: number;
}

/** What explains most of the difference between two names. */
export const VARIATIONS = [
  'exact',
  'nickname',
  'cultural',
  'transliteration',
  'typo',
  'partial',
  'no_match',
] as const;
export type Variation = (typeof VARIATIONS)[number];

/** The name engine's view of the two names. `comparison` is null where no name was matched. */
export interface NameFacts {
  provided: string;
  matched: string | null;
  comparison: {
    /** 0 to 100. */
    confidence: number;
    variation: Variation;
    same: boolean;
    concerns: string[];
    explanation: string;
  } | null;
}

/** One call of the caller, without anything that names a key, a request or a person. */
export interface StreamRecord {
  /** Milliseconds since 1970. */
  time: number;
  catfish: boolean;
}

/** The caller's own calls before this one. No model is shown them. */
export interface StreamFacts {
  /** When the window ends, milliseconds since 1970. */
  now: number;
  /** The newest of the last 24 hours, 1,000 at most, oldest first. */
  records: StreamRecord[];
  /** Calls counted in spans that end now, the newest first, whether they are among the records or not. */
  pace: {
    /** One number: the newest second, minute and hour, counted up to 1,000, 2,000 and 10,000. */
    second: number[];
    minute: number[];
    hour: number[];
    /** The last 60 minutes, and the last 144 times ten minutes, each counted up to 100. */
    minutes: number[];
    ten_minutes: number[];
  };
}

export type VerdictWord = 'VERIFIED' | 'LIKELY REAL' | 'SUSPICIOUS' | 'HIGH RISK';

/** Everything that can be declared, by name. A feature is handed what it declares and nothing else. */
export interface Facts {
  intent: Intent;
  score: {
    /** 0 to 100. */
    score: number;
    band: Band;
    verdict: VerdictWord;
    /** How much evidence there was, not which way it points. */
    confidence: Confidence;
    possible_catfish: boolean;
  };
  matches: {
    name: MatchStatus;
    email: FieldFacts;
    phone: FieldFacts;
    address: FieldFacts;
    /** All kinds of contact together. */
    contacts: FieldFacts;
    /** How many different identities the contacts resolved to. */
    identities: number;
    /** How many contacts the identity has that bears the submitted name, also where they resolved to another one that has them too. */
    of_bearers: number;
    /** E-mails and phones that another identity than that of the name has for itself alone. What many share, and addresses, are not counted. */
    others_own: number;
    /** How many contacts resolved to identities whose records carry no name: whose they are nobody can tell. */
    nameless: number;
  };
  /** Whole days, or null where nothing resolved. */
  history: { days_since_first_seen: number | null; days_since_last_seen: number | null };
  stream: StreamFacts;
  names: NameFacts;
}
export type FactName = keyof Facts;

/** The facts that a feature of each slot may declare. */
export const ALLOWED_FACTS: Record<Slot, readonly FactName[]> = {
  trust_enhancement: ['intent', 'score', 'matches', 'history'],
  fraud_detection: ['intent', 'score', 'matches', 'stream'],
  name_matching: ['intent', 'names'],
};

/** The word of the API's message for each band. */
export const VERDICT_WORDS: Record<Band, VerdictWord> = {
  HIGH: 'VERIFIED',
  MEDIUM: 'LIKELY REAL',
  LOW: 'SUSPICIOUS',
  VERY_LOW: 'HIGH RISK',
};
