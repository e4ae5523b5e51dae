// Where in a wrapped answer its records are: `{"data": {"customers": {"edges": [ … ]}}}`.
import { guessColumn, isListOfPeople } from '../columns/guess.ts';
import { ADDRESS_FIELDS, NAME_FIELDS } from '../columns/headers.ts';

/** What a record may have several of. */
const OF_A_RECORD =
  /^(?:tags?|labels?|notes?|events?|groups?|segments?|photos?|urls?|organi[sz]ations?|line_?items|roles?|errors?)$/i;
/** What a wrapper may say of itself. */
const OF_A_WRAPPER = new Set(['first_seen', 'last_seen', 'source', 'title']);
const MOST_DEPTH = 5;
/** Of a first element that is cut off. */
const MOST_LOOKED_AT = 4096;

/** A file's beginning, a byte a character, so that places in it are bytes. */
type Head = string;

/** How many bytes stand in front of the list of records that an answer wraps; 0 where there is none, but a record itself, or several. */
export function findWrappedList(head: Head): number {
  const start = /^(?:\u00ef\u00bb\u00bf)?\s*(?=\{)/.exec(head)?.[0].length;
  if (start === undefined) return 0;
  const end = endOf(head, start);
  return end > 0 && head.slice(end).trim() !== '' ? 0 : listBelow(head, start, { depth: 0, fields: [] });
}

interface Wrapper {
  depth: number;
  /** Names of the values in front. */
  fields: string[];
}

const KEY = /\s*,?\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*:\s*/y;

/** As `listIn`, of the object that begins at a place. */
function listBelow(head: Head, start: number, { depth, fields }: Wrapper): number {
  let at = start + 1;
  const before = [...fields];
  for (;;) {
    KEY.lastIndex = at;
    const [all, key = ''] = KEY.exec(head) ?? [];
    if (all === undefined) return 0;
    at += all.length;
    if (head[at] === '[') {
      if (isRecords(utf8(key), elementAt(head, at), { depth, fields: before })) return at;
    } else if (head[at] === '{') {
      const found = depth < MOST_DEPTH ? listBelow(head, at, { depth: depth + 1, fields: before }) : 0;
      if (found > 0) return found;
    } else before.push(utf8(key));
    at = endOf(head, at);
    if (at < 0) return 0;
  }
}

const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');

/** Whether a list under a name is of records: people by its name, or by what its first element is made of. */
function isRecords(key: string, element: string | null, { depth, fields }: Wrapper): boolean {
  const field = guessColumn(key)?.field;
  if (element === null || OF_A_RECORD.test(key)) return false;
  if (field === 'email' || field === 'phone' || (field && ADDRESS_FIELDS.has(field))) return false;
  const kinds = kindsOf(
    [...element.matchAll(/"([^"\\]*(?:\\.[^"\\]*)*)"\s*:/g)].map(([, one = '']) => utf8(one)),
  );
  const around = kindsOf(fields);
  if (isListOfPeople(key)) return kinds.size > 0 && !around.has('email') && !around.has('phone');
  if (depth > 0 || field !== undefined) return kinds.size > 1 && around.size === 0;
  return !fields.some((one) => {
    const its = guessColumn(one)?.field;
    return its !== undefined && !OF_A_WRAPPER.has(its);
  });
}

/** What of a person these are names of: of whom, how to reach them, where they live, when they were born. */
function kindsOf(keys: readonly string[]): Set<string> {
  const fields = keys.flatMap((key) => guessColumn(key)?.field ?? []);
  return new Set(
    fields.flatMap((field) => {
      if (NAME_FIELDS.has(field)) return 'name';
      if (ADDRESS_FIELDS.has(field)) return 'address';
      return field === 'email' || field === 'phone' || field === 'birth_date' ? field : [];
    }),
  );
}

/** The first element of a list, as far as it is there; null where it is no object. */
function elementAt(head: Head, at: number): string | null {
  const start = /^\[\s*(?=\{)/.exec(head.slice(at, at + MOST_LOOKED_AT))?.[0].length;
  if (start === undefined) return null;
  const end = endOf(head, at + start);
  return head.slice(at + start, end < 0 ? at + MOST_LOOKED_AT : end);
}

const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"/y;

/** Where the value that begins at a place ends; -1 where it is cut off. */
function endOf(head: Head, start: number): number {
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
