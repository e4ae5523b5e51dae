// The rules that no schema can tell: unknown fields, lists that are too long, both shapes at once, one name.
import type { ValidationIssue } from '../errors.ts';
import { nearestWord } from '../normalise/typo.ts';
import { trimToNfc } from '../normalise/text.ts';
import { isObject, toPointerToken } from './json.ts';
import { KNOWN_FIELDS, isPresent, MAX_LIST, MAX_VALUES, parsePhoneDigits } from './schema.ts';

/** More than this is nobody's mistake to read through; the first ones are told. */
export const MAX_ISSUES = 50;
const LISTS = ['emails', 'phones', 'addresses', 'nameAddresses', 'emailAddresses', 'phoneNumbers'];

export const TOO_MANY_VALUES = `At most ${MAX_VALUES} values of one kind can be sent.`;
const TOO_LONG = `A list has at most ${MAX_LIST} entries.`;

/** Lists beyond all reason are told and cut, so that a huge one costs nothing more. */
export function truncateLists(
  value: Record<string, unknown>,
  issues: ValidationIssue[],
): Record<string, unknown> {
  let body = value;
  for (const field of LISTS) {
    const list = body[field];
    if (!Array.isArray(list) || list.length <= MAX_VALUES) continue;
    if (list.length > MAX_LIST) issues.push({ pointer: `/${field}`, code: 'too_many', detail: TOO_LONG });
    else if (countOf(field, list) > MAX_VALUES)
      issues.push({ pointer: `/${field}`, code: 'too_many', detail: TOO_MANY_VALUES });
    else continue;
    body = { ...body, [field]: list.slice(0, MAX_VALUES) };
  }
  return body;
}

/** How many different values a list holds: spellings of one are one input, and what is empty is none. */
function countOf(field: string, list: unknown[]): number {
  const values = field === 'nameAddresses' ? list.map((one) => (isObject(one) ? one.address : one)) : list;
  const texts = values.map((value) => {
    if (typeof value !== 'string')
      return !isPresent(value) ? '' : JSON.stringify(value).toLowerCase().replace(/\s+/g, ' ');
    return field.startsWith('phone') ? parsePhoneDigits(value).digits : value.trim().toLowerCase();
  });
  return new Set(texts.filter((text) => text !== '')).size;
}

/** @param fields those that the body itself may have */
export function findUnknownFields(
  body: Record<string, unknown>,
  fields: string[] = KNOWN_FIELDS.request,
): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const look = (value: unknown, known: string[], at: string) => {
    if (!isObject(value)) return;
    for (const key of Object.keys(value)) {
      if (issues.length === MAX_ISSUES) return;
      if (!known.includes(key)) issues.push(unknown(key, known, at));
    }
  };
  const each = (list: unknown, visit: (item: unknown, index: number) => void) =>
    Array.isArray(list) && list.slice(0, MAX_LIST).forEach(visit);

  look(body, fields, '');
  each(body.addresses, (item, i) => look(item, KNOWN_FIELDS.address, `/addresses/${i}`));
  each(body.nameAddresses, (item, i) => {
    look(item, KNOWN_FIELDS.nameAddress, `/nameAddresses/${i}`);
    if (isObject(item)) look(item.address, KNOWN_FIELDS.legacyAddress, `/nameAddresses/${i}/address`);
  });
  return issues;
}

function unknown(key: string, known: string[], at: string): ValidationIssue {
  const pointer = at + toPointerToken(key);
  const meant = nearestWord(key, known);
  const hint = meant ? `did you mean \`${meant}\`?` : `known are ${known.join(', ')}.`;
  return { pointer, code: 'unknown_field', detail: `This field is not known; ${hint}` };
}

/** Both forms of one field, the current and the legacy one. */
export function findConflicts(body: Record<string, unknown>): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const clash = (current: string, legacy: string, pointer: string | undefined) => {
    if (pointer === undefined || !isPresent(body[current])) return;
    const detail = `\`${legacy}\` is the legacy form of \`${current}\`: send one of the two.`;
    issues.push({ pointer, code: 'conflicting_fields', detail });
  };
  clash('emails', 'emailAddresses', isPresent(body.emailAddresses) ? '/emailAddresses' : undefined);
  clash('phones', 'phoneNumbers', isPresent(body.phoneNumbers) ? '/phoneNumbers' : undefined);
  const entries = legacyEntries(body);
  const first = (key: string) => {
    const index = entries.findIndex((entry) => isPresent(entry[key]));
    return index < 0 ? undefined : `/nameAddresses/${index}/${key}`;
  };
  clash('name', 'nameAddresses[].fullName', first('fullName'));
  clash('addresses', 'nameAddresses[].address', first('address'));
  return issues;
}

function legacyEntries(body: Record<string, unknown>): Record<string, unknown>[] {
  const list = body.nameAddresses;
  return Array.isArray(list) ? list.map((entry) => (isObject(entry) ? entry : {})) : [];
}

/** A name is there, and it is one name. */
export function findNameIssues(body: Record<string, unknown>): ValidationIssue[] {
  const names = legacyEntries(body).map((entry) => entry.fullName);
  const sent = names.filter(isPresent);
  if (!Object.hasOwn(body, 'name') && sent.length === 0) {
    return [{ pointer: '/name', code: 'required', detail: 'This field is required: one full name.' }];
  }
  const same = (name: unknown) => (typeof name === 'string' ? trimToNfc(name) : name);
  return names.flatMap((name, i) =>
    !isPresent(name) || same(name) === same(sent[0])
      ? []
      : [
          {
            pointer: `/nameAddresses/${i}/fullName`,
            code: 'several_names',
            detail: 'One request is about one name; the entries carry different ones.',
          },
        ],
  );
}
