// Two servers on a PostgreSQL and one server in front of their graph, each killed at random times under load. Every answered check is counted
// once, and has the answer of a run without kills.
import postgres from 'postgres';
import { setTimeout as pause } from 'node:timers/promises';
import { parseSocketFolder } from '../../kit/programs/postgres.ts';
import { HAS_POSTGRES } from '../../kit/programs/postgres.ts';
import { baseIn } from '../kit/people.ts';
import { did, fault } from '../trial.ts';
import type { Stage, Tally, Trial } from '../trial.ts';
import { startCallers } from './callers.ts';
import type { CallersOptions, Heard } from './callers.ts';
import { startCluster } from './parts.ts';
import type { Cluster, Part } from './parts.ts';

export const clusters: Trial[] = [
  {
    name: 'cluster',
    about: 'two servers on a PostgreSQL and one in front, each killed at random moments',
    run,
  },
];

const REPEAT = 'npm run trials -- --only cluster';
const CALLERS = 16;
/** A start takes long on a busy machine. */
const READY_MS = 300_000;
/** Wait after the first connection to a restarted PostgreSQL, because other connections may still be opening. */
const SETTLING_MS = 1000;

async function run(stage: Stage): Promise<void> {
  const { tally } = stage;
  if (!HAS_POSTGRES) return void tally.notes.push('LEFT OUT: no PostgreSQL is here');
  const base = await baseIn(stage.root);
  const cluster = await startCluster(stage.folder, base.records);
  const questions = base.questions.map(({ asked, answer }) => ({
    asked: { ...asked, headers: { ...asked.headers, 'x-api-key': cluster.key } },
    answer,
  }));
  try {
    await untilReady(cluster);
    const { heard, recovered } = await underLoad(stage, cluster, questions);
    judge(tally, heard);
    tell(tally, heard, recovered);
    await audit(tally, cluster.database, heard);
  } finally {
    await cluster.close();
  }
}

async function underLoad(stage: Stage, cluster: Cluster, questions: CallersOptions['questions']) {
  let epoch = 1;
  const { ports } = cluster;
  const perSecond = stage.of(20, 60);
  const load = startCallers({ ports, callers: CALLERS, perSecond, questions, epoch: () => epoch });
  try {
    const recovered = await killing(stage, cluster, () => void epoch++);
    return { recovered, heard: await load.stop() };
  } catch (error) {
    await load.stop();
    throw error;
  }
}

/** Milliseconds after each start of a part until all parts were ready again, by part. */
type Recovered = Map<string, number[]>;

/** Kills one part after the other in random order until the time is over and each was killed once. A short trial never kills one of the two servers. */
async function killing({ of, random, tally }: Stage, cluster: Cluster, turn: () => void): Promise<Recovered> {
  const recovered: Recovered = new Map();
  const until = performance.now() + of(1, 300, 3600) * 1000;
  const healthyMs = of(700, 8000, 20_000);
  let waiting: Part[] = [];
  while (performance.now() < until || waiting.length > 0) {
    if (waiting.length === 0) waiting = shuffled(cluster.parts.slice(of(1, 0)), random);
    const part = waiting.pop();
    if (!part) break;
    await pause(healthyMs * (0.1 + 1.9 * random()));
    turn();
    await part.kill();
    did(tally, 'kills');
    if (part === cluster.parts.at(-1)) await untilNoneIsReady(cluster);
    await pause(1000 * random() ** 2);
    const begun = performance.now();
    await part.start();
    await untilReady(cluster);
    recovered.set(part.name, [...(recovered.get(part.name) ?? []), performance.now() - begun]);
    await pause(SETTLING_MS);
    turn();
  }
  await pause(healthyMs);
  return recovered;
}

const untilReady = ({ ready, ports }: Cluster) => untilSo(async () => (await ready()) === ports.length);

/** Waits until each server has noticed that PostgreSQL is down. */
const untilNoneIsReady = ({ ready }: Cluster) => untilSo(async () => (await ready()) === 0);

async function untilSo(isSo: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > READY_MS)
      throw new Error('the servers do not say how it is with the parts');
    await pause(100);
  }
}

function shuffled<T>(values: T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

function judge(tally: Tally, { checks, unanswered, wrong, amiss }: Heard): void {
  did(tally, 'answered calls', checks - unanswered);
  tally.wrong += wrong;
  for (let i = 0; i < unanswered; i++)
    fault(tally, { seen: 'a check had no answer for two minutes', repeat: REPEAT });
  for (const [seen, times] of amiss) for (let i = 0; i < times; i++) fault(tally, { seen, repeat: REPEAT });
}

function tell(tally: Tally, heard: Heard, recovered: Recovered): void {
  const { direct, front, refused, cut, replayed, longestMs } = heard;
  const statuses = [...refused].map(([status, times]) => `${times} × ${status}`).join(', ') || 'none';
  tally.notes.push(
    `a server, all healthy: ${latencies(direct)}; the one in front: ${latencies(front)}`,
    `answers beside 200: ${statuses}; tries without an answer: ${cut}; found counted by a retry: ${replayed}`,
    `longest that a check took with its retries: ${(longestMs / 1000).toFixed(1)} s`,
    ...[...recovered].map(([name, times]) => `${name}, killed ${times.length} ×: ${recoveries(times)}`),
  );
}

const sorted = (values: number[]) => values.toSorted((a, b) => a - b);
const at = (values: number[], part: number) => sorted(values)[Math.floor((values.length - 1) * part)] ?? 0;
const latencies = (values: number[]) =>
  `${values.length} first tries, p50 ${at(values, 0.5).toFixed(1)} ms, p99 ${at(values, 0.99).toFixed(1)} ms`;
const recoveries = (values: number[]) =>
  `all ready ${(at(values, 0.5) / 1000).toFixed(1)} s after its start by the median, ${(at(values, 1) / 1000).toFixed(1)} s at most`;

/** Compares the calls in PostgreSQL with the answers that callers received. */
export async function audit(
  tally: Tally,
  database: string,
  { ids, checks, unanswered }: Pick<Heard, 'ids' | 'checks' | 'unanswered'>,
): Promise<void> {
  const sql = postgres(database, {
    ...parseSocketFolder(database),
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
  });
  const count = async (text: string) => Number((await sql.unsafe<{ n: string }[]>(text))[0]?.n ?? 0);
  const amiss = (seen: string) => fault(tally, { seen, repeat: REPEAT });
  const counted = new Set<string>();
  for (const row of await sql`SELECT request_id FROM bonafide_store.calls`)
    counted.add(String(row.request_id));
  for (const id of ids) if (!counted.has(id)) tally.lost++;
  if (ids.size !== checks - unanswered) amiss('two checks were answered under one id');
  if (counted.size > ids.size + unanswered)
    amiss('a check was counted that was answered under another id, or not at all');
  const sums = ['usage', 'account_usage'].map((table) =>
    count(`SELECT coalesce(sum(calls), 0) AS n FROM bonafide_store.${table}`),
  );
  if ((await Promise.all(sums)).some((sum) => sum !== counted.size))
    amiss('usage is not the number of calls in the log');
  await sql.end();
}
