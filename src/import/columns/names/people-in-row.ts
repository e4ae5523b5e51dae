// Columns of several people in one row, with numbers (`Tenant 1`, `Tenant 2`) or with the same headers (`First Name`, `Phone`, `First Name`, `Phone`).
import { areSameNames, prepareName } from '../../../names/index.ts';
import { splitHeaderAndCompoundWords } from '../by-words.ts';
import { NAME_EMAIL_AND_PHONE_FIELDS, NAME_FIELDS, type TableColumn, toHeaderKey } from '../headers.ts';
import {
  headerWordHasMeaning,
  isColumnGroupOfRelativeOrGuarantor,
  OTHER_PERSON_COLUMN_GROUP,
} from '../words.ts';

type Columns = (TableColumn | null)[];
type Rows = readonly (readonly string[])[];

/** Assigns the columns of the second person in a row, and of further people, to groups of their own. */
export const separatePeopleInRow = (columns: Columns, headers: readonly string[], samples: Rows): Columns =>
  separateRepeatedPeople(separateNumberedPeople(columns, headers), headers, samples);

const isPeopleWord = (word: string) => headerWordHasMeaning(word, 'people', 'person');

/** Splits a header into its number and its other words. The number of a header without one is 1: `Email`, `Email 2`. */
function splitNumber(header: string): { number: number; words: string[] } {
  const words = splitHeaderAndCompoundWords(header);
  const isNumber = (word: string) => /^[1-9]$/.test(word);
  const behindPerson = words.findIndex((word, i) => isNumber(word) && isPeopleWord(words[i - 1] ?? ''));
  const at = behindPerson < 0 ? words.findIndex(isNumber) : behindPerson;
  return at < 0 ? { number: 1, words } : { number: Number(words[at]), words: words.toSpliced(at, 1) };
}

/** Fields of one person besides the name and contacts, in headers with the number of the person: `Applicant 2 DOB`. */
const OTHER_FIELDS_OF_PERSON = new Set(['birth_date', 'birth_place', 'gender', 'title']);

/**
 * Separates people by the numbers in the headers, if all names have such numbers. The numbers of e-mails and phones are those of people if no other
 * numbers occur: of three numbered phones beside two names, only the first phone certainly belongs to the first person.
 */
function separateNumberedPeople(columns: Columns, headers: readonly string[]): Columns {
  const parts = headers.map(splitNumber);
  const isOwn = (column: TableColumn | null) =>
    column !== null && !isColumnGroupOfRelativeOrGuarantor(column.group);
  const seriesOf = (i: number) => `${columns[i]?.field} ${parts[i]?.words.join(' ')}`;
  const numbers = new Map<string, Set<number>>();
  for (const [i, { number }] of parts.entries())
    if (isOwn(columns[i] ?? null))
      numbers.set(seriesOf(i), (numbers.get(seriesOf(i)) ?? new Set()).add(number));
  const names = columns.flatMap((column, i) =>
    isOwn(column) && column && ['name', 'given', 'family'].includes(column.field) ? [i] : [],
  );
  const has = (field: string, number: number) =>
    names.some((i) => columns[i]?.field === field && parts[i]?.number === number);
  const isPerson = (number: number) => has('name', number) || (has('given', number) && has('family', number));
  const areNumbered =
    isPerson(2) && names.every((i) => numbers.get(seriesOf(i))?.has(1) && isPerson(parts[i]?.number ?? 1));
  if (!areNumbered) return columns;
  const word = parts[names[0] ?? 0]?.words.find(isPeopleWord) ?? 'person';
  return columns.map((column, i) => {
    const { number = 1, words = [] } = parts[i] ?? {};
    if (column === null || number === 1 || !isOwn(column)) return column;
    const isOfPerson =
      NAME_EMAIL_AND_PHONE_FIELDS.has(column.field) ||
      OTHER_FIELDS_OF_PERSON.has(column.field) ||
      words.some(isPeopleWord);
    if (!isOfPerson) return column;
    const isPaired = [...(numbers.get(seriesOf(i)) ?? [])].every(isPerson);
    return { ...column, group: isPaired ? `${word}${number}` : OTHER_PERSON_COLUMN_GROUP };
  });
}

/**
 * Separates a second person whose columns repeat the headers of the first person's name. Names, e-mails and phones from the second name on are then
 * another person's. Tables that repeat the same person are not changed.
 */
function separateRepeatedPeople(columns: Columns, headers: readonly string[], samples: Rows): Columns {
  // Programs write a repeated header as `First Name.1`.
  const keys = headers.map((header) => toHeaderKey(header.replace(/\.1$/, '')));
  const isName = (i: number) =>
    ['name', 'given', 'family'].includes(columns[i]?.field ?? '') && columns[i]?.group === '';
  const pairs = columns.flatMap((_, i) => {
    const first = isName(i) ? keys.findIndex((key, k) => k < i && key === keys[i] && isName(k)) : -1;
    return first < 0 ? [] : [[first, i] as const];
  });
  const fields = new Set(pairs.map(([, i]) => columns[i]?.field));
  if (!fields.has('name') && fields.size < 2) return columns;
  const nameOf = (row: readonly string[], side: 0 | 1) =>
    pairs
      .map((pair) => row[pair[side]]?.trim() ?? '')
      .join(' ')
      .trim();
  const named = samples
    .map((row) => [nameOf(row, 0), nameOf(row, 1)] as const)
    .filter(([first, second]) => first !== '' && second !== '');
  const repeated = named.filter(([first, second]) => areSameNames(prepareName(first), prepareName(second)));
  if (repeated.length * 2 > named.length) return columns;
  const start = Math.min(...pairs.map(([, i]) => i));
  return columns.map((column, i) => {
    if (column === null || i < start || isColumnGroupOfRelativeOrGuarantor(column.group)) return column;
    if (NAME_EMAIL_AND_PHONE_FIELDS.has(column.field))
      return column.group === '' ? { ...column, group: OTHER_PERSON_COLUMN_GROUP } : column;
    return keys.slice(0, start).includes(keys[i] ?? '') ? null : column;
  });
}

/** True if a column holds the name of a person in the row whose data is left out. */
export const isNameOfOtherPerson = (column: TableColumn | null): boolean =>
  column !== null && column.group === OTHER_PERSON_COLUMN_GROUP && NAME_FIELDS.has(column.field);
