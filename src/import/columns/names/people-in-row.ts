// Columns of several people in one row, with numbers (`Tenant 1`, `Tenant 2`) or with the same headers (`First Name`, `Phone`, `First Name`, `Phone`).
import { areSameNames, prepareName } from '../../../names/index.ts';
import { splitHeaderAndCompoundWords } from '../by-words.ts';
import {
  ADDRESS_FIELDS,
  NAME_EMAIL_AND_PHONE_FIELDS,
  NAME_FIELDS,
  type TableColumn,
  toHeaderKey,
} from '../headers.ts';
import { getNameAfterAttentionNote } from '../persons.ts';
import {
  headerWordHasMeaning,
  isColumnGroupOfRelativeOrGuarantor,
  OTHER_PERSON_COLUMN_GROUP,
} from '../words.ts';

type Columns = (TableColumn | null)[];
type Rows = readonly (readonly string[])[];

/** Assigns the columns of the second person in a row, and of further people, to groups of their own. */
export function separatePeopleInRow(columns: Columns, headers: readonly string[], samples: Rows): Columns {
  const numbered = separateNumberedPeople(columns, headers.map(splitNumber), samples, () => true);
  // `Name (E)` and `Name (C)` are the English and the Chinese name of one person, so letters must include B.
  const lettered = separateNumberedPeople(
    numbered,
    headers.map(splitLetter),
    samples,
    (number) => number === 2,
  );
  return separateRepeatedPeople(lettered, headers, samples);
}

const isPeopleWord = (word: string) => headerWordHasMeaning(word, 'people', 'person');

/** Header of a table without the number of a person, which is null if the header has none: `Email`, `Email 2`. */
interface HeaderWithNumber {
  number: number | null;
  words: string[];
}

function splitNumber(header: string): HeaderWithNumber {
  const words = splitHeaderAndCompoundWords(header);
  const isNumber = (word: string) => /^\d+$/.test(word);
  const behindPerson = findBehindPerson(words, isNumber);
  const at = behindPerson < 0 ? words.findIndex(isNumber) : behindPerson;
  return { number: at < 0 ? null : Number(words[at]), words: words.filter((_, i) => i !== at) };
}

/** Splits a header with a letter in place of a number, after a word for people or at the end: `Tenant B Email`, `Email B`. The number of A is 1. */
function splitLetter(header: string): HeaderWithNumber {
  const words = splitHeaderAndCompoundWords(header);
  const isLetter = (word: string, i: number) =>
    /^[a-z]$/.test(word) && !(word === 'e' && headerWordHasMeaning(`e${words[i + 1]}`, 'email'));
  const behindPerson = findBehindPerson(words, isLetter);
  const at =
    behindPerson < 0
      ? words.findIndex((word, i) => i === words.length - 1 && isLetter(word, i))
      : behindPerson;
  const number = at < 0 ? null : Number.parseInt(words[at] ?? '', 36) - 9;
  return { number, words: words.filter((_, i) => i !== at) };
}

const findBehindPerson = (words: readonly string[], isNumber: (word: string, i: number) => boolean): number =>
  words.findIndex((word, i) => isNumber(word, i) && isPeopleWord(words[i - 1] ?? ''));

/** Highest number of a person in headers (`Applicant 99 name`). Columns with higher person numbers are left out. */
const MAX_PERSON_NUMBER = 99;

/** Fields of one person besides the name and contacts, in headers with the number of the person: `Applicant 2 DOB`. */
const OTHER_FIELDS_OF_PERSON = new Set(['birth_date', 'birth_place', 'gender', 'title']);

/**
 * Separates people by the numbers in the headers, if all names have such numbers. The first person has the number 1 or none, or the lowest number.
 * E-mails and phones belong to the people of the same numbers only if each of their numbers is that of a named person. Three numbered phones beside
 * two names may be counted separately: only the first phone certainly belongs to the first person.
 */
function separateNumberedPeople(
  columns: Columns,
  headers: readonly HeaderWithNumber[],
  samples: Rows,
  isSecond: (number: number) => boolean,
): Columns {
  const isOwn = (column: TableColumn | null) =>
    column !== null && !isColumnGroupOfRelativeOrGuarantor(column.group);
  const names = columns.flatMap((column, i) =>
    isOwn(column) && column && ['name', 'given', 'family'].includes(column.field) ? [i] : [],
  );
  const ofNames = names.map((i) => headers[i]?.number ?? 1);
  const first = ofNames.includes(1) ? 1 : Math.min(...ofNames);
  const numberOf = (i: number) => headers[i]?.number ?? first;
  const seriesOf = (i: number) => `${columns[i]?.field} ${headers[i]?.words.join(' ')}`;
  const numbers = new Map<string, Set<number>>();
  for (const [i, column] of columns.entries())
    if (isOwn(column)) numbers.set(seriesOf(i), (numbers.get(seriesOf(i)) ?? new Set()).add(numberOf(i)));
  const has = (field: string, number: number) =>
    names.some((i) => columns[i]?.field === field && numberOf(i) === number);
  const isPerson = (number: number) => has('name', number) || (has('given', number) && has('family', number));
  const areNumbered =
    ofNames.some((number) => number !== first && isSecond(number)) &&
    names.every((i) => numbers.get(seriesOf(i))?.has(first) && isPerson(numberOf(i)));
  if (!areNumbered) return columns;
  const word = headers[names[0] ?? 0]?.words.find(isPeopleWord);
  const later = columns.flatMap((column, i) => (isOwn(column) && numberOf(i) !== first ? [i] : []));
  const areOfPeople =
    word !== undefined ||
    [...new Set(later.map(numberOf))].every((number) => {
      const [ownNames, contacts] = [names, later].map((all) => all.filter((i) => numberOf(i) === number));
      return areContactsOfNames(ownNames ?? [], contacts ?? [], columns, samples);
    });
  return columns.map((column, i) => {
    const number = numberOf(i);
    if (column === null || number === first || !isOwn(column)) return column;
    const isOfPerson =
      NAME_EMAIL_AND_PHONE_FIELDS.has(column.field) ||
      OTHER_FIELDS_OF_PERSON.has(column.field) ||
      headers[i]?.words.some(isPeopleWord);
    if (!isOfPerson || (!areOfPeople && !names.includes(i))) return column;
    const isPaired = number <= MAX_PERSON_NUMBER && [...(numbers.get(seriesOf(i)) ?? [])].every(isPerson);
    return { ...column, group: isPaired ? `${word ?? 'person'}${number}` : OTHER_PERSON_COLUMN_GROUP };
  });
}

/**
 * True if columns with one number hold the contacts of the person with that number. False if a cell of the name is an addition such as `c/o Ann Lee`, as
 * SAP writes it in `Name 2`, and if most contacts are in rows without the name: they are further contacts of one customer.
 */
function areContactsOfNames(
  names: readonly number[],
  contacts: readonly number[],
  columns: Columns,
  samples: Rows,
): boolean {
  const isFilled = (indexes: readonly number[]) => (row: readonly string[]) =>
    indexes.some((i) => row[i]?.trim());
  const isNote = (row: readonly string[]) =>
    names.some((i) => getNameAfterAttentionNote(row[i] ?? '') !== null);
  const filled = samples.filter(isFilled(contacts.filter((i) => isEmailOrPhone(columns[i] ?? null))));
  return !samples.some(isNote) && filled.filter(isFilled(names)).length * 2 >= filled.length;
}

const isEmailOrPhone = (column: TableColumn | null): boolean =>
  column?.field === 'email' || column?.field === 'phone';

/**
 * True if the second of two numbered names has an e-mail of its own (`Email 2`), or a phone in a table without addresses: SAP has two phones of one
 * customer at an address.
 */
export function hasSecondNameContacts(
  columns: Columns,
  headers: readonly string[],
  samples: Rows,
  second: number,
): boolean {
  const hasAddresses = columns.some((column) => column && ADDRESS_FIELDS.has(column.field));
  const contacts = columns.flatMap((column, i) => {
    const isOwn = column?.field === 'email' || (column?.field === 'phone' && !hasAddresses);
    const isFilled = samples.some((row) => row[i]?.trim());
    return isOwn && isFilled && splitNumber(headers[i] ?? '').number === 2 ? [i] : [];
  });
  return contacts.length > 0 && areContactsOfNames([second], contacts, columns, samples);
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
