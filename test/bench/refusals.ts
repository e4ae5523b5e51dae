// npm run bench:refusals: CPU time of each refusal as a multiple of that of an ordinary check. Fails if a refusal costs more than a check.
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createAccount } from '../../src/store/accounts.ts';
import { createKey } from '../../src/store/keys.ts';
import { openStoreAtLocation } from '../../src/store/open.ts';
import { createPlan } from '../../src/store/plans.ts';
import { getStoreFile } from '../../src/store/sqlite/open.ts';
import { makeBodies, makePeople } from './people.ts';
import { drive, type Target } from './speed/client.ts';
import { bonafide, startServing, type Measured } from './speed/process.ts';
import { spread } from './speed/report.ts';

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    warmup: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
const seconds = Number(options.seconds);
const CONNECTIONS = 16;
/** Distinct requests of a row. Each has its own address, and the keys take turns, so that no row reaches the limit of refusals. */
const REQUESTS = 2000;
const KEYS = 200;
const KIB = 1024;
const folder = mkdtempSync(join(tmpdir(), 'bonafide-bench-'));

interface Row {
  name: string;
  status: number;
  headers: Record<string, string>;
  headersOf?: (i: number) => Record<string, string>;
  path?: string;
  body?: (i: number) => string;
  /** Bytes that are sent after the body. */
  rest?: Buffer;
  /** True if the server closes the connection after the answer: the ordinary check then closes its connection too. */
  closes?: boolean;
  /** True if further headers would change the status. */
  isAlone?: boolean;
}

const numberedHeaders = (count: number, value = 'fill-fill') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i.toString(36)}`, value]));

/** Header fields that fill the rest of 16 KiB: one long field, or as many fields as fit. */
const LARGE: Record<string, Record<string, string>> = {
  'ordinary headers': {},
  'one header of 15 KB': { 'x-fill': 'x'.repeat(15 * KIB) },
  '190 headers of 80 B': numberedHeaders(190, 'fill'.repeat(18)),
};

const { people, records } = makePeople(Number(options.records));
const checks = makeBodies(people, { each: 1, count: REQUESTS }).map((body) => JSON.stringify(body));

async function importAll(): Promise<void> {
  const file = join(folder, 'people.jsonl');
  const lines = Readable.from(records).map((record) => `${JSON.stringify(record)}\n`);
  await pipeline(lines, createWriteStream(file));
  await bonafide('graph', 'import', file, '--json', '--data-dir', folder);
}

/** Creates keys: for checks, without the scope for checks, and of a plan with one call a day. */
function createKeys() {
  const store = openStoreAtLocation({ file: getStoreFile(folder) });
  const now = Date.now() - 1000;
  const many = (create: () => { key: string }) => Array.from({ length: KEYS }, () => create().key);
  try {
    createPlan(store, 'slow', { rate: { calls: 1, seconds: 86_400, burst: 1 } }, now);
    const { id } = createAccount(store, { name: 'bench', plan: 'slow' }, now);
    return {
      checking: many(() => createKey(store, { name: 'bench', scopes: ['validate'] }, now)),
      reading: many(() => createKey(store, { name: 'bench', scopes: ['read'] }, now)),
      slow: many(() => createKey(store, { name: 'bench', scopes: ['validate'], account: id }, now)),
    };
  } finally {
    store.close();
  }
}

const inTurn = (keys: string[]) => (i: number) => ({ 'x-api-key': keys[i % keys.length] ?? '' });
const fiftyWrong = JSON.stringify({
  name: 'Jane Quimby',
  ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`unknown_${'x'.repeat(900)}_${i}`, i])),
});
const numbered = (count: number, name: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, i]));
const manyFields = JSON.stringify(numbered(2000, 'includeSomethingElse'));
const manyParts = JSON.stringify({
  name: 'Jane Quimby',
  addresses: Array.from({ length: 50 }, () => numbered(12, 'streetaddr')),
});
const sixteenMegabytes = Buffer.alloc(16e6, ' ');
const wrongLists = JSON.stringify({
  name: 7,
  emails: Array.from({ length: 50 }, (_, i) => i),
  phones: Array.from({ length: 50 }, () => '?'),
  addresses: Array.from({ length: 50 }, () => ({ street: 5, nothing: 1 })),
});

function listRows({ checking, reading, slow }: ReturnType<typeof createKeys>): Row[] {
  const unknown = `${checking[0]?.slice(0, -4)}0000`;
  const large = {
    headers: { 'content-length': String(sixteenMegabytes.length) },
    rest: sixteenMegabytes,
    closes: true,
  };
  const good = { status: 422, headers: {}, headersOf: inTurn(checking) };
  return [
    { name: '401 no key', status: 401, headers: {} },
    { name: '401 mistyped key', status: 401, headers: { 'x-api-key': unknown } },
    { name: '401 key of 15 KB', status: 401, headers: { 'x-api-key': 'k'.repeat(15 * KIB) } },
    {
      name: '401 Bearer of 15 KB',
      status: 401,
      headers: { authorization: `Bearer ${'k '.repeat(7 * KIB)}` },
    },
    { name: '401 cookie of 15 KB', status: 401, headers: { cookie: 'a=b;'.repeat(4 * KIB - 200) } },
    {
      name: '401 unknown session',
      status: 401,
      headers: { cookie: `bonafide_console=${'s'.repeat(43)}`, 'bonafide-console': '1' },
    },
    { name: '401 body of 16 MB', status: 401, ...large },
    { name: '403 without the scope', status: 403, headers: {}, headersOf: inTurn(reading) },
    { name: '403 body of 16 MB', status: 403, ...large, headersOf: inTurn(reading) },
    { name: '413 body of 16 MB', status: 413, ...large, headersOf: inTurn(checking) },
    {
      name: '403 sign-in of another site',
      status: 403,
      headers: { origin: 'https://other.example' },
      path: '/console/session',
    },
    {
      name: '413 by Content-Length',
      status: 413,
      headers: { 'content-length': '999999' },
      headersOf: inTurn(checking),
      closes: true,
    },
    {
      name: '431 800 headers of 16 B',
      status: 431,
      headers: numberedHeaders(800),
      closes: true,
      isAlone: true,
    },
    { name: '422 one field', ...good, body: () => '{"name":7}' },
    { name: '400 invalid JSON', ...good, status: 400, body: (i) => checks[i]?.slice(0, -1) ?? '' },
    { name: '422 60 unknown fields, 55 KB', ...good, body: () => fiftyWrong },
    { name: '422 2,000 fields, 61 KB', ...good, body: () => manyFields },
    { name: '422 600 fields of 50 objects', ...good, body: () => manyParts },
    { name: '422 150 wrong values', ...good, body: () => wrongLists },
    { name: '400 nested 64 KB', ...good, status: 400, body: () => '['.repeat(64 * KIB) },
    {
      name: '422 one string of 64 KB',
      ...good,
      body: () => JSON.stringify({ name: 'x'.repeat(64 * KIB - 20) }),
    },
    { name: '422 Idempotency-Key of 15 KB', ...good, headers: { 'idempotency-key': '"\\'.repeat(7600) } },
    { name: '422 query of 15 KB', ...good, path: `/v1/validate?${'a=b&'.repeat(3800)}` },
    { name: '429 rate of the plan', status: 429, headers: {}, headersOf: inTurn(slow) },
  ];
}

const ORDINARY = (keys: string[]): Row => ({
  name: 'check',
  status: 200,
  headers: {},
  headersOf: inTurn(keys),
});

const targetOf = (server: Measured, row: Row, place: number, fill: Record<string, string>): Target => ({
  url: server.url,
  path: row.path ?? '/v1/validate',
  headers: { 'content-type': 'application/json', ...row.headers, ...fill },
  rest: row.rest,
  bodies: row.body ? checks.map((_, i) => row.body!(i)) : checks,
  headersOf: (i) => ({ 'x-forwarded-for': `10.${place}.${i >> 8}.${i & 255}`, ...row.headersOf?.(i) }),
});

async function measure(server: Measured, target: Target, status: number, time = seconds) {
  const started = performance.now();
  const before = await server.usage();
  const { calls, failed } = await drive(target, { connections: CONNECTIONS, seconds: time, status });
  const after = await server.usage();
  const idle = idleMicros * ((performance.now() - started) / 1000);
  return { micros: (after.cpuMicros - before.cpuMicros - idle) / calls, calls, failed };
}

/** CPU time (µs) per second of the server without requests. Matters for rows with few calls per second. */
let idleMicros = 0;

async function measureIdle(server: Measured): Promise<void> {
  const before = await server.usage();
  await pause(3000);
  idleMicros = ((await server.usage()).cpuMicros - before.cpuMicros) / 3;
}

/** Returns true if the headers of a row leave no space for further ones. */
const isFull = ({ headers, path = '', isAlone = false }: Row) =>
  isAlone || JSON.stringify(headers).length + path.length > 14 * KIB;

async function run() {
  await importAll();
  const keys = createKeys();
  const server = await startServing(folder, [], { BONAFIDE_TRUSTED_PROXIES: '127.0.0.1' }, true);
  const check = ORDINARY(keys.checking);
  const closing = { ...check, headers: { connection: 'close' } };
  await measure(server, targetOf(server, check, 0, {}), 200, Number(options.warmup));
  await measureIdle(server);
  const results = [];
  let place = 1;
  for (const row of listRows(keys).filter(({ name }) => name.includes(options.only)))
    for (const [size, fill] of Object.entries(LARGE)) {
      if (size !== 'ordinary headers' && isFull(row)) continue;
      const target = targetOf(server, row, place++, fill);
      // Uses up the burst of the plan's rate limit.
      if (row.status === 429) await measure(server, target, 429, 0.2);
      const ratios: number[] = [];
      let [micros, wrong] = [0, 0];
      for (let round = 0; round < Number(options.rounds); round++) {
        const ordinary = await measure(server, targetOf(server, row.closes ? closing : check, 0, {}), 200);
        const refused = await measure(server, target, row.status);
        ratios.push(refused.micros / ordinary.micros);
        micros = refused.micros;
        wrong += refused.failed + ordinary.failed;
      }
      results.push({ name: row.name, headers: size, micros, ratio: spread(ratios), wrong });
      if (!options.json) print(results.at(-1)!);
    }
  await server.stop();
  return results;
}

type Result = Awaited<ReturnType<typeof run>>[number];

const print = ({ name, headers, micros, ratio, wrong }: Result) =>
  console.log(
    `${name.padEnd(30)} ${headers.padEnd(22)} ${micros.toFixed(0).padStart(5)} us  ${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})${wrong > 0 ? `  ${wrong} WITH ANOTHER STATUS` : ''}`,
  );

try {
  const results = await run();
  if (options.json) console.log(JSON.stringify(results, null, 2));
  if (results.some(({ ratio, wrong }) => ratio.median > 1 || wrong > 0)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
