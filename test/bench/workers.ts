// npm run bench:workers: speed of two workers compared with one, by elapsed time and by CPU time of the server's threads (Linux).
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeBodies, makePeople } from './people.ts';
import type { Person } from './people.ts';
import { drive } from './speed/client.ts';
import type { Target } from './speed/client.ts';
import { bonafide, startServing } from './speed/process.ts';
import { spread } from './speed/report.ts';

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
  },
});
const seconds = Number(options.seconds);
const WORKERS = [1, 2];
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 12;
const CORES = 2;
const folder = mkdtempSync(join(tmpdir(), 'bonafide-bench-'));

/** Plan with every limit that `limits.db` counts for each call, too high to be reached. */
const PLAN = ['--included', '100000000', '--rate', '1000000/s', '--concurrency', '1000'];

/** Creates a key, of an account with the plan or without an account. */
async function keyOf(plan: boolean): Promise<string> {
  const at = ['--data-dir', folder, '--json'];
  const account: string[] = [];
  if (plan) {
    await bonafide('plans', 'create', 'bench', ...PLAN, ...at);
    const made = JSON.parse(
      await bonafide('accounts', 'create', '--name', 'Bench', '--plan', 'bench', ...at),
    );
    account.push('--account', made.id);
  }
  return JSON.parse(await bonafide('keys', 'create', '--name', 'bench', ...account, ...at)).key;
}

async function importAll(): Promise<Person[]> {
  const { people, records } = makePeople(Number(options.records));
  const file = join(folder, 'people.jsonl');
  await pipeline(
    Readable.from(records).map((record) => `${JSON.stringify(record)}\n`),
    createWriteStream(file),
  );
  await bonafide('graph', 'import', file, '--json', '--data-dir', folder);
  return people;
}

/** Returns the CPU time of each thread of a process, in microseconds. */
function threadsOf(pid: number): Map<string, number> {
  const tasks = `/proc/${pid}/task`;
  return new Map(
    readdirSync(tasks).map((id) => {
      const [ran = '0'] = readFileSync(join(tasks, id, 'schedstat'), 'utf8').split(' ');
      return [id, Number(ran) / 1000];
    }),
  );
}

interface Round {
  perSecond: number;
  /** CPU time of the whole server, and of its busiest thread; microseconds per call. */
  cpu: number;
  busiest: number;
  /** CPU time of the client; microseconds per call. */
  client: number;
}

async function round(pid: number, target: Target): Promise<Round> {
  const [before, own] = [threadsOf(pid), process.cpuUsage()];
  const { calls, failed, seconds: took } = await drive(target, { connections: CONNECTIONS, seconds });
  if (failed > 0) throw new Error(`${failed} calls failed`);
  const each = Array.from(threadsOf(pid), ([id, ran]) => (ran - (before.get(id) ?? 0)) / calls);
  const { user, system } = process.cpuUsage(own);
  const cpu = each.reduce((sum, ran) => sum + ran, 0);
  return { perSecond: calls / took, cpu, busiest: Math.max(...each), client: (user + system) / calls };
}

/** Returns the calls per second of a server with two cores to itself: until its cores or its busiest thread are fully used. */
const alone = ({ cpu, busiest }: Round) => 1e6 / Math.max(busiest, cpu / CORES);

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
function range(values: number[], digits = 0): string {
  const { min, median, max } = spread(values);
  return `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
}

async function compare(title: string, key: string, people: Person[]): Promise<void> {
  const bodies = makeBodies(people, { each: 1, count: 2000 }).map((body) => JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const servers = [];
  for (const workers of WORKERS) {
    const server = await startServing(folder, ['--workers', String(workers)]);
    const target = { url: server.url, path: '/v1/validate', headers, bodies };
    servers.push({ workers, server, target, rounds: [] as Round[], idleMb: 0 });
  }
  for (const { target } of servers)
    await drive(target, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  for (let i = 0; i < Number(options.rounds); i++)
    for (const { server, target, rounds } of servers) rounds.push(await round(server.pid, target));
  await pause(15_000);
  process.stdout.write(`${title}, checks of 4 values, ${CONNECTIONS} connections; median (least to most)\n`);
  for (const { workers, server, rounds } of servers) {
    const of = (what: (round: Round) => number) => range(rounds.map(what));
    process.stdout.write(
      `  ${workers} worker${workers > 1 ? 's' : ' '}  ${of(({ perSecond }) => perSecond)} a second beside the client; CPU us a call ${of(({ cpu }) => cpu)}, busiest thread ${of(({ busiest }) => busiest)}, client ${of(({ client }) => client)}; with two cores of its own ${of(alone)} a second; idle ${whole(memoryOf(server.pid))} MB\n`,
    );
    await server.stop();
  }
  const [one, two] = servers.map(({ rounds }) => rounds);
  if (!one || !two) return;
  const ratio = (what: (round: Round) => number) =>
    range(
      two.flatMap((round, i) => (one[i] ? [what(round) / what(one[i])] : [])),
      2,
    );
  process.stdout.write(
    `  2 to 1     ${ratio(({ perSecond }) => perSecond)} beside the client on the same cores; ${ratio(alone)} with two cores of its own, by CPU\n`,
  );
}

/** Returns the resident memory of a process, in megabytes. */
function memoryOf(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

try {
  const people = await importAll();
  await compare('A key without a plan', await keyOf(false), people);
  await compare('A key of a plan with rate and concurrency', await keyOf(true), people);
} finally {
  rmSync(folder, { recursive: true });
}
