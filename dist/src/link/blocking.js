import { nameKeys, nameParts } from '../names/index.js';
/**
 * The keys under which a record meets others, without duplicates. Two records are compared when they share one: a key of a contact, the
 * house number with the postcode, the name together with a place or a birth date, or a birth date together with an initial. Nothing
 * else is ever compared.
 */
export function blockKeys(record, vault) {
    const keys = new Set();
    const places = new Set();
    for (const contact of record.contacts) {
        for (const [, key] of contact.keys)
            keys.add(key);
        for (const place of contact.places)
            places.add(place);
        if (contact.kind === 'address' && contact.signature)
            keys.add(contact.signature.exactPart);
    }
    const { birthDate, prepared } = record;
    for (const name of new Set(prepared.flatMap(nameKeys))) {
        for (const place of places)
            keys.add(vault.key('place', `${name}|${place}`));
        if (birthDate)
            keys.add(vault.key('birth', `${birthDate}|${name}`));
    }
    if (birthDate)
        for (const initial of initials(prepared))
            keys.add(vault.key('birth', `${birthDate}|${initial}`));
    return keys;
}
function initials(names) {
    const parts = names.map(nameParts);
    const words = parts.flatMap(({ given, family }) => [...given, ...family]);
    return new Set(words.filter((word) => word.length > 0).map((word) => word[0]));
}
