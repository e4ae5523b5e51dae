// Response version 1, the default. Frozen: a key, its place and its meaning never change here.
import type { Address, AddressVerdict, ValueVerdict, Verdict } from '../model.ts';
import {
  collapse,
  combinedScore,
  fieldSummary,
  history,
  identityScore,
  overallMatch,
  statusText,
} from './view.ts';
import type { ViewInput } from './view.ts';

/** The whole response of a check in version 1. */
export function v1(verdict: Verdict, { requestId, now, insights }: ViewInput) {
  return {
    success: true,
    request_id: requestId,
    trustworthiness_score: verdict.score,
    status: verdict.band,
    confidence_level: verdict.confidence,
    possible_catfish: verdict.catfish,
    summary: verdict.summary,
    message: verdict.message,
    input_validation: inputValidation(verdict),
    identity_score: identityScore(verdict),
    trust_score: {
      final: verdict.trustScore.final,
      raw: verdict.trustScore.raw,
      reasons: verdict.trustScore.reasons,
    },
    combined_trust_score: combinedScore(verdict),
    verification_flags: [],
    insights: verdict.insights,
    dominant_identity: verdict.dominant,
    field_summary: fieldSummary(verdict),
    history: history(verdict, now),
    ai_insights: insights,
    ...(verdict.raw === undefined ? {} : { raw: verdict.raw }),
  };
}

/** `address` is a key only where an address was sent. */
function inputValidation(verdict: Verdict) {
  const { name, emails, phones, addresses } = verdict;
  return {
    name: field(NAME, [name], row),
    email: field(EMAIL, emails, row),
    phone: field(PHONE, phones, row),
    ...(addresses.length > 0 ? { address: addressField(addresses) } : {}),
    overall_match: overallMatch(verdict),
  };
}

type AnyVerdict = ValueVerdict<unknown, unknown>;
type Messages = ReturnType<typeof messagesOf>;

const NAME = messagesOf('Name');
const EMAIL = messagesOf('Email');
const PHONE = messagesOf('Phone');
const ADDRESS = messagesOf('Address');

function field<V extends AnyVerdict>(messages: Messages, rows: V[], view: (row: V) => object) {
  const best = collapse(rows);
  return {
    input: best?.input ?? null,
    match_status: best ? statusText(best) : null,
    matched_identity: best?.identity ?? null,
    is_primary: best?.status === 'primary' ? 'Yes' : 'No',
    match_message: best ? matchMessage(messages, best) : null,
    inputs: rows.map(view),
  };
}

/** The field's own `input` is a list that holds the one address it resolved against, joined to a string. */
function addressField(rows: AddressVerdict[]) {
  const all = field(ADDRESS, rows, addressRow);
  all.input = [joined(all.input as Address)];
  return all;
}

function row(verdict: AnyVerdict) {
  return rowOf(verdict, verdict.input, verdict.standardized);
}

function addressRow(verdict: AddressVerdict) {
  return rowOf(verdict, lines(verdict.input, ''), lines(verdict.standardized, verdict.standardized.plus4));
}

function rowOf(verdict: AnyVerdict, input: unknown, standardized: unknown) {
  return {
    input,
    standardized,
    match_status: statusText(verdict),
    matched_identity: verdict.identity,
    is_primary: verdict.status === 'primary' ? 'Yes' : 'No',
    validated: verdict.status !== 'unverified',
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

function messagesOf(label: string) {
  return {
    primary: `VERIFIED MATCH: ${label} matches the primary verified identity.`,
    secondary: `VERIFIED MATCH: ${label} matches a secondary record of the primary verified identity.`,
    different: (identity: number | null) =>
      `DIFFERENT IDENTITY: ${label} matches identity ${identity}, not the primary verified identity.`,
    unverified: `NO RECORD: No matching record for this ${label.toLowerCase()}.`,
  };
}

function matchMessage(messages: Messages, { status, identity }: AnyVerdict): string {
  return status === 'different' ? messages.different(identity) : messages[status];
}
