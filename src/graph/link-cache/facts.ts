// Encrypted linking data of records: in pages written by the last linking of all records, and in a table of later changes.
import {
  type LinkCacheRecord,
  decodeLinkCacheRecordFromNumbers,
  encodeLinkCacheRecordAsNumbers,
} from '../../link/statistics/link-cache-record.ts';
import type { Db } from '../../platform/sqlite.ts';
import { createBoundedCache } from '../../link/bounded-cache.ts';
import type { DataCipher } from '../encryption/cipher.ts';
import { bytesToFloats, readOrThrowDamageError } from './link-file.ts';

/** Number of records whose data is encrypted together, as one page. Encrypting each record separately would take ten times as long. */
const PAGE_RECORDS = 16;
const CACHED_PAGES = 128;
/** Minimum number of records whose linking data is cached, about 3 KB each. The cache may hold up to twice as many. */
const CACHED_FACTS = 2048;
/** Number of bytes before the data of each record in a page: its row number and the length of the data, 4 bytes each. */
const HEAD_BYTES = 8;

/** Creates a writer that collects the linking data of several records in a page, and encrypts the page. Add records in ascending order of rows. */
export function createLinkingDataPageWriter(
  db: Db,
  cipher: DataCipher,
): { add(row: number, facts: Float64Array): void; end(): void } {
  const insert = db.prepare('INSERT INTO fact_page VALUES (?, ?)');
  let waiting: [row: number, facts: Buffer][] = [];
  const end = () => {
    const [first] = waiting;
    if (first) insert.run(first[0], cipher.encryptBytes(joinFacts(waiting)));
    waiting = [];
  };
  return {
    add(row, facts) {
      if (waiting.push([row, toBytes(facts)]) >= PAGE_RECORDS) end();
    },
    end,
  };
}

/**
 * Opens the table with the linking data of records (what linking compares) for reading and changing. A change moves the data of a record from its
 * page to a table of single records.
 */
export function openLinkingDataTable(db: Db, cipher: DataCipher) {
  const select = db.prepare<[number], Buffer>('SELECT sealed FROM fact WHERE row = ?').pluck();
  const put = db.prepare('INSERT OR REPLACE INTO fact VALUES (?, ?)');
  const drop = db.prepare('DELETE FROM fact WHERE row = ?');
  const pages = openFactPages(db, cipher);
  const cache = createBoundedCache(CACHED_FACTS, (row: number): LinkCacheRecord | null => {
    const sealed = select.get(row);
    const bytes = sealed ? readOrThrowDamageError(() => cipher.decryptBytes(sealed)) : pages.get(row);
    return bytes ? readOrThrowDamageError(() => decodeLinkCacheRecordFromNumbers(toNumbers(bytes))) : null;
  });
  return {
    getFacts: cache.get,
    setFacts(row: number, facts: LinkCacheRecord | null): void {
      cache.delete(row);
      pages.remove(row);
      if (facts)
        put.run(row, cipher.encryptBytes(toBytes(Float64Array.from(encodeLinkCacheRecordAsNumbers(facts)))));
      else drop.run(row);
    },
    clearCache() {
      cache.clear();
      pages.clearCache();
    },
    count: () => pages.count() + (db.prepare<[], number>('SELECT count(*) FROM fact').pluck().get() ?? 0),
  };
}

function openFactPages(db: Db, cipher: DataCipher) {
  const pageOf = db
    .prepare<[number], number>('SELECT first FROM fact_page WHERE first <= ? ORDER BY first DESC LIMIT 1')
    .pluck();
  const select = db.prepare<[number], Buffer>('SELECT sealed FROM fact_page WHERE first = ?').pluck();
  const update = db.prepare('UPDATE fact_page SET sealed = ? WHERE first = ?');
  const open = (page: number): Map<number, Buffer> => {
    const sealed = select.get(page);
    return sealed ? splitFacts(readOrThrowDamageError(() => cipher.decryptBytes(sealed))) : new Map();
  };
  const cache = createBoundedCache(CACHED_PAGES, open);
  return {
    get(row: number): Buffer | undefined {
      const page = pageOf.get(row);
      return page === undefined ? undefined : cache.get(page).get(row);
    },
    remove(row: number): void {
      const page = pageOf.get(row);
      if (page === undefined) return;
      const rest = new Map(cache.get(page));
      if (!rest.delete(row)) return;
      update.run(cipher.encryptBytes(joinFacts([...rest])), page);
      cache.delete(page);
    },
    clearCache: cache.clear,
    count(): number {
      const pages = db.prepare<[], number>('SELECT first FROM fact_page').pluck().all();
      return pages.reduce((sum, page) => sum + open(page).size, 0);
    },
  };
}

/** Joins the linking data of several records to one page: for each record its row number, the length of its data, and the data. */
function joinFacts(facts: [row: number, bytes: Buffer][]): Buffer {
  return Buffer.concat(
    facts.flatMap(([row, bytes]) => {
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeUInt32LE(row, 0);
      head.writeUInt32LE(bytes.length, 4);
      return [head, bytes];
    }),
  );
}

function splitFacts(bytes: Buffer): Map<number, Buffer> {
  const facts = new Map<number, Buffer>();
  for (let at = 0; at < bytes.length;) {
    const [row, length] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
    at += HEAD_BYTES;
    facts.set(row, bytes.subarray(at, (at += length)));
  }
  return facts;
}

// Encoding of the numbers of a record. Half of them are small or occur twice, so each number is one byte: a small number, the position of an
// earlier large number, or the start of a large number, whose 7 bytes follow. Large numbers are integers between -2^53 and 2^53.
const SMALL = 64;
const POSITIONS = 95;
const NEGATIVE = SMALL + POSITIONS;
const LARGE = NEGATIVE + POSITIONS;
const LARGE_BYTES = 7;
const FLOAT_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** Encodes the numbers of a record as bytes: the length of the padding in one byte, the numbers, and the padding. */
function toBytes(numbers: Float64Array): Buffer {
  const bytes = Buffer.allocUnsafe(2 + numbers.length * (1 + LARGE_BYTES));
  const large: number[] = [];
  let at = 1;
  for (const number of numbers) {
    if (number >= 0 && number < SMALL && !Object.is(number, -0)) {
      bytes[at++] = number;
      continue;
    }
    const [size, sign] = [Math.abs(number), Number(number <= 0)];
    const position = large.indexOf(size);
    if (position >= 0 && position < POSITIONS) {
      bytes[at++] = (sign === 1 ? NEGATIVE : SMALL) + position;
      continue;
    }
    large.push(size);
    bytes[at++] = LARGE + sign;
    bytes.writeUInt32LE(size % 2 ** 32, at);
    bytes.writeUIntLE(Math.floor(size / 2 ** 32), at + 4, 3);
    at += LARGE_BYTES;
  }
  // Records written by older versions of Bonafide have a multiple of eight bytes, so the encoding must give other lengths.
  const padding = Number(at % FLOAT_BYTES === 0);
  bytes[0] = padding;
  bytes[at] = 0;
  return bytes.subarray(0, at + padding);
}

function toNumbers(bytes: Buffer): Float64Array {
  if (bytes.length % FLOAT_BYTES === 0) return bytesToFloats(bytes);
  const numbers: number[] = [];
  const large: number[] = [];
  const end = bytes.length - (bytes[0] ?? 0);
  for (let at = 1; at < end;) {
    const byte = bytes[at++] ?? 0;
    if (byte < SMALL) numbers.push(byte);
    else if (byte < LARGE)
      numbers.push(byte < NEGATIVE ? (large[byte - SMALL] ?? 0) : -(large[byte - NEGATIVE] ?? 0));
    else {
      const size = bytes.readUInt32LE(at) + bytes.readUIntLE(at + 4, 3) * 2 ** 32;
      at += LARGE_BYTES;
      large.push(size);
      numbers.push(byte === LARGE ? size : -size);
    }
  }
  return Float64Array.from(numbers);
}
