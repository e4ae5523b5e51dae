// Response version 2, asked for by ?response=v2 or Accept-Version: v2: rows under the names that were sent, booleans.
import type { Address, Resolution, StandardAddress, Verdict } from '../../model.ts';
import {
  toJsonString,
  toOverallMatch,
  toResponseJson,
  groupRowsByField,
  type CheckResponseInput,
} from './view.ts';

/** The whole response of a check in version 2, as JSON: version 1 with another `input_validation` and `response_version`. */
export function toCheckV2Json(verdict: Verdict, input: CheckResponseInput): string {
  const head = `"success":true,"response_version":"v2","request_id":${toJsonString(input.requestId)}`;
  return toResponseJson(verdict, input, { head, validation: JSON.stringify(inputValidation(verdict)) });
}

function inputValidation(verdict: Verdict) {
  const { name, email, phone, address } = groupRowsByField(verdict);
  return {
    name: name.map((one) => row(one, one.input, one.standardized)),
    emails: email.map((one) => row(one, one.input, one.standardized)),
    phones: phone.map((one) => row(one, one.input, one.standardized.replace('+', ''))),
    addresses: address.map((one) => row(one, sentWords(one.input), standard(one.standardized))),
    overall_match: toOverallMatch(verdict),
  };
}

const STATUS = {
  primary: 'Verified',
  secondary: 'Verified',
  different: 'Different Identity',
  unverified: 'Unverified',
} as const;

function row<I, S>({ status, identity }: Resolution, input: I, standardized: S) {
  return {
    input,
    standardized,
    match_status: STATUS[status],
    matched_identity: identity,
    is_primary: status === 'primary',
    validated: status !== 'unverified',
  };
}

/** The words that were sent, under the names they were sent by: no key for what was left out. */
function sentWords(address: Address) {
  return Object.fromEntries(Object.entries(address).filter(([, words]) => words !== ''));
}

function standard({ street, street2, city, state, zip, plus4, country }: StandardAddress) {
  return { street, ...(street2 === '' ? {} : { street2 }), city, state, zip, plus4, country };
}
