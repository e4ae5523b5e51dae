import { birthEvidence } from './births.js';
import { namesAgree } from './names.js';
import { NO_NOISE } from './noise.js';
/** An address that more differently named people share is no household's. */
const HOUSEHOLD = 8;
/** How two records at one address compare; null where they have no address in common or lack a name or a birth date. */
export function sighting(a, b, context) {
    if (a.bearer === null || b.bearer === null || a.suffix !== b.suffix || !oneHome(a, b, context))
        return null;
    const [birth] = birthEvidence(a, b, { ...context, noise: NO_NOISE });
    return { names: namesAgree(a, b), births: birth.bits > 0, recurring: bothRecur(a, b, context) };
}
/** Is each one's name with its birth date on another record too? Then they are two people's: hardly anybody makes one error twice. */
export function bothRecur(a, b, { bearers }) {
    if (a.bearer === null || b.bearer === null || a.bearer === b.bearer)
        return false;
    return bearers(a.bearer) > 1 && bearers(b.bearer) > 1;
}
/** An address in common that few share. Addresses that are merely alike are no help here: only alike people are compared on those. */
function oneHome(a, b, { sharers }) {
    const keys = (record) => record.contacts
        .filter((contact) => contact.kind === 'address')
        .flatMap((contact) => contact.keys.filter(([type]) => type !== 'street').map(([, key]) => key));
    const theirs = new Set(keys(b));
    return keys(a).some((key) => theirs.has(key) && sharers(key) <= HOUSEHOLD);
}
