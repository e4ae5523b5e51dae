// Records as bytes for linking and publishing, decoded once into memory that all threads can read.
//
// Layout in units of eight bytes: a header of four 32-bit numbers (count of 64-bit numbers, count of 16-bit
// numbers, count of characters, and whether characters are wide), the numbers, the characters. Never written
// to disk: the names are in plain text.
import type { LookupKeyType } from '../model.ts';
import type { NameFingerprints } from './link-name.ts';
import type { RecordPartsForLinking } from './link-record.ts';
import type { StoredContact, StoredIdentifier } from './stored-record.ts';

const PACKED_UNIT_BYTES = 8;
/** Number of units (of eight bytes) at the start of a packed record, before its first number. */
const PACKED_HEADER_UNITS = 2;
/** Length value that stands for a missing text. */
const MISSING_TEXT_LENGTH = 0xffff;
const PACKED_GENDERS = ['female', 'male', 'other'] as const;
const PACKED_IDENTIFIER_UNIQUENESS_VALUES = [false, true, 'at a time'] as const;
const PACKED_CONTACT_KINDS = ['email', 'phone', 'address'] as const;
const PACKED_KEY_TYPES: readonly LookupKeyType[] = [
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

/** Records encoded as bytes, and the position of each record in units of eight bytes. */
export interface PackedRecords {
  bytes: ArrayBuffer;
  starts: Uint32Array;
}

const NARROW = /^[\0-\xff]*$/;
const FIRST = 2 ** 17;

/** Creates a collector that encodes records as bytes. `take` returns all encoded records. */
export function createRecordPacker(): { add(record: RecordPartsForLinking): void; take(): PackedRecords } {
  const starts: number[] = [];
  let [bytes, at] = [new ArrayBuffer(FIRST), 0];
  return {
    add(record) {
      const lists = listsOf(record);
      const units = unitsOf(lists);
      if ((at + units) * PACKED_UNIT_BYTES > bytes.byteLength)
        bytes = longer(bytes, (at + units) * PACKED_UNIT_BYTES);
      write(bytes, at, lists);
      starts.push(at);
      at += units;
    },
    take: () => ({ bytes: bytes.slice(0, at * PACKED_UNIT_BYTES), starts: Uint32Array.from(starts) }),
  };
}

interface Lists {
  numbers: number[];
  shorts: number[];
  text: string;
  wide: boolean;
}

function listsOf(record: RecordPartsForLinking): Lists {
  const { order, nameAndBirth, birthPlace, firstSeen, lastSeen, nameFingerprints, identifiers } = record;
  const numbers = [order, ...[nameAndBirth, birthPlace, firstSeen, lastSeen].map((one) => one ?? NaN)];
  const shorts = [record.gender === null ? MISSING_TEXT_LENGTH : PACKED_GENDERS.indexOf(record.gender)];
  shorts.push(nameFingerprints.length, identifiers.length);
  for (const { keys, givenKey, form } of nameFingerprints) {
    shorts.push(keys.length);
    for (const key of keys) numbers.push(key);
    numbers.push(givenKey ?? NaN, form);
  }
  for (const { type, value, once } of identifiers) {
    numbers.push(type, value);
    shorts.push(PACKED_IDENTIFIER_UNIQUENESS_VALUES.indexOf(once));
  }
  const texts = [record.source, record.birthDate, record.label, ...record.names];
  shorts.push(
    texts.length,
    ...texts.map((text) => text?.length ?? MISSING_TEXT_LENGTH),
    record.contacts.length,
  );
  for (const contact of record.contacts) addContact(numbers, shorts, contact);
  const text = texts.map((one) => one ?? '').join('');
  return { numbers, shorts, text, wide: !NARROW.test(text) };
}

function addContact(numbers: number[], shorts: number[], contact: StoredContact): void {
  const { kind, keys, signature, places, postcode, unit } = contact;
  shorts.push(
    PACKED_CONTACT_KINDS.indexOf(kind),
    keys.length,
    places.length,
    signature ? signature.grams.length : MISSING_TEXT_LENGTH,
  );
  shorts.push(postcode === undefined ? 0 : places.indexOf(postcode) + 1, Number(unit !== undefined));
  for (const [type, key] of keys) {
    shorts.push(PACKED_KEY_TYPES.indexOf(type));
    numbers.push(key);
  }
  numbers.push(...places);
  if (unit !== undefined) numbers.push(unit);
  if (!signature) return;
  numbers.push(signature.exactPart);
  shorts.push(...signature.grams);
}

function unitsOf({ numbers, shorts, text, wide }: Lists): number {
  return (
    PACKED_HEADER_UNITS +
    numbers.length +
    Math.ceil((shorts.length * 2 + text.length * (wide ? 2 : 1)) / PACKED_UNIT_BYTES)
  );
}

function write(bytes: ArrayBuffer, at: number, { numbers, shorts, text, wide }: Lists): void {
  const start = at * PACKED_UNIT_BYTES;
  new Uint32Array(bytes, start, 4).set([numbers.length, shorts.length, text.length, Number(wide)]);
  new Float64Array(bytes, start + PACKED_HEADER_UNITS * PACKED_UNIT_BYTES, numbers.length).set(numbers);
  const rest = start + (PACKED_HEADER_UNITS + numbers.length) * PACKED_UNIT_BYTES;
  new Uint16Array(bytes, rest, shorts.length).set(shorts);
  Buffer.from(bytes).write(text, rest + shorts.length * 2, wide ? 'utf16le' : 'latin1');
}

function longer(bytes: ArrayBuffer, least: number): ArrayBuffer {
  const more = new ArrayBuffer(Math.max(least, bytes.byteLength * 2));
  new Uint8Array(more).set(new Uint8Array(bytes));
  return more;
}

/** Creates a reader of the packed records in one buffer. It decodes the record at a position, given in units of eight bytes. */
function createPackedRecordReader(bytes: ArrayBufferLike): (at: number) => RecordPartsForLinking {
  const heads = new Uint32Array(bytes);
  const numbers = new Float64Array(bytes);
  const shorts = new Uint16Array(bytes);
  const characters = Buffer.from(bytes);
  let [number, short] = [0, 0];
  const nextNumber = () => numbers[number++] ?? 0;
  const nextShort = () => shorts[short++] ?? 0;
  const numbersOf = (count: number) => {
    const readNumbers: number[] = [];
    for (let i = 0; i < count; i++) readNumbers.push(nextNumber());
    return readNumbers;
  };
  const orNull = () => {
    const value = nextNumber();
    return Number.isNaN(value) ? null : value;
  };
  const contact = (): StoredContact => {
    const kind = PACKED_CONTACT_KINDS[nextShort()] ?? 'email';
    const [keyCount, placeCount, gramCount] = [nextShort(), nextShort(), nextShort()];
    const [fine, inUnit] = [nextShort(), nextShort()];
    const keys: StoredContact['keys'] = [];
    for (let i = 0; i < keyCount; i++) keys.push([PACKED_KEY_TYPES[nextShort()] ?? 'name', nextNumber()]);
    const storedContact: StoredContact = { kind, keys, signature: null, places: numbersOf(placeCount) };
    const postcode = storedContact.places[fine - 1];
    if (postcode !== undefined) storedContact.postcode = postcode;
    if (inUnit === 1) storedContact.unit = nextNumber();
    if (gramCount === MISSING_TEXT_LENGTH) return storedContact;
    const grams: number[] = [];
    for (let i = 0; i < gramCount; i++) grams.push(nextShort());
    storedContact.signature = { exactPart: nextNumber(), grams };
    return storedContact;
  };
  const identifier = (): StoredIdentifier => ({
    type: nextNumber(),
    value: nextNumber(),
    once: PACKED_IDENTIFIER_UNIQUENESS_VALUES[nextShort()] ?? false,
  });
  const nextName = (): NameFingerprints => ({
    keys: numbersOf(nextShort()),
    givenKey: orNull(),
    form: nextNumber(),
  });
  return (at) => {
    const head = (at * PACKED_UNIT_BYTES) / 4;
    const [numberCount, shortCount] = [heads[head] ?? 0, heads[head + 1] ?? 0];
    const [length, wide] = [heads[head + 2] ?? 0, heads[head + 3] ?? 0];
    number = at + PACKED_HEADER_UNITS;
    short = (number + numberCount) * 4;
    const text = (short + shortCount) * 2;
    const [order, nameAndBirth, birthPlace] = [nextNumber(), orNull(), orNull()];
    const [firstSeen, lastSeen, gender] = [orNull(), orNull(), nextShort()];
    const [nameCount, identifierCount] = [nextShort(), nextShort()];
    const nameFingerprints = several(nameCount, nextName);
    const identifiers = several(identifierCount, identifier);
    const all =
      wide === 1
        ? characters.toString('utf16le', text, text + length * 2)
        : characters.toString('latin1', text, text + length);
    let from = 0;
    const texts = several(nextShort(), () => {
      const long = nextShort();
      return long === MISSING_TEXT_LENGTH ? null : all.slice(from, (from += long));
    });
    const [source, birthDate = null, label = null, ...names] = texts;
    const contacts = several(nextShort(), contact);
    return {
      source: source ?? '',
      names: names.map((name) => name ?? ''),
      birthDate,
      label,
      firstSeen,
      lastSeen,
      contacts,
      birthPlace,
      gender: PACKED_GENDERS[gender] ?? null,
      identifiers,
      order,
      nameFingerprints,
      nameKeys: nameFingerprints[0]?.keys ?? [],
      nameAndBirth,
    };
  };
}

function several<T>(count: number, next: () => T): T[] {
  const all: T[] = [];
  for (let i = 0; i < count; i++) all.push(next());
  return all;
}

export interface SharedMemoryRecordsView {
  blocks: SharedArrayBuffer[];
  /** Position of each row's record, in units of eight bytes counted over all blocks of memory. 0 if the record is not in memory. */
  places: Uint32Array;
}

export interface SharedMemoryRecords {
  view(): SharedMemoryRecordsView;
  /** Adds records to the shared memory, by their row numbers. Returns the number of added records: those beyond the memory limit are left out. */
  put(rows: ArrayLike<number>, pack: PackedRecords): number;
}

/** Size of one block of shared memory (16 MB), in units of eight bytes. */
const BLOCK_UNITS = 2 ** 21;
/** Maximum size in bytes of packed records (nearly 32 GiB): a position is a 32-bit number that counts eight bytes, and the end of a block may stay empty. */
export const MAX_PACKED_BYTES = (2 ** 32 - BLOCK_UNITS) * PACKED_UNIT_BYTES;

/**
 * Creates shared memory for packed records, which other threads can read. @param rows highest row plus one @param mostBytes memory limit in
 * bytes, at most `MAX_PACKED_BYTES`; records beyond it are not stored
 */
export function createSharedMemoryRecords(rows: number, mostBytes: number): SharedMemoryRecords {
  const places = new Uint32Array(new SharedArrayBuffer(rows * Uint32Array.BYTES_PER_ELEMENT));
  const blocks: SharedArrayBuffer[] = [];
  // Position 0 is unused: it marks a missing record.
  let next = 1;
  return {
    view: () => ({ blocks, places }),
    put(of, { bytes, starts }) {
      const ends = [...starts.subarray(1), bytes.byteLength / PACKED_UNIT_BYTES];
      const room = Math.min(BLOCK_UNITS, mostBytes / PACKED_UNIT_BYTES - next);
      const count = ends.findLastIndex((end) => end <= room) + 1;
      const units = ends[count - 1] ?? 0;
      if (units === 0) return 0;
      const left = BLOCK_UNITS - (next % BLOCK_UNITS);
      if (units > left) next += left;
      const block = Math.floor(next / BLOCK_UNITS);
      blocks[block] ??= new SharedArrayBuffer(BLOCK_UNITS * PACKED_UNIT_BYTES);
      new Uint8Array(blocks[block]).set(
        new Uint8Array(bytes, 0, units * PACKED_UNIT_BYTES),
        (next % BLOCK_UNITS) * PACKED_UNIT_BYTES,
      );
      for (const [i, start] of starts.subarray(0, count).entries()) places[of[i] ?? 0] = next + start;
      next += units;
      return count;
    },
  };
}

/** Creates a reader of shared records by row. It returns null for a record that is not in memory. */
export function createSharedMemoryRecordReader({
  blocks,
  places,
}: SharedMemoryRecordsView): (row: number) => RecordPartsForLinking | null {
  const readers = blocks.map(createPackedRecordReader);
  return (row) => {
    const place = places[row] ?? 0;
    if (place === 0) return null;
    return readers[Math.floor(place / BLOCK_UNITS)]?.(place % BLOCK_UNITS) ?? null;
  };
}

/**
 * Creates a function that returns the first row whose record equals the record of a given row, apart from source and dates. A row whose record
 * `read` does not return equals only itself.
 */
export function createFirstEqualRecordFinder(
  rows: Iterable<number>,
  read: (row: number) => RecordPartsForLinking | null | undefined,
): (row: number) => number {
  const firsts = new Map<string, number>();
  const equals = new Map<number, number>();
  for (const row of rows) {
    const record = read(row);
    if (!record) continue;
    const same = { order: 0, source: '', firstSeen: null, lastSeen: null, row: 0, linkNames: null };
    const content = JSON.stringify({ ...record, ...same });
    const first = firsts.get(content);
    if (first === undefined) firsts.set(content, row);
    equals.set(row, first ?? row);
  }
  return (row) => equals.get(row) ?? row;
}
