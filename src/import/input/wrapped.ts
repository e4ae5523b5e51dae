// Search for the list of records inside a JSON object: `{"data": {"customers": {"edges": [ … ]}}}`.
import { guessColumn, isPeopleListName } from '../columns/guess.ts';
import { ADDRESS_FIELDS, NAME_FIELDS } from '../columns/headers.ts';

/** Names of lists that belong to one record, and are not lists of records. */
const LISTS_OF_A_RECORD =
  /^(?:tags?|labels?|notes?|events?|groups?|segments?|photos?|urls?|organi[sz]ations?|line_?items|roles?|errors?)$/i;
/** Fields that an object may have next to its list of records. With any other field, the object itself may be a record. */
const FIELDS_OF_A_WRAPPER = new Set(['first_seen', 'last_seen', 'source', 'title']);
const MOST_DEPTH = 5;
const MOST_ELEMENT_BYTES = 4096;

/** Beginning of a file with one character per byte, so that indexes count bytes. */
type Head = string;

/** Returns the byte offset of the list of records inside a JSON object. Returns 0 if the file itself consists of records. */
export function findWrappedRecordListOffset(head: Head): number {
  const start = /^(?:\u00ef\u00bb\u00bf)?\s*(?=\{)/.exec(head)?.[0].length;
  if (start === undefined) return 0;
  const end = endOfValue(head, start);
  return end > 0 && head.slice(end).trim() !== '' ? 0 : findInObject(head, start, { depth: 0, fields: [] });
}

interface Wrapper {
  depth: number;
  fields: string[];
}

const KEY = /\s*(?:,\s*)?"([^"\\]*(?:\\.[^"\\]*)*)"\s*:\s*/y;

/** Returns the index of the list of records in the JSON object at `start`; 0 if the object contains no such list. */
function findInObject(head: Head, start: number, { depth, fields }: Wrapper): number {
  let at = start + 1;
  const before = [...fields];
  for (;;) {
    KEY.lastIndex = at;
    const [all, key = ''] = KEY.exec(head) ?? [];
    if (all === undefined) return 0;
    at += all.length;
    if (head[at] === '[') {
      if (isListOfRecords(utf8(key), firstElement(head, at), { depth, fields: before })) return at;
    } else if (head[at] === '{') {
      const inside = depth < MOST_DEPTH ? findInObject(head, at, { depth: depth + 1, fields: before }) : 0;
      if (inside > 0) return inside;
    } else before.push(utf8(key));
    at = endOfValue(head, at);
    if (at < 0) return 0;
  }
}

const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');
const fieldOf = (key: string) => guessColumn(key)?.field;

/** True if a list contains records: its name means people, or the properties of its first element are those of a record. */
function isListOfRecords(key: string, element: string | null, { depth, fields }: Wrapper): boolean {
  const field = fieldOf(key);
  if (element === null || LISTS_OF_A_RECORD.test(key)) return false;
  if (field === 'email' || field === 'phone' || (field && ADDRESS_FIELDS.has(field))) return false;
  const keys = [...element.slice(0, MOST_ELEMENT_BYTES).matchAll(/"([^"\\]*(?:\\.[^"\\]*)*)"\s*:/g)].map(
    ([, name = '']) => utf8(name),
  );
  const [inside, around] = [findPersonalValueTypesOfKeys(keys), findPersonalValueTypesOfKeys(fields)];
  if (isPeopleListName(key)) return inside.size > 0 && !around.has('email') && !around.has('phone');
  if (depth > 0 || field !== undefined) return inside.size > 1 && around.size === 0;
  return fields.map(fieldOf).every((known) => known === undefined || FIELDS_OF_A_WRAPPER.has(known));
}

/** Returns the types of personal values among the properties: name, address, e-mail, phone, birth date. */
export const findPersonalValueTypesOfKeys = (keys: readonly string[]): Set<string> =>
  new Set(
    keys.flatMap((key) => {
      const field = fieldOf(key);
      if (field === undefined) return [];
      if (NAME_FIELDS.has(field)) return 'name';
      if (ADDRESS_FIELDS.has(field)) return 'address';
      return field === 'email' || field === 'phone' || field === 'birth_date' ? field : [];
    }),
  );

/** Returns the first element of a list, as far as it is in `head`; null if the element is not an object. */
function firstElement(head: Head, at: number): string | null {
  const start = /^\[\s*(?=\{)/.exec(head.slice(at, at + MOST_ELEMENT_BYTES))?.[0].length;
  if (start === undefined) return null;
  const end = endOfValue(head, at + start);
  return head.slice(at + start, end < 0 ? at + MOST_ELEMENT_BYTES : end);
}

const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"/y;

/** Returns the index at which a value ends; -1 if the end is not in the text. */
function endOfValue(head: Head, start: number): number {
  let depth = 0;
  for (let at = start; at < head.length; at++) {
    const sign = head[at] ?? '';
    if (sign === '"') {
      TEXT.lastIndex = at;
      const length = TEXT.exec(head)?.[0].length;
      if (length === undefined) return -1;
      at += length - 1;
      if (depth === 0) return at + 1;
    } else if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') {
      depth--;
      if (depth <= 0) return depth < 0 ? at : at + 1;
    } else if (sign === ',' && depth === 0) return at;
  }
  return -1;
}
