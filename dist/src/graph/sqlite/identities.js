import { nameKeys, prepareName } from '../../names/index.js';
import { givenKey } from '../../names/given.js';
/** Looked up like a key of a name: identities whose records carry no name. */
export const NAMELESS = { type: 'name', text: '' };
const NAMES = 8;
const SIGNATURES = 16;
/**
 * Gathers the records of one identity. The primary value of a kind is the one most records attest, then the one seen last, then
 * the first listed. `records` must be in the order of import.
 */
export function gather(records, vault) {
    const seen = records
        .flatMap((record) => [record.firstSeen, record.lastSeen])
        .filter((time) => time !== null);
    const names = ranked(records, (record) => record.names.map((name) => [prepareKey(name), name]));
    const postings = new Map();
    const post = (key, primary) => postings.set(key, primary || (postings.get(key) ?? false));
    names.forEach(({ value }, i) => {
        const name = prepareName(value);
        for (const text of [...nameKeys(name), givenKey(name)])
            if (text !== null)
                post(vault.key('name', text), i === 0);
    });
    if (names.length === 0)
        post(vault.key(NAMELESS.type, NAMELESS.text), false);
    const signatures = [];
    for (const kind of ['email', 'phone', 'address']) {
        const values = ranked(records, (record) => contactsOf(record, kind));
        values.forEach(({ value }, i) => {
            for (const [, key] of value.keys)
                post(key, i === 0);
            if (value.signature && kind !== 'phone')
                signatures.push({ kind, ...value.signature, primary: i === 0 });
        });
    }
    return {
        firstSeen: seen.length ? seen.reduce((a, b) => Math.min(a, b)) : null,
        lastSeen: seen.length ? seen.reduce((a, b) => Math.max(a, b)) : null,
        records: records.length,
        sources: new Set(records.map((record) => record.source)).size,
        names: names.slice(0, NAMES).map(({ value }) => value),
        postings,
        signatures: signatures.slice(0, SIGNATURES),
    };
}
/** Kept of an exact part in clear: enough to know most strangers by, and so little that very many values have it in common. */
export const shortExactPart = (exactPart) => exactPart % 4096;
/** The exact parts of an identity's signatures as they are kept beside them: short, with spaces between. */
export function exactPartsOf(signatures) {
    return [...new Set(signatures.map(({ exactPart }) => shortExactPart(exactPart)))].join(' ');
}
/** Spellings that prepare to the same exact key are one name. */
function prepareKey(name) {
    return nameKeys(prepareName(name))[0] ?? name;
}
function contactsOf(record, kind) {
    return record.contacts
        .filter((contact) => contact.kind === kind && contact.keys.length > 0)
        .map((contact) => [String(contact.keys[0][1]), contact]);
}
/** The different values of the records, the primary first. A value is known by its text. */
function ranked(records, list) {
    const found = new Map();
    for (const record of records)
        for (const [text, value] of new Map(list(record))) {
            const known = found.get(text) ?? { value, records: 0, lastSeen: -Infinity };
            known.records++;
            known.lastSeen = Math.max(known.lastSeen, record.lastSeen ?? -Infinity);
            found.set(text, known);
        }
    // Array.sort keeps the order of equals: first listed stays first.
    return [...found.values()].sort((a, b) => b.records - a.records || later(a, b));
}
/** Not a subtraction: two values without a date would give NaN. */
function later(a, b) {
    if (a.lastSeen === b.lastSeen)
        return 0;
    return b.lastSeen > a.lastSeen ? 1 : -1;
}
