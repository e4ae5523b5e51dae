// Parts of a good answer that agree with one another: rows, blocks, sums and insights.
import type { Answer, Block, Body, Field, FieldSummary, Insights, Row } from '../answer.ts';

/** Returns a value that must exist. */
export function must<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('a good answer has this part');
  return value;
}

export interface Case {
  request: Body;
  answer: Answer;
}

export const row = (
  input: unknown,
  status: string,
  identity: number | null,
  standardized: unknown = input,
): Row => ({
  input,
  standardized,
  match_status: status,
  matched_identity: identity,
  is_primary: status === 'Primary Match' ? 'Yes' : 'No',
  validated: status !== 'Unverified',
});
export const other = (id: number) => `Different Identity Match (ID ${id})`;

export function block(field: Field, rows: Row[], message: string, at = 0): Block {
  const lead = rows[at];
  return lead
    ? {
        input:
          field === 'address'
            ? rows.map((one) =>
                Object.values(one.input as object)
                  .filter(Boolean)
                  .join(', '),
              )
            : lead.input,
        match_status: lead.match_status,
        matched_identity: lead.matched_identity,
        is_primary: lead.is_primary,
        match_message: message,
        inputs: rows,
      }
    : {
        input: null,
        match_status: null,
        matched_identity: null,
        is_primary: 'No',
        match_message: null,
        inputs: [],
      };
}

export const VERIFIED = (title: string) => `VERIFIED MATCH: ${title} matches the primary verified identity.`;
export const NONE = (field: string) => `NO RECORD: No matching record for this ${field}.`;
export const STRANGER = (title: string, id: number) =>
  `DIFFERENT PERSON: ${title} matches identity ${id}, whose name is not the submitted one.`;

function summary({ inputs, match_status: status, matched_identity: id }: Block): FieldSummary {
  const count = (test: (one: Row) => boolean) => inputs.filter(test).length;
  const others = inputs.filter((one) => one.match_status.startsWith('Different'));
  return {
    status,
    matched_identity: id,
    total: inputs.length,
    validated: count((one) => one.validated),
    primary_for_dominant: count((one) => one.match_status === 'Primary Match'),
    validated_for_dominant: count((one) => /^(?:Primary|Secondary)/.test(one.match_status)),
    validated_other_identities: Object.fromEntries(
      others.map((one) => [
        one.matched_identity,
        others.filter((it) => it.matched_identity === one.matched_identity).length,
      ]),
    ),
    unverified: count((one) => !one.validated),
  };
}

interface Told {
  score: number;
  confidence: 'HIGH' | 'MEDIUM' | 'LOW';
  flag?: boolean;
  summary: string;
  message: string;
  insights: string[];
  identityScore: [raw: number, bonuses: number, penalties: number];
  reasons: string[];
  bits: number;
  explanation?: string;
  dominant: number | null;
  history: Answer['history'];
  allMatch?: boolean;
  ai: Insights;
}

const BANDS: [number, string][] = [
  [85, 'HIGH'],
  [65, 'MEDIUM'],
  [40, 'LOW'],
  [0, 'VERY_LOW'],
];

export function answerOf(blocks: Answer['input_validation'], told: Told): Answer {
  const { name, email, phone, address } = blocks;
  const sent = Object.entries({ name, email, phone, address }).filter(
    ([, one]) => one && one.inputs.length > 0,
  );
  const [raw, bonuses, penalties] = told.identityScore;
  return {
    success: true,
    request_id: 'req_01jd0000000000000000000000',
    trustworthiness_score: told.score,
    status: BANDS.find(([from]) => told.score >= from)?.[1] ?? 'VERY_LOW',
    confidence_level: told.confidence,
    possible_catfish: told.flag ?? false,
    summary: told.summary,
    message: told.message,
    input_validation: blocks,
    identity_score: {
      final: told.score,
      raw,
      adjusted: raw + bonuses + penalties,
      penalties,
      bonuses,
      fraud_risk_penalty: 0,
      submitted_fields: sent.map(([field]) => field),
      match_flags: Object.fromEntries(sent.map(([field, one]) => [field, one?.match_status ?? ''])),
    },
    trust_score: { final: told.score, raw: told.bits, reasons: told.reasons },
    combined_trust_score: {
      final: told.score,
      pre_capped: raw + bonuses + penalties,
      confidence_level_label: told.confidence.toLowerCase(),
      explanation: told.explanation ?? 'The score is the sum of the evidence; no bound applied.',
    },
    verification_flags: [],
    insights: told.insights,
    dominant_identity: told.dominant,
    field_summary: {
      name: summary(name),
      email: summary(email),
      phone: summary(phone),
      ...(address ? { address: summary(address) } : {}),
    },
    history: { ...told.history },
    ai_insights: told.ai,
  };
}

export const NO_HISTORY = {
  first_seen: null,
  last_seen: null,
  days_since_first_seen: null,
  days_since_last_seen: null,
};
export const HISTORY = {
  first_seen: '2019-01-02T00:00:00.000Z',
  last_seen: '2024-03-01T00:00:00.000Z',
  days_since_first_seen: 2880,
  days_since_last_seen: 995,
};

interface Ai {
  trust: [summary: string, factors: string[], flags: string[], advice: string[]];
  overview: Insights['overview'];
  risk: string;
  patterns: string[];
  issues: string[];
  recommendation: string;
  names: [provided: string, matched: string | null, confidence: number, kind: string, explanation: string];
}

export function insightsOf({ trust, overview, risk, patterns, issues, recommendation, names }: Ai): Insights {
  return {
    ai_enabled: true,
    trust_enhancement: {
      ai_enabled: true,
      feature: 'trust_enhancement',
      model: 'rules',
      intent: 'general',
      ai_trust_analysis: {
        summary: trust[0],
        key_factors: trust[1],
        red_flags: trust[2],
        recommendations: trust[3],
      },
    },
    overview,
    fraud_detection: {
      ai_enabled: true,
      feature: 'fraud_detection',
      model: 'rules',
      fraud_analysis: {
        risk_level: risk,
        confidence: 0.6,
        patterns_detected: patterns,
        velocity_concerns: false,
        consistency_issues: issues,
        stream_observations: [],
        recommendation,
      },
      history_analyzed: 0,
      request_stream: {
        records_in_window: 0,
        catfish_flag_count: 0,
        earliest_timestamp: null,
        latest_timestamp: null,
      },
      scope_note:
        'fraud_analysis describes the submitted subject; request_stream describes the caller’s own traffic.',
    },
    name_matching: {
      ai_enabled: true,
      feature: 'name_matching',
      model: 'rules',
      provided_name: names[0],
      matched_name: names[1],
      name_analysis: {
        match_confidence: names[2],
        variation_type: names[3],
        same_person_likely: names[3] !== 'no_match',
        concerns: [],
        explanation: names[4],
      },
      skipped: names[1] === null,
    },
  };
}
