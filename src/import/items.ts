// What lines and rows say: each a record of the record format, or why it is none. Whoever does it needs no more than them.
import type { RecordName } from '../graph/records.ts';
import { parseDeleted, latestYearOf, type RawRecord, toText } from './columns/raw.ts';
import { type ImportRecord, readRecord, type RecordOptions } from './record.ts';
import { toIsoDate, type DateOrder } from './columns/dates.ts';
import { isRoundedNumber, ROUNDED_NUMBER } from './columns/cells.ts';
import { isGuestName, isTotalsRow, findNonPerson, type NonPersonKind } from './columns/persons.ts';
import type { Line } from './input/lines.ts';
import { isForeignRecord, findUnknownFields } from './input/objects.ts';
import type { TableRow } from './input/table.ts';

/** Lines of JSON, or rows of a table, as they are cut out of an input. */
export type UnreadBatch = { lines: Line[] } | { rows: TableRow[] };

/** One record of the input, or why it can't be used. No text in it holds a submitted value but `record` itself. */
export interface ImportItem {
  /** Where the record starts, counted from 1. */
  line: number;
  recordId: string | null;
  record?: ImportRecord;
  /** The record that is to be taken out. */
  removed?: RecordName;
  /** Whether a row names somebody else too, of whom nothing is in the record. */
  others?: boolean;
  /** Why a row is left out without being wrong. */
  aside?: NonPersonKind;
  /** Why the whole record was rejected. */
  problem?: string;
  /** Single values that were left out of a usable record, one reason each. */
  dropped: string[];
}

export interface ItemOptions extends RecordOptions {
  /** In which order numbers make dates. */
  dates?: DateOrder | undefined;
  /** Whether rows of companies, guests and tests are records like others. */
  keepCompanies?: boolean | undefined;
  /** The record id of a record or row that has none, made of what it says. */
  idOf?: ((content: string) => string) | undefined;
}

/** Some items; and the fields that records in the record format have beside it, as often as they have them. */
export interface ParsedBatch {
  items: ImportItem[];
  unknown: string[];
}

/** In the order of the input, without blank lines; null where a line is of another program: such are read one after the other. */
export function parseBatch(unread: UnreadBatch, isMapped: boolean, options: ItemOptions): ParsedBatch | null {
  if ('rows' in unread) return { items: unread.rows.map((row) => itemFromRow(row, options)), unknown: [] };
  const [items, unknown]: [ImportItem[], string[]] = [[], []];
  for (const line of unread.lines) {
    if (isBlankLine(line)) continue;
    const aside = toSkippedItem(line, options);
    if (aside !== null) {
      items.push(aside);
      continue;
    }
    const found = parseJsonObject(line);
    if (!isJsonProblem(found)) {
      if (isForeignRecord(found, isMapped)) return null;
      unknown.push(...findUnknownFields(found));
    }
    items.push(itemFromObject(line.line, found, options));
  }
  return { items, unknown };
}

export const isBlankLine = ({ text, problem }: Line): boolean => problem === undefined && text.trim() === '';

/** What is known to be no person's before it is read. */
export const toSkippedItem = ({ line, aside }: Line, { keepCompanies }: ItemOptions): ImportItem | null =>
  aside && !keepCompanies ? { line, recordId: null, aside, dropped: [] } : null;

const NOT_READ = Symbol('not read');

/** The object that a line of JSON is, or why it is none. */
export function parseJsonObject({ text, problem }: Line): Record<string, unknown> | JsonProblem {
  const none = (reason: string): JsonProblem => ({ [NOT_READ]: true, problem: reason });
  if (problem !== undefined) return none(problem);
  try {
    const raw: unknown = LONG_NUMBER.test(text) ? JSON.parse(text, asWritten) : JSON.parse(text);
    const isObject = typeof raw === 'object' && raw !== null && !Array.isArray(raw);
    return isObject ? (raw as Record<string, unknown>) : none('the line is not a JSON object');
  } catch {
    return none('the line is not valid JSON');
  }
}

/** Ids of some programs have more digits than a number holds exactly: two of them would be one. Others are rounded already. */
const LONG_NUMBER = /\d{16}|[:,[]\s*\d[\d.]*[eE]\+\d/;
const asWritten = (_: string, value: unknown, { source = '' }: { source?: string } = {}): unknown => {
  if (typeof value !== 'number') return value;
  const isLong = !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
  return isLong || isRoundedNumber(source) ? source : value;
};

export interface JsonProblem {
  [NOT_READ]: true;
  problem: string;
}

export const isJsonProblem = (one: object): one is JsonProblem => NOT_READ in one;

/** The record that a line of JSON is. */
export function itemFromLine(line: Line, options: ItemOptions): ImportItem {
  return itemFromObject(line.line, parseJsonObject(line), options);
}

export function itemFromObject(
  line: number,
  raw: Record<string, unknown> | JsonProblem,
  { dates, idOf, ...settings }: ItemOptions,
): ImportItem {
  if (isJsonProblem(raw)) return { line, problem: raw.problem, recordId: null, dropped: [] };
  const record: RawRecord = raw;
  if (dates)
    for (const field of ['birth_date', 'first_seen', 'last_seen'] as const)
      if (typeof record[field] === 'string')
        record[field] = toIsoDate(record[field], dates, latestYearOf(field, settings.now));
  if (idOf && toText(record.record_id) === '' && parseDeleted(record) === false)
    record.record_id = idOf(JSON.stringify(inOrder(record)));
  return { line, ...readRecord(record, settings) };
}

/** A value whose properties stand in one order, whoever wrote it. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => [name, inOrder(one)]);
}

export function itemFromRow(
  { line, raw, cells = [], others = false, firm = '', problem }: TableRow,
  { idOf, keepCompanies = false, ...settings }: ItemOptions,
): ImportItem {
  if (raw === undefined) return { line, problem, recordId: null, dropped: [] };
  const lost = (['record_id', 'identity'] as const).filter((field) => isRoundedNumber(toText(raw[field])));
  for (const field of lost) delete raw[field];
  // In the order of the fields: columns may change their places from one export to the next.
  if (idOf && toText(raw.record_id) === '')
    raw.record_id = idOf(JSON.stringify(Object.entries(raw).toSorted()));
  const isFirm = firm !== '' && namesIn(raw).length === 0;
  if (isFirm) raw.names = [firm];
  const aside = isTotalsRow(cells) ? 'total' : keepCompanies ? null : isFirm ? 'company' : asideOf(raw);
  if (aside !== null) return { line, recordId: toText(raw.record_id) || null, aside, dropped: [] };
  const outcome = readRecord(raw, settings);
  return {
    line,
    others,
    ...outcome,
    dropped: [...lost.map((field) => `${field} ${ROUNDED_NUMBER}`), ...outcome.dropped],
  };
}

const partsOf = ({ name }: RawRecord): string =>
  Object.values((name ?? {}) as Record<string, string>).join(' ');

function namesIn(raw: RawRecord): string[] {
  const whole = partsOf(raw);
  return [...((raw.names ?? []) as string[]), ...(whole === '' ? [] : [whole])];
}

/** Why a row is no person's; the name of a guest goes from a row that has contacts. */
function asideOf(raw: RawRecord): NonPersonKind | null {
  const { names, emails, phones, addresses } = raw as Record<string, string[]>;
  const whole = partsOf(raw);
  const all = namesIn(raw);
  const aside = findNonPerson(all, emails ?? []);
  if (aside !== null || !all.some(isGuestName)) return aside;
  raw.names = (names ?? []).filter((name) => !isGuestName(name));
  if (isGuestName(whole)) delete raw.name;
  const left = [raw.names, emails, phones, addresses].some((list) => (list as string[]).length > 0);
  return left || raw.name !== undefined ? null : 'placeholder';
}
