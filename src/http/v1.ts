// Response version 1, the default. Frozen: a key, its place and its meaning never change here.
import type {
  Address,
  AddressVerdict,
  MatchStatus,
  NameVerdict,
  Resolution,
  TextVerdict,
  Verdict,
} from '../model.ts';
import {
  collapse,
  combinedScore,
  fieldSummary,
  history,
  identityScore,
  overallMatch,
  rawOf,
  rowsOf,
  statusText,
} from './view.ts';
import type { Rows, ViewInput } from './view.ts';

/** The whole response of a check in version 1. */
export function v1(verdict: Verdict, { requestId, now, insights }: ViewInput) {
  const { score } = verdict;
  const rows = rowsOf(verdict);
  return {
    success: true,
    request_id: requestId,
    trustworthiness_score: score.value,
    status: score.band,
    confidence_level: score.confidence,
    possible_catfish: score.catfish,
    summary: score.summary,
    message: score.message,
    input_validation: inputValidation(verdict, rows),
    identity_score: identityScore(verdict, rows),
    trust_score: {
      final: score.trustScore.final,
      raw: score.trustScore.raw,
      reasons: score.trustScore.reasons,
    },
    combined_trust_score: combinedScore(verdict),
    verification_flags: [],
    insights: score.insights,
    dominant_identity: score.dominant,
    field_summary: fieldSummary(rows),
    history: history(verdict, now),
    ai_insights: insights,
    ...rawOf(verdict),
  };
}

/** `address` is a key only where an address was sent. */
function inputValidation(verdict: Verdict, { name, email, phone, address }: Rows) {
  const messages = verdict.score.dominantBears ? { email: EMAIL, phone: PHONE, address: ADDRESS } : STRANGER;
  return {
    name: textField(NAME, name),
    email: textField(messages.email, email),
    phone: textField(messages.phone, phone),
    ...(address.length > 0 ? { address: addressField(messages.address, address) } : {}),
    overall_match: overallMatch(verdict),
  };
}

type Messages = Record<MatchStatus, string | ((identity: number | null) => string)>;

const NAME = messagesOf('Name');
const EMAIL = messagesOf('Email');
const PHONE = messagesOf('Phone');
const ADDRESS = messagesOf('Address');
/** Where most values belong to somebody who does not bear the name. */
const STRANGER = {
  email: strangersOf('Email'),
  phone: strangersOf('Phone'),
  address: strangersOf('Address'),
};

function textField(messages: Messages, verdicts: (NameVerdict | TextVerdict)[]) {
  const best = collapse(verdicts);
  const rows = verdicts.map((one) => row(one, one.input, one.standardized));
  return field(messages, { best, input: best?.input ?? null, rows });
}

/** The field's own `input` is a list that holds the one address it resolved against, joined to a string. */
function addressField(messages: Messages, verdicts: AddressVerdict[]) {
  const best = collapse(verdicts);
  const rows = verdicts.map((one) =>
    row(one, lines(one.input, ''), lines(one.standardized, one.standardized.plus4)),
  );
  return field(messages, { best, input: best ? [joined(best.input)] : null, rows });
}

function field<I, R>(
  messages: Messages,
  { best, input, rows }: { best: Resolution | undefined; input: I; rows: R[] },
) {
  return {
    input,
    match_status: best ? statusText(best) : null,
    matched_identity: best?.identity ?? null,
    is_primary: best?.status === 'primary' ? 'Yes' : 'No',
    match_message: best ? matchMessage(messages, best) : null,
    inputs: rows,
  };
}

function row<T>(resolution: Resolution, input: T, standardized: T) {
  return {
    input,
    standardized,
    match_status: statusText(resolution),
    matched_identity: resolution.identity,
    is_primary: resolution.status === 'primary' ? 'Yes' : 'No',
    validated: resolution.status !== 'unverified',
  };
}

function lines(address: Address, plus4: string) {
  return {
    line1: address.street,
    line2: address.street2,
    city: address.city,
    region: address.state,
    postalCode: address.zip,
    plus4,
    countryCode: address.country,
  };
}

function joined({ street, street2, city, state, zip, country }: Address): string {
  return [street, street2, city, [state, zip].filter(Boolean).join(' '), country].filter(Boolean).join(', ');
}

function messagesOf(label: string): Messages {
  return {
    primary: `VERIFIED MATCH: ${label} matches the primary verified identity.`,
    secondary: `VERIFIED MATCH: ${label} matches a secondary record of the primary verified identity.`,
    different: (identity) =>
      `DIFFERENT IDENTITY: ${label} matches identity ${identity}, not the primary verified identity.`,
    unverified: `NO RECORD: No matching record for this ${label.toLowerCase()}.`,
  };
}

function strangersOf(label: string): Messages {
  const stranger = (identity: number | null) =>
    `DIFFERENT PERSON: ${label} matches identity ${identity}, whose name is not the submitted one.`;
  return { ...messagesOf(label), primary: stranger, secondary: stranger };
}

function matchMessage(messages: Messages, { status, identity }: Resolution): string {
  const text = messages[status];
  return typeof text === 'string' ? text : text(identity);
}
