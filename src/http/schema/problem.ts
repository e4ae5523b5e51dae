// What every error says (RFC 9457).
import * as v from 'valibot';
import { between, list, named, object, text } from './parts.ts';

const issue = object(
  {
    pointer: text('JSON Pointer into the body as it was sent, or empty for what is not in the body.'),
    code: text('Which rule was broken: a stable code.'),
    detail: text('A sentence about it, without the value.'),
  },
  'One broken rule.',
);

export const problem = named(
  'Problem',
  {
    type: v.pipe(
      v.string(),
      v.regex(/^\/problems\/[a-z_]+$/),
      v.description('Address of a page about this kind of error.'),
    ),
    title: text('The kind of error in a few words.'),
    status: between(400, 599, 'The HTTP status.'),
    detail: text('What happened and what to do; never a submitted value.'),
    code: text('A stable code.'),
    request_id: v.pipe(v.string(), v.description('The id of the request, as in `X-Request-Id`.')),
    errors: v.optional(list(issue, 'Every rule that the request breaks; with `invalid_request` only.')),
  },
  'An error.',
);
