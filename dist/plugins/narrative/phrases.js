export const kinds = ['email', 'phone', 'address'];
const plurals = { email: 'emails', phone: 'phones', address: 'addresses' };
export const plural = (kind) => plurals[kind];
/** "the email", "both emails", "all 3 emails", "1 of 3 emails". */
function some(kind, count, total) {
    if (total === 1)
        return `the ${kind}`;
    if (count < total)
        return `${count} of ${total} ${plurals[kind]}`;
    return total === 2 ? `both ${plurals[kind]}` : `all ${total} ${plurals[kind]}`;
}
/** After "no record for": "the email", "either email", "any of the 3 emails", "1 of 3 emails". */
function any(kind, count, total) {
    if (total === 1 || count < total)
        return some(kind, count, total);
    return total === 2 ? `either ${kind}` : `any of the ${total} ${plurals[kind]}`;
}
/** The same when the others of the kind have been told: "the other email", "the other 4 phones". */
function others(kind, count, total) {
    if (count === total)
        return any(kind, count, total);
    return count === 1 ? `the other ${kind}` : `the other ${count} ${plurals[kind]}`;
}
/** "a", "a and b", "a, b and c". */
export function list(parts, last = 'and') {
    if (parts.length < 2)
        return parts.join('');
    return `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`;
}
/** The contacts with a given outcome; undefined where there are none. */
export function phrase(matches, outcome, options = {}) {
    const involved = kinds.filter((kind) => matches[kind][outcome] > 0);
    const { say = some } = options;
    const parts = involved.map((kind) => say(kind, matches[kind][outcome], matches[kind].submitted));
    if (options.withName)
        parts.unshift('the name');
    if (parts.length === 0)
        return undefined;
    const count = involved.reduce((sum, kind) => sum + matches[kind][outcome], options.withName ? 1 : 0);
    return { text: list(parts, options.last), many: count > 1 };
}
/** The matching contacts with the name, after those of a different identity have been told. */
export function theRest(matches) {
    const say = (kind, count, total) => count < total && matches[kind].different + count === total
        ? others(kind, count, total)
        : some(kind, count, total);
    return phrase(matches, 'matched', { withName: true, say });
}
/** The contacts without a record, to follow "no matching record for". */
export function unrecorded(matches, options = {}) {
    return phrase(matches, 'unverified', { say: options.rest ? others : any, last: 'or' })?.text;
}
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** "today", "1 day ago", "12 days ago", "5 months ago", "8 years ago"; the figures are those of `ageOf`. */
export function ago(days) {
    if (days === 0)
        return 'today';
    const { count, unit } = ageOf(days);
    return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
/** "12 days", "5 months", "8 years". */
export function span(days) {
    const { count, unit } = ageOf(days);
    return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
/** Days in the unit that people would use, rounded down: a history is never made longer than it is. */
export function ageOf(days) {
    if (days < 61)
        return { count: days, unit: 'day' };
    if (days < 730)
        return { count: Math.floor(days / 30.44), unit: 'month' };
    return { count: Math.floor(days / 365), unit: 'year' };
}
