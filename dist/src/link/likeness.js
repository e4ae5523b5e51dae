/** How many of `from` (sorted) are not in `to` (sorted). */
export function missing(from, to) {
    let count = 0;
    let j = 0;
    for (const value of from) {
        while (j < to.length && to[j] < value)
            j++;
        if (to[j] !== value)
            count++;
    }
    return count;
}
/** Letter pairs that a slip or two change. */
export const SLIP = 3;
/** How many letter pairs two texts do not share, where what a slip leaves alone agrees; else null. */
export function slip(one, two) {
    if (!one.signature || !two.signature || one.signature.exactPart !== two.signature.exactPart)
        return null;
    return Math.max(missing(one.signature.grams, two.signature.grams), missing(two.signature.grams, one.signature.grams));
}
/** Do two streets agree in most of their letter pairs (Dice 1945)? */
export function alikeStreet(one, two) {
    if (!one.signature || !two.signature)
        return false;
    const [a, b] = [one.signature.grams, two.signature.grams];
    return (2 * (a.length - missing(a, b))) / (a.length + b.length) >= 0.7;
}
/** An address in common, to the letter or but for a slip in the street's name. */
export function sameAddress(a, b) {
    return anyAddress(a, b, agree);
}
/** An address in common, or two on streets that are alike in one place. */
export function nearAddress(a, b) {
    return anyAddress(a, b, (one, two) => agree(one, two) || alike(one, two));
}
function anyAddress(a, b, same) {
    const theirs = b.contacts.filter((contact) => contact.kind === 'address');
    return a.contacts.some((one) => one.kind === 'address' && theirs.some((two) => same(one, two)));
}
function agree(one, two) {
    const keys = one.keys.some(([type, key]) => type !== 'street' && two.keys.some(([, other]) => other === key));
    return keys || (slip(one, two) ?? SLIP + 1) <= SLIP;
}
function alike(one, two) {
    return alikeStreet(one, two) && one.places.some((place) => two.places.includes(place));
}
/** Does any address of the one lie in a place of the other? */
export function samePlace(a, b) {
    const inPlace = (place) => b.contacts.some((contact) => contact.places.includes(place));
    return a.contacts.some((contact) => contact.places.some(inPlace));
}
