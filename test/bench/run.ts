// npm run bench: speed of imports, and the cost of a check compared with a bare node:http server.
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { askOnce, drive } from './speed/client.ts';
import type { Answer, Target } from './speed/client.ts';
import { makeBodies, makePeople } from './people.ts';
import { bonafide, startBare, startBonafide } from './speed/process.ts';
import type { Measured, Usage } from './speed/process.ts';
import { card, spread } from './speed/report.ts';
import type { Checks, Figures, Holds } from './speed/report.ts';

const HELP = `npm run bench -- [--records 20000] [--seconds 3] [--rounds 3] [--json] [--profile FILE]
--profile writes a CPU profile of the server under load; its figures are then higher than else.
`;
/** Values of each kind of contact, and the maximum CPU time of such a check as a multiple of a bare server's. */
const SHAPES = [
  { each: 1, goal: 6.5 },
  { each: 5, goal: 10 },
];
const BODIES = 2000;
const CONNECTIONS = 32;
/** Seconds of warm-up for each shape, because V8 compiles for some ten seconds. Only holds are measured. */
const WARM_UP_SECONDS = 8;

const { values: options } = parseArgs({
  options: {
    records: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
const folder = mkdtempSync(join(tmpdir(), 'bonafide-bench-'));

async function measure(): Promise<Figures> {
  const { people, records } = makePeople(Number(options.records));
  const imported = await importAll(records);
  const { key } = JSON.parse(
    await bonafide('keys', 'create', '--name', 'bench', '--json', '--data-dir', folder),
  );
  const server = await startBonafide(folder, options.profile && resolve(options.profile));
  const target = (each: number, path = '/v1/validate'): Target => ({
    url: server.url,
    path,
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    bodies: makeBodies(people, { each, count: BODIES }).map((body) => JSON.stringify(body)),
  });
  const first = await warmUp(server, target);
  const checks: Checks[] = [];
  for (const { each, goal } of SHAPES) checks.push(await besideBare(server, target(each), { each, goal }));
  const ai = await addedByFeatures(target);
  await server.stop();
  return { import: imported, people: people.length, firstSeconds: first, checks, ai };
}

async function importAll(records: object[]) {
  const file = join(folder, 'people.jsonl');
  await pipeline(
    Readable.from(records).map((record) => `${JSON.stringify(record)}\n`),
    createWriteStream(file),
  );
  const begin = performance.now();
  await bonafide('graph', 'import', file, '--json', '--data-dir', folder);
  const took = (performance.now() - begin) / 1000;
  return {
    records: records.length,
    bytes: statSync(file).size,
    seconds: took,
    perSecond: records.length / took,
  };
}

/** Sends checks until V8 has compiled the frequent code. Returns the holds of the event loop meanwhile. */
async function warmUp(server: Measured, target: (each: number) => Target): Promise<Holds> {
  await server.usage();
  for (const { each } of SHAPES)
    await drive(target(each), { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  return holdsOf(await server.usage());
}

const holdsOf = ({ holdMs, busyHoldMs, busyHoldP99Ms }: Usage): Holds => ({
  holdMs,
  busyHoldMs,
  busyHoldP99Ms,
});

/** Measures a server and a bare one with the same answer in turn, so that a busy machine affects both. */
async function besideBare(
  server: Measured,
  target: Target,
  { each, goal }: { each: number; goal: number },
): Promise<Checks> {
  const bare = await startBare(await typicalAnswer(target));
  const bareTarget = { ...target, url: bare.url };
  await drive(bareTarget, { connections: CONNECTIONS, seconds: 1 });
  const runs = { own: [] as Round[], bare: [] as Round[], held: [] as Round[] };
  for (let i = 0; i < rounds; i++) {
    const own = await round(server, target);
    runs.own.push(own);
    runs.bare.push(await round(bare, bareTarget));
    // Without a rate limit, a bare server reads many requests at once, which halves its cost for each.
    runs.held.push(await round(bare, bareTarget, own.perSecond));
  }
  await bare.stop();
  const alone = await drive(target, { connections: 1, seconds: Math.max(1, seconds / 2) });
  return {
    values: 1 + 3 * each,
    goal,
    calls: runs.own.reduce((sum, { calls }) => sum + calls, 0),
    failed: runs.own.reduce((sum, { failed }) => sum + failed, 0),
    perSecond: spread(runs.own.map((one) => one.perSecond)),
    cpuMicros: spread(runs.own.map((one) => one.cpu)),
    bareCpuMicros: spread(runs.bare.map((one) => one.cpu)),
    bareSameRateMicros: spread(runs.held.map((one) => one.cpu)),
    ratio: spread(runs.own.map((one, i) => one.cpu / runs.bare[i]!.cpu)),
    sameRateRatio: spread(runs.own.map((one, i) => one.cpu / runs.held[i]!.cpu)),
    bytes: Math.round(runs.own[0]!.bytes),
    loadedMs: {
      p50: spread(runs.own.map((one) => one.p50)).median,
      p99: spread(runs.own.map((one) => one.p99)).median,
    },
    aloneMs: { p50: quantile(alone.latencies, 0.5), p99: quantile(alone.latencies, 0.99) },
    holdMs: Math.max(...runs.own.map((one) => one.usage.holdMs)),
    busyHoldMs: Math.max(...runs.own.map((one) => one.usage.busyHoldMs)),
    busyHoldP99Ms: Math.max(...runs.own.map((one) => one.usage.busyHoldP99Ms)),
  };
}

/** Returns the answer of median length. */
async function typicalAnswer(target: Target): Promise<Answer> {
  const answers: Answer[] = [];
  for (const body of target.bodies.slice(0, 101)) answers.push(await askOnce(target, body));
  return answers.sort((a, b) => a.text.length - b.text.length)[50]!;
}

type Round = Awaited<ReturnType<typeof round>>;

async function round(server: Measured, target: Target, perSecond?: number) {
  const before = await server.usage();
  const {
    calls,
    failed,
    latencies,
    bytes,
    seconds: took,
  } = await drive(target, { connections: CONNECTIONS, seconds, perSecond });
  const usage = await server.usage();
  const cpu = (usage.cpuMicros - before.cpuMicros) / calls;
  const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  return { calls, failed, bytes, perSecond: calls / took, cpu, p50, p99, usage };
}

const quantile = (sorted: Float64Array, part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;

/** Returns the milliseconds that AI features add to the median time of a single check with four values. */
async function addedByFeatures(target: (each: number, path: string) => Target) {
  const p50 = async (path: string) => {
    const load = { connections: 1, seconds: Math.max(1, seconds / 2) };
    await drive(target(1, path), { ...load, seconds: 1 });
    const { failed, latencies } = await drive(target(1, path), load);
    return failed > 0 ? null : quantile(latencies, 0.5);
  };
  const plain = (await p50('/v1/validate'))!;
  const added = (time: number | null) => (time === null ? null : time - plain);
  return {
    plainMs: plain,
    narrativeAddedMs: added(await p50('/v1/validate?ai=true')),
    enhancedAddedMs: added(await p50('/v1/validate/enhanced')),
  };
}

try {
  const figures = await measure();
  process.stdout.write(options.json ? `${JSON.stringify(figures, null, 2)}\n` : card(figures));
} finally {
  rmSync(folder, { recursive: true });
}
