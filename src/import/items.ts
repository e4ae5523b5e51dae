// Parses lines of JSON and rows of tables. Each becomes a record, a removal, or the reason why it cannot be
// used.
import type { SourceRecordId } from '../graph/records.ts';
import { isSpreadsheetRoundedNumber, SPREADSHEET_ROUNDED_NUMBER_REASON } from './columns/cells.ts';
import {
  contradictsDateOrder,
  isDottedDate,
  resolveDateOrder,
  toIsoDateOrUnchanged,
} from './columns/dates.ts';
import {
  findNonPersonReason,
  isEmptyMarker,
  isGuestPlaceholderName,
  isHumanWrittenEmptyMarker,
  isPlaceholderEmail,
  isPlaceholderPhone,
  isTotalsOrLayoutRow,
  NO_VALUE_REASON,
  PLACEHOLDER_REASON,
  type NonPersonReason,
} from './columns/persons.ts';
import {
  getLatestMeaningOfTwoDigitYear,
  parseDeletedFlag,
  type RawRecord,
  toTrimmedText,
} from './columns/raw.ts';
import { isGivenNameBesideTradeWord } from '../names/index.ts';
import { INPUT_LIMITS, isJsonNestedTooDeep } from './formats/limits.ts';
import type { TextLine } from './input/lines.ts';
import { findUnknownFieldPaths, isRecordOfOtherProgram } from './input/objects/objects.ts';
import type { TableRow } from './input/table.ts';
import { type ImportRecord, parseImportRecord, type RecordParsingNotes } from './record.ts';
import type { InputReadSettings } from './settings.ts';

/** Batch of input that is not parsed yet: either lines of JSON or rows of a table. The other list is empty. */
export interface UnparsedBatch {
  lines: TextLine[];
  rows: TableRow[];
}

/** One record of an input, or the reason why it is unusable. Only `record` contains input values. */
export interface ImportRecordOrProblem {
  line: number;
  recordId: string | null;
  record?: ImportRecord;
  removed?: SourceRecordId;
  others?: boolean;
  aside?: NonPersonReason;
  problem?: string;
  /** Texts of an unusable row, one of which may be its record id. */
  possibleIds?: string[];
  /** Reasons why values of a usable record were left out, one reason per value. */
  dropped: string[];
  notes?: RecordParsingNotes;
}

/** Fields of a batch that the record format does not have. */
export interface UnknownFieldsOfBatch {
  names: string[];
  isForeign: boolean;
}

/**
 * Parses the items of a batch in input order, without blank lines. Adds unknown fields to `unknown`. Stops at the first record in the format of
 * another program, and then sets `unknown.isForeign`.
 */
export function* parseItems(
  { lines, rows }: UnparsedBatch,
  settings: InputReadSettings,
  unknown: UnknownFieldsOfBatch,
): Generator<ImportRecordOrProblem> {
  for (const row of rows) yield createItemFromRow(row, settings);
  for (const line of lines) {
    const parsed = parseJsonLine(line, settings);
    if (parsed === null) continue;
    if ('object' in parsed) {
      unknown.isForeign = isRecordOfOtherProgram(parsed.object, settings.map !== undefined);
      if (unknown.isForeign) return;
      for (const { name } of findUnknownFieldPaths(parsed.object)) unknown.names.push(name);
      yield createItemFromObject(line.line, parsed.object, settings);
    } else yield parsed;
  }
}

type Fields = Record<string, unknown>;

/** Parses a line that contains one JSON object. Returns an item with the problem if the line is not an object, and null for a blank line. */
export function parseJsonLine(
  { line, text, problem, aside }: TextLine,
  { keepCompanies = false }: InputReadSettings,
): ImportRecordOrProblem | { object: Fields } | null {
  if (problem === undefined && text.trim() === '') return null;
  if (aside && !keepCompanies) return { line, recordId: null, aside, dropped: [] };
  const reject = (reason: string) => ({ line, problem: reason, recordId: null, dropped: [] });
  if (problem !== undefined) return reject(problem);
  if (isJsonNestedTooDeep(text))
    return reject(`the record is nested more than ${INPUT_LIMITS.nesting} levels deep`);
  try {
    const value: unknown = LONG_NUMBER.test(text) ? JSON.parse(text, keepLongNumber) : JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { object: value as Fields } : reject('the line is not a JSON object');
  } catch {
    return reject('the line is not valid JSON');
  }
}

/**
 * Matches numbers that JavaScript cannot store exactly. Some programs use such numbers as ids, and two ids would become equal. Numbers with an
 * exponent are already rounded.
 */
const LONG_NUMBER = /\d{16}|[eE]\+\d(?<=[:,[]\s*\d[\d.]*[eE]\+\d)/;
const keepLongNumber = (_: string, value: unknown, { source = '' }: { source?: string } = {}): unknown => {
  if (typeof value !== 'number') return value;
  const isLong = !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
  return isLong || isSpreadsheetRoundedNumber(source) ? source : value;
};

export function createItemFromObject(
  line: number,
  record: RawRecord,
  settings: InputReadSettings,
): ImportRecordOrProblem {
  const { dates, makeId, now, keepCompanies = false } = settings;
  const againstOrder: string[] = [];
  for (const field of ['birth_date', 'first_seen', 'last_seen'] as const) {
    const text = record[field];
    if (typeof text !== 'string') continue;
    if (dates && contradictsDateOrder(text, dates)) againstOrder.push(`${field} ${dates}`);
    if (dates || isDottedDate(text))
      record[field] = toIsoDateOrUnchanged(
        text,
        resolveDateOrder(text, dates ?? null),
        getLatestMeaningOfTwoDigitYear(field, now),
      );
  }
  if (makeId && toTrimmedText(record.record_id) === '' && parseDeletedFlag(record) === false)
    record.record_id = makeId(JSON.stringify(sortedEntries(record)));
  const fillers = keepCompanies ? [] : removeFillers(record);
  const outcome = parseImportRecord(record, settings);
  return withNotes({ ...outcome, dropped: [...fillers, ...outcome.dropped], line }, againstOrder);
}

/** Adds the dates of a row that contradict the order of their column to the notes of its item. */
function withNotes(item: ImportRecordOrProblem, againstOrder: string[]): ImportRecordOrProblem {
  return againstOrder.length > 0 && item.record ? { ...item, notes: { ...item.notes, againstOrder } } : item;
}

/** Replaces every object in a JSON value by the list of its properties, sorted by name. Programs write properties in different orders. */
function sortedEntries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedEntries);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, property]) => [name, sortedEntries(property)]);
}

export function createItemFromRow(
  {
    line,
    raw,
    cells = [],
    others = false,
    againstOrder = [],
    blanks = [],
    firm = '',
    isCompany,
    problem,
    possibleIds,
  }: TableRow,
  settings: InputReadSettings,
): ImportRecordOrProblem {
  if (raw === undefined)
    return { line, problem, recordId: null, dropped: [], ...(possibleIds && { possibleIds }) };
  const { makeId, keepCompanies = false } = settings;
  const lost = (['record_id', 'identity'] as const).filter((field) =>
    isSpreadsheetRoundedNumber(toTrimmedText(raw[field])),
  );
  for (const field of lost) delete raw[field];
  // Fields are sorted, because the columns may have another order in the next export.
  if (makeId && toTrimmedText(raw.record_id) === '')
    raw.record_id = makeId(JSON.stringify(Object.entries(raw).toSorted()));
  const isNamedByFirm = firm !== '' && namesIn(raw).length === 0;
  if (isNamedByFirm) raw.names = [firm];
  const isFirm = isNamedByFirm || isCompany;
  const aside = isTotalsOrLayoutRow(cells)
    ? 'total'
    : keepCompanies
      ? null
      : isFirm
        ? 'company'
        : asideOf(raw);
  if (aside !== null) return { line, recordId: toTrimmedText(raw.record_id) || null, aside, dropped: [] };
  const fillers = keepCompanies ? [] : removeFillers(raw);
  const outcome = parseImportRecord(raw, settings);
  const dropped = [
    ...lost.map((field) => `${field} ${SPREADSHEET_ROUNDED_NUMBER_REASON}`),
    ...blanks,
    ...fillers,
    ...outcome.dropped,
  ];
  return withNotes({ line, others, ...outcome, dropped }, againstOrder);
}

const PLACEHOLDER_TESTS = [
  ['email', isPlaceholderEmail],
  ['phone', isPlaceholderPhone],
] as const;

/**
 * Removes markers for no value (`n/a`) and placeholders from the e-mails and phones, because they would link all people who entered the same one.
 * Returns a reason for each placeholder and each marker that a person typed.
 */
function removeFillers(raw: RawRecord): string[] {
  const reasons: string[] = [];
  for (const [kind, isPlaceholder] of PLACEHOLDER_TESTS)
    for (const field of [kind, `${kind}s`] as const) {
      if (!raw[field]) continue;
      const isKept = (value: unknown) => {
        const text = toTrimmedText(value);
        if (!isEmptyMarker(text) && !isPlaceholder(text)) return true;
        if (isPlaceholder(text)) reasons.push(`${kind}s ${PLACEHOLDER_REASON}`);
        else if (isHumanWrittenEmptyMarker(text)) reasons.push(`${kind}s ${NO_VALUE_REASON}`);
        return false;
      };
      raw[field] = [raw[field]].flat().filter(isKept);
    }
  return reasons;
}

const partsOf = ({ name }: RawRecord): string =>
  Object.values((name ?? {}) as Record<string, string>).join(' ');

function namesIn(raw: RawRecord): string[] {
  const whole = partsOf(raw);
  return [...((raw.names ?? []) as string[]), ...(whole === '' ? [] : [whole])];
}

/**
 * Returns the reason why a row is not about a person, else null. A row of a shop guest with contacts counts as a person; only the guest's name is
 * removed.
 */
function asideOf(raw: RawRecord): NonPersonReason | null {
  const { names, emails, phones, addresses } = raw as Record<string, string[]>;
  const whole = partsOf(raw);
  const all = namesIn(raw);
  const { given = '', family = '' } = (raw.name ?? {}) as Record<string, string>;
  // Company and Service are also family names.
  const judged = isGivenNameBesideTradeWord(given, family) ? [given] : all;
  const aside = findNonPersonReason(judged, emails ?? [], toTrimmedText(raw.title));
  const isReachable = [phones, addresses].some((list) => (list ?? []).length > 0);
  const isTest = (emails ?? []).length > 0 && emails?.every(isPlaceholderEmail) === true;
  // With a phone or an address, the row is about a person who entered an invented e-mail.
  if (isTest && !isReachable) return 'placeholder';
  if (aside !== null || !all.some(isGuestPlaceholderName)) return aside;
  raw.names = (names ?? []).filter((name) => !isGuestPlaceholderName(name));
  if (isGuestPlaceholderName(whole)) delete raw.name;
  const mailbox = namesIn(raw).length === 0 ? findNonPersonReason([], emails ?? []) : null;
  if (mailbox !== null) return mailbox;
  const left = [raw.names, emails, phones, addresses].some((list) => (list as string[]).length > 0);
  return left || raw.name !== undefined ? null : 'placeholder';
}
