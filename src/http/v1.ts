// Response version 1, the default. Frozen: a key, its place and its meaning never change here.
import type { Address, AddressVerdict, StandardAddress, ValueVerdict, Verdict } from '../model.ts';
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
    name: field('Name', [name], row),
    email: field('Email', emails, row),
    phone: field('Phone', phones, row),
    ...(addresses.length > 0 ? { address: addressField(addresses) } : {}),
    overall_match: overallMatch(verdict),
  };
}

type AnyVerdict = ValueVerdict<unknown, unknown>;

function field<V extends AnyVerdict>(label: string, rows: V[], view: (row: V) => object) {
  const best = collapse(rows);
  return {
    input: best?.input ?? null,
    match_status: best ? statusText(best) : null,
    matched_identity: best?.identity ?? null,
    is_primary: best?.status === 'primary' ? 'Yes' : 'No',
    match_message: best ? matchMessage(label, best) : null,
    inputs: rows.map(view),
  };
}

/** The field's own `input` is a list that holds the one address it resolved against, joined to a string. */
function addressField(rows: AddressVerdict[]) {
  const { input, ...rest } = field('Address', rows, addressRow);
  return { input: [joined(input as Address)], ...rest };
}

function row(verdict: AnyVerdict) {
  return { input: verdict.input, standardized: verdict.standardized, ...match(verdict) };
}

function addressRow(verdict: AddressVerdict) {
  return {
    input: lines({ ...verdict.input, plus4: '' }),
    standardized: lines(verdict.standardized),
    ...match(verdict),
  };
}

function match(verdict: AnyVerdict) {
  return {
    match_status: statusText(verdict),
    matched_identity: verdict.identity,
    is_primary: verdict.status === 'primary' ? 'Yes' : 'No',
    validated: verdict.status !== 'unverified',
  };
}

function lines(address: StandardAddress) {
  return {
    line1: address.street,
    line2: address.street2,
    city: address.city,
    region: address.state,
    postalCode: address.zip,
    plus4: address.plus4,
    countryCode: address.country,
  };
}

function joined({ street, street2, city, state, zip, country }: Address): string {
  return [street, street2, city, [state, zip].filter(Boolean).join(' '), country].filter(Boolean).join(', ');
}

function matchMessage(label: string, { status, identity }: AnyVerdict): string {
  switch (status) {
    case 'primary':
      return `VERIFIED MATCH: ${label} matches the primary verified identity.`;
    case 'secondary':
      return `VERIFIED MATCH: ${label} matches a secondary record of the primary verified identity.`;
    case 'different':
      return `DIFFERENT IDENTITY: ${label} matches identity ${identity}, not the primary verified identity.`;
    case 'unverified':
      return `NO RECORD: No matching record for this ${label.toLowerCase()}.`;
  }
}
