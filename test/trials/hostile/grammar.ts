// Hostile requests and imports, generated from grammars.

export type Random = () => number;
export const pick = <T>(list: readonly [T, ...T[]], random: Random): T =>
  list[Math.floor(random() * list.length)] ?? list[0];
const whole = (most: number, random: Random) => Math.floor(random() * most);

/** Mark in texts, so that an error that echoes a text is found. */
export const MARK = 'Zqxmarkedqz';

const PIECES = [
  'a',
  ' ',
  '\u0301',
  '\u200d',
  '\ud800',
  '\u0000',
  '\ufdfa',
  '\u1100\u1161\u11a8',
  '\u202e',
  '0',
  '१',
  '漢',
  '(',
  '"',
  '\\',
  "'",
  ';--',
  '%00',
  '{{7*7}}',
  '<script>',
  '-',
  '.',
  '@',
  '\r\n',
  'Ł',
  'İ',
  '🧑‍🚀',
] as const;

/** Returns a text of up to `most` pieces: one piece repeated, or several. */
export function text(most: number, random: Random): string {
  const length = Math.floor(most ** random());
  const one = pick(PIECES, random);
  const mixed = random() < 0.5;
  const pieces = Array.from({ length }, () => (mixed ? pick(PIECES, random) : one));
  const made = pieces.join('').slice(0, most);
  return random() < 0.3 ? `${MARK} ${made}` : made;
}

const FIELDS = [
  'name',
  'emails',
  'phones',
  'addresses',
  'intent',
  'operation',
  'include_fraud_detection',
  'nameAddresses',
  'emailAddresses',
  'phoneNumbers',
  '__proto__',
  'constructor',
  'toString',
  'emailz',
  '',
] as const;
const ADDRESS = [
  'street',
  'street2',
  'city',
  'state',
  'zip',
  'country',
  'line1',
  'plus4',
  '__proto__',
] as const;

/** Returns any JSON value, nested up to `depth`. */
function anyJson(depth: number, random: Random): unknown {
  const kind = whole(depth > 0 ? 8 : 5, random);
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return pick([0, -1, 1e308, 3.5, Number.MAX_SAFE_INTEGER], random);
  if (kind <= 4) return text(60, random);
  if (kind <= 5) return Array.from({ length: whole(8, random) }, () => anyJson(depth - 1, random));
  const names = Array.from({ length: whole(6, random) }, () =>
    random() < 0.5 ? pick(FIELDS, random) : text(20, random),
  );
  return Object.fromEntries(names.map((name) => [name, anyJson(depth - 1, random)]));
}

const email = (random: Random) =>
  `${text(30, random)}@${pick(['example.com', 'x', '[1.2.3.4]', text(10, random)], random)}`;
const phone = (random: Random) =>
  pick(
    ['+1 415 555 0134', '(415) 555-0134;ext=5', '٤١٥٥٥٥٠١٣٤', `${whole(1e12, random)}`, text(40, random)],
    random,
  );
const place = (random: Random) =>
  Object.fromEntries(ADDRESS.slice(0, 1 + whole(6, random)).map((part) => [part, text(100, random)]));

function several(one: (random: Random) => unknown, random: Random): unknown {
  if (random() < 0.1) return anyJson(2, random);
  return Array.from({ length: whole(7, random) }, () => (random() < 0.05 ? anyJson(1, random) : one(random)));
}

/** Returns a body that is nearly valid. */
function nearly(random: Random): Record<string, unknown> {
  const body: Record<string, unknown> = { name: random() < 0.7 ? 'Jane Quimby' : text(200, random) };
  if (random() < 0.7) body.emails = several(email, random);
  if (random() < 0.7) body.phones = several(phone, random);
  if (random() < 0.7) body.addresses = several(place, random);
  if (random() < 0.3) body.intent = anyJson(1, random);
  if (random() < 0.1) body.operation = anyJson(1, random);
  if (random() < 0.2) body[pick(FIELDS, random)] = anyJson(3, random);
  return body;
}

const FULL = 64_000;
/** Functions for large bodies of one kind, up to the maximum size that is read. */
const LARGE: ((random: Random) => string)[] = [
  (random) =>
    JSON.stringify({
      name: pick(PIECES, random)
        .repeat(FULL / 4)
        .slice(0, FULL / 4),
    }),
  (random) => JSON.stringify({ name: 'J', emails: [pick(PIECES, random).repeat(FULL / 8)] }),
  (random) => JSON.stringify({ name: 'J', addresses: [{ street: pick(PIECES, random).repeat(FULL / 8) }] }),
  (random) => JSON.stringify({ name: 'J', phones: [pick(['1', '+', '(', '١'], random).repeat(FULL / 4)] }),
  () => `${'['.repeat(FULL / 2)}${']'.repeat(FULL / 2 - 1)}`,
  () => `${'{"a":'.repeat(FULL / 6)}1${'}'.repeat(FULL / 6)}`,
  () => `{"name":"J","emails":[${'{"a":1,"a":2},'.repeat(4000)}1]}`,
  (random) =>
    JSON.stringify({ name: 'J', [text(FULL / 4, random)]: 1, [pick(PIECES, random).repeat(FULL / 8)]: 2 }),
  () => `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":1`).join()}}`,
  () => JSON.stringify({ name: 'J', emails: Array.from({ length: 8000 }, (_, i) => `${i}@x`) }),
  () => `{"name":"J","a":"${'\\u0301'.repeat(FULL / 6)}"}`,
];

/** Returns the bytes of a body. */
export function body(random: Random): Buffer {
  const kind = random();
  if (kind < 0.02) return Buffer.from(pick(LARGE as [(typeof LARGE)[0]], random)(random));
  if (kind < 0.06) return Buffer.from(Array.from({ length: whole(300, random) }, () => whole(256, random)));
  const made = JSON.stringify(kind < 0.2 ? anyJson(5, random) : nearly(random)) ?? '';
  if (kind < 0.9) return Buffer.from(made);
  // Cuts the body, doubles it, or changes a byte.
  const bytes = Buffer.from(random() < 0.3 ? made + made : made.slice(0, whole(made.length, random)));
  if (bytes.length > 0) bytes[whole(bytes.length, random)] = whole(256, random);
  return bytes;
}

const PATHS = [
  '/v1/validate',
  '/v1/validate?ai=true',
  '/v1/validate/enhanced',
  '/v1/validate?response=v2',
  '/v1/validate?response=v9',
  '/v1/validate?ai=%ff',
  '/v1/requests/req_nothing',
  '/v1/requests/%2e%2e%2f',
  '/v1/usage?month=9999-99',
  '/docs/../secret',
  '/docs/%00',
  '/problems/__proto__',
  '/readyz',
  '//',
  '/%',
  '/v1/validate/',
] as const;
const METHODS = ['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'PROPFIND'] as const;
const TYPES = [
  'application/json;charset=utf-8',
  'text/plain',
  'application/json; charset=utf-7',
  '',
  'application/xml',
] as const;

/** Returns a request: mostly a body for a check, one in a hundred with unusual path, method and headers. */
export function request(key: string, random: Random) {
  const usual = random() < 0.8;
  const headers: Record<string, string> = {
    'content-type': random() < 0.95 ? 'application/json' : pick(TYPES, random),
    'x-api-key': random() < 0.97 ? key : pick(['', `${key}x`, 'bf_live_', MARK], random),
  };
  if (random() < 0.05)
    headers[
      pick(['accept-version', 'traceparent', 'authorization', 'x-request-id', 'accept', 'cookie'], random)
    ] = pick(['v2', 'Bearer x y', '00-0-0-0', MARK, '*/*;q=9'], random);
  const method = random() < 0.95 ? 'POST' : pick(METHODS, random);
  const path = usual ? '/v1/validate' : pick(PATHS, random);
  return { method, path, headers, ...(method === 'POST' || method === 'PUT' ? { body: body(random) } : {}) };
}

const CELLS = [
  '',
  'Jane Quimby',
  'jane@example.com',
  '+1 415 555 0134',
  '1984-05-17',
  '"',
  '""',
  "'",
  '\u0301'.repeat(50),
  '=cmd()',
  '\u0000',
  '\ufeff',
  'é',
] as const;
const HEADERS = [
  'record_id,name,email',
  'name;phone;record_id',
  'record_id\tname',
  '"record_id","name',
  'id,id,id',
  '',
] as const;

/** Returns the bytes of a file of records: JSON Lines, CSV or neither, mostly short. */
export function importFile(random: Random): { ending: string; bytes: Buffer } {
  const kind = random();
  if (kind < 0.1)
    return {
      ending: pick(['jsonl', 'csv', 'jsonl.gz'], random),
      bytes: Buffer.from(Array.from({ length: whole(2000, random) }, () => whole(256, random))),
    };
  if (kind < 0.5) return { ending: 'jsonl', bytes: Buffer.from(jsonLines(random)) };
  return { ending: pick(['csv', 'tsv', 'txt'], random), bytes: Buffer.from(csvLines(random)) };
}

function jsonLines(random: Random): string {
  const lines = Array.from({ length: 1 + whole(20, random) }, (_, i) => {
    const one = random() < 0.8 ? { record_id: `${i}`, source: 's', ...nearly(random) } : anyJson(4, random);
    const line = JSON.stringify(one) ?? '';
    return random() < 0.9 ? line : line.slice(0, whole(line.length, random));
  });
  return lines.join(pick(['\n', '\r\n', '\n\n', '\r'], random));
}

function csvLines(random: Random): string {
  const separator = pick([',', ';', '\t', '|'], random);
  const row = () =>
    Array.from({ length: whole(8, random) }, () =>
      random() < 0.7 ? pick(CELLS, random) : text(60, random),
    ).join(separator);
  return [pick(HEADERS, random), ...Array.from({ length: whole(30, random) }, row)].join(
    pick(['\n', '\r\n'], random),
  );
}

/** Files that are large in one way: a line of ten megabytes, a million columns, a quote without end. */
export const LARGE_FILES: Record<string, () => { ending: string; bytes: Buffer }> = {
  'a line of 10 MB': () => ({
    ending: 'jsonl',
    bytes: Buffer.from(`{"record_id":"1","name":"${'x'.repeat(1e7)}"}\n`),
  }),
  '10 MB of combining marks': () => ({
    ending: 'jsonl',
    bytes: Buffer.from(`{"record_id":"1","name":"a${'\u0301'.repeat(5e6)}"}\n`),
  }),
  'many lines of combining marks': () => ({
    ending: 'jsonl',
    bytes: Buffer.from(`{"record_id":"1","name":"J","emails":["${'\u0301'.repeat(60_000)}"]}\n`.repeat(20)),
  }),
  'a million columns': () => ({
    ending: 'csv',
    bytes: Buffer.from(`record_id,name${',x'.repeat(1e6)}\n1,J${',y'.repeat(1e6)}\n`),
  }),
  'a quote that never ends': () => ({
    ending: 'csv',
    bytes: Buffer.from(`record_id,name\n1,"${'x,\n'.repeat(3e6)}`),
  }),
  'a million opening brackets': () => ({ ending: 'jsonl', bytes: Buffer.from('['.repeat(1e6)) }),
  'nothing but line ends': () => ({ ending: 'csv', bytes: Buffer.from('\n'.repeat(5e6)) }),
};
