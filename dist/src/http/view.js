const DAY = 86_400_000;
const RANK = { primary: 0, secondary: 1, different: 2, unverified: 3 };
/** A match status in v1's words. */
export function statusText({ status, identity }) {
    switch (status) {
        case 'primary':
            return 'Primary Match';
        case 'secondary':
            return 'Secondary Match';
        case 'different':
            return `Different Identity Match (ID ${identity})`;
        case 'unverified':
            return 'Unverified';
    }
}
/**
 * The one row that speaks for a field: the best by Primary, Secondary, Different, Unverified, and the first of
 * equals; undefined where nothing was sent.
 */
export function collapse(rows) {
    let best = rows[0];
    for (const row of rows)
        if (RANK[row.status] < RANK[best.status])
            best = row;
    return best;
}
/** Whether every submitted value, the name included, resolved to the dominant identity. */
export function overallMatch({ name, emails, phones, addresses, dominant }) {
    const all = isDominant(name) && [emails, phones, addresses].every((rows) => rows.every(isDominant));
    return { all_components_match_same_identity: all, matched_identity: dominant };
}
const isDominant = ({ status }) => status === 'primary' || status === 'secondary';
export function identityScore(verdict) {
    const { final, raw, adjusted, penalties, bonuses, fraudRiskPenalty } = verdict.identityScore;
    const flags = matchFlags(verdict);
    return {
        final,
        raw,
        adjusted,
        penalties,
        bonuses,
        fraud_risk_penalty: fraudRiskPenalty,
        submitted_fields: Object.keys(flags),
        match_flags: flags,
    };
}
/** The status of each field that was sent, in the order that the specification lists the fields. */
function matchFlags({ name, emails, phones, addresses }) {
    const flags = { name: statusText(name) };
    if (emails.length > 0)
        flags.email = statusText(collapse(emails));
    if (phones.length > 0)
        flags.phone = statusText(collapse(phones));
    if (addresses.length > 0)
        flags.address = statusText(collapse(addresses));
    return flags;
}
export function combinedScore({ combined, confidence }) {
    return {
        final: combined.final,
        pre_capped: combined.preCapped,
        confidence_level_label: confidence.toLowerCase(),
        explanation: combined.explanation,
    };
}
export function fieldSummary({ name, emails, phones, addresses }) {
    return {
        name: summarise([name]),
        email: summarise(emails),
        phone: summarise(phones),
        address: summarise(addresses),
    };
}
function summarise(rows) {
    const best = collapse(rows);
    const count = { primary: 0, secondary: 0, different: 0, unverified: 0 };
    const others = {};
    for (const { status, identity } of rows) {
        count[status]++;
        if (status === 'different')
            others[String(identity)] = (others[String(identity)] ?? 0) + 1;
    }
    return {
        status: best ? statusText(best) : null,
        matched_identity: best?.identity ?? null,
        total: rows.length,
        validated: rows.length - count.unverified,
        primary_for_dominant: count.primary,
        validated_for_dominant: count.primary + count.secondary,
        validated_other_identities: others,
        unverified: count.unverified,
    };
}
/** ISO 8601 UTC timestamps and whole days up to `now`; null where no record carries a date. */
export function history({ history: { firstSeen, lastSeen } }, now) {
    const iso = (time) => (time === null ? null : new Date(time).toISOString());
    const days = (time) => (time === null ? null : Math.max(0, Math.floor((now - time) / DAY)));
    return {
        first_seen: iso(firstSeen),
        last_seen: iso(lastSeen),
        days_since_first_seen: days(firstSeen),
        days_since_last_seen: days(lastSeen),
    };
}
