import { ProblemError } from './problems.js';
/**
 * The caller behind `X-API-Key: KEY` or `Authorization: Bearer KEY`. Both may be sent if they agree.
 * Throws missing_api_key, invalid_api_key.
 */
export function authenticate(headers, findKey, now) {
    const own = headers.get('x-api-key')?.trim() || null;
    const bearer = /^Bearer +(\S+)\s*$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null;
    const key = own ?? bearer;
    if (key === null) {
        throw refused('missing_api_key', 'Send an API key as X-API-Key: KEY or as Authorization: Bearer KEY.');
    }
    if (own !== null && bearer !== null && own !== bearer) {
        throw refused('invalid_api_key', 'X-API-Key and Authorization carry different keys.');
    }
    const caller = findKey(key, now);
    if (!caller)
        throw refused('invalid_api_key', 'The API key is mistyped, unknown, revoked or expired.');
    return caller;
}
/** Throws forbidden where the key may not do what the scope stands for. */
export function requireScope(caller, scope) {
    if (caller.scopes.includes(scope))
        return;
    throw new ProblemError({ code: 'forbidden', detail: `This needs a key with the scope \`${scope}\`.` });
}
const refused = (code, detail) => new ProblemError({ code, detail, headers: [['www-authenticate', 'Bearer']] });
