// npm run bench:engines: the cost of a check on each graph engine, compared in one run, and whether their answers are equal. Also the number of
// queries per second that one PostgreSQL answers over the connections of one and of two servers.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { makeBodies, makePeople } from '../people.ts';
import { drive } from '../speed/client.ts';
import type { Target } from '../speed/client.ts';
import { spread } from '../speed/report.ts';
import { ENGINES, keyOf, workOf } from './engines.ts';
import type { Opened } from './engines.ts';

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '0.5' },
    rounds: { type: 'string', default: '7' },
    compared: { type: 'string', default: '200' },
  },
});
const [seconds = 0, rounds = 0, compared = 0] = [options.seconds, options.rounds, options.compared].map(
  Number,
);
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 1.5;
const ASKER = fileURLToPath(new URL('asker.ts', import.meta.url));
const ASKED_SECONDS = 3;

interface Row {
  name: string;
  target: Target;
  opened: Opened;
  p50: number[];
  p99: number[];
  perSecond: number[];
  /** CPU time of all processes that take part, in microseconds per check. */
  cpu: number[];
}

const at = (sorted: Float64Array, part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;

async function measure({ target, opened, p50, p99, perSecond, cpu }: Row): Promise<void> {
  const alone = await drive(target, { connections: 1, seconds });
  const processes = [opened.server.pid, ...opened.others()];
  const before = workOf(processes);
  const many = await drive(target, { connections: CONNECTIONS, seconds });
  cpu.push(((workOf(processes) - before) * 1000) / many.calls);
  if (alone.failed + many.failed > 0) throw new Error('calls failed');
  p50.push(at(alone.latencies, 0.5));
  p99.push(at(alone.latencies, 0.99));
  perSecond.push(many.calls / many.seconds);
}

/** Returns for each engine the number of first bodies whose answers differ from those of the first engine, without request ids. */
async function otherwise(rows: Row[]): Promise<number[]> {
  const told = async ({ target: { url, path, headers, bodies } }: Row) => {
    const texts: string[] = [];
    for (const body of bodies.slice(0, compared)) {
      const response = await fetch(url + path, { method: 'POST', headers, body });
      texts.push((await response.text()).replace(/"req_\w+"/, '""'));
    }
    return texts;
  };
  const [first = [], ...others] = await Promise.all(rows.map(told));
  return [first, ...others].map((texts) => texts.filter((text, i) => text !== first[i]).length);
}

/** Returns the queries per second of several processes at once, each with the connections of a server. */
async function askedBy(
  processes: number,
  { database = '', dataDir }: Opened,
  bodies: string,
): Promise<number> {
  const secret = readFileSync(join(dataDir, 'secret'), 'utf8').trim();
  const words = [ASKER, database, secret, bodies, String(ASKED_SECONDS)];
  const rates = await Promise.all(
    Array.from({ length: processes }, async () =>
      Number((await promisify(execFile)(process.execPath, words)).stdout),
    ),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}

const range = (values: number[], digits: number) => {
  const { min, median, max } = spread(values);
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
};

function report(rows: Row[], different: number[]): string {
  const [base] = rows;
  const ratio = (row: Row, of: 'p50' | 'cpu') =>
    (spread(row[of]).median / spread(base?.[of] ?? []).median).toFixed(2);
  const lines = rows.map((row, i) =>
    [
      row.name,
      range(row.p50, 2),
      ratio(row, 'p50'),
      range(row.p99, 2),
      range(row.perSecond, 0),
      range(row.cpu, 0),
      ratio(row, 'cpu'),
      row.opened.importSeconds?.toFixed(1) ?? '–',
      `${different[i]} of ${compared}`,
    ].join(' | '),
  );
  const head =
    'engine | check p50 ms | to the first | p99 ms | checks/s, 32 connections | CPU µs a check | to the first | import s | answered otherwise';
  return [head, ...lines].join('\n');
}

const root = mkdtempSync(join(tmpdir(), 'bonafide-bench-'));
const [records, questions] = [join(root, 'people.jsonl'), join(root, 'questions.json')];
const opened = new Map<string, Opened>();
try {
  const { people, records: all } = makePeople(Number(options.records));
  writeFileSync(records, all.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const made = makeBodies(people, { each: 1, count: 2000 });
  writeFileSync(questions, JSON.stringify(made.slice(0, 500)));
  const bodies = made.map((body) => JSON.stringify(body));
  const rows: Row[] = [];
  for (const { name, open } of ENGINES) {
    const one = await open({ root, records }, opened);
    opened.set(name, one);
    const headers = { 'content-type': 'application/json', 'x-api-key': await keyOf(one.dataDir, 'validate') };
    const target = { url: one.server.url, path: '/v1/validate', headers, bodies };
    rows.push({ name, target, opened: one, p50: [], p99: [], perSecond: [], cpu: [] });
  }
  const different = await otherwise(rows);
  for (const { target } of rows) await drive(target, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  for (let i = 0; i < rounds; i++) for (const row of rows) await measure(row);
  process.stdout.write(`${report(rows, different)}\n`);
  const postgres = opened.get('postgres');
  if (postgres)
    process.stdout.write(
      `questions a second that PostgreSQL answers two servers: ${(await askedBy(2, postgres, questions)).toFixed(0)}\n`,
    );
} finally {
  for (const { server } of [...opened.values()].toReversed()) await server.stop();
  rmSync(root, { recursive: true, force: true });
}
