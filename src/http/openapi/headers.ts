import * as v from 'valibot';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../accounts/idempotency.ts';
import { verdictWordSchema } from '../schema/check.ts';
import * as s from '../schema/builders.ts';

/** Pattern of the header Bonafide-Revision: 1 to 15 digits. */
export const GRAPH_REVISION_PATTERN = /^\d{1,15}$/;

/** Schemas of the headers of every response, including errors. */
export const COMMON_RESPONSE_HEADER_SCHEMAS = {
  'X-Request-Id': s.string('Id of the request, made by the server; the same as `request_id`.'),
  'Cache-Control': s.string('`no-store`.'),
  'X-Content-Type-Options': s.string('`nosniff`.'),
  traceparent: s.string('Span of the server (W3C trace context), if requests are traced.'),
};

/** Schemas of the headers that show a caller's limits. Every response to an authenticated caller has them, including errors. */
export const CALLER_LIMIT_HEADER_SCHEMAS = {
  'RateLimit-Policy': s.string(
    'Limits of the caller (draft-ietf-httpapi-ratelimit-headers-10): `rate` and `quota` of its plan, and calls `in-flight`.',
  ),
  RateLimit: s.string('What remains of each limit, `r`, and the seconds until the limit is full again, `t`.'),
};

/** Schemas, by header name, of the headers that only some operations send. */
export const OPERATION_SPECIFIC_HEADER_SCHEMAS = {
  Vary: s.string(
    '`Accept-Version`, `Accept` for usage and invoices, or `Accept-Encoding` for this description: the answer depends on this header.',
  ),
  'Content-Encoding': s.string('`gzip` if the client accepts it.'),
  Link: s.string('Next page of a list in a format other than JSON: `<…>; rel="next"`.'),
  'Bonafide-Verdict': verdictWordSchema,
  'Bonafide-Mode': s.string('`test` if a test key was answered from the sample of invented people.'),
  'Idempotency-Replayed': s.string(
    '`true` if an earlier call with this `Idempotency-Key` was counted, and this one was not.',
  ),
  'Bonafide-Revision': s.string(
    'Revision of the graph with these records. A check that sends it sees them, from whichever database host.',
  ),
  'Retry-After': s.string('Seconds after which to try again.'),
  'WWW-Authenticate': s.string('`Bearer`.'),
  Allow: s.string('Methods of the address.'),
  Location: s.string('Address to go to.'),
  'Set-Cookie': s.string('The session, for the pages of the console only.'),
  'Cross-Origin-Opener-Policy': s.string('`same-origin`.'),
};

/** Schemas of the request headers, except the headers for API keys and bodies. */
export const REQUEST_HEADER_SCHEMAS = {
  'Accept-Version': v.optional(
    s.oneOf(['v1', 'v2'], 'Version of the answer; the query parameter `response` overrides it.'),
  ),
  'Idempotency-Key': v.optional(
    s.string(
      'Makes retries safe: the same request with the same key counts once and has the same `request_id`. At most 255 printable ASCII characters, with or without double quotes.',
      { min: 1, max: MAX_IDEMPOTENCY_KEY_LENGTH + 2 },
    ),
  ),
  'Bonafide-Revision': v.optional(
    s.string('From an answer of `POST /admin/v1/records`: the check sees the records of that request.', {
      pattern: GRAPH_REVISION_PATTERN,
    }),
  ),
  traceparent: v.optional(s.string('W3C trace context. The trace id of a valid one is in the log line.')),
};
