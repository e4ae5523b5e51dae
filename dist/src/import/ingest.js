import { addressSignature, emailSignature } from '../normalise/signature.js';
import { normaliseAddress } from '../normalise/address.js';
import { normaliseEmail } from '../normalise/email.js';
import { normalisePhone } from '../normalise/phone.js';
/** A record as the graph keeps it: names as written (sealed later), contacts as fingerprints only. */
export function toStored(record, vault, region) {
    const { recordId, source, names, birthDate, identity, firstSeen, lastSeen } = record;
    const contacts = [];
    for (const text of record.emails) {
        const email = normaliseEmail(text);
        if (email)
            contacts.push(stored({ kind: 'email', keys: email.keys, signature: emailSignature(email.standardized), vault }));
    }
    for (const text of record.phones) {
        const phone = normalisePhone(text, region);
        if (phone)
            contacts.push(stored({ kind: 'phone', keys: phone.keys, signature: null, vault }));
    }
    for (const parts of record.addresses) {
        const address = normaliseAddress(parts, region);
        if (!address)
            continue;
        const { zip, city, state } = address.standardized;
        const contact = stored({
            kind: 'address',
            keys: address.keys,
            signature: addressSignature(address.standardized),
            vault,
        });
        if (zip)
            contact.places.push(vault.key('place', zip.slice(0, 5)));
        if (city)
            contact.places.push(vault.key('place', `${city}|${state}`));
        contacts.push(contact);
    }
    return { recordId, source, names, birthDate, label: identity, firstSeen, lastSeen, contacts };
}
function stored(from) {
    const { kind, keys, signature, vault } = from;
    return {
        kind,
        keys: keys.map(({ type, text }) => [type, vault.key(type, text)]),
        signature: signature && {
            exactPart: vault.key('anchor', `${signature.kind}|${signature.exactPart}`),
            grams: vault.grams(signature.text),
        },
        places: [],
    };
}
