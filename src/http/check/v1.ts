// Response version 1, the default. Frozen: a key, its place and its meaning never change here.
import type {
  Address,
  AddressVerdict,
  MatchStatus,
  NameVerdict,
  Resolution,
  TextVerdict,
  Verdict,
} from '../../model.ts';
import {
  toJsonString,
  findBestRow,
  toOverallMatch,
  toResponseJson,
  groupRowsByField,
  toMatchStatusJson,
  toMatchStatus,
  type CheckResponseInput,
} from './view.ts';

/** The whole response of a check in version 1, as JSON. */
export function toCheckJson(verdict: Verdict, input: CheckResponseInput): string {
  const head = `"success":true,"request_id":${toJsonString(input.requestId)}`;
  return toResponseJson(verdict, input, { head, validation: inputValidation(verdict) });
}

/** `address` is a key only where an address was sent. */
function inputValidation(verdict: Verdict): string {
  const { name, email, phone, address } = groupRowsByField(verdict);
  const messages = verdict.score.dominantHasName
    ? { email: EMAIL, phone: PHONE, address: ADDRESS }
    : STRANGER;
  const addressed = address.length > 0 ? `"address":${addressField(messages.address, address)},` : '';
  return (
    `{"name":${textField(NAME, name)},"email":${textField(messages.email, email)}` +
    `,"phone":${textField(messages.phone, phone)},${addressed}"overall_match":${JSON.stringify(toOverallMatch(verdict))}}`
  );
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

function textField(messages: Messages, verdicts: (NameVerdict | TextVerdict)[]): string {
  const best = findBestRow(verdicts);
  const rows = verdicts.map((one) => row(one, toJsonString(one.input), toJsonString(one.standardized)));
  return field(messages, { best, input: best ? toJsonString(best.input) : 'null', rows });
}

/** The field's own `input` is a list that holds the one address it resolved against, joined to a string. */
function addressField(messages: Messages, verdicts: AddressVerdict[]): string {
  const best = findBestRow(verdicts);
  const rows = verdicts.map((one) =>
    row(one, lines(one.input, ''), lines(one.standardized, one.standardized.plus4)),
  );
  return field(messages, { best, input: best ? `[${toJsonString(joined(best.input))}]` : 'null', rows });
}

function field(
  messages: Messages,
  { best, input, rows }: { best: Resolution | undefined; input: string; rows: string[] },
): string {
  const message = best ? toJsonString(matchMessage(messages, best)) : 'null';
  return (
    `{"input":${input},"match_status":${toMatchStatusJson(best)},"matched_identity":${best?.identity ?? null}` +
    `,"is_primary":${isPrimary(best)},"match_message":${message},"inputs":[${rows.join()}]}`
  );
}

const isPrimary = (one: Resolution | undefined) => (one?.status === 'primary' ? '"Yes"' : '"No"');

/** `input` and `standardized` as JSON. */
function row(one: Resolution, input: string, standardized: string): string {
  return (
    `{"input":${input},"standardized":${standardized},"match_status":"${toMatchStatus(one)}"` +
    `,"matched_identity":${one.identity},"is_primary":${isPrimary(one)},"validated":${one.status !== 'unverified'}}`
  );
}

function lines({ street, street2, city, state, zip, country }: Address, plus4: string): string {
  return (
    `{"line1":${toJsonString(street)},"line2":${toJsonString(street2)},"city":${toJsonString(city)},"region":${toJsonString(state)}` +
    `,"postalCode":${toJsonString(zip)},"plus4":${toJsonString(plus4)},"countryCode":${toJsonString(country)}}`
  );
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
