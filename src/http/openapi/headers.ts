// Headers of requests and answers, each described once.
import * as v from 'valibot';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../../accounts/idempotency.ts';
import { oneOf } from '../schema/parts.ts';

const text = (about: string) => v.pipe(v.string(), v.description(about));

/** Of every answer, errors included. */
export const COMMON_RESPONSE_HEADERS = {
  'X-Request-Id': text('The id of the request, made by the server; the same as `request_id`.'),
  'Cache-Control': text('`no-store`.'),
  'X-Content-Type-Options': text('`nosniff`.'),
  traceparent: text('The server’s own span (W3C trace context), where requests are traced.'),
};

/** Of every answer to a caller whose key is known, errors included. */
export const LIMIT_HEADERS = {
  'RateLimit-Policy': text(
    'What bounds the caller (draft-ietf-httpapi-ratelimit-headers-10): `rate` and `quota` of its plan, and calls `in-flight`.',
  ),
  RateLimit: text('What is left of each: `r`, and the seconds until it is whole again, `t`.'),
};

/** Of some answers. */
export const RESPONSE_HEADERS = {
  Vary: text('`Accept-Version`, of bills `Accept`: the header changes the shape of the answer.'),
  Link: text('Where a list goes on that is no JSON: `<…>; rel="next"`.'),
  'Bonafide-Mode': text('`test` where a test key was answered from the sample of invented people.'),
  'Idempotency-Replayed': text(
    '`true` where an earlier try with this `Idempotency-Key` was counted, and this one was not.',
  ),
  'Retry-After': text('Seconds after which to try again.'),
  'WWW-Authenticate': text('`Bearer`.'),
  Allow: text('The methods of the address.'),
  Location: text('Where to go.'),
  'Set-Cookie': text('The session, for the pages of the console alone.'),
  'Cross-Origin-Opener-Policy': text('`same-origin`.'),
};

/** Of requests, beside those of keys and bodies. */
export const REQUEST_HEADERS = {
  'Accept-Version': v.optional(
    oneOf(['v1', 'v2'], 'The version of the answer’s shape; `response` in the query wins over it.'),
  ),
  'Idempotency-Key': v.optional(
    v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(MAX_IDEMPOTENCY_KEY_LENGTH + 2),
      v.description(
        'Makes a retry safe: the same request with the same key counts once and has the same `request_id`. At most 255 printable ASCII characters, bare or in double quotes.',
      ),
    ),
  ),
  traceparent: v.optional(
    text('W3C trace context. A valid one is honoured: its trace id is in the log line.'),
  ),
};
