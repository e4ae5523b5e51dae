// What both response versions have in common: all but the rows, and what a match status is called. In templates, numbers, booleans and
// null are written as JSON writes them; every text that is not one of our own words goes through `quoted`.
import type {
  AddressVerdict,
  ClaimField,
  MatchStatus,
  Resolution,
  TextVerdict,
  Verdict,
} from '../../model.ts';

/** What a response is made of. `now` is milliseconds; `insights` the AI block or null. */
export interface CheckResponseInput {
  requestId: string;
  now: number;
  insights: object | null;
}

/** What the versions differ in: the first fields, and the rows, as JSON. */
interface Version {
  head: string;
  validation: string;
}

/** The whole response of a check, as JSON. Frozen: a key, its place and its meaning never change here. */
export function toResponseJson(
  verdict: Verdict,
  { now, insights }: CheckResponseInput,
  { head, validation }: Version,
): string {
  const { score } = verdict;
  const { value, trustScore, combined, confidence } = score;
  const rows = groupRowsByField(verdict);
  return (
    `{${head},"trustworthiness_score":${value},"status":"${score.band}","confidence_level":"${confidence}"` +
    `,"possible_catfish":${score.isPossibleCatfish},"summary":${toJsonString(score.summary)},"message":${toJsonString(score.message)}` +
    `,"input_validation":${validation},"identity_score":${identityScore(verdict, rows)}` +
    `,"trust_score":{"final":${trustScore.final},"raw":${trustScore.raw},"reasons":${toJsonStringList(trustScore.reasons)}}` +
    `,"combined_trust_score":{"final":${combined.final},"pre_capped":${combined.preCapped}` +
    `,"confidence_level_label":"${confidence.toLowerCase()}","explanation":${toJsonString(combined.explanation)}}` +
    `,"verification_flags":[],"insights":${toJsonStringList(score.insights)},"dominant_identity":${score.dominantIdentity}` +
    `,"field_summary":${fieldSummary(rows)},"history":${history(verdict, now)}` +
    `,"ai_insights":${JSON.stringify(insights)}${rawOf(verdict)}}`
  );
}

const DAY = 86_400_000;
const RANK: Record<MatchStatus, number> = { primary: 0, secondary: 1, different: 2, unverified: 3 };

/** A match status in v1's words. */
export function toMatchStatus({ status, identity }: Resolution): string {
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

/** A field's status as JSON; null where nothing was sent. */
export function toMatchStatusJson(best: Resolution | undefined): string {
  return best ? `"${toMatchStatus(best)}"` : 'null';
}

/**
 * The one row that speaks for a field: the best by Primary, Secondary, Different, Unverified, and the first of
 * equals; undefined where nothing was sent.
 */
export function findBestRow<R extends Resolution>(rows: R[]): R | undefined {
  let [best] = rows;
  for (const row of rows) if (!best || RANK[row.status] < RANK[best.status]) best = row;
  return best;
}

/** The rows of a verdict by their field, in the order sent. */
export function groupRowsByField({ name, contacts }: Verdict) {
  return {
    name: [name],
    email: contacts.filter((one): one is TextVerdict => one.kind === 'email'),
    phone: contacts.filter((one): one is TextVerdict => one.kind === 'phone'),
    address: contacts.filter((one): one is AddressVerdict => one.kind === 'address'),
  };
}
export type Rows = ReturnType<typeof groupRowsByField>;

/** Whether every submitted value, the name included, resolved to the dominant identity. */
export function toOverallMatch({ name, contacts, score }: Verdict) {
  const all = isDominant(name) && contacts.every(isDominant);
  return { all_components_match_same_identity: all, matched_identity: score.dominantIdentity };
}

const isDominant = ({ status }: Resolution) => status === 'primary' || status === 'secondary';

const FIELDS = ['name', 'email', 'phone', 'address'] as const satisfies readonly ClaimField[];

/** With the status of each field that was sent, in the order that the specification lists the fields. */
function identityScore({ score }: Verdict, rows: Rows): string {
  const { final, raw, adjusted, penalties, bonuses, fraudRiskPenalty } = score.identityScore;
  const sent: string[] = [];
  const flags: string[] = [];
  for (const field of FIELDS) {
    const best = findBestRow<Resolution>(rows[field]);
    if (!best) continue;
    sent.push(`"${field}"`);
    flags.push(`"${field}":"${toMatchStatus(best)}"`);
  }
  return (
    `{"final":${final},"raw":${raw},"adjusted":${adjusted},"penalties":${penalties},"bonuses":${bonuses}` +
    `,"fraud_risk_penalty":${fraudRiskPenalty},"submitted_fields":[${sent.join()}],"match_flags":{${flags.join()}}}`
  );
}

/** One more field where the operation asks for it. */
function rawOf({ raw, score: { scoringModel: model } }: Verdict): string {
  if (!raw) return '';
  const { graph, explanation } = raw;
  return `,"raw":${JSON.stringify({ graph, scoring_model: model, explanation })}`;
}

function fieldSummary({ name, email, phone, address }: Rows): string {
  return `{"name":${summarise(name)},"email":${summarise(email)},"phone":${summarise(phone)},"address":${summarise(address)}}`;
}

function summarise(rows: Resolution[]): string {
  const best = findBestRow(rows);
  const count = { primary: 0, secondary: 0, different: 0, unverified: 0 };
  for (const { status } of rows) count[status]++;
  const { primary, secondary, different, unverified } = count;
  return (
    `{"status":${toMatchStatusJson(best)},"matched_identity":${best?.identity ?? null},"total":${rows.length}` +
    `,"validated":${rows.length - unverified},"primary_for_dominant":${primary}` +
    `,"validated_for_dominant":${primary + secondary}` +
    `,"validated_other_identities":${different > 0 ? JSON.stringify(othersOf(rows)) : '{}'},"unverified":${unverified}}`
  );
}

/** How many values each other identity has. */
function othersOf(rows: Resolution[]): Record<string, number> {
  const others: Record<string, number> = {};
  for (const { status, identity } of rows)
    if (status === 'different') others[String(identity)] = (others[String(identity)] ?? 0) + 1;
  return others;
}

/** ISO 8601 UTC timestamps and whole days up to `now`; null where no record carries a date. */
function history({ score }: Verdict, now: number): string {
  const { firstSeen, lastSeen } = score.history;
  const iso = (time: number | null) => (time === null ? null : `"${new Date(time).toISOString()}"`);
  const days = (time: number | null) => (time === null ? null : Math.max(0, Math.floor((now - time) / DAY)));
  return (
    `{"first_seen":${iso(firstSeen)},"last_seen":${iso(lastSeen)},"days_since_first_seen":${days(firstSeen)}` +
    `,"days_since_last_seen":${days(lastSeen)}}`
  );
}

// Answers as JSON text from templates: to build an answer as objects and serialise them is a seventh of a check, templates are a third of that.

/** Texts in which JSON escapes nothing: without control characters, quotes, backslashes, and halves of surrogate pairs. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** A text as JSON. */
export function toJsonString(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Texts as a JSON list. */
function toJsonStringList(texts: readonly string[]): string {
  return `[${texts.map(toJsonString).join()}]`;
}
