// Chooses the field of each column of a table, by the user's map, the headers, the first rows and the
// neighbouring columns.
import { INPUT_LIMITS } from '../formats/limits.ts';
import { BonafideError } from '../../errors.ts';
import type { TableReadSettings } from '../settings.ts';
import { isHeaderOfOtherPersonOrThing, splitHeaderIntoWords } from './by-words.ts';
import { guessColumnWithUncertaintyFlag, guessColumnOfMisspelledHeader, isTenantList } from './guess.ts';
import {
  ADDRESS_FIELDS,
  AREA_CODE_HEADERS,
  AMBIGUOUS_FLOOR_AND_FLAT_HEADERS,
  BIRTH_NAME_HEADERS,
  type TableColumn,
  type ColumnField,
  type ColumnGuess,
  getLdapColumn,
  hasLdapHeaders,
  FLOOR_AND_FLAT_HEADERS,
  HOUSE_NUMBER_HEADERS,
  INITIALS_HEADERS,
  NAME_FIELDS,
  NAME_PARTS,
  SWEDISH_PERSONAL_NUMBER_HEADERS,
  toHeaderKey,
} from './headers.ts';
import { areSwedishPersonalNumbers } from './dates.ts';
import { describeHeaders, isFirstLineRecord, parseColumnMap } from './map.ts';
import { separatePeopleInRow } from './names/people-in-row.ts';
import {
  chooseNameHalf,
  proposeName,
  splitRepeatedName,
  useBirthNames,
  useInitials,
  useSecondFamilyName,
  useWholeNames,
} from './names/name-columns.ts';
import {
  areCountedFromZero,
  chooseIdColumn,
  chooseRowNumberAsId,
  correctColumnGuess,
  hasSpanishGenders,
  detectPhoneAndIdColumns,
  measureValueTypeShares,
  toSwedishPersonalNumberColumn,
} from './values.ts';
import { isColumnGroupOfRelative, isColumnGroupOfRelativeOrGuarantor } from './words.ts';

type Columns = (TableColumn | null)[];
type Rows = readonly (readonly string[])[];

const guessHeader = (header: string) =>
  guessColumnWithUncertaintyFlag(header) ?? guessColumnOfMisspelledHeader(header);

export interface ColumnFieldAssignmentOptions extends Omit<TableReadSettings, 'sampled' | 'empty'> {
  samples?: Rows;
}

/**
 * Chooses the field of each column; null for a column that is not used. A field in the map (`name=Full Name,email=Mail`) is not guessed for other
 * columns. A mapped `name` excludes guesses for parts of names. Label columns (see `TableReadSettings`) get no field. Errors: `invalid_arguments` if
 * the map is malformed or names an unknown field or header, if no column contains the record id and ids are not computed, and for more than 1,000
 * columns.
 */
export function assignFieldsToColumns(headers: string[], options: ColumnFieldAssignmentOptions): Columns {
  const { name, map = '', labels, samples = [] } = options;
  requireColumnCountWithinLimit(headers, name);
  const mapped = parseColumnMap(headers, { name, map });
  const mappedFields = new Set<ColumnField>([...mapped.values()].flatMap((column) => column?.field ?? []));
  if (options.source !== undefined) mappedFields.add('source');
  if (mappedFields.has('name')) for (const part of NAME_PARTS) mappedFields.add(part);
  const shares = headers.map((_, i) =>
    measureValueTypeShares(
      samples.map((row) => row[i] ?? ''),
      options.region,
    ),
  );
  const keys = headers.map(toHeaderKey);
  const isDirectory = hasLdapHeaders(headers);
  const areTenants = isTenantList(headers);
  const byHeader = headers.map((header) => {
    const guess = guessHeader(header) ?? (isDirectory ? getLdapColumn(header) : null);
    return guess?.isOfProperty && !areTenants ? null : guess;
  });
  const found = detectPhoneAndIdColumns(headers, byHeader, shares);
  const others = { ...found, hasIds: found.hasIds || mappedFields.has('record_id') };
  const isExcluded = (i: number) =>
    mapped.has(i) || labels?.includes((headers[i] ?? '').toLowerCase()) === true;
  const guesses = headers.map((header, i): ColumnGuess | null => {
    if (isExcluded(i)) return null;
    const share = shares[i] ?? measureValueTypeShares([]);
    const guess = correctColumnGuess(header, byHeader[i] ?? null, share, others);
    return guess === null || mappedFields.has(guess.field) ? null : guess;
  });
  const halves = useSecondFamilyName(splitRepeatedName(dropUncertain(guesses), headers, samples), keys);
  const whole = useWholeNames(
    chooseNameHalf(chooseNameHalf(halves, samples, 'family'), samples, 'given'),
    samples,
  );
  const certain = separatePeopleInRow(whole, headers, samples);
  const settled = groupOneAddress(
    chooseBesideOthers(chooseRowNumberAsId(certain, headers, shares), keys, headers),
    keys,
  );
  const additions = keys.map((key, i) => (isExcluded(i) || mappedFields.has('street2') ? '' : key));
  const chosen = chooseIdColumn(useHouseAdditions(settled, additions), keys, shares).map((guess, i) =>
    mapped.has(i) ? (mapped.get(i) ?? null) : guess,
  );
  const isUnmapped = (headersOfHalf: ReadonlySet<string>) => (i: number) =>
    !mapped.has(i) && headersOfHalf.has(keys[i] ?? '');
  const complete = mappedFields.has('given') ? chosen : useInitials(chosen, isUnmapped(INITIALS_HEADERS));
  const named = mappedFields.has('family')
    ? complete
    : useBirthNames(complete, isUnmapped(BIRTH_NAME_HEADERS));
  const columns = mappedFields.has('name')
    ? named
    : proposeName(named, samples, (i) => mapped.has(i) || isHeaderOfOtherPersonOrThing(headers[i] ?? ''));
  if (labels === undefined && !options.mayBeUnknown)
    requireKnownColumn(headers, columns, { ...options, isMapped: mapped.size > 0 });
  const groupsOfPeople = new Set(
    columns.flatMap((column) => (column && !ADDRESS_FIELDS.has(column.field) ? [column.group] : [])),
  );
  return columns.map((column, i) => {
    const isOfPerson = column !== null && isColumnGroupOfRelative(column.group);
    if (isOfPerson && mapped.has(i) && !groupsOfPeople.has(column.group)) return { ...column, isOfRow: true };
    const next = columns[i + 1];
    if (column === null && !isExcluded(i) && AREA_CODE_HEADERS.has(keys[i] ?? '') && next?.field === 'phone')
      return { ...next, isAreaCode: true };
    const valuesAre = (test: (values: readonly string[]) => boolean) =>
      test(samples.map((row) => row[i] ?? ''));
    if (column?.field === 'phone' && PHONE_VALUE_HEADER.test(keys[i] ?? '')) {
      const [start = ''] = (keys[i] ?? '').split('value');
      const label = keys.findIndex((key) => key === `${start}label` || key === `${start}type`);
      if (label >= 0) return { ...column, label };
    }
    if (column?.field === 'gender' && valuesAre(hasSpanishGenders)) return { ...column, isMujer: true };
    const isCandidate = !isExcluded(i) && SWEDISH_PERSONAL_NUMBER_HEADERS.has(keys[i] ?? '');
    if (isCandidate && valuesAre(areSwedishPersonalNumbers)) return toSwedishPersonalNumberColumn(columns, i);
    return column?.field === 'record_id' && valuesAre(areCountedFromZero)
      ? { ...column, hasIdZero: true }
      : column;
  });
}

/**
 * Chooses the field of a property that first appears after the columns were chosen. Returns null unless the guess is certain and the map does
 * not contain the field.
 */
export function assignFieldToPropertyAppearingLater(
  columns: readonly (TableColumn | null)[],
  header: string,
  { map = '', source }: Pick<TableReadSettings, 'map' | 'source'>,
): TableColumn | null {
  const guess = guessColumnWithUncertaintyFlag(header);
  if (guess === null || guess.isWeak || guess.field === 'record_id') return null;
  const isTaken = columns.some((column) => column?.field === guess.field);
  if (isTaken && map.includes(`${guess.field}=`)) return null;
  return guess.field === 'source' && source !== undefined ? null : guess;
}

/** Throws `invalid_arguments` if a table has no recognised column, or if it has no column of record ids and ids are not computed. */
function requireKnownColumn(
  headers: string[],
  columns: Columns,
  { name, sheets, makeId, isMapped }: ColumnFieldAssignmentOptions & { isMapped: boolean },
): void {
  if (columns.some((column) => column?.field === 'record_id')) return;
  const isKnown = columns.some(
    (column, i) =>
      column !== null && (column.isGuess ?? guessHeader(headers[i] ?? '') ?? column.group !== ''),
  );
  const isRecord = isFirstLineRecord(headers) || headers.some((header) => header.includes('@'));
  if (makeId && (isMapped || isKnown) && !isRecord) return;
  const missing = makeId ? ['name or contact', 'name=Customer'] : ['record id', 'record_id=Number'];
  throw missingColumn(headers, { name, sheets }, missing);
}

/** Throws `invalid_arguments` if no column of a table contains a name, or if its first line is a record. */
export function requireNameColumn(
  headers: string[],
  columns: Columns,
  table: Pick<TableReadSettings, 'name' | 'sheets'>,
): void {
  const hasName = columns.some((column) => column !== null && NAME_FIELDS.has(column.field));
  if (hasName && !isFirstLineRecord(headers)) return;
  throw missingColumn(headers, table, ['name', 'name=Customer']);
}

/** Creates the error for a table without a needed column. For a cover sheet, the error names the sheet with more columns. */
function missingColumn(
  headers: string[],
  { name, sheets }: Pick<TableReadSettings, 'name' | 'sheets'>,
  [field, example]: string[],
): BonafideError {
  const widest = sheets?.widestSheet;
  const [sheet, advice] =
    !widest || widest.columns <= headers.length
      ? ['', `Map the right column to it, for example --map "${example}". ${describeHeaders(headers)}`]
      : [
          ` of the sheet "${sheets?.sheet}"`,
          `The sheet "${widest.name}" probably has the table: name it with the option --sheet.`,
        ];
  return new BonafideError(
    'invalid_arguments',
    `${name}: no column${sheet} looks like a ${field}. ${advice}`,
  );
}

/** Throws `invalid_arguments` if a table has more than 1,000 columns. */
export function requireColumnCountWithinLimit(headers: string[], name: string): void {
  if (headers.length <= INPUT_LIMITS.columns) return;
  throw new BonafideError(
    'invalid_arguments',
    `${name}: its first line has more than ${INPUT_LIMITS.columns} columns. Add a header line with the column names above the records.`,
  );
}

/** Removes uncertain guesses for a field that another column certainly has. Also removes columns of relatives who have no name, or neither e-mail nor phone, in the table. */
function dropUncertain(guesses: (ColumnGuess | null)[]): Columns {
  const kindOf = ({ field, group }: TableColumn) =>
    (NAME_FIELDS.has(field) ? 'name' : ADDRESS_FIELDS.has(field) ? 'address' : field) +
    (isColumnGroupOfRelativeOrGuarantor(group) ? group : '');
  // A postcode alone is no address, so an uncertain address column is still needed next to it.
  const isPart = ({ field }: TableColumn) =>
    ADDRESS_FIELDS.has(field) && field !== 'street' && field !== 'address';
  const certain = guesses.flatMap((guess) => (guess && !guess.isWeak ? [guess] : []));
  const kinds = new Set(certain.flatMap((guess) => (isPart(guess) ? [] : [kindOf(guess)])));
  const own = certain.filter(({ group }) => !isColumnGroupOfRelativeOrGuarantor(group));
  const fields = new Set(own.map(({ field }) => field));
  const groupsWith = (fields: ReadonlySet<ColumnField>) =>
    new Set(guesses.flatMap((guess) => (guess && fields.has(guess.field) ? [guess.group] : [])));
  const [named, reachable] = [groupsWith(NAME_FIELDS), groupsWith(new Set(['email', 'phone']))];
  const isUsable = (group: string) =>
    !isColumnGroupOfRelative(group) || (named.has(group) && reachable.has(group));
  return guesses.map((guess) => {
    if (guess === null || !isUsable(guess.group)) return null;
    const { field, group, isWeak } = guess;
    return isWeak && (kinds.has(kindOf(guess)) || fields.has(field)) ? null : { field, group };
  });
}

/** Matches the comparable header of a phone in an address book of Google: `Phone 1 - Value`. `Phone 1 - Label` has the kind of number. */
const PHONE_VALUE_HEADER = /^phone\d{1,2}value$/;

/** Headers that mean a title before a name (Mr, Dr), or a job. */
const TITLE_OR_JOB_HEADERS: ReadonlySet<string> = new Set(['title', 'titel', 'titre', 'titulo']);

/**
 * Applies rules that depend on other columns:
 * - A column `Title` beside one of salutations contains jobs.
 * - `Shipping Salutation` is no title of the record's person if the recipient has other name columns.
 * - A number next to a street is a house number.
 * - A whole address is not used if other columns contain its parts.
 * - A region without a city or postcode is not used, because it may be a sales region or that of an IP address.
 */
function chooseBesideOthers(columns: Columns, keys: string[], headers: string[]): Columns {
  const groups = new Set(
    columns.flatMap((column) => (column && NAME_FIELDS.has(column.field) ? [column.group] : [])),
  );
  const isOfOtherName = (i: number) =>
    groups.has('') && splitHeaderIntoWords(headers[i] ?? '').some((word) => groups.has(word));
  const mayBeJob = (i: number) => TITLE_OR_JOB_HEADERS.has(keys[i] ?? '');
  const hasSalutations = columns.some(
    (column, i) => column?.field === 'title' && !mayBeJob(i) && !isOfOtherName(i),
  );
  const streets = new Set(columns.flatMap((column) => (column?.field === 'street' ? [column.group] : [])));
  const hasPlace = columns.some((column) => column?.field === 'city' || column?.field === 'zip');
  return columns.map((column, i): TableColumn | null => {
    const key = keys[i] ?? '';
    const before = columns
      .slice(0, i)
      .findLast((other) => other?.field === 'street' || other?.field === 'address');
    if (column === null && HOUSE_NUMBER_HEADERS.has(key) && before)
      return { field: 'street', group: before.group };
    if (column?.field === 'address') {
      const hasPart = (other: TableColumn | null, index: number) =>
        other?.field === 'street' && keys[index] !== key && keys[index]?.startsWith(key) === true;
      const isRepeated = key.endsWith('formatted') && streets.has(column.group);
      return isRepeated || columns.some(hasPart) ? null : column;
    }
    if (column?.field === 'title') return isOfOtherName(i) || (hasSalutations && mayBeJob(i)) ? null : column;
    return column?.field === 'state' && key === 'region' && !hasPlace ? null : column;
  });
}

/**
 * Uses a column with a short header of staircases, floors or flats (`Toev.`, `Lgh`) directly after one of a street or a house number. Headers that
 * have other meanings too (`Bus`, `Top`) must follow a house number or another addition.
 */
function useHouseAdditions(columns: Columns, keys: readonly string[]): Columns {
  let before: TableColumn | null = null;
  let isAfterNumber = false;
  return columns.map((column, i) => {
    const [key, isInAddress] = [keys[i] ?? '', before !== null && STREET_FIELDS.has(before.field)];
    const isKnown =
      FLOOR_AND_FLAT_HEADERS.has(key) || (isAfterNumber && AMBIGUOUS_FLOOR_AND_FLAT_HEADERS.has(key));
    const isAddition = column === null && isInAddress && isKnown;
    // A second column of the street contains the house number.
    isAfterNumber = isAddition || (isInAddress && column?.field === 'street');
    return (before = isAddition ? { field: 'street2', group: before?.group ?? '' } : column);
  });
}

const STREET_FIELDS: ReadonlySet<ColumnField> = new Set(['street', 'street2', 'address']);

/** Matches the comparable header of a column with city, state and ZIP code: `City St Zip`. */
const PLACE_IN_ONE_COLUMN = /^(?:city|town)(?:st|state|province)?(?:zip|zipcode|postcode|postalcode)$/;

/**
 * Combines a street column and a city column of two groups into one address: `Home Address` and `City`, `Street 1` and `Ship City`. It does so
 * only if the table has no other addresses, one of the two columns has no group, and the city does not belong to a named person.
 */
function groupOneAddress(columns: Columns, keys: readonly string[]): Columns {
  const parts = columns.filter(
    (column) =>
      column !== null &&
      ADDRESS_FIELDS.has(column.field) &&
      !isColumnGroupOfRelativeOrGuarantor(column.group),
  );
  const isPlace = (column: TableColumn, i: number) =>
    column.field === 'city' ||
    column.field === 'zip' ||
    (column.field === 'address' && PLACE_IN_ONE_COLUMN.test(keys[i] ?? ''));
  const isStreet = ({ field }: TableColumn) => field === 'street' || field === 'address';
  const groupsOf = (isPart: (column: TableColumn, i: number) => boolean) =>
    new Set(
      columns.flatMap((column, i) =>
        column && parts.includes(column) && isPart(column, i) ? [column.group] : [],
      ),
    );
  const places = groupsOf(isPlace);
  const streets = groupsOf((column, i) => isStreet(column) && !isPlace(column, i));
  if (streets.size !== 1 || places.size !== 1) return columns;
  const [[street = ''], [place = '']] = [[...streets], [...places]];
  const isNamed = columns.some((column) => column && NAME_FIELDS.has(column.field) && column.group === place);
  if (street === place || (street !== '' && place !== '')) return columns;
  if (street === '' && place !== '' && isNamed) return columns;
  return columns.map((column) =>
    column && parts.includes(column) && column.group === place ? { ...column, group: street } : column,
  );
}
