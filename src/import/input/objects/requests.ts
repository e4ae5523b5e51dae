// Check requests from the objects of a JSON file. Objects of other programs are read as rows of a table, as in an import.
import { guessColumn } from '../../columns/guess.ts';
import {
  type ColumnField,
  NAME_FIELDS,
  OTHER_PERSON_OR_THING_HEADER_PATTERN,
  type TableColumn,
} from '../../columns/headers.ts';
import { shortenHeaderForOutput } from '../../columns/map.ts';
import { RECORD_FIELDS } from '../../columns/raw.ts';
import { SAMPLED_ROW_COUNT, type TableReadSettings } from '../../settings.ts';
import {
  CHECK_REQUEST_FIELDS,
  createCheckRequestFromObject,
  createCheckRequestFromRow,
  isMisspelledRequestField,
  type LeftOutValue,
} from '../request.ts';
import type { TableRow } from '../table.ts';
import { listHeadersSafeToShow, ObjectTableReader } from './objects.ts';

type Fields = Record<string, unknown>;

/** Check request of an object, or the reason why it has none. `item` is what the caller added with the object. */
export interface ObjectRequest<T> {
  item: T;
  request?: Fields;
  problem?: string;
  leftOut: LeftOutValue[];
}

/** Converts objects to check requests, in their order. */
export class ObjectRequestReader<T> {
  private readonly table: ObjectTableReader;
  private readonly region: string | undefined;
  private readonly isMapped: boolean;
  /** Objects whose rows wait until the columns are chosen. */
  private readonly waiting: { object: Fields; item: T }[] = [];
  private columns: readonly (TableColumn | null)[] = [];
  /** Headers of the table, also of properties that appear later. */
  private headers: readonly string[] = [];
  /** Headers by column in the form for output, without those that may be values. */
  private readonly shown: string[] = [];

  /** @param onColumns called with the columns of objects of other programs, when they are chosen */
  constructor(
    settings: Pick<TableReadSettings, 'name' | 'map' | 'region'>,
    onColumns: (columns: { header: string; field: ColumnField | null }[]) => void,
  ) {
    this.region = settings.region;
    this.isMapped = settings.map !== undefined;
    this.table = new ObjectTableReader(
      { ...settings, sampled: SAMPLED_ROW_COUNT },
      (headers, columns, samples) => {
        [this.headers, this.columns] = [headers, columns];
        const places = this.showHeaders(samples);
        onColumns(
          places.map((place) => ({ header: this.shown[place] ?? '', field: columns[place]?.field ?? null })),
        );
      },
    );
  }

  /** Adds an object and returns the requests that are complete. Errors: `invalid_arguments` if the column map does not fit. */
  add(line: number, object: Fields, item: T): ObjectRequest<T>[] {
    if (isRequestOrRecord(object, this.isMapped)) {
      const request = createCheckRequestFromObject(object, this.region);
      return [...this.end(), { item, request, leftOut: [] }];
    }
    this.waiting.push({ object, item });
    return this.toRequests(this.table.add(line, object));
  }

  end(): ObjectRequest<T>[] {
    return this.toRequests(this.table.end());
  }

  private toRequests(rows: TableRow[]): ObjectRequest<T>[] {
    const objects = this.waiting.splice(0, rows.length);
    return rows.flatMap((row, i) => (objects[i] ? this.toRequest(row, objects[i]) : []));
  }

  private toRequest(
    { raw, cells = [], problem }: TableRow,
    { object, item }: { object: Fields; item: T },
  ): ObjectRequest<T> {
    const refuse = (reason: string) => ({ item, problem: reason, leftOut: [] });
    if (problem !== undefined || !raw) return refuse(problem ?? 'the object cannot be read');
    if (!this.columns.some((column) => column && NAME_FIELDS.has(column.field))) return refuse(NO_NAME);
    const contacts = [raw.emails, raw.phones, raw.addresses].flat();
    if (contacts.length === 0 && hasContactInside(object)) return refuse(NO_CONTACT);
    if (this.shown.length < this.headers.length) this.showHeaders([]);
    const table = { columns: this.columns, headers: this.shown };
    return { item, ...createCheckRequestFromRow(raw, { cells, ...table }, this.region) };
  }

  /** Adds the missing headers to `shown`. Returns the columns that can be shown. */
  private showHeaders(samples: readonly (readonly string[])[]): number[] {
    const safe = listHeadersSafeToShow(this.headers, samples, (i) => Boolean(this.columns[i]));
    for (const { place, shown } of safe) this.shown[place] ??= shortenHeaderForOutput(shown);
    this.shown.length = this.headers.length;
    return safe.map(({ place }) => place);
  }
}

const NO_NAME = 'no field of the object looks like a name: write it in the field `name`';
const NO_CONTACT =
  'an e-mail or phone inside a list or another object is not read: write it in the fields `emails` and `phones`';

/** Fields of requests, records and lines of a job. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([...RECORD_FIELDS, ...CHECK_REQUEST_FIELDS, 'reference']);
/** Fields that only requests have. */
const ONLY_IN_REQUESTS = ['nameAddresses', 'emailAddresses', 'phoneNumbers', 'intent', 'operation'];
/** True for a check request or a record, also with a misspelled field. Other objects are those of other programs. */
function isRequestOrRecord(object: Fields, isMapped: boolean): boolean {
  const unknown = Object.keys(object).filter((field) => !KNOWN_FIELDS.has(field));
  if (unknown.length === 0) return true;
  return (
    !isMapped && (ONLY_IN_REQUESTS.some((field) => field in object) || unknown.some(isMisspelledRequestField))
  );
}

const CONTACTS: ReadonlySet<string | undefined> = new Set(['email', 'phone']);
/** Maximum depth at which an object is searched for contacts. */
const MOST_DEPTH = 5;

/** True if an object has an e-mail or phone at any depth. Objects about other people and things do not count. */
function hasContactInside(value: Fields, path = '', depth = 0): boolean {
  if (depth === MOST_DEPTH) return false;
  if (OTHER_PERSON_OR_THING_HEADER_PATTERN.test(path.toLowerCase().replace(/[^a-z]/g, ''))) return false;
  return Object.entries(value).some(([key, inside]) => {
    const inner = Array.isArray(value) || path === '' ? path || key : `${path}.${key}`;
    if (typeof inside === 'object' && inside !== null)
      return hasContactInside(inside as Fields, inner, depth + 1);
    return depth > 0 && CONTACTS.has(guessColumn(inner)?.field);
  });
}
