// Rules on what several answers to one request have in common: both versions, with and without AI, every
// intent, raw.
import { isDeepStrictEqual } from 'node:util';
import type { Answer, Row } from './answer.ts';
import { FIELDS } from './answer.ts';

export interface Row2 extends Omit<Row, 'is_primary'> {
  is_primary: boolean;
}
export interface Answer2 extends Omit<Answer, 'input_validation'> {
  response_version: string;
  input_validation: { name: Row2[]; emails: Row2[]; phones: Row2[]; addresses: Row2[] } & {
    overall_match: unknown;
  };
}

/** Answers to one request. Missing answers are not compared. */
export interface Answers {
  v1: Answer;
  v2?: Answer2;
  ai?: Answer;
  enhanced?: Answer;
  raw?: Answer;
  /** Answers with the AI narrative, one for every intent. */
  intents?: Answer[];
}

interface Agreement {
  name: string;
  clause: string;
  find(answers: Answers): (string | false | null | undefined)[];
}

const LISTS = { name: 'name', email: 'emails', phone: 'phones', address: 'addresses' } as const;

/** Returns the part of an answer that AI, version and operation must not change. */
function base(answer: object): Record<string, unknown> {
  const {
    request_id: _id,
    ai_insights: _ai,
    raw: _raw,
    response_version: _v,
    ...rest
  } = answer as Record<string, unknown>;
  return rest;
}

function differing(a: object, b: object, without: string[] = []): string | false {
  const [left, right] = [base(a), base(b)];
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
    (key) => !without.includes(key),
  );
  const wrong = keys.filter((key) => !isDeepStrictEqual(left[key], right[key]));
  return wrong.length > 0 && wrong.join(', ');
}

export const AGREEMENTS: readonly Agreement[] = [
  {
    name: 'same-base-with-ai',
    clause:
      'S4.1, S4.2: with `ai=true` every base response field is unchanged; on the enhanced endpoint everything outside `ai_insights` is identical, including `inputs[]`.',
    find: ({ v1, ai, enhanced, intents = [] }) => [
      ai && differing(v1, ai),
      enhanced && differing(v1, enhanced),
      ...intents.map((one) => differing(v1, one)),
    ],
  },
  {
    name: 'insights-by-endpoint',
    clause:
      'S2.3, S2.4: `ai_insights` is null on the base endpoint; `fraud_detection` and `name_matching` are null on `ai=true`.',
    find: ({ v1, v2, ai, enhanced }) => [
      (v1.ai_insights !== null || (v2 && v2.ai_insights !== null)) && 'insights that nobody asked for',
      ai &&
        (ai.ai_insights?.fraud_detection !== null || ai.ai_insights.name_matching !== null) &&
        'fraud or names on ai=true',
      enhanced &&
        !(enhanced.ai_insights?.fraud_detection && enhanced.ai_insights.name_matching) &&
        'enhanced without its blocks',
    ],
  },
  {
    name: 'narrative-agrees',
    clause:
      'S2.5: `trust_enhancement` and `overview` are exactly as in 2.4; C3 law 1: one verdict: one priority, one narrative.',
    find: ({ ai, enhanced }) => {
      const [a, b] = [ai?.ai_insights, enhanced?.ai_insights];
      if (!a || !b || a.trust_enhancement?.model !== 'rules' || !b.trust_enhancement?.ai_enabled) return [];
      return [
        a.overview?.review_priority !== b.overview?.review_priority &&
          `${a.overview?.review_priority} and ${b.overview?.review_priority}`,
        a.trust_enhancement.ai_trust_analysis?.summary !== b.trust_enhancement.ai_trust_analysis?.summary &&
          'two summaries',
        a.overview?.overview !== b.overview?.overview && 'two overviews',
      ];
    },
  },
  {
    name: 'intents-differ',
    clause:
      'Issue 11: all six intents differ in what they lead with, in `ai_trust_analysis.summary` and in `overview` both.',
    find: ({ intents = [] }) => {
      const texts = (of: (answer: Answer) => string | undefined) => new Set(intents.map(of)).size;
      return [
        texts((it) => it.ai_insights?.trust_enhancement?.ai_trust_analysis?.summary) < intents.length &&
          'a summary for two intents',
        texts((it) => it.ai_insights?.overview?.overview) < intents.length && 'an overview for two intents',
      ];
    },
  },
  {
    name: 'intent-is-tone-only',
    clause:
      'C5: the tone of `intent` reaches `ai_trust_analysis`, `overview` and the fraud `recommendation`, nothing else.',
    find: ({ intents = [] }) => {
      const priorities = new Set(intents.map((it) => it.ai_insights?.overview?.review_priority));
      return [priorities.size > 1 && [...priorities].join()];
    },
  },
  {
    name: 'versions-agree',
    clause: 'S9: scores and `field_summary` are unchanged from v1; `response_version` is `v2`.',
    find: ({ v1, v2 }) => [
      v2 && differing(v1, v2, ['input_validation']),
      v2 && v2.response_version !== 'v2' && `response_version ${v2.response_version}`,
      v2 &&
        !isDeepStrictEqual(v2.input_validation.overall_match, v1.input_validation.overall_match) &&
        'overall_match',
    ],
  },
  {
    name: 'rows-agree',
    clause:
      'C4: v2: `match_status` is `Verified` (v1’s Primary and Secondary; `is_primary` tells which), `Different Identity` or `Unverified`; lists are empty when nothing was sent.',
    find: ({ v1, v2 }) =>
      v2
        ? FIELDS.flatMap((field) => {
            const rows = v1.input_validation[field]?.inputs ?? [];
            const list = v2.input_validation[LISTS[field]];
            if (!Array.isArray(list) || list.length !== rows.length)
              return [`${field}: another number of rows`];
            return rows.map((row, i) => !sameRow(row, list[i]!, field) && `${field} ${i + 1}`);
          })
        : [],
  },
  {
    name: 'raw-adds-one-field',
    clause: 'C4: `operation: raw` adds one top-level field, `raw`: `{ graph, scoring_model, explanation }`.',
    find: ({ v1, raw }) => {
      if (!raw) return [];
      const keys = Object.keys(raw.raw ?? {})
        .toSorted()
        .join();
      return [
        differing(v1, raw),
        v1.raw !== undefined && 'raw where it was not asked for',
        keys !== 'explanation,graph,scoring_model' && `raw has ${keys || 'nothing'}`,
      ];
    },
  },
];

const STATUS: Record<string, string> = {
  Primary: 'Verified',
  Secondary: 'Verified',
  Different: 'Different Identity',
  Unverified: 'Unverified',
};

function sameRow(one: Row, two: Row2, field: (typeof FIELDS)[number]): boolean {
  const status = STATUS[one.match_status.split(' ')[0]!];
  const standard = field === 'phone' ? String(one.standardized).replace(/\D/g, '') : one.standardized;
  return (
    two.match_status === status &&
    two.matched_identity === one.matched_identity &&
    two.is_primary === (one.is_primary === 'Yes') &&
    two.validated === one.validated &&
    (field === 'address' || (two.input === one.input && two.standardized === standard))
  );
}

/**
 * Returns one line for each disagreement, which begins with the name of the rule; empty if all answers agree.
 */
export function disagreementsOf(answers: Answers): string[] {
  return AGREEMENTS.flatMap((rule) =>
    rule
      .find(answers)
      .filter((found) => typeof found === 'string')
      .map((found) => `${rule.name}: ${found}`),
  );
}
