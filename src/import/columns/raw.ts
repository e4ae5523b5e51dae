// Raw records: records of a file in the record format, and rows of tables converted to it.
import { collapseSpaces, foldToAscii, withoutDecimalZero } from '../../normalise/text.ts';
import {
  addAreaCode,
  decodeHtmlEntities,
  expandExponent,
  isCellTooLong,
  isSpreadsheetRoundedNumber,
  SPREADSHEET_ROUNDED_NUMBER_REASON,
  splitCell,
  TOO_LONG_CELL_REASON,
  withoutContactsOfRelatives,
} from './cells.ts';
import { INPUT_LIMITS } from '../formats/limits.ts';
import {
  contradictsDateOrder,
  getBirthDateOfSwedishPersonalNumber,
  type TableDateOrders,
  toIsoDateOrUnchanged,
} from './dates.ts';
import { toCountryCode } from '../../normalise/address/place.ts';
import {
  ADDRESS_FIELDS,
  BIRTH_NAME_COLUMN_GROUP,
  SECOND_FAMILY_NAME_COLUMN_GROUP,
  type TableColumn,
  DATE_FIELDS,
  NAME_FIELDS,
  NAME_PARTS,
} from './headers.ts';
import {
  createCollectorOfPeopleInRow,
  withoutNamesOfOthers,
  joinNamePartsWithWholeName,
  type UnvalidatedAddress,
} from './parties.ts';
import {
  isEmptyMarker,
  isGuestPlaceholderName,
  isHumanWrittenEmptyMarker,
  getNameAfterAttentionNote,
  NO_VALUE_REASON,
  RELATIVE_REASON,
  removeAttentionNotesAndCompany,
} from './persons.ts';
import { isColumnGroupOfNumberedPerson, isColumnGroupOfRelative } from './words.ts';

export const RECORD_FIELDS = [
  ...(['record_id', 'deleted', 'source', 'identity', 'name', 'names', 'email', 'emails'] as const),
  ...(['phone', 'phones', 'address', 'addresses', 'birth_date', 'birth_place', 'gender'] as const),
  ...(['title', 'identifiers', 'first_seen', 'last_seen'] as const),
] as const;

/**
 * Record as read from a file. Every value may have any type. `country` is set only for a table row without other parts of an address; it is the
 * country of the phone numbers.
 */
export type RawRecord = { [field in (typeof RECORD_FIELDS)[number] | 'country']?: unknown };

/** Converts a value to text: surplus spaces are removed, a number with all its digits becomes these digits, and other types become an empty text. */
export function toTrimmedText(value: unknown): string {
  if (typeof value === 'string') return expandExponent(collapseSpaces(value));
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
}

const YES_OR_NO = new Map([
  ...['true', 'yes', '1'].map((text) => [text, true] as const),
  ...['false', 'no', '0', ''].map((text) => [text, false] as const),
]);

/** Returns true if `deleted` marks a record for removal. Null if `deleted` is neither yes nor no; such a record must not be added. */
export function parseDeletedFlag({ deleted = false }: RawRecord): boolean | null {
  if (deleted === null || typeof deleted === 'boolean') return deleted ?? false;
  const isText = typeof deleted === 'string' || typeof deleted === 'number';
  return isText ? (YES_OR_NO.get(collapseSpaces(String(deleted)).toLowerCase()) ?? null) : null;
}

export interface TableColumns {
  columns: readonly (TableColumn | null)[];
  orders: Pick<TableDateOrders, 'of'>;
  /** Current time in milliseconds since 1970. A two-digit birth year never means a later year. */
  now?: number | undefined;
  /** True if the columns are those of a relative, to whom the contacts marked as a relative's belong. */
  isRecordOfRelative?: boolean;
}

/** Fields whose cells may contain several values, each with the record's list of these values. */
const LISTS: Record<string, 'emails' | 'phones' | 'names'> = {
  email: 'emails',
  phone: 'phones',
  name: 'names',
};
const PARTS: ReadonlySet<string> = new Set(NAME_PARTS);

/** True if a column holds values of a relative or a numbered person, who gets a record of its own. */
export const isColumnOfRelative = ({ group, isOfRow }: TableColumn): boolean =>
  !isOfRow && isColumnGroupOfRelative(group);

/**
 * Converts the cells of a row to the record format. Names and contacts of a second person in the row are left out, so that the payer and the receiver
 * of a gift do not become one person. `blanks` are the reasons for ignored cells of e-mails and phones, such as `n/a`.
 */
export function toRawRecord(
  cells: readonly string[],
  { columns, orders, now, isRecordOfRelative = false }: TableColumns,
): { raw: RawRecord; others: boolean; againstOrder: string[]; blanks: string[] } {
  const raw: RawRecord = {};
  const againstOrder: string[] = [];
  const blanks: string[] = [];
  const parties = createCollectorOfPeopleInRow();
  let hasOthersInCell = false;
  const getCell = (index: number) =>
    withoutDecimalZero(withoutTextMark(decodeHtmlEntities(cells[index] ?? '').trim()));
  for (const [index, column] of columns.entries()) {
    if (column !== null && isCellTooLong(cells[index])) {
      blanks.push(`${column.field} ${TOO_LONG_CELL_REASON}`);
      continue;
    }
    const cell = getCell(index);
    if (column === null || column.isAreaCode || cell === '') continue;
    const note = NAME_FIELDS.has(column.field) ? getNameAfterAttentionNote(cell) : null;
    if (note) {
      // SAP writes the name of a company in `Name 1`, and `c/o Ann Lee` in `Name 2`.
      const own = isColumnGroupOfNumberedPerson(column.group) ? '' : column.group;
      if (!isColumnGroupOfRelative(own)) parties.of(own).attention ??= note;
    }
    if (note || isColumnOfRelative(column)) continue;
    const { field, group, label } = column;
    if (label !== undefined && /fax/i.test(cells[label] ?? '')) continue;
    if (isEmptyMarker(cell)) {
      if ((field === 'email' || field === 'phone') && isHumanWrittenEmptyMarker(cell))
        blanks.push(`${field}s ${NO_VALUE_REASON}`);
      continue;
    }
    const values = parties.of(column.isOfRow ? '' : group);
    // A column such as `Contact 1` may have phones in some rows and e-mails in others.
    const kind = field === 'phone' && cell.includes('@') ? 'email' : field;
    const list = LISTS[kind];
    if (list) {
      // One more than a record can have, so that the record tells that there are too many.
      const room = INPUT_LIMITS.values + 1 - values[list].length;
      if (room <= 0) continue;
      const own = isRecordOfRelative ? cell : withoutContactsOfRelatives(cell, kind);
      if (own !== cell) blanks.push(`${kind}s ${RELATIVE_REASON}`);
      if (own === '') continue;
      const areaCode = columns[index - 1]?.isAreaCode ? getCell(index - 1) : '';
      const cellValues = splitCell(own, kind)
        .slice(0, room)
        .map((value) => (areaCode === '' ? value : addAreaCode(value, areaCode)));
      if (field !== 'name') values[list].push(...cellValues);
      else {
        const names = cellValues.map(removeAttentionNotesAndCompany).filter(Boolean);
        const ownNames = withoutNamesOfOthers(names);
        hasOthersInCell ||= ownNames.length < names.length;
        values.names.push(...ownNames);
      }
    } else if (PARTS.has(field)) {
      const key = group === BIRTH_NAME_COLUMN_GROUP ? group : field;
      const before = values.parts[key];
      const part = removeAttentionNotesAndCompany(cell);
      const isSecond = (other: TableColumn | null) => other?.group === SECOND_FAMILY_NAME_COLUMN_GROUP;
      if (before === undefined) {
        if (part !== '') values.parts[key] = part;
      } else if (isSecond(column)) values.parts[key] = `${before} ${part}`;
      else if (key === 'family' && columns.slice(0, index).some(isSecond))
        values.parts[key] = `${part} ${before}`;
    } else if (ADDRESS_FIELDS.has(field)) {
      const { address, attention } = splitAttention(cell);
      if (attention !== null) values.attention ??= attention;
      if (address !== '') addAddressPart(values.addresses, group, field, address);
    } else if (field === 'record_id') {
      const id = readRecordIdCell(cell, column);
      if (id !== '') raw.record_id ??= id;
      const date =
        column.isPersonalNumber &&
        getBirthDateOfSwedishPersonalNumber(cell, getLatestMeaningOfTwoDigitYear('birth_date', now));
      if (date) raw.birth_date ??= date;
    } else if (field === 'identifier') {
      if (isSpreadsheetRoundedNumber(cell)) blanks.push(`identifiers ${SPREADSHEET_ROUNDED_NUMBER_REASON}`);
      else raw.identifiers = [...((raw.identifiers ?? []) as object[]), toIdentifier(cell, group)];
    } else if (!DATE_FIELDS.has(field))
      raw[field as 'source'] ??= column.isMujer && /^m$/i.test(cell) ? 'mujer' : cell;
    else {
      const order = orders.of(index, cell, () => findCountryCodeOfRow(cells, columns));
      const shown = orders.of(index);
      if (shown && contradictsDateOrder(cell, shown)) againstOrder.push(`${field} ${shown}`);
      const latest = getLatestMeaningOfTwoDigitYear(field, now);
      const date = column.isPersonalNumber
        ? (getBirthDateOfSwedishPersonalNumber(cell, latest) ?? cell)
        : toIsoDateOrUnchanged(cell, order, latest);
      const before = raw[field as 'source'] as string | undefined;
      raw[field as 'source'] = chooseDate(field, before, { date, now });
      // If a row has two days on which the person was seen, the earlier one is also a first date.
      if (field === 'last_seen' && before !== undefined)
        for (const seen of [before, date].filter((text) => ISO_DATE.test(text)))
          raw.first_seen = chooseDate('first_seen', raw.first_seen as string | undefined, {
            date: seen,
            now,
          });
    }
  }
  const { person, others } = parties.choosePerson();
  raw.names = person.names;
  const { [BIRTH_NAME_COLUMN_GROUP]: birthName, ...parts } = person.parts;
  if (birthName !== undefined) parts.family ??= birthName;
  const [whole, ...more] = person.names;
  const joined = whole === undefined ? null : joinNamePartsWithWholeName(whole, parts);
  if (joined !== null) raw.names = [joined, ...more];
  else if (Object.keys(parts).length > 0) raw.name = parts;
  raw.emails = person.emails;
  raw.phones = person.phones;
  const addresses = [...person.addresses.values()].map((address) =>
    withoutNumberAlone(withoutNames(address, person.names, parts)),
  );
  raw.addresses = addresses.filter(hasPlace);
  const country = addresses.find((address) => !hasPlace(address) && address.country !== undefined)?.country;
  if (country !== undefined) raw.country = country;
  return { raw, others: others || hasOthersInCell, againstOrder, blanks };
}

/** Lengths of national ids that may begin with zeros, which spreadsheets remove. */
const ID_LENGTHS = new Map(Object.entries({ ssn: 9, cpf: 11, pesel: 11, bsn: 9, snils: 11, amka: 11 }));
const MOST_LOST_ZEROS = 3;

/** Creates an identifier of the record format. @param group type and country of the column: `cpf.br` */
function toIdentifier(cell: string, group: string): { type: string; value: string; country: string } {
  const [type = '', country = ''] = group.split('.');
  const [value, length] = [expandExponent(cell), ID_LENGTHS.get(type) ?? 0];
  const isShort = /^\d+$/.test(value) && value.length >= length - MOST_LOST_ZEROS;
  return { type: type.replaceAll('_', ' '), value: isShort ? value.padStart(length, '0') : value, country };
}

const ISO_DATE = /^\d{4}-\d\d-\d\d/;

/**
 * Returns which of two dates of one field in a row is used: the earlier `first_seen`, the later `last_seen` that is not in the future, or the first
 * birth date.
 */
function chooseDate(
  field: string,
  before: string | undefined,
  { date, now }: { date: string; now: number | undefined },
): string {
  if (before === undefined) return date;
  if (field === 'birth_date' || !ISO_DATE.test(before) || !ISO_DATE.test(date)) return before;
  const [early, late] = date < before ? [date, before] : [before, date];
  const isFuture = now !== undefined && late > new Date(now).toISOString();
  return field === 'first_seen' || isFuture ? early : late;
}

/** Returns the ISO code of the first country that a row names, or an empty text. */
export function findCountryCodeOfRow(
  cells: readonly string[],
  columns: readonly (TableColumn | null)[],
): string {
  for (const [i, column] of columns.entries()) {
    const code = column?.field === 'country' ? toCountryCode(withoutOdooPrefix(cells[i]?.trim() ?? '')) : '';
    if (code !== '') return code;
  }
  return '';
}

/** Removes the prefix of a country in Odoo's exports: `base.de`. */
const withoutOdooPrefix = (country: string): string =>
  country.startsWith('base.') ? country.slice('base.'.length) : country;

/** Returns the latest year that a two-digit year of a field can mean. Undefined stands for the default of spreadsheets, 2029. */
export const getLatestMeaningOfTwoDigitYear = (field: string, now: number | undefined): number | undefined =>
  field === 'birth_date' && now !== undefined ? new Date(now).getUTCFullYear() : undefined;

/** Removes the characters that make a spreadsheet treat a cell as text: `'+49 30`, `="04107"`. */
function withoutTextMark(cell: string): string {
  if (/^'(?:$|[+\d=@(-])/.test(cell)) return cell.slice(1);
  return /^="[^"]*"$/.test(cell) ? cell.slice(2, -1) : cell;
}

/** Returns the record id in a cell. Empty if there is none: a shop writes `0` or `Guest` for all guests. */
export function readRecordIdCell(cell: string, { hasIdZero }: Pick<TableColumn, 'hasIdZero'>): string {
  const id = toTrimmedText(withoutDecimalZero(withoutTextMark(cell.trim())));
  const isOfGuest =
    (id === '0' && !hasIdZero) || id === '-1' || (!/\d/.test(id) && isGuestPlaceholderName(id));
  return isOfGuest || isEmptyMarker(id) ? '' : id;
}

/**
 * Splits an address cell into the name from a preceding note (`Attn: Ruth Skinner, 8 Ash Ln`) and the address. The name is null without a note.
 */
function splitAttention(cell: string): { attention: string | null; address: string } {
  const [first = '', ...others] = cell.split(/[,;\n]/);
  const attention = getNameAfterAttentionNote(first);
  if (attention === null || /\d/.test(attention)) return { attention: null, address: cell };
  return { attention: attention || null, address: others.join(', ').trim() };
}

/** Components of an address in HL7, which are separated by circumflexes: `8 Ash Ln^Apt 3^Chicago^IL^60614^USA`. After `~`, other addresses follow. */
const HL7_ADDRESS = ['street', 'street2', 'city', 'state', 'zip', 'country'] as const;

/**
 * Adds a cell to the address of its group. A full address in one cell is stored as the street line and split later. Several street cells are
 * joined; of other parts, the first cell is used.
 */
function addAddressPart(
  addresses: Map<string, UnvalidatedAddress>,
  group: string,
  field: string,
  cell: string,
): void {
  if (field === 'address' && cell.split('^').length > 3) {
    const components = (cell.split('~')[0] ?? '').split('^').map((component) => component.trim());
    for (const [i, part] of HL7_ADDRESS.entries())
      if (components[i]) addAddressPart(addresses, group, part, components[i]);
    return;
  }
  if (field === 'address') {
    const { street, country } = splitAtDoubleSpaces(cell);
    addAddressPart(addresses, group, 'street', street);
    if (country !== '') addAddressPart(addresses, group, 'country', country);
    return;
  }
  const part = field as keyof UnvalidatedAddress;
  // Facebook writes `z:78701`.
  const value = part === 'country' ? withoutOdooPrefix(cell) : cell.replace(part === 'zip' ? /^z:/ : '', '');
  let address = addresses.get(group);
  if (address === undefined) addresses.set(group, (address = {}));
  const before = address[part];
  // Some programs write a street twice: as a whole, and in parts.
  if (before === undefined || value.startsWith(before as string)) address[part] = value;
  else if ((part === 'street' || part === 'street2') && !(before as string).startsWith(cell))
    address[part] = `${before as string}, ${cell}`;
}

/**
 * Splits an address in one cell whose parts are separated by two spaces, as Mailchimp writes it: `1 Elm St  Austin  TX  78701  US`. Returns the
 * parts with commas, and the country code at the end. A cell in another form stays unchanged.
 */
function splitAtDoubleSpaces(cell: string): { street: string; country: string } {
  const parts = cell
    .split('  ')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length < 3 || /[,\n]/.test(cell)) return { street: cell, country: '' };
  const last = parts.at(-1) ?? '';
  const country = /^[A-Z]{2}$/.test(last) ? toCountryCode(last) : '';
  return { street: (country === '' ? parts : parts.slice(0, -1)).join(', '), country };
}

/** Removes the name of the row's person in front of an address. PayPal writes `Jane Doe, 1 Main St, Salem`. */
function withoutNames(
  address: UnvalidatedAddress,
  names: readonly string[],
  parts: Record<string, string>,
): UnvalidatedAddress {
  const street = typeof address.street === 'string' ? address.street : '';
  const end = street.search(/[,\n]/);
  const first = street.slice(0, Math.max(end, 0));
  if (first === '' || /\d/.test(first)) return address;
  const whole = NAME_PARTS.flatMap((part) => parts[part] ?? []).join(' ');
  const isName = [...names, whole].some((name) => name !== '' && foldToAscii(name) === foldToAscii(first));
  return isName ? { ...address, street: street.slice(end + 1).trim() } : address;
}

/** Removes the street from an address if it is only a house number, which does not identify a building. */
const withoutNumberAlone = (address: UnvalidatedAddress): UnvalidatedAddress => {
  const { street, ...rest } = address;
  return /^\d{1,4} ?\p{L}?$/u.test(toTrimmedText(street)) ? rest : address;
};

/** True if an address names a place. The number of a flat alone (`Unit` in a list of tenants) is that of a flat in any house. */
const hasPlace = ({ street, city, zip }: UnvalidatedAddress): boolean =>
  [street, city, zip].some((part) => part !== undefined);
