// What is known of each record: sealed in pages as linking all records anew left it, and beside them what came since.
import type { Facts } from '../../link/counted/facts.ts';
import { factsFromNumbers, factsToNumbers } from '../../link/counted/facts-numbers.ts';
import type { Db } from '../../platform/sqlite.ts';
import type { Sealing } from '../encryption/sealing.ts';
import { readOrReportDamage } from './link-file.ts';

/** Records of a page: sealing one by one costs ten times as much, and reading one opens a page. */
const RECORDS = 16;
/** Opened pages kept at hand. */
const OPENED = 256;
/** Facts that were read last and are kept at hand, some three kilobytes each: those of common names are asked for again and again. */
const AT_HAND = 4096;
/** Bytes that a page says of each record first: its row, and how long its facts are. */
const HEAD = 8;

/** Takes in records by ascending rows, and writes them in pages. */
export function createFactPages(
  db: Db,
  sealing: Sealing,
): { add(row: number, facts: Float64Array): void; end(): void } {
  const insert = db.prepare('INSERT INTO fact_page VALUES (?, ?)');
  let waiting: [row: number, facts: Buffer][] = [];
  const end = () => {
    const [first] = waiting;
    if (first) insert.run(first[0], sealing.sealBytes(joined(waiting)));
    waiting = [];
  };
  return {
    add(row, facts) {
      if (waiting.push([row, bytesOf(facts)]) >= RECORDS) end();
    },
    end,
  };
}

/** Reads pages and what came since as one. What comes goes beside the pages, and what was known of it is taken out of them. */
export function openFactTable(db: Db, sealing: Sealing) {
  const since = db.prepare<[number], Buffer>('SELECT sealed FROM fact WHERE row = ?').pluck();
  const put = db.prepare('INSERT OR REPLACE INTO fact VALUES (?, ?)');
  const drop = db.prepare('DELETE FROM fact WHERE row = ?');
  const pages = pagesOf(db, sealing);
  const atHand = new Map<number, Facts | null>();
  const read = (row: number): Facts | null => {
    const sealed = since.get(row);
    const bytes = sealed ? readOrReportDamage(() => sealing.openBytes(sealed)) : pages.get(row);
    return bytes ? factsFromNumbers(numbersOf(bytes)) : null;
  };
  return {
    get(row: number): Facts | null {
      const known = atHand.get(row);
      if (known !== undefined) return known;
      const facts = read(row);
      if (atHand.size >= AT_HAND) atHand.clear();
      atHand.set(row, facts);
      return facts;
    },
    set(row: number, facts: Facts | null): void {
      atHand.delete(row);
      pages.remove(row);
      if (facts) put.run(row, sealing.sealBytes(bytesOf(Float64Array.from(factsToNumbers(facts)))));
      else drop.run(row);
    },
    /** Facts may be others than those that were read. */
    forget() {
      atHand.clear();
      pages.forget();
    },
  };
}

function pagesOf(db: Db, sealing: Sealing) {
  const first = db
    .prepare<[number], number>('SELECT first FROM fact_page WHERE first <= ? ORDER BY first DESC LIMIT 1')
    .pluck();
  const sealed = db.prepare<[number], Buffer>('SELECT sealed FROM fact_page WHERE first = ?').pluck();
  const write = db.prepare('UPDATE fact_page SET sealed = ? WHERE first = ?');
  const opened = new Map<number, Map<number, Buffer>>();
  const open = (page: number | undefined): Map<number, Buffer> => {
    const known = page === undefined ? NO_FACTS : opened.get(page);
    if (known || page === undefined) return known ?? NO_FACTS;
    const bytes = sealed.get(page);
    const facts = bytes ? split(readOrReportDamage(() => sealing.openBytes(bytes))) : NO_FACTS;
    if (opened.size >= OPENED) opened.delete(opened.keys().next().value ?? 0);
    opened.set(page, facts);
    return facts;
  };
  return {
    get: (row: number) => open(first.get(row)).get(row),
    remove(row: number): void {
      const page = first.get(row);
      const left = new Map(open(page));
      if (page === undefined || !left.delete(row)) return;
      write.run(sealing.sealBytes(joined([...left])), page);
      opened.delete(page);
    },
    forget: () => opened.clear(),
  };
}

/** Of how many records something is known, pages and what came since counted alike. */
export function countFacts(db: Db, sealing: Sealing): number {
  const since = db.prepare<[], number>('SELECT count(*) FROM fact').pluck().get() ?? 0;
  const firsts = db.prepare<[], number>('SELECT first FROM fact_page').pluck().all();
  const sealed = db.prepare<[number], Buffer>('SELECT sealed FROM fact_page WHERE first = ?').pluck();
  const inPage = (first: number) => {
    const bytes = sealed.get(first);
    return bytes ? split(readOrReportDamage(() => sealing.openBytes(bytes))).size : 0;
  };
  return firsts.reduce((sum, first) => sum + inPage(first), since);
}

const NO_FACTS = new Map<number, Buffer>();

/** Each with its row and its length in front. */
function joined(facts: [row: number, bytes: Buffer][]): Buffer {
  return Buffer.concat(
    facts.flatMap(([row, bytes]) => {
      const head = Buffer.alloc(HEAD);
      head.writeUInt32LE(row, 0);
      head.writeUInt32LE(bytes.length, 4);
      return [head, bytes];
    }),
  );
}

function split(bytes: Buffer): Map<number, Buffer> {
  const facts = new Map<number, Buffer>();
  for (let at = 0; at < bytes.length;) {
    const [row, length] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
    at += HEAD;
    facts.set(row, bytes.subarray(at, (at += length)));
  }
  return facts;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

function numbersOf(bytes: Buffer): Float64Array {
  const numbers = new Float64Array(bytes.length / Float64Array.BYTES_PER_ELEMENT);
  Buffer.from(numbers.buffer).set(bytes);
  return numbers;
}
