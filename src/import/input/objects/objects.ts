// Records of other programs in JSON, for example from a shop, a payment service or a CRM. Each object becomes
// a row of a table whose headers are the paths of its values: `customer.first_name`.
import { hasOnlyKnownHeaderWords } from '../../columns/by-words.ts';
import { guessColumn } from '../../columns/guess.ts';
import {
  ADDRESS_FIELDS as ADDRESS_COLUMNS,
  NAME_PARTS,
  OTHER_PERSON_OR_THING_HEADER_PATTERN,
} from '../../columns/headers.ts';
import { getTypoDistance } from '../../../normalise/typo.ts';
import { RECORD_FIELDS } from '../../columns/raw.ts';
import { isColumnGroupOfRelative } from '../../columns/words.ts';
import { INPUT_LIMITS } from '../../formats/limits.ts';
import type { TableReadSettings } from '../../settings.ts';
import { createRemoverOfAddressesOfOthers } from './address-entries.ts';
import {
  describeListOfPeople,
  isListOfPeople,
  PERSON_IN_LIST,
  separatePeopleInLists,
  type ValueOfObject,
} from './people-lists.ts';
import { type ColumnsChosenCallback, TableReader, type TableRow } from '../table.ts';
import { findPersonalValueTypesOfKeys } from '../wrapped.ts';

type Fields = Record<string, unknown>;

const OUR_FIELDS: ReadonlySet<string> = new Set(RECORD_FIELDS);
const PERSON_FIELDS = 'name names email emails phone phones address addresses deleted'.split(' ');
/** Names of the properties that contain the value of a list element, such as an e-mail, and its type (`TYPES`): `{ "type": "work", "value": … }`. */
const VALUES =
  'value number phone email address emailAddress phoneNumber displayName full wert nummer valor numero valeur valore waarde wartosc address'.split(
    ' ',
  );
const TYPES = 'type kind system label art typ tipo soort rodzaj medium channel'.split(' ');
const MOST_DEPTH = 5;

const findUnknownRecordFields = (raw: Fields): string[] =>
  Object.keys(raw).filter((key) => !OUR_FIELDS.has(key));

const NAME_FIELDS = ['full', ...NAME_PARTS];
const ADDRESS_FIELDS = ['street', 'street2', 'city', 'state', 'zip', 'plus4', 'country'];
/** For each record field whose value is an object or a list of objects: the fields of these objects. */
const INNER_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['name', NAME_FIELDS],
  ['names', NAME_FIELDS],
  ['address', ADDRESS_FIELDS],
  ['addresses', ADDRESS_FIELDS],
  ['identifiers', ['type', 'value', 'country']],
]);

export interface UnknownField {
  /** JSON Pointer of the field in its record: `/addresses/0/zipcode`. */
  pointer: string;
  /** Path of the field without list positions: `addresses.zipcode`. */
  name: string;
}

/** Returns the fields that the record format does not have, also inside names, addresses and identifiers. */
export function findUnknownFieldPaths(raw: Fields): UnknownField[] {
  const unknown = findUnknownRecordFields(raw).map((key) => ({
    pointer: `/${escapePointer(key)}`,
    name: key,
  }));
  for (const [field, known] of INNER_FIELDS) {
    const value = raw[field];
    if (typeof value !== 'object') continue;
    const isList = Array.isArray(value);
    for (const [i, element] of (isList ? value : [value]).entries()) {
      if (typeof element !== 'object' || element === null || Array.isArray(element)) continue;
      const start = isList ? `/${field}/${i}` : `/${field}`;
      for (const key of Object.keys(element))
        if (!known.includes(key))
          unknown.push({ pointer: `${start}/${escapePointer(key)}`, name: `${field}.${key}` });
    }
  }
  return unknown;
}

const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * Maximum number of typing errors in a misspelled field name, such as `emials`. With two, a given name that is used as a property name (`Jane`) would
 * count as `name`.
 */
const MOST_TYPOS = 1;

/** True if a field name is that of a known field with at most one typing error. */
const isMisspelling = (name: string, known: string): boolean =>
  getTypoDistance(name.toLowerCase(), known, MOST_TYPOS) <= MOST_TYPOS;

/** Splits `UnknownField.name` into the record field before the dot and the name after it, and adds the known fields of that place. */
function splitFieldPath(name: string): { outer: string; inner: string; known: readonly string[] } {
  const [outer = ''] = name.split('.', 1);
  const known = INNER_FIELDS.get(outer);
  return known && outer !== name
    ? { outer: `${outer}.`, inner: name.slice(outer.length + 1), known }
    : { outer: '', inner: name, known: RECORD_FIELDS };
}

/** Maximum number of digits in the name of an unknown field that is shown. More may be a phone number or a date: `06 12 34 56 78`. */
const MOST_SHOWN_DIGITS = 2;

/** True if the name of an unknown field may be shown: it resembles a field, so that it is no personal value. `name` is that of `UnknownField`. */
export function isFieldNameShown(name: string): boolean {
  const { inner, known } = splitFieldPath(name);
  return (
    inner.replace(/\D/g, '').length <= MOST_SHOWN_DIGITS &&
    (hasOnlyKnownHeaderWords(inner) || known.some((field) => isMisspelling(inner, field)))
  );
}

/** Returns the known field that an unknown field probably means, as a path like `UnknownField.name`. Undefined if no field is similar. */
export function findNearestRecordField(name: string): string | undefined {
  const { outer, inner, known } = splitFieldPath(name);
  const guess = guessColumn(inner)?.field;
  const near =
    known.find((field) => isMisspelling(inner, field)) ??
    known.find((field) => field === guess) ??
    known.find((field) => field === `${guess}s`);
  return near && outer + near;
}

/**
 * True if a record is an export of other software, and is not in Bonafide's own format: it has unknown fields, and it lacks `record_id` or any field
 * about a person.
 *
 * @param isMapped true if the user maps its fields
 */
export function isRecordOfOtherProgram(raw: Fields, isMapped: boolean): boolean {
  if (findUnknownRecordFields(raw).length === 0) return false;
  return isMapped || !('record_id' in raw) || !PERSON_FIELDS.some((field) => field in raw);
}

/** Number of properties that are examined to recognise an object whose properties are records (see `splitObjectOfRecords`). */
const CHECKED_PROPERTIES = 3;
const MOST_WRAPPERS = 3;

/**
 * Returns the records in an object whose keys are their ids, as Firebase exports them: `{ "-N1": { "name": … }, "-N2": … }`. Returns the object
 * itself if it is a record.
 */
export function splitObjectOfRecords(raw: Fields, depth = 0): Fields[] {
  const entries = Object.entries(raw);
  const [[, first] = []] = entries;
  if (entries.length === 1 && depth < MOST_WRAPPERS && isObject(first)) {
    const inside = splitObjectOfRecords(first, depth + 1);
    return inside.length > 1 ? inside : [raw];
  }
  const isKeyed =
    entries.length > 1 &&
    entries.every(([, value]) => isObject(value)) &&
    entries.some(([key]) => /\d/.test(key) || !hasOnlyKnownHeaderWords(key)) &&
    entries
      .slice(0, CHECKED_PROPERTIES)
      .every(([, value]) => findPersonalValueTypesOfKeys(Object.keys(value as Fields)).size > 1);
  return isKeyed ? entries.map(([key, value]) => ({ id: key, ...(value as Fields) })) : [raw];
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts objects to the rows of one table. Objects may have different properties. */
export class ObjectTableReader {
  private readonly table: TableReader;
  private readonly makesId: boolean;
  private hasBegun = false;
  private readonly indexes = new Map<string, number>();
  private readonly removeAddressesOfOthers = createRemoverOfAddressesOfOthers();

  constructor(settings: TableReadSettings, onColumns: ColumnsChosenCallback) {
    this.table = new TableReader({ ...settings, mayBeUnknown: true }, onColumns);
    this.makesId = settings.makeId !== undefined;
  }

  /** Adds an object and returns the rows that are complete. Errors: those of `assignFieldsToColumns`. */
  add(line: number, raw: Fields): TableRow[] {
    this.hasBegun = true;
    // The object's own values come first, so that the id of a nested object is not used as the object's id.
    const all = firstValuesIn(raw).toSorted((a, b) => a.depth - b.depth);
    const { own, people, others } = separatePeopleInLists(all);
    const { values, others: othersInAddresses } = this.removeAddressesOfOthers(own);
    const row = this.toRow(line, values, all.length > INPUT_LIMITS.columns ? TOO_MANY_VALUES : undefined);
    const rows = this.table.add({ ...row, others: others || othersInAddresses });
    if (!this.makesId || row.problem !== undefined) return rows;
    for (const [person, ofPerson] of people)
      rows.push(...this.table.add({ ...this.toRow(line, ofPerson), person }));
    return rows;
  }

  private toRow(line: number, values: readonly PathValue[], found?: string): TableRow {
    const cells: string[] = [];
    let problem = found;
    for (const { header, cell } of values) {
      const index = this.indexOf(header);
      if (index !== null) cells[index] = cell;
      else if (guessColumn(header) !== null) problem ??= LATE_FIELD;
    }
    const row = { line, cells: Array.from(cells, (cell: string | undefined) => cell ?? '') };
    return problem === undefined ? row : { ...row, problem };
  }

  end(): TableRow[] {
    return this.hasBegun ? this.table.end() : [];
  }

  private indexOf(header: string): number | null {
    const known = this.indexes.get(header);
    if (known !== undefined) return known;
    if (this.indexes.size >= INPUT_LIMITS.columns) return null;
    this.indexes.set(header, this.indexes.size);
    this.table.headers.push(header);
    return this.indexes.size - 1;
  }
}

/**
 * Returns the headers of properties for output. A rare header is shown only if it is used, and only with known header words, because a property
 * name may be an e-mail address.
 */
export function listHeadersSafeToShow(
  headers: readonly string[],
  samples: readonly (readonly string[])[],
  isUsed: (index: number) => boolean,
): { place: number; shown: string }[] {
  const isFrequent = (i: number) =>
    samples.length > 2 &&
    samples.filter((row) => (row[i] ?? '') !== '').length * 2 >= samples.length &&
    !/[@\s]|\d{4}/.test(headers[i] ?? '');
  return headers.flatMap((header, place) => {
    if (isFrequent(place)) return [{ place, shown: header }];
    const parts = header.split('.').map((part) => (hasOnlyKnownHeaderWords(part) ? part : '…'));
    return isUsed(place) ? [{ place, shown: parts.join('.') }] : [];
  });
}

/** Cell in place of a property that is not read. It is not empty, so that the header is reported as unused. */
const NOT_READ = ' ';

interface PathValue extends ValueOfObject {
  depth: number;
}

const TOO_MANY_VALUES = `it has more than ${INPUT_LIMITS.columns} values`;
/** Problem of an object with a field that Bonafide knows and cannot read. */
const LATE_FIELD = `it has a field after the first ${INPUT_LIMITS.columns} different fields of the file: export fewer fields`;

/** Returns the values of an object, up to one more than the maximum number of columns. An object of a megabyte can have a hundred thousand values. */
function firstValuesIn(raw: Fields): PathValue[] {
  const values: PathValue[] = [];
  for (const value of valuesIn(raw, [])) if (values.push(value) > INPUT_LIMITS.columns) break;
  return values;
}

/** Property names in which MongoDB exports wrap a value that is not text: `{ "$date": "…" }`. */
const WRAPPED_VALUES = ['$oid', '$date', '$numberLong', '$numberInt', '$numberDouble', '$numberDecimal'];

/** Names of the only property of an object that wraps a list, as in OData: `{ "results": [ … ] }`. */
const LIST_WRAPPERS = ['results', 'items', 'elements', 'nodes', 'data', 'value'];

/** Returns the inner value if an object is a wrapper of a MongoDB export, else the unchanged value. */
function unwrapValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const [entry, ...others] = Object.entries(value);
  const known = Array.isArray(entry?.[1]) ? LIST_WRAPPERS : WRAPPED_VALUES;
  if (!entry || others.length > 0 || !known.includes(entry[0])) return value;
  return unwrapValue(entry[1]);
}

function* valuesIn(wrapped: unknown, path: string[], depth = 0): Generator<PathValue> {
  const value = unwrapValue(wrapped);
  const header = path.join('.');
  if (typeof value === 'string' || typeof value === 'number') yield { header, cell: String(value), depth };
  else if (Array.isArray(value)) yield* valuesInList(value, path, depth);
  else if (isDateInParts(value)) yield { header, cell: joinDateParts(value), depth };
  else if (typeof value === 'object' && value !== null && depth < MOST_DEPTH)
    for (const [key, property] of Object.entries(value)) {
      // The header of each value inside a property repeats the name of the property, so that a long name
      // would multiply.
      if (key.length > INPUT_LIMITS.fieldName) continue;
      // SAP begins the names of properties that hold other objects with `to_`.
      const name = key.replace(/^to_/, '');
      const inside = [...path, name];
      const isOther = OTHER_PERSON_OR_THING_HEADER_PATTERN.test(name.toLowerCase().replace(/[^a-z]/g, ''));
      if (isOther && !(Array.isArray(property) && isNameOfRelatives(name)))
        yield { header: inside.join('.'), cell: NOT_READ, depth };
      else yield* valuesIn(property, inside, depth + 1);
    }
}

/** True for the name of a list of relatives, who get records of their own: `parents`. */
const isNameOfRelatives = (name: string): boolean => isColumnGroupOfRelative(guessColumn(name)?.group ?? '');

/** True for an object with the year, month and day of a date as numbers: `{ "year": 1957, "month": 3, "day": 28 }`. */
const isDateInParts = (value: unknown): value is Fields =>
  isObject(value) &&
  'year' in value &&
  'month' in value &&
  Object.entries(value).every(([key, part]) => DATE_PARTS.has(key) && Number.isInteger(Number(part)));
const DATE_PARTS: ReadonlySet<string> = new Set(['year', 'month', 'day']);

/** Joins the parts of a date to `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. A date without a year becomes a birthday: `--MM-DD`. */
function joinDateParts({ year, month, day }: Fields): string {
  if (!month) return year ? String(year) : '';
  const others = [month, day].filter(Boolean).map((part) => String(part).padStart(2, '0'));
  return [year || '-', ...others].join('-');
}

/** Yields the values in a list of texts, e-mails, phones or addresses. Other lists are skipped. */
function* valuesInList(list: unknown[], path: string[], depth: number): Generator<PathValue> {
  const header = path.join('.');
  const field = guessColumn(header)?.field;
  const typed = list.flatMap((element) => toTypedValue(element) ?? []);
  const areAddresses = field === undefined && list.length > 0 && list.every(isAddress);
  if ((field === undefined || field === 'name') && isListOfPeople(list)) {
    const ofList = describeListOfPeople(path);
    for (const [i, element] of list.entries())
      for (const value of valuesIn(element, [PERSON_IN_LIST], depth))
        yield { ...value, ...ofList(i + 1, value.person) };
    return;
  }
  // The name of a list that does not mean addresses would change the meaning of its values.
  const place = areAddresses ? ['address'] : path;
  if (field === 'address' || areAddresses)
    for (const [i, element] of list.entries()) yield* valuesIn(element, [...place, String(i + 1)], depth);
  else if (field === 'email' || field === 'phone' || field === 'name') {
    const texts = list.flatMap((element) =>
      typeof element === 'string' ? element : (findText(element, VALUES) ?? []),
    );
    yield { header, cell: texts.join('\n'), depth };
  } else if (typed.length > 0) {
    const groups = Map.groupBy(typed, ({ type }) => type);
    for (const type of ['email', 'phone'] as const) {
      const cell = groups
        .get(type)
        ?.map(({ value }) => value)
        .join('\n');
      if (cell !== undefined) yield { header: `${header}.${type}`, cell, depth };
    }
  } else yield { header, cell: NOT_READ, depth };
}

/** True for an object with at least two parts of an address, and without a name. */
function isAddress(element: unknown): boolean {
  const keys = isObject(element) ? Object.keys(element) : [];
  const fields = new Set(keys.flatMap((key) => guessColumn(key)?.field ?? []));
  return (
    [...fields].filter((field) => ADDRESS_COLUMNS.has(field)).length > 1 &&
    !findPersonalValueTypesOfKeys(keys).has('name')
  );
}

/** Reads a list element that names its type: `{ "type": "email", "value": … }`. Null for other elements. */
function toTypedValue(element: unknown): { type: 'email' | 'phone'; value: string } | null {
  const [type, value] = [findText(element, TYPES), findText(element, VALUES)];
  const field = type === undefined ? undefined : guessColumn(type)?.field;
  return value !== undefined && (field === 'email' || field === 'phone') ? { type: field, value } : null;
}

function findText(element: unknown, keys: string[]): string | undefined {
  const entries = typeof element === 'object' && element !== null ? Object.entries(element) : [];
  const fields = new Map<string, unknown>(entries.map(([key, value]) => [key.toLowerCase(), value]));
  return keys
    .map((key) => fields.get(key.toLowerCase()))
    .find((value): value is string => typeof value === 'string' && value !== '');
}
