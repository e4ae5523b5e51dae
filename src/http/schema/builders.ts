// Short functions to write schemas of requests and answers. Their parameter `description` is the text in /openapi.json.
import * as v from 'valibot';
import { parseDayOrTimestamp } from '../../accounts/time.ts';
import { MAX_REFERENCE, PRINTABLE } from '../../claim/rules.ts';

type DescribedString = v.SchemaWithPipe<
  readonly [v.StringSchema<undefined>, v.DescriptionAction<string, string>]
>;

/** Minimum and maximum number of characters or items. */
interface Lengths {
  min?: number | undefined;
  max?: number | undefined;
}
const toLengthChecks = ({ min, max }: Lengths) =>
  [
    ...(min === undefined ? [] : [v.minLength(min)]),
    ...(max === undefined ? [] : [v.maxLength(max)]),
  ] as unknown as [];

/** Creates the schema of a text. `form` describes the pattern in words for error messages, such as `a month such as 2026-11`. */
export const string = (
  description: string,
  { min, max, pattern, form }: Lengths & { pattern?: RegExp; form?: string } = {},
): DescribedString =>
  v.pipe(
    v.string(),
    ...toLengthChecks({ min, max }),
    ...((pattern === undefined ? [] : [v.regex(pattern, form)]) as []),
    v.description(description),
  );

/** Creates the schema of a text or id of the caller: at most 200 printable characters. PostgreSQL cannot compare texts with a NUL character. */
export const shortString = (description: string) =>
  string(description, {
    max: MAX_REFERENCE,
    pattern: PRINTABLE,
    form: 'a string of at most 200 characters, without control characters',
  });

export const createFileNameSchema = (description: string) =>
  string(description, {
    max: 200,
    pattern:
      /^(?:[ -.0-[\]-~\u00a0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\uffff]|[\ud800-\udbff][\udc00-\udfff])*$/,
    form: 'a name of at most 200 characters, without slashes and control characters',
  });

export const boolean = (description: string) => v.pipe(v.boolean(), v.description(description));
export const number = (description: string) => v.pipe(v.number(), v.description(description));
export const integer = (description: string, least = 0) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.description(description));
export const integerBetween = (least: number, most: number, description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most), v.description(description));
export const oneOf = <const Options extends readonly string[]>(options: Options, description: string) =>
  v.pipe(v.picklist(options), v.description(description));

/** Creates the schema of an ISO 8601 time in UTC, for an answer. */
export const timestamp = (description: string) =>
  v.pipe(v.string(), v.isoTimestamp(), v.description(description));

/** Creates the schema of an ISO 8601 time, for a request. Dates that do not exist are refused. */
export const requestTimestamp = (description: string) =>
  v.pipe(
    v.string(),
    v.isoTimestamp(),
    v.maxLength(40),
    v.check((text) => parseDayOrTimestamp(text) !== null),
    v.description(description),
  );

export const stringList = (description: string) => v.pipe(v.array(v.string()), v.description(description));
export const list = <Item extends v.GenericSchema>(item: Item, description: string, lengths: Lengths = {}) =>
  v.pipe(v.array(item), ...toLengthChecks(lengths), v.description(description));
/** Creates the schema of an object with any names as keys. */
export const record = <Value extends v.GenericSchema>(value: Value, description: string) =>
  v.pipe(v.record(v.string(), value), v.description(description));

export const nullable = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(v.nullable(schema), v.description(description));
export const nullableString = (description: string) => nullable(v.string(), description);
export const nullableNumber = (description: string) => nullable(v.number(), description);
export const nullableTimestamp = (description: string) => nullable(timestamp(''), description);

export const object = <Entries extends v.ObjectEntries>(description: string, entries: Entries) =>
  v.pipe(v.object(entries), v.description(description));

/** Creates the schema of an object that /openapi.json lists as a component with this name. */
export const openApiObject = <Entries extends v.ObjectEntries>(
  name: string,
  description: string,
  entries: Entries,
) => v.pipe(v.object(entries), v.title(name), v.description(description));

/** Creates the schema of a text body that /openapi.json lists as a component with this name. */
export const openApiText = (name: string, description: string) =>
  v.pipe(v.string(), v.title(name), v.description(description));

/** Makes the fields of an object optional. */
export const optional = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.partial(v.object(entries)).entries;

/** Creates the schema of one page of a list: its items, and the cursor of the next page. */
export const createPageSchema = <Item extends v.GenericSchema>(
  name: string,
  item: Item,
  description: string,
) =>
  openApiObject(name, description, {
    items: list(item, 'Items of this page.'),
    next: nullableString('Cursor of the next page; null on the last page.'),
  });

export const PAGING_PARAMETERS = {
  limit: v.optional(integerBetween(1, 200, 'Greatest number of items; 50 by default.')),
  cursor: v.optional(
    string('`next` of the page before, with the same filters: the list continues after that page.', {
      max: 400,
    }),
  ),
};

export const identityNumberSchema = v.pipe(v.number(), v.integer(), v.minValue(1));

export const requestIdSchema = string(
  'Id of the call, made by the server: for looking the call up later, and for finding it in the log.',
  { pattern: /^req_[0-9a-z]{26}$/ },
);

const issueSchema = object('One broken rule.', {
  pointer: string('JSON Pointer into the body as it was sent; empty for a rule outside the body.'),
  code: string('Stable code of the rule that was broken.'),
  detail: string('A sentence about the rule, without the value.'),
});

export const problemSchema = openApiObject('Problem', 'An error.', {
  type: string('Address of a page about this kind of error.', { pattern: /^\/problems\/[a-z_]+$/ }),
  title: string('The kind of error in a few words.'),
  status: integerBetween(400, 599, 'HTTP status.'),
  detail: string('What happened and what to do; never a submitted value.'),
  code: string('Stable error code.'),
  request_id: string('Id of the request, as in `X-Request-Id`.'),
  errors: v.optional(list(issueSchema, 'Every rule that the request breaks; with `invalid_request` only.')),
});
