// What both response versions have in common: the base, and what a match status is called.
import type { Field, MatchStatus, ValueVerdict, Verdict } from '../model.ts';

/** What a response is made of. `now` is milliseconds; `insights` the AI block or null. */
export interface ViewInput {
  requestId: string;
  now: number;
  insights: object | null;
}

type Row = Pick<ValueVerdict<unknown, unknown>, 'status' | 'identity'>;

const DAY = 86_400_000;
const BEST: MatchStatus[] = ['primary', 'secondary', 'different', 'unverified'];

/** A match status in v1's words. */
export function statusText({ status, identity }: Row): string {
  switch (status) {
    case 'primary':
      return 'Primary Match';
    case 'secondary':
      return 'Secondary Match';
    case 'different':
      return `Different Identity Match (ID ${identity})`;
    case 'unverified':
      return 'Unverified';
  }
}

/**
 * The one row that speaks for a field: the best by Primary, Secondary, Different, Unverified, and the first of
 * equals; undefined where nothing was sent.
 */
export function collapse<R extends Row>(rows: R[]): R | undefined {
  for (const status of BEST) {
    const row = rows.find((row) => row.status === status);
    if (row) return row;
  }
  return undefined;
}

/** Each field's rows, in the order that the specification lists the fields. */
export function fieldsOf(verdict: Verdict): [Field, Row[]][] {
  return [
    ['name', [verdict.name]],
    ['email', verdict.emails],
    ['phone', verdict.phones],
    ['address', verdict.addresses],
  ];
}

/** Whether every submitted value, the name included, resolved to the dominant identity. */
export function overallMatch(verdict: Verdict) {
  const all = fieldsOf(verdict).every(([, rows]) =>
    rows.every(({ status }) => status === 'primary' || status === 'secondary'),
  );
  return { all_components_match_same_identity: all, matched_identity: verdict.dominant };
}

export function identityScore(verdict: Verdict) {
  const { final, raw, adjusted, penalties, bonuses, fraudRiskPenalty } = verdict.identityScore;
  const sent = fieldsOf(verdict).filter(([, rows]) => rows.length > 0);
  return {
    final,
    raw,
    adjusted,
    penalties,
    bonuses,
    fraud_risk_penalty: fraudRiskPenalty,
    submitted_fields: sent.map(([field]) => field),
    match_flags: Object.fromEntries(sent.map(([field, rows]) => [field, statusText(collapse(rows)!)])),
  };
}

export function combinedScore({ combined, confidence }: Verdict) {
  return {
    final: combined.final,
    pre_capped: combined.preCapped,
    confidence_level_label: confidence.toLowerCase(),
    explanation: combined.explanation,
  };
}

export function fieldSummary(verdict: Verdict) {
  return Object.fromEntries(fieldsOf(verdict).map(([field, rows]) => [field, summarise(rows)]));
}

function summarise(rows: Row[]) {
  const best = collapse(rows);
  const count = (...wanted: MatchStatus[]) => rows.filter(({ status }) => wanted.includes(status)).length;
  const others: Record<string, number> = {};
  for (const { status, identity } of rows) {
    if (status === 'different') others[String(identity)] = (others[String(identity)] ?? 0) + 1;
  }
  return {
    status: best ? statusText(best) : null,
    matched_identity: best?.identity ?? null,
    total: rows.length,
    validated: count('primary', 'secondary', 'different'),
    primary_for_dominant: count('primary'),
    validated_for_dominant: count('primary', 'secondary'),
    validated_other_identities: others,
    unverified: count('unverified'),
  };
}

/** ISO 8601 UTC timestamps and whole days up to `now`; null where no record carries a date. */
export function history({ history: { firstSeen, lastSeen } }: Verdict, now: number) {
  const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());
  const days = (time: number | null) => (time === null ? null : Math.max(0, Math.floor((now - time) / DAY)));
  return {
    first_seen: iso(firstSeen),
    last_seen: iso(lastSeen),
    days_since_first_seen: days(firstSeen),
    days_since_last_seen: days(lastSeen),
  };
}
