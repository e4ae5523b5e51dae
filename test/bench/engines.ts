// npm run bench:engines: what a check costs on each graph engine, one beside the other in one run, and whether they answer the same.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HAS_POSTGRES, startPostgres } from '../kit/programs/postgres.ts';
import { makeBodies, makePeople } from './people.ts';
import { drive } from './speed/client.ts';
import type { Target } from './speed/client.ts';
import { bonafide, bonafideWith, startServing } from './speed/process.ts';
import type { Measured } from './speed/process.ts';
import { spread } from './speed/report.ts';

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    compared: { type: 'string', default: '500' },
  },
});
const [seconds, rounds, compared] = [options.seconds, options.rounds, options.compared].map(Number) as [
  number,
  number,
  number,
];
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 8;
const root = mkdtempSync(join(tmpdir(), 'bonafide-bench-'));
const records = join(root, 'people.jsonl');

/** An engine's server, and what its import took where it keeps records. */
interface Opened {
  server: Measured;
  dataDir: string;
  importSeconds: number | null;
}
interface Engine {
  name: string;
  /** Those before it are open. */
  open(before: ReadonlyMap<string, Opened>): Promise<Opened>;
}

async function imported(dataDir: string, env: Record<string, string>): Promise<number> {
  const begun = performance.now();
  await bonafideWith(env, 'graph', 'import', records, '--json', '--data-dir', dataDir);
  return (performance.now() - begun) / 1000;
}

const keyOf = async (dataDir: string, scopes: string): Promise<string> =>
  JSON.parse(
    await bonafide('keys', 'create', '--name', 'bench', '--scopes', scopes, '--json', '--data-dir', dataDir),
  ).key;

/** On a server of its own, with what it commits as safe as PostgreSQL has it by itself. */
function onPostgres(): Engine {
  return {
    name: 'postgres',
    async open() {
      const database = await startPostgres({ shared_buffers: '256MB' });
      const dataDir = join(root, 'postgres');
      const env = { BONAFIDE_GRAPH: `engine=postgres,database=${await database.database()}` };
      const importSeconds = await imported(dataDir, env);
      const server = await startServing(dataDir, [], env);
      const stop = async () => {
        await server.stop();
        await database.close();
      };
      return { dataDir, importSeconds, server: { ...server, stop } };
    },
  };
}

/** Another engine is a line here. */
const ENGINES: Engine[] = [
  {
    name: 'sqlite',
    async open() {
      const dataDir = join(root, 'sqlite');
      const importSeconds = await imported(dataDir, {});
      return {
        dataDir,
        importSeconds,
        server: await startServing(dataDir, [], { BONAFIDE_GRAPH: 'serve=true' }),
      };
    },
  },
  ...(HAS_POSTGRES ? [onPostgres()] : []),
  {
    name: 'upstream → sqlite',
    async open(before) {
      const behind = before.get('sqlite');
      if (!behind) throw new Error('it stands in front of sqlite');
      const keyFile = join(root, 'key');
      writeFileSync(keyFile, await keyOf(behind.dataDir, 'graph'), { mode: 0o600 });
      const env = { BONAFIDE_GRAPH: `engine=upstream,url=${behind.server.url},keyFile=${keyFile}` };
      const dataDir = join(root, 'upstream');
      return { dataDir, importSeconds: null, server: await startServing(dataDir, ['--init'], env) };
    },
  },
];

interface Row {
  name: string;
  target: Target;
  importSeconds: number | null;
  p50: number[];
  p99: number[];
  perSecond: number[];
}

const at = (sorted: Float64Array, part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;

async function measure({ target, p50, p99, perSecond }: Row): Promise<void> {
  const alone = await drive(target, { connections: 1, seconds });
  const many = await drive(target, { connections: CONNECTIONS, seconds });
  if (alone.failed + many.failed > 0) throw new Error('calls failed');
  p50.push(at(alone.latencies, 0.5));
  p99.push(at(alone.latencies, 0.99));
  perSecond.push(many.calls / many.seconds);
}

/** How many of the first bodies are answered otherwise than by the first engine, but for what names the call. */
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

const range = (values: number[], digits: number) => {
  const { min, median, max } = spread(values);
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
};

function report(rows: Row[], different: number[]): string {
  const [base] = rows;
  const ratio = (row: Row) => (spread(row.p50).median / spread(base?.p50 ?? []).median).toFixed(2);
  const lines = rows.map((row, i) =>
    [
      row.name,
      range(row.p50, 2),
      range(row.p99, 2),
      ratio(row),
      range(row.perSecond, 0),
      row.importSeconds?.toFixed(1) ?? '–',
      `${different[i]} of ${compared}`,
    ].join(' | '),
  );
  const head =
    'engine | check p50 ms | p99 ms | to the first | checks/s, 32 connections | import s | answered otherwise';
  return [head, ...lines].join('\n');
}

const opened = new Map<string, Opened>();
try {
  const { people, records: all } = makePeople(Number(options.records));
  writeFileSync(records, all.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const bodies = makeBodies(people, { each: 1, count: 2000 }).map((body) => JSON.stringify(body));
  const rows: Row[] = [];
  for (const { name, open } of ENGINES) {
    const one = await open(opened);
    opened.set(name, one);
    const headers = { 'content-type': 'application/json', 'x-api-key': await keyOf(one.dataDir, 'validate') };
    const target = { url: one.server.url, path: '/v1/validate', headers, bodies };
    rows.push({ name, target, importSeconds: one.importSeconds, p50: [], p99: [], perSecond: [] });
  }
  const different = await otherwise(rows);
  for (const { target } of rows) await drive(target, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  for (let i = 0; i < rounds; i++) for (const row of rows) await measure(row);
  process.stdout.write(`${report(rows, different)}\n`);
} finally {
  for (const { server } of [...opened.values()].toReversed()) await server.stop();
  rmSync(root, { recursive: true, force: true });
}
