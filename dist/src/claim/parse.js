import * as v from 'valibot';
import { duplicateKeys, token, isObject, readObject } from './json.js';
import { nearest } from '../normalise/nearest.js';
import { ProblemError } from '../http/problems.js';
import { FIELDS, MAX_VALUES, request } from './schema.js';
/** More than this is nobody's mistake to read through; the first ones are told. */
const MAX_ISSUES = 50;
const LISTS = ['emails', 'phones', 'addresses', 'nameAddresses', 'emailAddresses', 'phoneNumbers'];
const DETAILS = {
    required: 'This field is required.',
    wrong_type: 'This has the wrong type.',
    not_unicode: 'This text holds half a surrogate pair, which is no character.',
    empty: 'This must not be empty.',
    too_long: 'This has too many characters: at most 200 in a name or a part of an address, 254 in an email.',
    too_many: `At most ${MAX_VALUES} values of one kind can be sent.`,
    no_letter: 'A name has at least one letter.',
    invalid_email: 'This is not an email address.',
    invalid_phone: 'A phone number has 10 to 15 digits.',
    invalid_operation: 'The operation is `validate` or `raw`.',
};
const TYPES = {
    string: 'This must be a string.',
    Array: 'This must be a list.',
    Object: 'This must be an object.',
    boolean: 'This must be true or false.',
};
/**
 * Reads the bytes of a body, in the current or the legacy shape, as a claim: NFC, trimmed, e-mails lowercased,
 * phones stripped to digits, values that are equal then are kept once, at the place of the first.
 * `before` are broken rules found outside the body; all are told in one answer.
 * Throws ProblemError: invalid_json; invalid_request with one issue for every broken rule.
 */
export function parseClaim(bytes, before = []) {
    const { value, text } = readObject(bytes);
    const issues = [...before, ...duplicateKeys(text), ...unknownFields(value)];
    const body = cutLists(value, issues);
    const result = v.safeParse(request, body);
    for (const issue of result.issues ?? [])
        issues.push(toIssue(issue));
    issues.push(...conflicts(body), ...nameIssues(body));
    if (issues.length > 0 || !result.success)
        throw invalidRequest(issues);
    return toClaim(result.output);
}
export function invalidRequest(issues) {
    const errors = issues.slice(0, MAX_ISSUES);
    const detail = issues.length === 1 ? 'The request breaks one rule.' : `The request breaks ${issues.length} rules.`;
    return new ProblemError({ code: 'invalid_request', detail, errors });
}
/** A valibot issue holds the input: only its place and the code that our schema gave it go on. */
function toIssue({ path, message: code, expected }) {
    const pointer = (path ?? []).map(({ key }) => `/${String(key)}`).join('');
    const detail = (code === 'wrong_type' && TYPES[expected ?? '']) || DETAILS[code];
    return { pointer, code, detail };
}
/** Lists beyond the limit are told and cut, so that a huge one costs nothing more. */
function cutLists(value, issues) {
    let body = value;
    for (const field of LISTS) {
        const list = body[field];
        if (!Array.isArray(list) || list.length <= MAX_VALUES)
            continue;
        issues.push({ pointer: `/${field}`, code: 'too_many', detail: DETAILS.too_many });
        body = { ...body, [field]: list.slice(0, MAX_VALUES) };
    }
    return body;
}
function unknownFields(body) {
    const issues = [];
    const look = (value, known, at) => {
        if (!isObject(value))
            return;
        for (const key of Object.keys(value)) {
            if (!known.includes(key) && issues.length < MAX_ISSUES)
                issues.push(unknown(key, known, at));
        }
    };
    const each = (list, visit) => Array.isArray(list) && list.slice(0, MAX_VALUES).forEach(visit);
    look(body, FIELDS.request, '');
    each(body.addresses, (item, i) => look(item, FIELDS.address, `/addresses/${i}`));
    each(body.nameAddresses, (item, i) => {
        look(item, FIELDS.nameAddress, `/nameAddresses/${i}`);
        if (isObject(item))
            look(item.address, FIELDS.legacyAddress, `/nameAddresses/${i}/address`);
    });
    return issues;
}
function unknown(key, known, at) {
    const pointer = at + token(key);
    const meant = nearest(key, known);
    const hint = meant ? `did you mean \`${meant}\`?` : `known are ${known.join(', ')}.`;
    return { pointer, code: 'unknown_field', detail: `This field is not known; ${hint}` };
}
/** Both forms of one field, the current and the legacy one. */
function conflicts(body) {
    const issues = [];
    const clash = (current, legacy, pointer) => {
        if (pointer === undefined || !Object.hasOwn(body, current))
            return;
        const detail = `\`${legacy}\` is the legacy form of \`${current}\`: send one of the two.`;
        issues.push({ pointer, code: 'conflicting_fields', detail });
    };
    clash('emails', 'emailAddresses', Object.hasOwn(body, 'emailAddresses') ? '/emailAddresses' : undefined);
    clash('phones', 'phoneNumbers', Object.hasOwn(body, 'phoneNumbers') ? '/phoneNumbers' : undefined);
    const entries = legacyEntries(body);
    const first = (key) => {
        const index = entries.findIndex((entry) => Object.hasOwn(entry, key));
        return index < 0 ? undefined : `/nameAddresses/${index}/${key}`;
    };
    clash('name', 'nameAddresses[].fullName', first('fullName'));
    clash('addresses', 'nameAddresses[].address', first('address'));
    return issues;
}
function legacyEntries(body) {
    const list = body.nameAddresses;
    return Array.isArray(list) ? list.map((entry) => (isObject(entry) ? entry : {})) : [];
}
/** A name is there, and it is one name. */
function nameIssues(body) {
    const names = legacyEntries(body).map((entry) => entry.fullName);
    const sent = names.filter((name) => name !== undefined);
    if (!Object.hasOwn(body, 'name') && sent.length === 0) {
        return [{ pointer: '/name', code: 'required', detail: 'This field is required: one full name.' }];
    }
    const same = (name) => (typeof name === 'string' ? name.normalize('NFC').trim() : name);
    return names.flatMap((name, i) => name === undefined || same(name) === same(sent[0])
        ? []
        : [
            {
                pointer: `/nameAddresses/${i}/fullName`,
                code: 'several_names',
                detail: 'One request is about one name; the entries carry different ones.',
            },
        ]);
}
function toClaim(body) {
    const entries = body.nameAddresses ?? [];
    const addresses = body.addresses ?? entries.flatMap(({ address }) => address ?? []);
    return {
        name: body.name ?? entries.find(({ fullName }) => fullName !== undefined).fullName,
        emails: distinct(body.emails ?? body.emailAddresses ?? []),
        phones: distinct(body.phones ?? body.phoneNumbers ?? []),
        addresses: once(addresses),
        intent: body.intent,
        operation: body.operation,
        include: {
            trust_enhancement: body.include_trust_enhancement,
            fraud_detection: body.include_fraud_detection,
            name_matching: body.include_name_matching,
        },
    };
}
const distinct = (texts) => texts.filter((text, i) => texts.indexOf(text) === i);
/** Addresses that differ in nothing but case and spaces are one. */
function once(addresses) {
    if (addresses.length < 2)
        return addresses;
    const seen = new Map();
    for (const address of addresses) {
        const { street, street2, city, state, zip, country } = address;
        const parts = `${street}\0${street2}\0${city}\0${state}\0${zip}\0${country}`;
        // Single spaces are left alone: an address is full of them.
        const key = parts.toLowerCase().replace(/\s{2,}|[^\S ]/g, ' ');
        if (!seen.has(key))
            seen.set(key, address);
    }
    return [...seen.values()];
}
