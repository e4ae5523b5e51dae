// Refused requests and their errors.

/** A request and its error; without a path it goes to `POST /v1/validate`. */
export interface ErrorRow {
  what: string;
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  key?: null;
  status: number;
  code: string;
  has?: Record<string, string>;
}

export const ERRORS: ErrorRow[] = [
  { what: 'no key', key: null, status: 401, code: 'missing_api_key', has: { 'www-authenticate': 'Bearer' } },
  {
    what: 'another scheme',
    key: null,
    headers: { authorization: 'Basic eHg6eXk=' },
    status: 401,
    code: 'missing_api_key',
  },
  {
    what: 'a mistyped key',
    key: null,
    headers: { 'x-api-key': 'bf_live_x' },
    status: 401,
    code: 'invalid_api_key',
    has: { 'www-authenticate': 'Bearer' },
  },
  {
    what: 'two different keys',
    headers: { authorization: 'Bearer bf_live_y' },
    status: 401,
    code: 'invalid_api_key',
  },
  {
    what: 'a bearer that holds more than a key, beside a good key',
    headers: { authorization: 'Bearer bf_live_y x' },
    status: 401,
    code: 'invalid_api_key',
    has: { 'www-authenticate': 'Bearer' },
  },
  { what: 'no content type', headers: { 'content-type': '' }, status: 415, code: 'unsupported_media_type' },
  {
    what: 'another content type',
    headers: { 'content-type': 'text/json' },
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    what: 'a compressed body',
    headers: { 'content-encoding': 'gzip' },
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    what: 'two headers Idempotency-Key, which HTTP joins',
    headers: { 'idempotency-key': 'key-Marked-1, key-Marked-2' },
    status: 400,
    code: 'malformed_request',
  },
  { what: 'not JSON', body: '{"name": Marked}', status: 400, code: 'invalid_json' },
  { what: 'a list', body: '["Marked"]', status: 400, code: 'invalid_json' },
  { what: 'not UTF-8', body: new Uint8Array([0x7b, 0xff, 0x7d]), status: 400, code: 'invalid_json' },
  { what: 'an empty body', body: '', status: 400, code: 'invalid_json' },
  {
    what: 'too large a body',
    body: `{"name":"${'x'.repeat(65_536)}"}`,
    status: 413,
    code: 'body_too_large',
    has: { connection: 'close' },
  },
  { what: 'broken rules', body: '{"name":"7","emails":["Marked"]}', status: 422, code: 'invalid_request' },
  {
    what: 'an unknown response version',
    path: '/v1/validate?response=v3',
    status: 422,
    code: 'invalid_request',
  },
  {
    what: 'an unknown version in the header',
    headers: { 'accept-version': '2' },
    status: 422,
    code: 'invalid_request',
  },
  { what: 'an unknown path', path: '/v1/Marked', status: 404, code: 'not_found' },
  {
    what: 'a method that is not taken',
    method: 'GET',
    status: 405,
    code: 'method_not_allowed',
    has: { allow: 'POST, OPTIONS' },
  },
  { what: 'HEAD on an operation', method: 'HEAD', status: 405, code: 'method_not_allowed' },
  {
    what: 'DELETE on a look-up',
    path: '/v1/usage',
    method: 'DELETE',
    status: 405,
    code: 'method_not_allowed',
    has: { allow: 'GET, HEAD, OPTIONS' },
  },
  {
    what: 'a broken escape in the path',
    path: '/v1/%E0%A4%A',
    method: 'GET',
    status: 400,
    code: 'malformed_request',
  },
  {
    what: "somebody's request",
    path: '/v1/requests/req_Marked',
    method: 'GET',
    status: 404,
    code: 'not_found',
  },
];
