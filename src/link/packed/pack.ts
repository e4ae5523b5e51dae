// Records as bytes: what linking and publishing ask of them, decoded once and kept where every thread can read it.
//
// In units of eight bytes: four numbers of 32 bits (how many numbers of 64 bits follow, how many of 16, how many characters, and whether these are
// wide), the numbers, the characters. Never on disk: names are in it as they are.
import type { LookupKeyType } from '../../model.ts';
import type { Essence } from '../record.ts';
import type { StoredContact } from '../stored.ts';

export const UNIT = 8;
/** Units before the first number. */
export const HEAD = 2;
/** The length of a text that is not there. */
export const NONE = 0xffff;
export const GENDERS = ['female', 'male', 'other'] as const;
export const ONCE = [false, true, 'at a time'] as const;
export const KINDS = ['email', 'phone', 'address'] as const;
export const TYPES: readonly LookupKeyType[] = [
  'name',
  'email',
  'mailbox',
  'phone',
  'address',
  'premise',
  'core',
  'core_city',
  'street',
];

/** Records one after the other, and where each begins, in units. */
export interface Pack {
  bytes: ArrayBuffer;
  starts: Uint32Array;
}

const NARROW = /^[\0-\xff]*$/;
const FIRST = 2 ** 17;

export function packRecords(records: readonly Essence[]): Pack {
  const starts = new Uint32Array(records.length);
  let [bytes, at] = [new ArrayBuffer(FIRST), 0];
  for (const [i, record] of records.entries()) {
    const lists = listsOf(record);
    const units = unitsOf(lists);
    if ((at + units) * UNIT > bytes.byteLength) bytes = longer(bytes, (at + units) * UNIT);
    write(bytes, at, lists);
    starts[i] = at;
    at += units;
  }
  return { bytes: bytes.slice(0, at * UNIT), starts };
}

interface Lists {
  numbers: number[];
  shorts: number[];
  text: string;
  wide: boolean;
}

function listsOf(record: Essence): Lists {
  const { order, nameAndBirth, birthPlace, firstSeen, lastSeen, nameKeys, identifiers } = record;
  const numbers = [order, ...[nameAndBirth, birthPlace, firstSeen, lastSeen].map((one) => one ?? NaN)];
  numbers.push(...nameKeys);
  const shorts = [record.gender === null ? NONE : GENDERS.indexOf(record.gender)];
  shorts.push(nameKeys.length, identifiers.length);
  for (const { type, value, once } of identifiers) {
    numbers.push(type, value);
    shorts.push(ONCE.indexOf(once));
  }
  const texts = [record.source, record.birthDate, record.label, ...record.names];
  shorts.push(texts.length, ...texts.map((text) => text?.length ?? NONE), record.contacts.length);
  for (const contact of record.contacts) addContact(numbers, shorts, contact);
  const text = texts.map((one) => one ?? '').join('');
  return { numbers, shorts, text, wide: !NARROW.test(text) };
}

function addContact(numbers: number[], shorts: number[], contact: StoredContact): void {
  const { kind, keys, signature, places, postcode, unit } = contact;
  shorts.push(KINDS.indexOf(kind), keys.length, places.length, signature ? signature.grams.length : NONE);
  shorts.push(postcode === undefined ? 0 : places.indexOf(postcode) + 1, Number(unit !== undefined));
  for (const [type, key] of keys) {
    shorts.push(TYPES.indexOf(type));
    numbers.push(key);
  }
  numbers.push(...places);
  if (unit !== undefined) numbers.push(unit);
  if (!signature) return;
  numbers.push(signature.exactPart);
  shorts.push(...signature.grams);
}

function unitsOf({ numbers, shorts, text, wide }: Lists): number {
  return HEAD + numbers.length + Math.ceil((shorts.length * 2 + text.length * (wide ? 2 : 1)) / UNIT);
}

function write(bytes: ArrayBuffer, at: number, { numbers, shorts, text, wide }: Lists): void {
  const start = at * UNIT;
  new Uint32Array(bytes, start, 4).set([numbers.length, shorts.length, text.length, Number(wide)]);
  new Float64Array(bytes, start + HEAD * UNIT, numbers.length).set(numbers);
  const rest = start + (HEAD + numbers.length) * UNIT;
  new Uint16Array(bytes, rest, shorts.length).set(shorts);
  Buffer.from(bytes).write(text, rest + shorts.length * 2, wide ? 'utf16le' : 'latin1');
}

function longer(bytes: ArrayBuffer, least: number): ArrayBuffer {
  const more = new ArrayBuffer(Math.max(least, bytes.byteLength * 2));
  new Uint8Array(more).set(new Uint8Array(bytes));
  return more;
}
