import { collapse, combinedScore, fieldSummary, history, identityScore, overallMatch, statusText, } from './view.js';
/** The whole response of a check in version 1. */
export function v1(verdict, { requestId, now, insights }) {
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
function inputValidation(verdict) {
    const { name, emails, phones, addresses } = verdict;
    return {
        name: field(NAME, [name], row),
        email: field(EMAIL, emails, row),
        phone: field(PHONE, phones, row),
        ...(addresses.length > 0 ? { address: addressField(addresses) } : {}),
        overall_match: overallMatch(verdict),
    };
}
const NAME = messagesOf('Name');
const EMAIL = messagesOf('Email');
const PHONE = messagesOf('Phone');
const ADDRESS = messagesOf('Address');
function field(messages, rows, view) {
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
function addressField(rows) {
    const all = field(ADDRESS, rows, addressRow);
    all.input = [joined(all.input)];
    return all;
}
function row(verdict) {
    return rowOf(verdict, verdict.input, verdict.standardized);
}
function addressRow(verdict) {
    return rowOf(verdict, lines(verdict.input, ''), lines(verdict.standardized, verdict.standardized.plus4));
}
function rowOf(verdict, input, standardized) {
    return {
        input,
        standardized,
        match_status: statusText(verdict),
        matched_identity: verdict.identity,
        is_primary: verdict.status === 'primary' ? 'Yes' : 'No',
        validated: verdict.status !== 'unverified',
    };
}
function lines(address, plus4) {
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
function joined({ street, street2, city, state, zip, country }) {
    return [street, street2, city, [state, zip].filter(Boolean).join(' '), country].filter(Boolean).join(', ');
}
function messagesOf(label) {
    return {
        primary: `VERIFIED MATCH: ${label} matches the primary verified identity.`,
        secondary: `VERIFIED MATCH: ${label} matches a secondary record of the primary verified identity.`,
        different: (identity) => `DIFFERENT IDENTITY: ${label} matches identity ${identity}, not the primary verified identity.`,
        unverified: `NO RECORD: No matching record for this ${label.toLowerCase()}.`,
    };
}
function matchMessage(messages, { status, identity }) {
    return status === 'different' ? messages.different(identity) : messages[status];
}
