// Fact patterns, verdicts and requests for the tests of features. Submitted values are marked, so that a leak shows.
import {
  INTENTS,
  type ContactMatchResult,
  type Intent,
  type MatchStatus,
  type MatchResult,
  type Verdict,
} from '../../../src/model.ts';
import { CALL_RATE_PERIODS } from '../../../src/accounts/time.ts';
import type { AiInsightsRequest, EarlierApiCallFacts } from '../../../src/features/open.ts';
import type { StreamRecord } from '../../../src/features/plugin/index.ts';
import { toSampleScoreBand } from '../../../src/features/plugin/test/samples.ts';
import type { Pattern } from '../../../src/features/plugin/test/patterns.ts';
import type { LoggedCall } from '../../../src/accounts/model.ts';

export { toSampleScoreBand };
export type { Pattern };
export const intents: readonly Intent[] = INTENTS;

/** Marks that only name matching may receive, and that no log or error may contain. */
export const marks = {
  name: 'Zebulon Markworth',
  email: 'leak.me@marked.example',
  phone: '15550109999',
  street: '9 Marked Lane',
};

const statuses: Record<string, MatchStatus> = {
  p: 'primary',
  s: 'secondary',
  d: 'different',
  u: 'unverified',
};
const NAME_IDENTITY: Record<string, number> = { p: 7, s: 7, d: 978 };
export const clock = Date.UTC(2026, 10, 20, 12);
const day = 86_400_000;

function resolutions(letters: string | undefined): MatchResult[] {
  return [...(letters ?? '')].map((letter) => ({
    status: statuses[letter] ?? 'unverified',
    identity: letter === 'u' ? null : letter === 'd' ? 977 : 7,
  }));
}

function texts(kind: 'email' | 'phone', letters: string | undefined, input: string): ContactMatchResult[] {
  return resolutions(letters).map((one) => ({
    kind,
    input,
    standardized: input,
    keys: [],
    signature: null,
    ...one,
  }));
}

function addresses(letters: string | undefined): ContactMatchResult[] {
  const input = { street: marks.street, street2: '', city: '', state: '', zip: '', country: '', plus4: '' };
  return resolutions(letters).map((one) => ({
    kind: 'address',
    input,
    standardized: input,
    keys: [],
    signature: null,
    ...one,
  }));
}

export function verdictOf(pattern: Pattern): Verdict {
  const { score, history } = pattern;
  const letters = `${pattern.email ?? ''}${pattern.phone ?? ''}${pattern.address ?? ''}`;
  const ownIdentities = (/[ps]/.test(letters) ? 1 : 0) + (letters.includes('d') ? 1 : 0);
  return {
    name: {
      input: marks.name,
      standardized: marks.name.toUpperCase(),
      status: statuses[pattern.name] ?? 'unverified',
      identity: NAME_IDENTITY[pattern.name] ?? null,
    },
    reasonCodes: [],
    contacts: [
      ...texts('email', pattern.email, marks.email),
      ...texts('phone', pattern.phone, marks.phone),
      ...addresses(pattern.address),
    ],
    score: {
      value: score,
      band: toSampleScoreBand(score),
      verdict: 'verified',
      confidence: pattern.confidence,
      isPossibleCatfish: pattern.catfish ?? false,
      summary: `${marks.name} checked.`,
      message: 'x',
      insights: [`${marks.email} seen`],
      dominantIdentity: /[psd]/.test(letters + pattern.name) ? 7 : null,
      matchedName: pattern.name === 'u' ? null : 'Zebulon Markworth',
      nameConfidence: pattern.name === 'u' ? null : 97,
      nameVariation: pattern.name === 'u' ? null : 'exact',
      nonPerson: null,
      sharedNamePart: null,
      limits: [],
      dominantHasName: true,
      identityScore: {
        final: score,
        raw: score,
        adjusted: score,
        penalties: 0,
        bonuses: 0,
        fraudRiskPenalty: 0,
      },
      trustScore: { final: score, raw: score, reasons: [] },
      combined: { final: score, preCapped: score, explanation: '' },
      history: history
        ? {
            firstSeen: clock - history[0] * day,
            lastSeen: clock - history[1] * day,
            contactsLastSeen: clock - (history[2] ?? history[1]) * day,
          }
        : { firstSeen: null, lastSeen: null, contactsLastSeen: null },
      identityCount: pattern.identities ?? ownIdentities,
      otherHasAllContacts: pattern.name === 'd' && (pattern.own ?? 0) > 0 && !letters.includes('d'),
      namesakeContacts: 0,
      sameNameContacts: pattern.sameName ?? 0,
      householdContacts: pattern.household ?? 0,
      nameHolderContacts:
        pattern.own ?? (/[ps]/.test(pattern.name) ? letters.replaceAll(/[du]/g, '').length : 0),
      exclusiveOtherContacts: Math.max(
        0,
        `${pattern.email ?? ''}${pattern.phone ?? ''}`.replaceAll(
          /[ps]/.test(pattern.name) ? /[psu]/g : /u/g,
          '',
        ).length - (pattern.nameless ?? 0),
      ),
      oldContacts: 0,
      passedOnPhones: 0,
      hasNegativeReason: letters.includes('d'),
      disguises: [],
      namelessContacts: pattern.nameless ?? 0,
      scoringModel: 1,
    },
  };
}

export function call(time: number, over: Partial<LoggedCall> = {}): LoggedCall {
  return {
    requestId: 'req_test',
    keyId: 'key_test',
    account: null,
    time,
    endpoint: 'validate',
    responseVersion: 'v1',
    intent: 'general',
    emails: 1,
    phones: 1,
    addresses: 0,
    score: 90,
    band: 'HIGH',
    verdict: 'verified',
    confidence: 'HIGH',
    catfish: false,
    different: 0,
    unverified: 0,
    scoringModel: 1,
    latencyMs: 3,
    test: false,
    ...over,
  };
}

/** Returns a stream of calls before `clock`, counted as the store counts them. */
export function streamOf(records: readonly StreamRecord[], now = clock): EarlierApiCallFacts {
  const counted = Object.entries(CALL_RATE_PERIODS).map(([name, { width, spans, most }]) => {
    const counts = Array.from({ length: spans }, () => 0);
    for (const { time } of records) {
      const span = Math.ceil((now - time) / width) - 1;
      if (span >= 0 && span < spans) counts[span] = Math.min(most, (counts[span] ?? 0) + 1);
    }
    return [name, counts];
  });
  return { records: records.slice(-1_000), pace: Object.fromEntries(counted) as EarlierApiCallFacts['pace'] };
}

export const everything = { trust_enhancement: true, fraud_detection: true, name_matching: true };

export function requestOf(pattern: Pattern, over: Partial<AiInsightsRequest> = {}): AiInsightsRequest {
  return {
    endpoint: 'enhanced',
    intent: 'general',
    include: everything,
    verdict: verdictOf(pattern),
    names: () => ({
      provided: marks.name,
      matched: 'Zeb Markworth',
      comparison: {
        confidence: 91,
        variation: 'nickname',
        same: true,
        concerns: [],
        explanation: 'Zeb is a short form of Zebulon.',
      },
    }),
    stream: () => streamOf([]),
    now: clock,
    signal: new AbortController().signal,
    ...over,
  };
}

export const solid: Pattern = {
  title: 'everything agrees',
  score: 94,
  confidence: 'HIGH',
  name: 'p',
  email: 'p',
  phone: 'ps',
  address: 'p',
  history: [3100, 20],
};
