// What a feature may know. Facts are taken out of a verdict here and nowhere else; a submitted value is never among them,
// but for the two names, which name matching alone may ask for.
import type { Band, CallRecord, Confidence, Intent, MatchStatus, ValueVerdict, Verdict } from '../model.ts';

/** The part of `ai_insights` that a feature gives. `trust_enhancement` comes with `overview`: one answer, two blocks. */
export type Slot = 'trust_enhancement' | 'fraud_detection' | 'name_matching';

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

/** The name engine's view of the two names. `comparison` is null where no name was matched. */
export interface NameFacts {
  provided: string;
  matched: string | null;
  comparison: {
    confidence: number;
    variation: string;
    same: boolean;
    concerns: string[];
    explanation: string;
  } | null;
}

/** The caller's own calls before this one, oldest first: when they were and how they ended. */
export interface StreamWindow {
  records: StreamCall[];
}
export type StreamCall = Pick<
  CallRecord,
  'time' | 'emails' | 'phones' | 'addresses' | 'score' | 'catfish' | 'different' | 'unverified'
>;

/** One call of the caller, without anything that names a key, a request or a person. */
export interface StreamRecord {
  /** Milliseconds since 1970. */
  time: number;
  contacts: number;
  different: number;
  unverified: number;
  score: number;
  catfish: boolean;
}
export interface StreamFacts {
  /** When the window ends, milliseconds since 1970. */
  now: number;
  records: StreamRecord[];
}

export type VerdictWord = 'VERIFIED' | 'LIKELY REAL' | 'SUSPICIOUS' | 'HIGH RISK';

export interface Facts {
  intent: Intent;
  score: {
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
  };
  /** Whole days, or null where nothing resolved. */
  history: { days_since_first_seen: number | null; days_since_last_seen: number | null };
  stream: StreamFacts;
  names: NameFacts;
}
export type FactName = keyof Facts;

/** The facts that a feature of each slot may declare. */
export const allowedFacts: Record<Slot, readonly FactName[]> = {
  trust_enhancement: ['intent', 'score', 'matches', 'history'],
  fraud_detection: ['intent', 'score', 'matches', 'history', 'stream'],
  name_matching: ['intent', 'names'],
};

export interface FactSource {
  intent: Intent;
  verdict: Verdict;
  names: () => NameFacts;
  stream: () => StreamWindow | Promise<StreamWindow>;
  now: number;
}

const day = 86_400_000;
const words: Record<Band, VerdictWord> = {
  HIGH: 'VERIFIED',
  MEDIUM: 'LIKELY REAL',
  LOW: 'SUSPICIOUS',
  VERY_LOW: 'HIGH RISK',
};

function fieldFacts(rows: readonly ValueVerdict<unknown>[]): FieldFacts {
  const count = (status: MatchStatus): number => rows.filter((row) => row.status === status).length;
  const primary = count('primary');
  const secondary = count('secondary');
  return {
    submitted: rows.length,
    matched: primary + secondary,
    primary,
    secondary,
    different: count('different'),
    unverified: count('unverified'),
  };
}

function daysSince(time: number | null, now: number): number | null {
  return time === null ? null : Math.max(0, Math.floor((now - time) / day));
}

function streamRecord(call: StreamCall): StreamRecord {
  return {
    time: call.time,
    contacts: call.emails + call.phones + call.addresses,
    different: call.different,
    unverified: call.unverified,
    score: call.score,
    catfish: call.catfish,
  };
}

/** One extractor per fact. `names` and `stream` cost work and are only called for a feature that declares them. */
const extract: { [N in FactName]: (source: FactSource) => Facts[N] | Promise<Facts[N]> } = {
  intent: ({ intent }) => intent,
  score: ({ verdict }) => ({
    score: verdict.score,
    band: verdict.band,
    verdict: words[verdict.band],
    confidence: verdict.confidence,
    possible_catfish: verdict.catfish,
  }),
  matches: ({ verdict }) => ({
    name: verdict.name.status,
    email: fieldFacts(verdict.emails),
    phone: fieldFacts(verdict.phones),
    address: fieldFacts(verdict.addresses),
    contacts: fieldFacts([...verdict.emails, ...verdict.phones, ...verdict.addresses]),
    identities: verdict.identities,
  }),
  history: ({ verdict: { history }, now }) => ({
    days_since_first_seen: daysSince(history.firstSeen, now),
    days_since_last_seen: daysSince(history.lastSeen, now),
  }),
  stream: async ({ stream, now }) => ({ now, records: (await stream()).records.map(streamRecord) }),
  names: ({ names }) => names(),
};

/** The declared facts of one request and nothing else. Waits only where the stream was declared. */
export function factsFor(
  declared: readonly FactName[],
  source: FactSource,
): Partial<Facts> | Promise<Partial<Facts>> {
  const entries = declared.map((name) => [name, extract[name](source)] as const);
  if (!entries.some(([, value]) => value instanceof Promise))
    return Object.fromEntries(entries) as Partial<Facts>;
  return Promise.all(entries.map(async ([name, value]) => [name, await value] as const)).then(
    (known) => Object.fromEntries(known) as Partial<Facts>,
  );
}
