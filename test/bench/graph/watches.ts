// npm run bench:watches: delay of events of watches until they are recorded and delivered, and the cost of watches for checks and the disk.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { bodiesFrom } from './bodies.ts';
import { quantile } from './figures.ts';
import { importAll, importing, makeFiles } from './made.ts';
import { drive } from '../speed/client.ts';
import { bonafide, startServing } from '../speed/process.ts';

const HELP = `npm run bench:watches -- [--records 10000] [--watches 2000] [--events 100] [--seconds 20] [--checks 20]
Imports generated records and creates watches of 300 people over HTTP. Then it feeds one record for each of --events watches, and measures the time until the
event is recorded and until a webhook on loopback has it; checks at a steady rate with and without watches, each beside the same feed; the
re-checks after an import; and the bytes of a watch.
`;

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '10000' },
    watches: { type: 'string', default: '2000' },
    events: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
    checks: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const [records, watches, events, seconds, perSecond] = [
  values.records,
  values.watches,
  values.events,
  values.seconds,
  values.checks,
].map(Number) as [number, number, number, number, number];

/** Number of records of the import that the second part measures. */
const IMPORTED = Math.min(10_000, records);
const CONNECTIONS = 4;
const JSON_TYPE = { 'content-type': 'application/json' };

interface Watched {
  /** Milliseconds from the sending of a record until its event was recorded, and until the webhook received it. */
  recorded: number[];
  delivered: number[];
}

const root = mkdtempSync(join(tmpdir(), 'bonafide-bench-watches-'));
const told = (what: string) => process.stderr.write(`${what}\n`);
try {
  told('import');
  const made = await makeFiles(root, { records, single: watches, more: IMPORTED });
  const { folder } = made;
  await importAll(made);
  const run = async (...args: string[]) =>
    JSON.parse(await bonafide(...args, '--json', '--data-dir', folder)) as Record<string, string>;
  const { id: account = '' } = await run('accounts', 'create', '--name', 'bench');
  const keyOptions = ['--name', 'bench', '--scopes', 'validate,admin', '--account', account];
  const { key = '' } = await run('keys', 'create', ...keyOptions);
  const { four } = await bodiesFrom(made.file);

  told('checks without watches');
  const without = await serve(folder, key, {}, (url) => feed(url, key, { events, prefix: 'without' }));

  told('watches');
  const receiver = await openReceiver();
  await run('webhooks', 'add', account, receiver.url);
  const env = { BONAFIDE_WATCHES: 'true', BONAFIDE_WEBHOOK_NETWORKS: '127.0.0.0/8' };
  let rechecks = 0;
  const figures: Watched = { recorded: [], delivered: [] };
  const withWatches = await serve(folder, key, env, async (url) => {
    const sent = await feed(url, key, { events, prefix: 'with' });
    for (const { reference, at } of await collectEvents(url, key, events)) {
      const began = sent.get(reference) ?? Number.NaN;
      figures.recorded.push(at - began);
      figures.delivered.push((await receiver.arrival(reference)) - began);
    }
    const before = await metric(url, 'bonafide_watches_rechecks_total');
    told('import beside watches');
    await importing(folder, made.more).ended;
    await untilQuiet(url);
    rechecks = (await metric(url, 'bonafide_watches_rechecks_total')) - before;
  });
  receiver.close();
  const bytes = bytesOfWatches(join(folder, 'store.db'));
  const pair = (list: number[]) => `${quantile(list, 0.5).toFixed(0)} / ${quantile(list, 0.99).toFixed(0)}`;
  process.stdout.write(
    [
      `${watches + events} watches on a graph of ${records} records`,
      `record sent until its event is recorded, ms, p50 / p99: ${pair(figures.recorded)} (goal: p99 ≤ 1000)`,
      `record sent until a webhook has its event, ms, p50 / p99: ${pair(figures.delivered)} (goal: p99 ≤ 2000)`,
      `checks beside a feed, ms, p50 / p99: ${pair(without)} without watches, ${pair(withWatches)} with (goal: p99 ≤ 1.2 ×)`,
      `watches checked again after an import of ${IMPORTED} records: ${rechecks}`,
      `bytes of a watch: ${(bytes / (watches + events)).toFixed(0)} (goal: ≤ 1000)`,
      '',
    ].join('\n'),
  );

  /** Serves the folder, creates the watches if they are on, and runs `work` beside checks. Returns the times of the checks in milliseconds. */
  async function serve(
    dataDir: string,
    apiKey: string,
    variables: Record<string, string>,
    work: (url: string) => Promise<unknown>,
  ): Promise<number[]> {
    const server = await startServing(dataDir, [], variables);
    const target = {
      url: server.url,
      path: '/v1/validate',
      headers: { ...JSON_TYPE, 'x-api-key': apiKey },
      bodies: four.map((body) => JSON.stringify(body)),
    };
    if (variables.BONAFIDE_WATCHES) await createWatches(server.url, apiKey, four);
    await drive(target, { connections: CONNECTIONS, seconds: 5 });
    const [{ latencies, failed }] = await Promise.all([
      drive(target, { connections: CONNECTIONS, seconds, perSecond }),
      work(server.url),
    ]);
    if (failed > 0) throw new Error(`${failed} checks failed`);
    await server.stop();
    return [...latencies];
  }
} finally {
  rmSync(root, { recursive: true });
}

function personOf(prefix: string, i: number): { name: string; emails: string[] } {
  return { name: `Quenby Watchman${i}`, emails: [`${prefix}.${i}@watched.example`] };
}

/** Creates watches of the people in turn, and one for each person of the feed. Resolves when all were checked again once. */
async function createWatches(url: string, key: string, people: object[]): Promise<void> {
  const bodies: object[] = Array.from({ length: events }, (_, i) => ({
    ...personOf('with', i),
    reference: `with.${i}`,
  }));
  while (bodies.length < watches + events) bodies.push(people[bodies.length % people.length] ?? {});
  let next = 0;
  const createSome = async () => {
    while (next < bodies.length) {
      const body = JSON.stringify(bodies[next++]);
      const response = await send(url, key, '/v1/watches', { body, headers: JSON_TYPE });
      if (response.status !== 201) throw new Error(`a watch: ${response.status} ${await response.text()}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, createSome));
  await untilQuiet(url);
}

function send(url: string, key: string, path: string, { body, headers }: { body: string; headers: object }) {
  return fetch(url + path, { method: 'POST', headers: { ...headers, 'x-api-key': key }, body });
}

/** Sends one record for each person, spread over the time of the measurement. Returns the time when each was sent. */
async function feed(
  url: string,
  key: string,
  { events: count, prefix }: { events: number; prefix: string },
): Promise<Map<string, number>> {
  const sent = new Map<string, number>();
  const headers = { 'content-type': 'application/x-ndjson' };
  for (let i = 0; i < count; i++) {
    const reference = `${prefix}.${i}`;
    const body = JSON.stringify({ record_id: reference, source: 'feed', ...personOf(prefix, i) });
    sent.set(reference, Date.now());
    const response = await send(url, key, '/admin/v1/records', { body, headers });
    if (response.status !== 200) throw new Error(`a record: ${response.status}`);
    await response.text();
    await pause((seconds * 1000) / count / 2);
  }
  return sent;
}

/** Returns the references of the events about people of the feed, with the time when each was recorded. */
async function collectEvents(
  url: string,
  key: string,
  count: number,
): Promise<{ reference: string; at: number }[]> {
  const found = new Map<string, number>();
  let cursor = '';
  for (const until = Date.now() + 120_000; found.size < count && Date.now() < until; await pause(100)) {
    const response = await fetch(`${url}/v1/events?limit=500${cursor}`, { headers: { 'x-api-key': key } });
    const page = (await response.json()) as {
      events: { reference: string | null; created_at: string }[];
      next: string | null;
    };
    for (const { reference, created_at } of page.events)
      if (reference && !found.has(reference)) found.set(reference, Date.parse(created_at));
    if (page.next !== null) cursor = `&after=${encodeURIComponent(page.next)}`;
  }
  if (found.size < count) throw new Error(`${count - found.size} events are missing`);
  return Array.from(found, ([reference, at]) => ({ reference, at }));
}

/** Opens a receiver of webhooks on loopback that stores the arrival time of each event. */
async function openReceiver() {
  const arrived = new Map<string, number>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { data } = JSON.parse(body) as { data?: { reference?: string } };
    if (data?.reference && !arrived.has(data.reference)) arrived.set(data.reference, Date.now());
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    async arrival(reference: string): Promise<number> {
      for (const until = Date.now() + 60_000; !arrived.has(reference) && Date.now() < until;) await pause(20);
      return arrived.get(reference) ?? Number.NaN;
    },
    close: () => server.close(),
  };
}

/** Returns the value of a metric without labels. */
async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Waits until no watch has waited for a re-check during two seconds. */
async function untilQuiet(url: string): Promise<void> {
  for (let quiet = 0; quiet < 4; await pause(500))
    quiet = (await metric(url, 'bonafide_watches_due')) === 0 ? quiet + 1 : 0;
}

/** Returns the bytes of the tables of watches and their indexes. */
function bytesOfWatches(file: string): number {
  const db = new Database(file, { readonly: true });
  const { bytes } = db
    .prepare<[], { bytes: number }>(
      `SELECT sum(pgsize) AS bytes FROM dbstat
       WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name IN ('watches', 'watch_keys'))`,
    )
    .get() ?? { bytes: Number.NaN };
  db.close();
  return bytes;
}
