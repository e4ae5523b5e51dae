import { normaliseAddress } from './address.js';
import { normaliseEmail } from './email.js';
import { normalisePhone } from './phone.js';
import { addressSignature, emailSignature } from './signature.js';
export function normaliseContact(kind, input, region) {
    if (typeof input !== 'string')
        return addressContact(input, typeof region === 'string' ? region : region[0]);
    return kind === 'email' ? emailContact(input) : phoneContact(input, region);
}
function emailContact(input) {
    const normal = normaliseEmail(input);
    if (normal === null)
        return null;
    const { standardized, keys } = normal;
    return { kind: 'email', input, standardized, keys, signature: emailSignature(standardized) };
}
function phoneContact(input, region) {
    const normal = normalisePhone(input, region);
    if (normal === null)
        return null;
    return { kind: 'phone', input, standardized: normal.standardized, keys: normal.keys, signature: null };
}
function addressContact(input, region) {
    const normal = normaliseAddress(input, region);
    if (normal === null)
        return null;
    const { standardized, keys } = normal;
    return { kind: 'address', input, standardized, keys, signature: addressSignature(standardized) };
}
