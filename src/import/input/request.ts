// Rows and lines of people to be asked about, as requests.
import { joinNameParts } from '../../names/index.ts';
import { typoDistance } from '../../normalise/typo.ts';
import type { RawRecord } from '../columns/raw.ts';
import { guessColumn } from '../columns/guess.ts';

type Fields = Record<string, unknown>;

/** A row of a table as a request: its first name, or the parts of one. */
export function requestFromRow({ name, names, emails, phones, addresses }: RawRecord): Fields {
  const [first = joined(name)] = names as string[];
  return {
    ...(first && { name: first }),
    emails,
    phones,
    addresses: (addresses as Fields[]).map(addressOf),
  };
}

const REQUEST = [
  'name',
  'emails',
  'phones',
  'addresses',
  'intent',
  'operation',
  'nameAddresses',
  'emailAddresses',
  'phoneNumbers',
];
const LISTS: Record<string, string> = { email: 'emails', phone: 'phones', address: 'addresses' };
const ASKED = new Set(['name', 'given', 'family', 'email', 'phone', 'street', 'address']);

/** A field that means nothing to a check stays aside; one that may have been meant for it goes along, so that it is told and not passed over. */
function isAside(field: string): boolean {
  if (REQUEST.includes(field) || field in LISTS) return false;
  const guess = guessColumn(field);
  return guess === null ? !REQUEST.some((known) => isSlip(field, known)) : !ASKED.has(guess.field);
}

const isSlip = (field: string, known: string) =>
  field.length <= 40 && typoDistance(field.toLowerCase(), known.toLowerCase(), 1) <= 1;

/** An object as a request: one of the API in either shape, or a record as imports take it; fields of other kinds stay aside. */
export function requestFromObject({ names, ...fields }: Fields): Fields {
  const request: Fields = {};
  for (const [field, one] of Object.entries(fields)) {
    if (one === null || isAside(field)) continue;
    const list = LISTS[field] ?? field;
    const added = field === list ? one : [one].flat();
    const before = request[list];
    request[list] = Array.isArray(before) && Array.isArray(added) ? [...before, ...added] : added;
  }
  const name = request.name ?? (Array.isArray(names) ? names[0] : names);
  if (name !== undefined) request.name = isObject(name) ? joined(name) : name;
  if (Array.isArray(request.addresses)) request.addresses = request.addresses.map(addressOf);
  return request;
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function joined(name: unknown): string {
  const parts = (name ?? {}) as Record<string, string>;
  return (
    parts.full ?? joinNameParts(['given', 'middle', 'family', 'suffix'].map((part) => parts[part] ?? ''))
  );
}

/** A text is an address on one line; a US zip has its four digits behind it. */
function addressOf(address: unknown): unknown {
  if (!isObject(address)) return typeof address === 'string' ? { street: address } : address;
  const { plus4, ...parts } = address;
  return { ...parts, ...(plus4 ? { zip: `${String(parts.zip ?? '')}-${String(plus4)}` } : {}) };
}
