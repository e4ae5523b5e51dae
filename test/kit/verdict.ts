import type {
  Address,
  ContactMatchResult,
  MatchResult,
  Score,
  StandardAddress,
  Verdict,
} from '../../src/model.ts';

const address: Address = {
  street: '1 Main St',
  street2: '',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
  country: '',
};
const standard: StandardAddress = {
  street: '1 MAIN ST',
  street2: '',
  city: 'SPRINGFIELD',
  state: 'IL',
  zip: '62701',
  plus4: '1234',
  country: 'US',
};

const email = (input: string, resolution: MatchResult): ContactMatchResult => ({
  kind: 'email',
  input,
  standardized: input,
  keys: [],
  signature: null,
  ...resolution,
});

/** Returns a sample score; `over` replaces members. */
export function sampleScore(over: Partial<Score> = {}): Score {
  return {
    value: 71,
    band: 'MEDIUM',
    verdict: 'likely-real',
    confidence: 'HIGH',
    isPossibleCatfish: false,
    summary: 'A summary.',
    message: 'LIKELY REAL: a sentence.',
    insights: ['One insight.'],
    dominantIdentity: 7,
    matchedName: 'Jane Doe',
    nameConfidence: 97,
    nameVariation: 'exact',
    dominantHasName: true,
    nonPerson: null,
    sharedNamePart: null,
    limits: [],
    identityScore: { final: 71, raw: 80, adjusted: 75, penalties: 9, bonuses: 0, fraudRiskPenalty: 0 },
    trustScore: { final: 71, raw: 80, reasons: ['A reason.'] },
    combined: { final: 71, preCapped: 71, explanation: 'An explanation.' },
    history: {
      firstSeen: Date.UTC(2020, 0, 1),
      lastSeen: Date.UTC(2024, 1, 29, 12),
      contactsLastSeen: Date.UTC(2024, 1, 29, 12),
    },
    identityCount: 3,
    nameHolderContacts: 1,
    otherHasAllContacts: false,
    namesakeContacts: 0,
    sameNameContacts: 0,
    householdContacts: 0,
    exclusiveOtherContacts: 0,
    oldContacts: 0,
    passedOnPhones: 0,
    hasNegativeReason: false,
    disguises: [],
    namelessContacts: 0,
    scoringModel: 1,
    ...over,
  };
}

/** Returns a sample verdict with one row of every status. */
export function sampleVerdict(over: Partial<Verdict> = {}): Verdict {
  const unlisted = { keys: [], signature: null };
  return {
    name: { input: 'Jane Doe', standardized: 'JANE DOE', status: 'primary', identity: 7 },
    reasonCodes: [],
    contacts: [
      email('x@example.com', { status: 'unverified', identity: null }),
      email('jane@example.com', { status: 'different', identity: 9 }),
      email('j@example.com', { status: 'different', identity: 12 }),
      {
        kind: 'phone',
        input: '4155550100',
        standardized: '+14155550100',
        ...unlisted,
        status: 'secondary',
        identity: 7,
      },
      {
        kind: 'address',
        input: address,
        standardized: standard,
        ...unlisted,
        status: 'primary',
        identity: 7,
      },
    ],
    score: sampleScore(),
    ...over,
  };
}

/** Returns the verdict on an unknown name without contacts. */
export function emptyVerdict(): Verdict {
  return sampleVerdict({
    name: { input: 'Jane Doe', standardized: 'JANE DOE', status: 'unverified', identity: null },
    contacts: [],
    score: sampleScore({
      dominantIdentity: null,
      matchedName: null,
      history: { firstSeen: null, lastSeen: null, contactsLastSeen: null },
    }),
  });
}

/** Returns a verdict, or a result of scoring, on one level, with the number of the score as `score`. */
export function flat<T extends { score: Score }>({ score, ...rest }: T) {
  return { ...score, ...rest, score: score.value };
}
