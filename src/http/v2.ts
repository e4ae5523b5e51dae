// Response version 2, asked for by ?response=v2 or Accept-Version: v2: rows under the names that were sent, booleans.
import type { Address, AddressVerdict, StandardAddress, ValueVerdict, Verdict } from '../model.ts';
import { v1 } from './v1.ts';
import { overallMatch } from './view.ts';
import type { ViewInput } from './view.ts';

/** The whole response of a check in version 2: version 1 with another `input_validation` and `response_version`. */
export function v2(verdict: Verdict, input: ViewInput) {
  const { success, request_id, ...base } = v1(verdict, input);
  return { success, response_version: 'v2', request_id, ...base, input_validation: inputValidation(verdict) };
}

function inputValidation(verdict: Verdict) {
  return {
    name: [row(verdict.name, verdict.name.standardized)],
    emails: verdict.emails.map((email) => row(email, email.standardized)),
    phones: verdict.phones.map((phone) => row(phone, phone.standardized.replace('+', ''))),
    addresses: verdict.addresses.map(addressRow),
    overall_match: overallMatch(verdict),
  };
}

const STATUS = {
  primary: 'Verified',
  secondary: 'Verified',
  different: 'Different Identity',
  unverified: 'Unverified',
} as const;

function row({ input, status, identity }: ValueVerdict<unknown, unknown>, standardized: unknown) {
  return {
    input,
    standardized,
    match_status: STATUS[status],
    matched_identity: identity,
    is_primary: status === 'primary',
    validated: status !== 'unverified',
  };
}

function addressRow(verdict: AddressVerdict) {
  return row({ ...verdict, input: sentWords(verdict.input) }, standard(verdict.standardized));
}

/** The words that were sent, under the names they were sent by: no key for what was left out. */
function sentWords(address: Address) {
  return Object.fromEntries(Object.entries(address).filter(([, words]) => words !== ''));
}

function standard({ street, street2, city, state, zip, plus4, country }: StandardAddress) {
  return { street, ...(street2 === '' ? {} : { street2 }), city, state, zip, plus4, country };
}
