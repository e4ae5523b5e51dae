// Rules of a request body that the schema cannot express: unknown fields, long lists, both shapes at once,
// exactly one name.
import * as v from 'valibot';
import type { ValidationIssue } from '../errors.ts';
import { trimAndNormaliseToNfc } from '../normalise/text.ts';
import { findNearestField, toJsonPointerTokenIfKnown } from './fields.ts';
import { isObject } from './json.ts';
import {
  isBlank,
  isNotNullish,
  KNOWN_FIELDS_BY_REQUEST_PART,
  LIST_ENTRY_SCHEMAS,
  MAX_LIST_ENTRIES,
  MAX_VALUES_PER_CONTACT_TYPE,
  toDeduplicationKey,
} from './schema.ts';

export const MAX_LISTED_ISSUES = 50;

/**
 * Pattern of a text without control characters (also those that change the direction of a text), line ends and lone surrogates. They could manipulate
 * a terminal.
 */
export const PRINTABLE =
  /^(?:[ -~\u00a0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\uffff]|[\ud800-\udbff][\udc00-\udfff])*$/;
/** Maximum length in characters of a text of the caller that identifies something, such as the reference of a watch. */
export const MAX_REFERENCE = 200;

/** True for a valid reference of a watch or of a line of a job, also for none. */
export const isReference = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && value.length <= MAX_REFERENCE && PRINTABLE.test(value));
export const REFERENCE_MESSAGE = `This must be a text of at most ${MAX_REFERENCE} characters without control characters, or null.`;

/**
 * Maximum number of unknown fields for which the most similar known field is searched. A search takes microseconds, and a body may have hundreds of
 * unknown fields.
 */
const MAX_HINTS = 10;

export const TOO_MANY_VALUES_MESSAGE = `At most ${MAX_VALUES_PER_CONTACT_TYPE} values of one kind can be sent.`;
const TOO_MANY_ENTRIES = `A list has at most ${MAX_LIST_ENTRIES} entries.`;

/** Adds an issue to `issues` for each list with too many values. Empties lists with too many entries, so that they are not read. */
export function checkListLengths(
  value: Record<string, unknown>,
  issues: ValidationIssue[],
): Record<string, unknown> {
  let body = value;
  for (const field of LIST_FIELDS) {
    const list = body[field];
    if (!Array.isArray(list) || list.length <= MAX_VALUES_PER_CONTACT_TYPE) continue;
    const hasTooManyEntries = list.length > MAX_LIST_ENTRIES;
    if (!hasTooManyEntries && countValues(field, list) <= MAX_VALUES_PER_CONTACT_TYPE) continue;
    const detail = hasTooManyEntries ? TOO_MANY_ENTRIES : TOO_MANY_VALUES_MESSAGE;
    issues.push({ pointer: `/${field}`, code: 'too_many', detail });
    if (hasTooManyEntries) body = { ...body, [field]: [] };
  }
  return body;
}

const ENTRY_SCHEMAS = {
  emails: LIST_ENTRY_SCHEMAS.email,
  emailAddresses: LIST_ENTRY_SCHEMAS.email,
  phones: LIST_ENTRY_SCHEMAS.phone,
  phoneNumbers: LIST_ENTRY_SCHEMAS.phone,
  addresses: LIST_ENTRY_SCHEMAS.address,
  nameAddresses: LIST_ENTRY_SCHEMAS.legacyAddress,
};
type ListField = keyof typeof ENTRY_SCHEMAS;
const LIST_FIELDS = Object.keys(ENTRY_SCHEMAS) as ListField[];

/** Counts the different values of a list, up to one more than allowed. Skips empty entries; spellings that differ only in case and formatting are one value. */
function countValues(field: ListField, list: unknown[]): number {
  const texts = new Set<string>();
  for (const entry of list) {
    const value = field === 'nameAddresses' && isObject(entry) ? entry.address : entry;
    if (!isNotNullish(value) || isBlank(value)) continue;
    const result = v.safeParse(ENTRY_SCHEMAS[field], value);
    texts.add(result.success ? toDeduplicationKey(result.output) : JSON.stringify(value));
    if (texts.size > MAX_VALUES_PER_CONTACT_TYPE) break;
  }
  return texts.size;
}

/**
 * Returns an issue for each unknown field of a request body and of its addresses.
 * @param fields known fields of the body itself
 */
export function findUnknownFieldIssues(
  body: Record<string, unknown>,
  fields: string[] = KNOWN_FIELDS_BY_REQUEST_PART.request,
): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const checkFields = (value: unknown, known: string[], pointer: string) => {
    if (!isObject(value)) return;
    for (const key of Object.keys(value)) {
      if (issues.length > MAX_LISTED_ISSUES) return;
      if (!known.includes(key))
        issues.push(createUnknownFieldIssue(key, known, { pointer, hasHint: issues.length < MAX_HINTS }));
    }
  };
  const forEachEntry = (list: unknown, visit: (entry: unknown, index: number) => void) =>
    Array.isArray(list) && list.slice(0, MAX_LIST_ENTRIES).forEach(visit);

  checkFields(body, fields, '');
  forEachEntry(body.addresses, (entry, i) =>
    checkFields(entry, KNOWN_FIELDS_BY_REQUEST_PART.address, `/addresses/${i}`),
  );
  forEachEntry(body.nameAddresses, (entry, i) => {
    checkFields(entry, KNOWN_FIELDS_BY_REQUEST_PART.nameAddress, `/nameAddresses/${i}`);
    if (isObject(entry))
      checkFields(entry.address, KNOWN_FIELDS_BY_REQUEST_PART.legacyAddress, `/nameAddresses/${i}/address`);
  });
  return issues;
}

/**
 * Creates the issue for an unknown field. Suggests the most similar known field; if `hasHint` is false or no field is similar, lists the known
 * fields.
 */
export function createUnknownFieldIssue(
  key: string,
  known: readonly string[],
  { pointer = '', hasHint = true } = {},
): ValidationIssue {
  const meant = hasHint ? findNearestField(key, known) : undefined;
  const hint = meant ? `did you mean \`${meant}\`?` : `known are ${known.join(', ')}.`;
  return {
    pointer: pointer + toJsonPointerTokenIfKnown(key, known),
    code: 'unknown_field',
    detail: `This field is not known; ${hint}`,
  };
}

/** Returns an issue for each field that was submitted in both its current and its legacy form. */
export function findLegacyFieldConflicts(body: Record<string, unknown>): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const addConflict = (current: string, legacy: string, pointer: string | undefined) => {
    if (pointer === undefined || !isNotNullish(body[current])) return;
    const detail = `\`${legacy}\` is the legacy form of \`${current}\`: send one of the two.`;
    issues.push({ pointer, code: 'conflicting_fields', detail });
  };
  addConflict('emails', 'emailAddresses', isNotNullish(body.emailAddresses) ? '/emailAddresses' : undefined);
  addConflict('phones', 'phoneNumbers', isNotNullish(body.phoneNumbers) ? '/phoneNumbers' : undefined);
  const entries = getLegacyEntries(body);
  const firstPointer = (key: string) => {
    const index = entries.findIndex((entry) => isNotNullish(entry[key]));
    return index < 0 ? undefined : `/nameAddresses/${index}/${key}`;
  };
  addConflict('name', 'nameAddresses[].fullName', firstPointer('fullName'));
  addConflict('addresses', 'nameAddresses[].address', firstPointer('address'));
  return issues;
}

function getLegacyEntries(body: Record<string, unknown>): Record<string, unknown>[] {
  const list = body.nameAddresses;
  return Array.isArray(list) ? list.map((entry) => (isObject(entry) ? entry : {})) : [];
}

/** Returns the issues of a body without a name, or of the legacy list `nameAddresses` if its names differ. */
export function findNameIssues(body: Record<string, unknown>): ValidationIssue[] {
  const names = getLegacyEntries(body).map((entry) => entry.fullName);
  const [first] = names.filter(isNotNullish);
  if (!isNotNullish(body.name) && !isNotNullish(first))
    return [{ pointer: '/name', code: 'required', detail: 'This field is required: one full name.' }];
  const toComparable = (name: unknown) => (typeof name === 'string' ? trimAndNormaliseToNfc(name) : name);
  return names.flatMap((name, i) =>
    !isNotNullish(name) || toComparable(name) === toComparable(first)
      ? []
      : [
          {
            pointer: `/nameAddresses/${i}/fullName`,
            code: 'several_names',
            detail: 'A request is about one name; these entries have different names.',
          },
        ],
  );
}
