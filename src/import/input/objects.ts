// Records of JSON under the names of other programs: what a shop, a payment service or a CRM answers. Each is a row of a table whose
// columns are called by the way to the value: `customer.first_name`.
import { guessColumn } from '../columns/guess.ts';
import { isMadeOfKnownWords } from '../columns/by-words.ts';
import { OTHER_PERSON_HEADER } from '../columns/headers.ts';
import type { TableSettings } from '../settings.ts';
import { RECORD_FIELDS } from '../columns/raw.ts';
import { type ColumnsCallback, TableReader, type TableRow } from './table.ts';

type Fields = Record<string, unknown>;

const OURS: ReadonlySet<string> = new Set(RECORD_FIELDS);
const OF_A_PERSON = 'name names email emails phone phones address addresses deleted'.split(' ');
/** Under what a list of e-mails or phones has each, and under what it says which it is. */
const VALUES =
  'value number phone email address emailAddress phoneNumber displayName full wert nummer valor numero valeur valore waarde wartosc'.split(
    ' ',
  );
const TYPES = 'type kind system label art typ tipo soort rodzaj medium channel'.split(' ');
const MOST_DEPTH = 5;
const MOST_FIELDS = 1000;

/** Fields of a record that ours do not have. */
export const findUnknownFields = (raw: Fields): string[] => Object.keys(raw).filter((key) => !OURS.has(key));

/**
 * Whether a record is one of another program: it has fields that we do not know, and no record id of ours, or nothing else of ours.
 *
 * @param isMapped whether it is said what its fields are
 */
export function isForeignRecord(raw: Fields, isMapped: boolean): boolean {
  if (findUnknownFields(raw).length === 0) return false;
  return isMapped || !('record_id' in raw) || !OF_A_PERSON.some((field) => field in raw);
}

/** Turns objects into the rows of one table; an object has the columns that it has. */
export class ObjectReader {
  private readonly table: TableReader;
  private isBegun = false;
  private readonly places = new Map<string, number>();

  /** @param onColumns told when the columns are settled; see `Table` */
  constructor(options: TableSettings, onColumns: ColumnsCallback) {
    this.table = new TableReader({ ...options, mayBeUnknown: true }, onColumns);
  }

  /** Errors: those of `readColumns`. */
  give(line: number, raw: Fields): TableRow[] {
    this.isBegun = true;
    const cells: string[] = [];
    // Those of its own first, so that its id is not that of a thing in it.
    const found = [...values(raw, [])].slice(0, MOST_FIELDS).toSorted((a, b) => a.depth - b.depth);
    for (const { header, cell } of found) {
      const place = this.placeOf(header);
      if (place !== null) cells[place] = cell;
    }
    return this.table.give({ line, cells: Array.from(cells, (cell: string | undefined) => cell ?? '') });
  }

  end(): TableRow[] {
    return this.isBegun ? this.table.end() : [];
  }

  private placeOf(header: string): number | null {
    const place = this.places.get(header);
    if (place !== undefined) return place;
    if (this.places.size >= MOST_FIELDS) return null;
    this.places.set(header, this.places.size);
    this.table.headers.push(header);
    return this.places.size - 1;
  }
}

/**
 * The headers that are the form's and not a record's, and how they may be shown: what an object's properties are called may be somebody's
 * e-mail. Of a way that few objects have, what is no word of headers is left out.
 */
export function findFormHeaders(
  headers: readonly string[],
  samples: readonly (readonly string[])[],
  isUsed: (index: number) => boolean,
): { place: number; shown: string }[] {
  const isForm = (i: number) =>
    samples.length > 2 &&
    samples.filter((row) => (row[i] ?? '') !== '').length * 2 >= samples.length &&
    !/[@\s]|\d{4}/.test(headers[i] ?? '');
  return headers.flatMap((header, place) => {
    if (isForm(place)) return [{ place, shown: header }];
    const parts = header.split('.').map((part) => (isMadeOfKnownWords(part) ? part : '…'));
    return isUsed(place) ? [{ place, shown: parts.join('.') }] : [];
  });
}

/** In place of what is not looked into: the header is told as one that is not used. */
const THERE = ' ';

interface Found {
  header: string;
  cell: string;
  depth: number;
}

function* values(value: unknown, way: string[], depth = 0): Generator<Found> {
  const header = way.join('.');
  if (typeof value === 'string' || typeof value === 'number') yield { header, cell: String(value), depth };
  else if (Array.isArray(value)) yield* listed(value, way, depth);
  else if (typeof value === 'object' && value !== null && depth < MOST_DEPTH)
    for (const [key, one] of Object.entries(value)) {
      if (OTHER_PERSON_HEADER.test(key.toLowerCase().replace(/[^a-z]/g, '')))
        yield { header: [...way, key].join('.'), cell: THERE, depth };
      else yield* values(one, [...way, key], depth + 1);
    }
}

/** A list of texts, of e-mails or phones, or of addresses; lists of anything else are things. */
function* listed(list: unknown[], way: string[], depth: number): Generator<Found> {
  const header = way.join('.');
  const field = guessColumn(header)?.field;
  const typed = list.map(typedIn).filter((one) => one !== null);
  if (field === 'address')
    for (const [i, one] of list.entries()) yield* values(one, [...way, String(i + 1)], depth);
  else if (field === 'email' || field === 'phone' || field === 'name') {
    const texts = list.flatMap((one) => (typeof one === 'string' ? one : (textIn(one, VALUES) ?? [])));
    yield { header, cell: texts.join('\n'), depth };
  } else if (typed.length > 0)
    for (const [type, cell] of joined(typed)) yield { header: `${header}.${type}`, cell, depth };
  else yield { header, cell: THERE, depth };
}

/** `{ "type": "email", "value": … }` */
function typedIn(one: unknown): [type: 'email' | 'phone', value: string] | null {
  const [type, value] = [textIn(one, TYPES), textIn(one, VALUES)];
  const field = type === undefined || value === undefined ? undefined : guessColumn(type)?.field;
  return value !== undefined && (field === 'email' || field === 'phone') ? [field, value] : null;
}

const joined = (typed: ['email' | 'phone', string][]): [string, string][] =>
  (['email', 'phone'] as const).flatMap((type): [string, string][] => {
    const its = typed.filter(([one]) => one === type).map(([, value]) => value);
    return its.length > 0 ? [[type, its.join('\n')]] : [];
  });

function textIn(one: unknown, keys: string[]): string | undefined {
  const fields = typeof one === 'object' && one !== null ? (one as Fields) : {};
  const found = keys.map((key) => fields[key]).find((value) => typeof value === 'string' && value !== '');
  return found as string | undefined;
}
