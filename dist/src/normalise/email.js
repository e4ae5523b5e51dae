import { domainToASCII } from 'node:url';
import { clean } from './text.js';
const MAX_EMAIL = 254;
const MAX_LOCAL = 64;
/** RFC 5322 dot-atom, letters and digits of any script allowed (RFC 6531). Quoted local parts are refused: nobody's real mailbox needs one. */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN = /^(?=.{3,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?![0-9]+$)[a-z0-9-]{2,63}$/;
const PLAIN = /^[\x21-\x7e]+$/;
/** From the providers' own help pages, as known in 2025: one mailbox, many spellings. */
const PROVIDERS = new Map([
    ...same(['gmail.com', 'googlemail.com'], '+', /\./g),
    ...same(['icloud.com', 'me.com', 'mac.com'], '+'),
    ...same(['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], '+', /[._-]/g),
    ...same(['yandex.ru', 'yandex.com', 'ya.ru', 'yandex.by', 'yandex.kz', 'yandex.ua'], '+', /[.-]/g),
    ...same(['fastmail.com', 'fastmail.fm'], '+'),
    // Yahoo's disposable addresses are `base-keyword`; its own names never hold a hyphen.
    ...[
        'yahoo.com',
        'ymail.com',
        'rocketmail.com',
        'yahoo.co.uk',
        'yahoo.fr',
        'yahoo.de',
        'yahoo.it',
        'yahoo.es',
        'yahoo.ca',
    ]
        .concat(['yahoo.co.jp', 'yahoo.co.in', 'yahoo.com.br', 'yahoo.com.au', 'yahoo.com.mx'])
        .flatMap((domain) => same([domain], '-')),
]);
function same(domains, tag, ignored) {
    return domains.map((domain) => [domain, { domain: domains[0], tag, ignored }]);
}
/**
 * Reads one e-mail address.
 *
 * `standardized` is the lowercased address. Forms: `email`, the same with an international domain in
 * punycode; `mailbox`, without the tag and the signs that its provider ignores, so that `Ann.Lee+shop@googlemail.com`
 * and `annlee@gmail.com` meet. Both are always there, the mailbox equal to the address where nothing is to be taken off.
 *
 * @returns null where the text is no usable address: longer than 254 characters, a quoted local part, no dotted
 *   domain, an IP address, or anything before or after the address.
 */
export function normaliseEmail(text) {
    const standardized = clean(text).toLowerCase();
    if (standardized.length > MAX_EMAIL)
        return null;
    const at = standardized.lastIndexOf('@');
    const local = standardized.slice(0, at);
    if (at < 1 || local.length > MAX_LOCAL || !LOCAL.test(local))
        return null;
    const typed = standardized.slice(at + 1);
    const domain = PLAIN.test(typed) ? typed : domainToASCII(typed);
    if (!DOMAIN.test(domain))
        return null;
    return {
        standardized,
        keys: [
            { type: 'email', text: `${local}@${domain}` },
            { type: 'mailbox', text: mailbox(local, domain) },
        ],
    };
}
function mailbox(local, domain) {
    const provider = PROVIDERS.get(domain);
    let name = withoutTag(local, '+');
    if (provider === undefined)
        return `${name}@${domain}`;
    if (provider.tag !== '+')
        name = withoutTag(name, provider.tag);
    if (provider.ignored !== undefined)
        name = name.replace(provider.ignored, '') || name;
    return `${name}@${provider.domain}`;
}
/** An address that is nothing but a tag keeps it: the mailbox of `+x@…` is not everybody's. */
function withoutTag(local, sign) {
    const start = local.indexOf(sign);
    if (start <= 0)
        return local;
    return local.slice(0, local[start - 1] === '.' ? start - 1 : start);
}
