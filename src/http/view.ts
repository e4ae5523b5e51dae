// What both response versions have in common: the base, and what a match status is called.
import type { AddressVerdict, Field, MatchStatus, Resolution, TextVerdict, Verdict } from '../model.ts';

/** What a response is made of. `now` is milliseconds; `insights` the AI block or null. */
export interface ViewInput {
  requestId: string;
  now: number;
  insights: object | null;
}

const DAY = 86_400_000;
const RANK: Record<MatchStatus, number> = { primary: 0, secondary: 1, different: 2, unverified: 3 };

/** A match status in v1's words. */
export function statusText({ status, identity }: Resolution): string {
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
export function collapse<R extends Resolution>(rows: R[]): R | undefined {
  let [best] = rows;
  for (const row of rows) if (!best || RANK[row.status] < RANK[best.status]) best = row;
  return best;
}

/** The rows of a verdict by their field, in the order sent. */
export function rowsOf({ name, contacts }: Verdict) {
  return {
    name: [name],
    email: contacts.filter((one): one is TextVerdict => one.kind === 'email'),
    phone: contacts.filter((one): one is TextVerdict => one.kind === 'phone'),
    address: contacts.filter((one): one is AddressVerdict => one.kind === 'address'),
  };
}
export type Rows = ReturnType<typeof rowsOf>;

/** Whether every submitted value, the name included, resolved to the dominant identity. */
export function overallMatch({ name, contacts, score }: Verdict) {
  const all = isDominant(name) && contacts.every(isDominant);
  return { all_components_match_same_identity: all, matched_identity: score.dominant };
}

const isDominant = ({ status }: Resolution) => status === 'primary' || status === 'secondary';

export function identityScore({ score }: Verdict, rows: Rows) {
  const { final, raw, adjusted, penalties, bonuses, fraudRiskPenalty } = score.identityScore;
  const flags = matchFlags(rows);
  return {
    final,
    raw,
    adjusted,
    penalties,
    bonuses,
    fraud_risk_penalty: fraudRiskPenalty,
    submitted_fields: Object.keys(flags),
    match_flags: flags,
  };
}

const FIELDS = ['name', 'email', 'phone', 'address'] as const satisfies readonly Field[];

/** The status of each field that was sent, in the order that the specification lists the fields. */
function matchFlags(rows: Rows) {
  const flags: Partial<Record<Field, string>> = {};
  for (const field of FIELDS) {
    const best = collapse<Resolution>(rows[field]);
    if (best) flags[field] = statusText(best);
  }
  return flags;
}

/** One more field where the operation asks for it. */
export function rawOf({ raw, score: { model } }: Verdict) {
  if (!raw) return {};
  return { raw: { graph: raw.graph, scoring_model: model, explanation: raw.explanation } };
}

export function combinedScore({ score: { combined, confidence } }: Verdict) {
  return {
    final: combined.final,
    pre_capped: combined.preCapped,
    confidence_level_label: confidence.toLowerCase(),
    explanation: combined.explanation,
  };
}

export function fieldSummary({ name, email, phone, address }: Rows) {
  return {
    name: summarise(name),
    email: summarise(email),
    phone: summarise(phone),
    address: summarise(address),
  };
}

function summarise(rows: Resolution[]) {
  const best = collapse(rows);
  const count = { primary: 0, secondary: 0, different: 0, unverified: 0 };
  const others: Record<string, number> = {};
  for (const { status, identity } of rows) {
    count[status]++;
    if (status === 'different') others[String(identity)] = (others[String(identity)] ?? 0) + 1;
  }
  return {
    status: best ? statusText(best) : null,
    matched_identity: best?.identity ?? null,
    total: rows.length,
    validated: rows.length - count.unverified,
    primary_for_dominant: count.primary,
    validated_for_dominant: count.primary + count.secondary,
    validated_other_identities: others,
    unverified: count.unverified,
  };
}

/** ISO 8601 UTC timestamps and whole days up to `now`; null where no record carries a date. */
export function history(
  {
    score: {
      history: { firstSeen, lastSeen },
    },
  }: Verdict,
  now: number,
) {
  const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());
  const days = (time: number | null) => (time === null ? null : Math.max(0, Math.floor((now - time) / DAY)));
  return {
    first_seen: iso(firstSeen),
    last_seen: iso(lastSeen),
    days_since_first_seen: days(firstSeen),
    days_since_last_seen: days(lastSeen),
  };
}
