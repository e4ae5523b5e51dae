// Writes the answer of a check in version 1 and version 2. Version 1 is the default and frozen: no field, order or meaning may change.
import type {
  Address,
  AddressMatchResult,
  MatchStatus,
  NameMatchResult,
  MatchResult,
  StandardAddress,
  EmailOrPhoneMatchResult,
  Verdict,
} from '../../model.ts';
import {
  findBestMatchResult,
  groupMatchResultsByField,
  toJsonStringLiteral,
  toMatchStatusText,
  toMatchStatusJsonText,
  toOverallMatchObject,
  toCheckResponseJsonText,
} from './view.ts';
import type { CheckAnswerValuesOutsideVerdict } from '../../validate.ts';

export function toCheckV1JsonText(verdict: Verdict, input: CheckAnswerValuesOutsideVerdict): string {
  const head = `"success":true,"request_id":${toJsonStringLiteral(input.requestId)}`;
  return toCheckResponseJsonText(verdict, input, { head, validation: toInputValidation(verdict) });
}

/** Returns the field `input_validation` of version 1 as JSON. It has the member `address` only if the request has an address. */
function toInputValidation(verdict: Verdict): string {
  const { name, email, phone, address } = groupMatchResultsByField(verdict);
  const messages = verdict.score.dominantHasName
    ? { email: EMAIL, phone: PHONE, address: ADDRESS }
    : STRANGER;
  const addressJson = address.length > 0 ? `"address":${toAddressField(messages.address, address)},` : '';
  return (
    `{"name":${toTextField(NAME, name)},"email":${toTextField(messages.email, email)}` +
    `,"phone":${toTextField(messages.phone, phone)},${addressJson}"overall_match":${JSON.stringify(toOverallMatchObject(verdict))}}`
  );
}

type Messages = Record<MatchStatus, string | ((identity: number | null) => string)>;

const NAME = messagesFor('Name');
const EMAIL = messagesFor('Email');
const PHONE = messagesFor('Phone');
const ADDRESS = messagesFor('Address');
/** Messages in answers of version 1, used if the submitted name is not a name of the dominant identity. */
const STRANGER = {
  email: strangerMessagesFor('Email'),
  phone: strangerMessagesFor('Phone'),
  address: strangerMessagesFor('Address'),
};

function toTextField(messages: Messages, verdicts: (NameMatchResult | EmailOrPhoneMatchResult)[]): string {
  const best = findBestMatchResult(verdicts);
  const rows = verdicts.map((row) => {
    const { input, standardized } = row;
    return toRow(
      row,
      toJsonStringLiteral(input),
      standardized === null ? 'null' : toJsonStringLiteral(standardized),
    );
  });
  return toField(messages, { best, input: best ? toJsonStringLiteral(best.input) : 'null', rows });
}

/** Returns the field `address` of version 1 as JSON. Its `input` is a list of one text, the best address. */
function toAddressField(messages: Messages, verdicts: AddressMatchResult[]): string {
  const best = findBestMatchResult(verdicts);
  const rows = verdicts.map((row) =>
    toRow(row, toLines(row.input, ''), toLines(row.standardized, row.standardized.plus4)),
  );
  const input = best ? `[${toJsonStringLiteral(joinLines(best.input))}]` : 'null';
  return toField(messages, { best, input, rows });
}

function toField(
  messages: Messages,
  { best, input, rows }: { best: MatchResult | undefined; input: string; rows: string[] },
): string {
  const message = best ? toJsonStringLiteral(toMessage(messages, best)) : 'null';
  return (
    `{"input":${input},"match_status":${toMatchStatusJsonText(best)},"matched_identity":${best?.identity ?? null}` +
    `,"is_primary":${isPrimary(best)},"match_message":${message},"inputs":[${rows.join()}]}`
  );
}

const isPrimary = (row: MatchResult | undefined) => (row?.status === 'primary' ? '"Yes"' : '"No"');

/** Returns the answer row of one submitted value in version 1 as JSON. `input` and `standardized` are JSON texts. */
function toRow(row: MatchResult, input: string, standardized: string): string {
  return (
    `{"input":${input},"standardized":${standardized},"match_status":"${toMatchStatusText(row)}"` +
    `,"matched_identity":${row.identity},"is_primary":${isPrimary(row)},"validated":${row.status !== 'unverified'}}`
  );
}

function toLines({ street, street2, city, state, zip, country }: Address, plus4: string): string {
  return (
    `{"line1":${toJsonStringLiteral(street)},"line2":${toJsonStringLiteral(street2)},"city":${toJsonStringLiteral(city)},"region":${toJsonStringLiteral(state)}` +
    `,"postalCode":${toJsonStringLiteral(zip)},"plus4":${toJsonStringLiteral(plus4)},"countryCode":${toJsonStringLiteral(country)}}`
  );
}

function joinLines({ street, street2, city, state, zip, country }: Address): string {
  return [street, street2, city, [state, zip].filter(Boolean).join(' '), country].filter(Boolean).join(', ');
}

function messagesFor(label: string): Messages {
  return {
    primary: `VERIFIED MATCH: ${label} matches the primary verified identity.`,
    secondary: `VERIFIED MATCH: ${label} matches a secondary record of the primary verified identity.`,
    different: (identity) =>
      `DIFFERENT IDENTITY: ${label} matches identity ${identity}, not the primary verified identity.`,
    unverified: `NO RECORD: No matching record for this ${label.toLowerCase()}.`,
  };
}

function strangerMessagesFor(label: string): Messages {
  const stranger = (identity: number | null) =>
    `DIFFERENT PERSON: ${label} matches identity ${identity}, whose name is not the submitted one.`;
  return { ...messagesFor(label), primary: stranger, secondary: stranger };
}

function toMessage(messages: Messages, { status, identity }: MatchResult): string {
  const text = messages[status];
  return typeof text === 'string' ? text : text(identity);
}

/** Returns the whole answer of a check in version 2 as JSON. It differs from version 1 in `input_validation` and adds `response_version`. */
export function toCheckV2JsonText(verdict: Verdict, input: CheckAnswerValuesOutsideVerdict): string {
  const head = `"success":true,"response_version":"v2","request_id":${toJsonStringLiteral(input.requestId)}`;
  return toCheckResponseJsonText(verdict, input, {
    head,
    validation: JSON.stringify(toInputValidationV2(verdict)),
  });
}

function toInputValidationV2(verdict: Verdict) {
  const { name, email, phone, address } = groupMatchResultsByField(verdict);
  return {
    name: name.map((row) => toRowV2(row, row.input, row.standardized)),
    emails: email.map((row) => toRowV2(row, row.input, row.standardized)),
    phones: phone.map((row) => toRowV2(row, row.input, row.standardized?.replace('+', '') ?? null)),
    addresses: address.map((row) =>
      toRowV2(row, withoutEmptyParts(row.input), toStandardAddress(row.standardized)),
    ),
    overall_match: toOverallMatchObject(verdict),
  };
}

const STATUS_V2 = {
  primary: 'Verified',
  secondary: 'Verified',
  different: 'Different Identity',
  unverified: 'Unverified',
} as const;

const toRowV2 = <Input, Standard>(
  { status, identity }: MatchResult,
  input: Input,
  standardized: Standard,
) => ({
  input,
  standardized,
  match_status: STATUS_V2[status],
  matched_identity: identity,
  is_primary: status === 'primary',
  validated: status !== 'unverified',
});

const withoutEmptyParts = (address: Address) =>
  Object.fromEntries(Object.entries(address).filter(([, part]) => part !== ''));

function toStandardAddress({ street, street2, city, state, zip, plus4, country }: StandardAddress) {
  return { street, ...(street2 === '' ? {} : { street2 }), city, state, zip, plus4, country };
}
