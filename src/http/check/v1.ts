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
import { quoted } from './json-text.ts';
import { collapse, overallMatch, responseText, rowsOf, statusOrNull, statusText } from './view.ts';
import type { ViewInput } from './view.ts';

/** The whole response of a check in version 1, as JSON. */
export function v1(verdict: Verdict, input: ViewInput): string {
  const head = `"success":true,"request_id":${quoted(input.requestId)}`;
  return responseText(verdict, input, { head, validation: inputValidation(verdict) });
}

/** `address` is a key only where an address was sent. */
function inputValidation(verdict: Verdict): string {
  const { name, email, phone, address } = rowsOf(verdict);
  const messages = verdict.score.dominantHasName
    ? { email: EMAIL, phone: PHONE, address: ADDRESS }
    : STRANGER;
  const addressed = address.length > 0 ? `"address":${addressField(messages.address, address)},` : '';
  return (
    `{"name":${textField(NAME, name)},"email":${textField(messages.email, email)}` +
    `,"phone":${textField(messages.phone, phone)},${addressed}"overall_match":${JSON.stringify(overallMatch(verdict))}}`
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
  const best = collapse(verdicts);
  const rows = verdicts.map((one) => row(one, quoted(one.input), quoted(one.standardized)));
  return field(messages, { best, input: best ? quoted(best.input) : 'null', rows });
}

/** The field's own `input` is a list that holds the one address it resolved against, joined to a string. */
function addressField(messages: Messages, verdicts: AddressVerdict[]): string {
  const best = collapse(verdicts);
  const rows = verdicts.map((one) =>
    row(one, lines(one.input, ''), lines(one.standardized, one.standardized.plus4)),
  );
  return field(messages, { best, input: best ? `[${quoted(joined(best.input))}]` : 'null', rows });
}

function field(
  messages: Messages,
  { best, input, rows }: { best: Resolution | undefined; input: string; rows: string[] },
): string {
  const message = best ? quoted(matchMessage(messages, best)) : 'null';
  return (
    `{"input":${input},"match_status":${statusOrNull(best)},"matched_identity":${best?.identity ?? null}` +
    `,"is_primary":${isPrimary(best)},"match_message":${message},"inputs":[${rows.join()}]}`
  );
}

const isPrimary = (one: Resolution | undefined) => (one?.status === 'primary' ? '"Yes"' : '"No"');

/** `input` and `standardized` as JSON. */
function row(one: Resolution, input: string, standardized: string): string {
  return (
    `{"input":${input},"standardized":${standardized},"match_status":"${statusText(one)}"` +
    `,"matched_identity":${one.identity},"is_primary":${isPrimary(one)},"validated":${one.status !== 'unverified'}}`
  );
}

function lines({ street, street2, city, state, zip, country }: Address, plus4: string): string {
  return (
    `{"line1":${quoted(street)},"line2":${quoted(street2)},"city":${quoted(city)},"region":${quoted(state)}` +
    `,"postalCode":${quoted(zip)},"plus4":${quoted(plus4)},"countryCode":${quoted(country)}}`
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
