// The words that schemas of answers are written in: each part says what it means, and that is what the API description shows.
import * as v from 'valibot';
import { parseTime } from '../../accounts/time.ts';

export const string = (about: string) => v.pipe(v.string(), v.description(about));
export const boolean = (about: string) => v.pipe(v.boolean(), v.description(about));
export const number = (about: string) => v.pipe(v.number(), v.description(about));
export const integer = (about: string, least = 0) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.description(about));
export const integerBetween = (least: number, most: number, about: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most), v.description(about));
export const oneOf = <const O extends readonly string[]>(options: O, about: string) =>
  v.pipe(v.picklist(options), v.description(about));
/** An ISO 8601 time in UTC. */
export const timestamp = (about: string) => v.pipe(v.string(), v.isoTimestamp(), v.description(about));
export const strings = (about: string) => v.pipe(v.array(v.string()), v.description(about));
export const list = <S extends v.GenericSchema>(item: S, about: string) =>
  v.pipe(v.array(item), v.description(about));
export const nullable = <S extends v.GenericSchema>(schema: S, about: string) =>
  v.pipe(v.nullable(schema), v.description(about));
export const object = <E extends v.ObjectEntries>(entries: E, about: string) =>
  v.pipe(v.object(entries), v.description(about));
/** An object that the description knows by a name of its own. */
export const namedObject = <E extends v.ObjectEntries>(name: string, entries: E, about: string) =>
  v.pipe(v.object(entries), v.title(name), v.description(about));

/** The number of an identity. */
export const identityNumber = v.pipe(v.number(), v.integer(), v.minValue(1));
export const requestIdSchema = v.pipe(
  v.string(),
  v.regex(/^req_[0-9a-z]{26}$/),
  v.description('Names the call: for looking it up later and for finding it in the log. Made by the server.'),
);

/** Query parameter `limit` of paged lists. */
export const LIMIT = v.optional(integerBetween(1, 200, 'So many at most; 50 where it is not said.'));

/** Query parameter `cursor` of paged lists. */
export const CURSOR = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(400),
    v.description('`next` of the page before, with the same filters: the list goes on behind it.'),
  ),
);

/** A page of a list. */
export const pageSchema = <S extends v.GenericSchema>(name: string, item: S, about: string) =>
  namedObject(
    name,
    {
      items: list(item, 'What is on this page.'),
      next: nullable(v.string(), 'The cursor of the next page; null where this one is the last.'),
    },
    about,
  );

/** A time that is asked for, on a day that there is. */
export const timestampInput = (about: string) =>
  v.pipe(
    v.string(),
    v.isoTimestamp(),
    v.maxLength(40),
    v.check((text) => parseTime(text) !== null),
    v.description(about),
  );

export const shortString = (about: string) => v.pipe(v.string(), v.maxLength(200), v.description(about));

const issue = object(
  {
    pointer: string('JSON Pointer into the body as it was sent, or empty for what is not in the body.'),
    code: string('Which rule was broken: a stable code.'),
    detail: string('A sentence about it, without the value.'),
  },
  'One broken rule.',
);

export const problemSchema = namedObject(
  'Problem',
  {
    type: v.pipe(
      v.string(),
      v.regex(/^\/problems\/[a-z_]+$/),
      v.description('Address of a page about this kind of error.'),
    ),
    title: string('The kind of error in a few words.'),
    status: integerBetween(400, 599, 'The HTTP status.'),
    detail: string('What happened and what to do; never a submitted value.'),
    code: string('A stable code.'),
    request_id: v.pipe(v.string(), v.description('The id of the request, as in `X-Request-Id`.')),
    errors: v.optional(list(issue, 'Every rule that the request breaks; with `invalid_request` only.')),
  },
  'An error.',
);
