import { ProblemError } from '../http/problems.js';
const utf8 = new TextDecoder('utf-8', { fatal: true });
const invalid = (detail) => new ProblemError({ code: 'invalid_json', detail });
/** Reads a body as one JSON object in UTF-8. Throws invalid_json; never tells the parser's own words, which quote the body. */
export function readObject(bytes) {
    let text;
    try {
        text = utf8.decode(bytes);
    }
    catch {
        throw invalid('The body is not UTF-8.');
    }
    let value;
    try {
        value = JSON.parse(text);
    }
    catch {
        throw invalid(text.trim() === '' ? 'The body is empty.' : 'The body is not JSON.');
    }
    if (!isObject(value))
        throw invalid('The body is JSON, but not an object.');
    return { value, text };
}
export function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
const MAX_ISSUES = 50;
/**
 * Fields that an object has twice. JSON.parse keeps the last one silently, which would silently weaken a check.
 * `text` must be valid JSON; this walks over its strings and brackets once, without recursion.
 */
export function duplicateKeys(text) {
    const issues = [];
    const levels = [];
    let level;
    let key = '';
    for (let i = 0; i < text.length; i++) {
        switch (text.charCodeAt(i)) {
            case 0x22: {
                const end = stringEnd(text, i);
                let after = end;
                while (text.charCodeAt(after) <= 0x20)
                    after++;
                if (level?.keys && text.charCodeAt(after) === 0x3a) {
                    const raw = text.slice(i + 1, end - 1);
                    key = raw.includes('\\') ? JSON.parse(text.slice(i, end)) : raw;
                    if (level.keys.has(key))
                        issues.push(twice(level.path + token(key)));
                    else
                        level.keys.add(key);
                }
                i = end - 1;
                break;
            }
            case 0x7b:
            case 0x5b: {
                const path = level ? level.path + (level.keys ? token(key) : `/${level.index}`) : '';
                level = { path, keys: text[i] === '{' ? new Set() : null, index: 0 };
                levels.push(level);
                break;
            }
            case 0x7d:
            case 0x5d:
                levels.pop();
                level = levels.at(-1);
                break;
            case 0x2c:
                if (level)
                    level.index++;
        }
        if (issues.length >= MAX_ISSUES || (issues.length > 0 && levels.length === 0))
            break;
    }
    return issues;
}
const twice = (pointer) => ({
    pointer,
    code: 'duplicate_field',
    detail: 'This field is there more than once. Send it once.',
});
function stringEnd(text, start) {
    let end = start + 1;
    while (true) {
        end = text.indexOf('"', end);
        let slashes = 0;
        while (text.charCodeAt(end - 1 - slashes) === 0x5c)
            slashes++;
        end++;
        if (slashes % 2 === 0)
            return end;
    }
}
/**
 * A key as a reference token of a JSON Pointer (RFC 6901), slash included. A misplaced value may stand where a field's name belongs, so
 * only what looks like a name is repeated; for any other key the pointer ends at its parent.
 */
export function token(key) {
    return /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/.test(key) ? `/${key}` : '';
}
