// The rules that no schema can tell: unknown fields, lists that are too long, both shapes at once, one name.
import type { Issue } from '../errors.ts';
import { nearest } from '../normalise/nearest.ts';
import { tidy } from '../normalise/text.ts';
import { isObject, token } from './json.ts';
import { FIELDS, isSent, MAX_LIST, MAX_VALUES, sentPhone } from './schema.ts';

/** More than this is nobody's mistake to read through; the first ones are told. */
export const MAX_ISSUES = 50;
const LISTS = ['emails', 'phones', 'addresses', 'nameAddresses', 'emailAddresses', 'phoneNumbers'];

export const TOO_MANY = `At most ${MAX_VALUES} values of one kind can be sent.`;
const TOO_LONG = `A list has at most ${MAX_LIST} entries.`;

/** Lists beyond all reason are told and cut, so that a huge one costs nothing more. */
export function cutLists(value: Record<string, unknown>, issues: Issue[]): Record<string, unknown> {
  let body = value;
  for (const field of LISTS) {
    const list = body[field];
    if (!Array.isArray(list) || list.length <= MAX_VALUES) continue;
    if (list.length > MAX_LIST) issues.push({ pointer: `/${field}`, code: 'too_many', detail: TOO_LONG });
    else if (countOf(field, list) > MAX_VALUES)
      issues.push({ pointer: `/${field}`, code: 'too_many', detail: TOO_MANY });
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
      return !isSent(value) ? '' : JSON.stringify(value).toLowerCase().replace(/\s+/g, ' ');
    return field.startsWith('phone') ? sentPhone(value).digits : value.trim().toLowerCase();
  });
  return new Set(texts.filter((text) => text !== '')).size;
}

/** @param fields those that the body itself may have */
export function unknownFields(body: Record<string, unknown>, fields: string[] = FIELDS.request): Issue[] {
  const issues: Issue[] = [];
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
  each(body.addresses, (item, i) => look(item, FIELDS.address, `/addresses/${i}`));
  each(body.nameAddresses, (item, i) => {
    look(item, FIELDS.nameAddress, `/nameAddresses/${i}`);
    if (isObject(item)) look(item.address, FIELDS.legacyAddress, `/nameAddresses/${i}/address`);
  });
  return issues;
}

function unknown(key: string, known: string[], at: string): Issue {
  const pointer = at + token(key);
  const meant = nearest(key, known);
  const hint = meant ? `did you mean \`${meant}\`?` : `known are ${known.join(', ')}.`;
  return { pointer, code: 'unknown_field', detail: `This field is not known; ${hint}` };
}

/** Both forms of one field, the current and the legacy one. */
export function conflicts(body: Record<string, unknown>): Issue[] {
  const issues: Issue[] = [];
  const clash = (current: string, legacy: string, pointer: string | undefined) => {
    if (pointer === undefined || !isSent(body[current])) return;
    const detail = `\`${legacy}\` is the legacy form of \`${current}\`: send one of the two.`;
    issues.push({ pointer, code: 'conflicting_fields', detail });
  };
  clash('emails', 'emailAddresses', isSent(body.emailAddresses) ? '/emailAddresses' : undefined);
  clash('phones', 'phoneNumbers', isSent(body.phoneNumbers) ? '/phoneNumbers' : undefined);
  const entries = legacyEntries(body);
  const first = (key: string) => {
    const index = entries.findIndex((entry) => isSent(entry[key]));
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
export function nameIssues(body: Record<string, unknown>): Issue[] {
  const names = legacyEntries(body).map((entry) => entry.fullName);
  const sent = names.filter(isSent);
  if (!Object.hasOwn(body, 'name') && sent.length === 0) {
    return [{ pointer: '/name', code: 'required', detail: 'This field is required: one full name.' }];
  }
  const same = (name: unknown) => (typeof name === 'string' ? tidy(name) : name);
  return names.flatMap((name, i) =>
    !isSent(name) || same(name) === same(sent[0])
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
