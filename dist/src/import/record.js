import { countryCode } from '../normalise/address/place.js';
import { normaliseDate, parseTime } from '../normalise/date.js';
import { normaliseEmail } from '../normalise/email.js';
import { normalisePhone } from '../normalise/phone.js';
import { clean } from '../normalise/text.js';
const MAX_TEXT = 200;
const MAX_VALUES = 100;
const LETTER = /\p{L}/u;
/**
 * Reads one raw record. `record_id` and either a name or a contact must be there. Numbers count as texts; the
 * singular `email`, `phone` and `address` are read too; unknown fields are ignored.
 */
export function readRecord(raw, options) {
    const dropped = [];
    const recordId = textOf(raw.record_id);
    if (recordId === '')
        return { problem: 'record_id is missing', recordId: null, dropped };
    if (recordId.length > MAX_TEXT)
        return { problem: `record_id is longer than ${MAX_TEXT} characters`, recordId: null, dropped };
    const source = textOf(raw.source) || options.source;
    const identity = textOf(raw.identity);
    if (source.length > MAX_TEXT)
        return { problem: `source is longer than ${MAX_TEXT} characters`, recordId, dropped };
    if (identity.length > MAX_TEXT)
        return { problem: `identity is longer than ${MAX_TEXT} characters`, recordId, dropped };
    const names = values({ field: 'names', given: [raw.name, raw.names], dropped, read: readName });
    const emails = values({ field: 'emails', given: [raw.email, raw.emails], dropped, read: readEmail });
    const addresses = values({
        field: 'addresses',
        given: [raw.address, raw.addresses],
        dropped,
        read: readAddress,
    });
    const regions = phoneRegions(addresses, options.region);
    const read = (value) => readPhone(value, regions);
    const phones = values({ field: 'phones', given: [raw.phone, raw.phones], dropped, read });
    if (names.length + emails.length + phones.length + addresses.length === 0) {
        return { problem: 'it has no usable name and no usable contact', recordId, dropped };
    }
    const record = {
        recordId,
        source,
        names,
        emails,
        phones,
        addresses,
        identity: identity || null,
        ...readDates(raw, dropped),
    };
    return { record, recordId, dropped };
}
/** A text, or a number as text; the empty string for all else. */
function textOf(value) {
    if (typeof value === 'string')
        return clean(value);
    return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
}
const isEmpty = (value) => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
/** The usable values of one kind, each once; the others are told in `dropped` by their place in the list. */
function values(from) {
    const { field, given, dropped, read } = from;
    const all = given.filter((value) => !isEmpty(value)).flat();
    const usable = new Map();
    for (const [index, value] of all.slice(0, MAX_VALUES).entries()) {
        if (isEmpty(value))
            continue;
        const result = read(value);
        if (result === null)
            dropped.push(`${field}[${index}] cannot be used`);
        else
            usable.set(typeof result === 'string' ? result : JSON.stringify(result), result);
    }
    if (all.length > MAX_VALUES)
        dropped.push(`${field} has more than ${MAX_VALUES} values`);
    return [...usable.values()];
}
/** A name: a text, `{ full }` or its parts. */
function readName(value) {
    const parts = typeof value === 'object' && value !== null ? value : null;
    const whole = parts === null ? textOf(value) : textOf(parts.full);
    const name = whole ||
        [parts?.given, parts?.middle, parts?.family, parts?.suffix]
            .map(textOf)
            .filter((part) => part !== '')
            .join(' ');
    return LETTER.test(name) && name.length <= MAX_TEXT ? name : null;
}
/** An address as it is, or as mail programs write it: `"Jay Doe" <jay@example.com>`. */
function readEmail(value) {
    const text = textOf(value);
    return normaliseEmail(/<([^<>]+)>$/.exec(text)?.[1] ?? text)?.standardized ?? null;
}
function readPhone(value, regions) {
    const text = textOf(value);
    return text.length > MAX_TEXT ? null : (normalisePhone(text, regions)?.standardized ?? null);
}
/** People write their number as they dial it at home: the countries of a record's addresses come first. */
function phoneRegions(addresses, region) {
    const countries = addresses.map((address) => countryCode(address.country)).filter((code) => code !== '');
    return [...new Set([...countries, region])];
}
/** An address in parts, or as one line. */
function readAddress(value) {
    const parts = typeof value === 'object' && value !== null ? value : { street: value };
    const [street, street2, city, state, zip, plus4, country] = [
        parts.street,
        parts.street2,
        parts.city,
        parts.state,
        parts.zip,
        parts.plus4,
        parts.country,
    ].map(lineOf);
    const address = {
        street,
        street2,
        city,
        state,
        zip: plus4 !== '' && /^\d{5}$/.test(zip) ? `${zip}-${plus4}` : zip,
        country,
    };
    const texts = Object.values(address);
    return texts.every((text) => text === '') || texts.some((text) => text.length > MAX_TEXT) ? null : address;
}
/** Lines of an address part become parts with commas. */
function lineOf(value) {
    return typeof value === 'string' && value.includes('\n')
        ? clean(value.trim().replace(/\s*\n+\s*/g, ', '))
        : textOf(value);
}
function readDates(raw, dropped) {
    const read = (field, parse) => {
        const value = isEmpty(raw[field]) ? null : parse(textOf(raw[field]));
        if (value === null && !isEmpty(raw[field]))
            dropped.push(`${field} cannot be read without guessing`);
        return value;
    };
    const firstSeen = read('first_seen', parseTime);
    const lastSeen = read('last_seen', parseTime);
    const swapped = firstSeen !== null && lastSeen !== null && firstSeen > lastSeen;
    return {
        birthDate: read('birth_date', normaliseDate),
        firstSeen: swapped ? lastSeen : firstSeen,
        lastSeen: swapped ? firstSeen : lastSeen,
    };
}
