import { typoDistance } from './typo.js';
/** Providers whose names are known well enough that one slip away is a slip; any other domain must be written as on record. */
const PROVIDERS = [
    'gmail.com',
    'googlemail.com',
    'yahoo.com',
    'hotmail.com',
    'outlook.com',
    'icloud.com',
    'aol.com',
    'live.com',
    'msn.com',
    'proton.me',
    'protonmail.com',
    'gmx.de',
    'gmx.net',
    'web.de',
    'mail.ru',
    'yandex.ru',
    'comcast.net',
    'verizon.net',
];
/**
 * An e-mail may hide a slip in its letters, never in its digits: bob1@ and bob2@ are two mailboxes. Nor in its domain, unless that is a
 * well-known provider's: a look-alike domain is what an impostor registers.
 */
export function emailSignature(email) {
    const at = email.lastIndexOf('@');
    const domain = email.slice(at + 1);
    const provider = PROVIDERS.includes(domain)
        ? domain
        : PROVIDERS.find((one) => typoDistance(one, domain, 1) === 1);
    const exactPart = `${email.slice(0, at).replace(/[^0-9]+/g, '')}@${provider ?? domain}`;
    return { kind: 'email', exactPart, text: email };
}
/** A street name may hide a slip; house number and place must agree. Null where there is no house number or no place. */
export function addressSignature(address) {
    const number = /\d+/.exec(address.street)?.[0];
    const place = address.zip.slice(0, 5) || address.city;
    if (!number || !place)
        return null;
    return { kind: 'address', exactPart: `${number}|${place}`, text: address.street.toLowerCase() };
}
