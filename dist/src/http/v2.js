import { v1 } from './v1.js';
import { overallMatch } from './view.js';
/** The whole response of a check in version 2: version 1 with another `input_validation` and `response_version`. */
export function v2(verdict, input) {
    const { success, request_id, ...base } = v1(verdict, input);
    return { success, response_version: 'v2', request_id, ...base, input_validation: inputValidation(verdict) };
}
function inputValidation(verdict) {
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
};
function row({ input, status, identity }, standardized) {
    return {
        input,
        standardized,
        match_status: STATUS[status],
        matched_identity: identity,
        is_primary: status === 'primary',
        validated: status !== 'unverified',
    };
}
function addressRow(verdict) {
    return row({ ...verdict, input: sentWords(verdict.input) }, standard(verdict.standardized));
}
/** The words that were sent, under the names they were sent by: no key for what was left out. */
function sentWords(address) {
    return Object.fromEntries(Object.entries(address).filter(([, words]) => words !== ''));
}
function standard({ street, street2, city, state, zip, plus4, country }) {
    return { street, ...(street2 === '' ? {} : { street2 }), city, state, zip, plus4, country };
}
