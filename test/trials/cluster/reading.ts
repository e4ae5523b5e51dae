// Look-ups on a standby that is frozen, or whose replay is paused: no answer is older than `graph.max_lag_seconds`. Also the CPU time of the
// primary for a check, with and without a standby that answers look-ups.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HAS_POSTGRES } from '../../kit/programs/postgres.ts';
import { ask, openLines } from '../kit/ask.ts';
import { bonafide } from '../kit/children.ts';
import { baseIn, type Base } from '../kit/people.ts';
import { serve, type Server } from '../kit/server.ts';
import { did, fault, type Stage, type Trial } from '../trial.ts';
import { createTrialKeys, type Keys } from './keys.ts';
import { type Pair, startPair } from './pair.ts';

export const standbyReads: Trial[] = [
  {
    name: 'standby-reads',
    about:
      'a standby that answers look-ups frozen and paused: how old answers are, and what a check costs the primary',
    run,
  },
];

const SECRET = '5c'.repeat(32);
/** Greatest age of an answer: the default of `graph.max_lag_seconds`. */
const MAX_LAG_MS = 5000;
const FEED_EVERY_MS = 250;
const REPEAT = 'npm run trials -- --only standby-reads';

async function run(stage: Stage): Promise<void> {
  if (!HAS_POSTGRES) return void stage.tally.notes.push('LEFT OUT: no PostgreSQL is here');
  const base = await baseIn(stage.root);
  const pair = await startPair({ isSynchronous: false });
  const servers: Server[] = [];
  const start = async (place: string, readers: string) => {
    const folder = join(stage.folder, place);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const graph = `engine=postgres,database=${pair.address}${readers && `,readers=${readers}`}`;
    const env = { BONAFIDE_SECRET: SECRET, BONAFIDE_STORE: `url=${pair.address}`, BONAFIDE_GRAPH: graph };
    if (servers.length === 0)
      await bonafide(['graph', 'import', base.records, '--data-dir', folder], { env });
    const server = await serve(folder, { env, args: ['--init'] });
    servers.push(server);
    return server;
  };
  try {
    const reading = await start('reading', pair.hosts);
    const keys = createTrialKeys(pair.address);
    await judgeAge(stage, { pair, server: reading, keys });
    const plain = await start('plain', '');
    await measureCost(stage, { pair, base, keys, servers: { plain, reading } });
  } finally {
    for (const server of servers) await server.stop();
    await pair.close();
  }
}

interface Reading {
  pair: Pair;
  server: Server;
  keys: Keys;
}

/** Feeds records, and searches for each one that was published longer ago than an answer may be old. */
async function judgeAge(stage: Stage, { pair, server, keys }: Reading): Promise<void> {
  const { tally } = stage;
  const state = { isRunning: true, way: 'following' };
  const fed: { email: string; at: number }[] = [];
  const counts = new Map<string, { old: number; seen: number; behind: number }>();
  const isSeen = async (email: string) => {
    const { status, text } = await ask(server.port, {
      path: '/v1/validate',
      headers: { 'content-type': 'application/json', 'x-api-key': keys.check },
      body: JSON.stringify({ name: 'Fedora Quill', emails: [email] }),
    });
    if (status !== 200) return null;
    did(tally, 'checks');
    return / Match/.test(JSON.parse(text).input_validation?.email?.match_status ?? '');
  };
  const feed = async () => {
    for (let number = 0; state.isRunning; number++) {
      const email = `aged.${number}@fed.example`;
      const record = {
        source: 'feed',
        record_id: String(number),
        name: `Fedora Quill${number}`,
        emails: [email],
      };
      const { status, text } = await ask(server.port, {
        path: '/admin/v1/records',
        headers: { 'content-type': 'application/x-ndjson', 'x-api-key': keys.admin },
        body: `${JSON.stringify(record)}\n`,
      });
      if (status === 200 && JSON.parse(text).linked === true) fed.push({ email, at: performance.now() });
      await pause(FEED_EVERY_MS);
    }
  };
  const look = async () => {
    while (state.isRunning) {
      const now = performance.now();
      const { way } = state;
      const count = counts.get(way) ?? { old: 0, seen: 0, behind: 0 };
      counts.set(way, count);
      const known = fed.findLast(({ at }) => now - at > MAX_LAG_MS);
      if (known) {
        const answer = await isSeen(known.email);
        if (answer === false) {
          count.old++;
          fault(tally, { seen: `an answer was older than the bound (standby ${way})`, repeat: REPEAT });
        } else if (answer) count.seen++;
      }
      const last = fed.at(-1);
      if (last && (await isSeen(last.email)) === false) count.behind++;
      await pause(20);
    }
  };
  const running = [feed(), look(), look()];
  const seconds = stage.of(4, 30);
  const hold = async (way: string, set: (isHeld: boolean) => Promise<void>) => {
    state.way = way;
    await set(true);
    await pause(1000 * seconds);
    state.way = `${way} and continued`;
    await set(false);
    await pause(1000 * stage.of(2, 10));
  };
  await pause(MAX_LAG_MS + 1000);
  await hold('frozen', async (isHeld) => pair.freezeStandby(isHeld));
  await hold('with its replay paused', (isHeld) => pair.pauseStandby(isHeld));
  state.isRunning = false;
  await Promise.all(running);
  for (const [way, { old, seen, behind }] of counts)
    tally.notes.push(
      `standby ${way}: ${old} of ${old + seen} answers older than 5 s; ${behind} without the newest record`,
    );
}

interface Costs extends Omit<Reading, 'server'> {
  base: Base;
  servers: { plain: Server; reading: Server };
}

/** Measures the CPU time of the primary for a check, alternately with both servers. */
async function measureCost(stage: Stage, { pair, base, keys, servers }: Costs): Promise<void> {
  const checks = stage.of(40, 2000);
  const totals = { plain: 0, reading: 0 };
  const agent = openLines(8);
  const load = async (server: Server, count: number) => {
    let next = 0;
    const caller = async () => {
      while (next < count) {
        const question = base.questions[next++ % base.questions.length];
        if (!question) return;
        const headers = { ...question.asked.headers, 'x-api-key': keys.check };
        await ask(server.port, { ...question.asked, headers }, agent);
      }
    };
    await Promise.all(Array.from({ length: 8 }, caller));
  };
  const rounds = 4;
  for (const server of Object.values(servers)) await load(server, 20);
  for (let round = 0; round < rounds; round++)
    for (const name of ['plain', 'reading'] as const) {
      const before = pair.primaryCpuMs();
      await load(servers[name], checks / rounds);
      totals[name] += pair.primaryCpuMs() - before;
    }
  agent.destroy();
  did(stage.tally, 'checks', 2 * checks);
  const [plain, reading] = [totals.plain / checks, totals.reading / checks];
  stage.tally.notes.push(
    `processor time of the primary per check: ${plain.toFixed(2)} ms, with a standby ${reading.toFixed(2)} ms (−${(100 * (1 - reading / plain)).toFixed(0)} %)`,
  );
}
