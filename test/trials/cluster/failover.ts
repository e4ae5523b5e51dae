// Two servers, an importer and a feed on a PostgreSQL primary with a standby. The primary is killed, frozen or switched over at random moments:
// every answered check is counted once, every acknowledged record is published, and checks are answered soon after each promotion.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openPostgresStore } from '../../../src/store/postgres/open.ts';
import { HAS_POSTGRES } from '../../kit/programs/postgres.ts';
import { ask, type Asked } from '../kit/ask.ts';
import { bonafide, launch } from '../kit/children.ts';
import { baseIn, type Base } from '../kit/people.ts';
import { freePort, serve, type Server } from '../kit/server.ts';
import { did, fault } from '../trial.ts';
import type { Stage, Tally, Trial } from '../trial.ts';
import { startCallers, type Heard } from './callers.ts';
import { audit } from './cluster.ts';
import { createTrialKeys } from './keys.ts';
import { type Fed, type Probes, startFeed, startImporter, untilChecked } from './loads.ts';
import { LOSSES, type Loss, type Pair, startPair } from './pair.ts';

export const failovers: Trial[] = [
  {
    name: 'failover',
    about: 'a PostgreSQL primary killed, frozen and switched over, under checks, a feed and imports',
    run,
  },
];

const SECRET = '5c'.repeat(32);
const CALLERS = 8;
const PER_SECOND = 40;
/** Longest time from the end of a promotion to an answered check, on each server. */
const RECOVERY_MS = 5000;
/** Longest time of an import, also of one whose primary is lost. */
const IMPORT_MS = 120_000;

async function run(stage: Stage): Promise<void> {
  const { tally, asynchronous = false } = stage;
  if (!HAS_POSTGRES) return void tally.notes.push('LEFT OUT: no PostgreSQL is here');
  const base = await baseIn(stage.root);
  const pair = await startPair({ isSynchronous: !asynchronous });
  const servers: Server[] = [];
  const probes: Probes = { ids: new Set(), checks: 0, isOver: false };
  try {
    await failOver(stage, { base, pair, servers, probes });
  } finally {
    probes.isOver = true;
    for (const server of servers) await server.stop();
    await pair.close();
  }
}

interface Parts {
  base: Base;
  pair: Pair;
  /** Servers to stop at the end of the trial. */
  servers: Server[];
  probes: Probes;
}

async function failOver(stage: Stage, { base, pair, servers, probes }: Parts): Promise<void> {
  const { tally, folder, rounds = stage.of(2, 30), asynchronous = false } = stage;
  const repeat = `npm run trials -- failover --rounds ${rounds}${asynchronous ? ' --asynchronous' : ''}`;
  const amiss = (seen: string) => fault(tally, { seen, repeat });
  const env = {
    BONAFIDE_SECRET: SECRET,
    BONAFIDE_STORE: `url=${pair.address}`,
    BONAFIDE_GRAPH: `engine=postgres,database=${pair.address},readers=${pair.hosts}`,
  };
  const on = (place: string) => {
    mkdirSync(join(folder, place), { recursive: true, mode: 0o700 });
    return join(folder, place);
  };
  await bonafide(['graph', 'import', base.records, '--data-dir', on('import')], { env });
  const keys = createTrialKeys(pair.address);
  const ports = [await freePort(), await freePort()];
  for (const [i, port] of ports.entries())
    servers.push(await serve(on(`server-${i}`), { port, env, args: ['--init'] }));
  const withKey = (asked: Asked): Asked => ({
    ...asked,
    headers: { ...asked.headers, 'x-api-key': keys.check },
  });
  const questions = base.questions.map(({ asked, answer }) => ({ asked: withKey(asked), answer }));
  const asked = questions[0]?.asked ?? { path: '/v1/validate' };
  let epoch = 1;
  const callers = startCallers({
    ports,
    callers: CALLERS,
    perSecond: PER_SECOND,
    questions,
    epoch: () => epoch,
  });
  const feed = startFeed({ ports, keys, probes, amiss });
  const importer = startImporter({ env, folder, dataDir: on('import') });
  const recoveries: Record<Loss, number[]> = { kill: [], freeze: [], switch: [] };
  for (let round = 0; round < rounds; round++) {
    const loss = LOSSES[Math.floor(stage.random() * LOSSES.length)] ?? 'kill';
    await pause(1000 + 3000 * stage.random());
    epoch++;
    await pair.lose(loss);
    await pause(2000 * stage.random());
    await pair.promote();
    const promoted = performance.now();
    did(tally, 'kills');
    const fence = loss === 'freeze' ? pair.thaw(2000 * stage.random()) : null;
    const answers = ports.map(async (port) => {
      const { tries } = await untilChecked(port, asked, probes);
      const took = performance.now() - promoted;
      if (took > RECOVERY_MS) tally.notes.push(`slow recovery (${loss}): ${tries.join(', ')}`);
      return took;
    });
    recoveries[loss].push(...(await Promise.all(answers)));
    await fence;
    await pair.rejoin();
    await pause(2000);
    epoch++;
  }
  await pause(1000);
  const [heard, fed, imports] = await Promise.all([callers.stop(), feed.stop(), importer.stop()]);
  did(tally, 'answered calls', heard.checks - heard.unanswered);
  for (const id of probes.ids) heard.ids.add(id);
  heard.checks += probes.checks;
  for (const [loss, times] of Object.entries(recoveries))
    if (Math.max(0, ...times) > RECOVERY_MS)
      amiss(`no check was answered for 5 s after a promotion (${loss})`);
  for (const [seen, times] of heard.amiss) for (let i = 0; i < times; i++) amiss(seen);
  for (let i = 0; i < heard.unanswered; i++) amiss('a check had no answer for two minutes');
  if (imports.done === 0) amiss('no import ended well');
  if (imports.longestMs > IMPORT_MS) amiss('an import did not end in two minutes');
  tally.notes.push(
    ...Object.entries(recoveries).map(([loss, times]) => `${loss}: ${describe(times)}`),
    `answers beside 200: ${[...heard.refused].map(([status, times]) => `${times} × ${status}`).join(', ') || 'none'}; tries without an answer: ${heard.cut}; found counted by a retry: ${heard.replayed}; longest check with its retries ${(heard.longestMs / 1000).toFixed(1)} s`,
    `feed: ${fed.acknowledged.length} records acknowledged in ${fed.calls} calls, ${fed.again} tries again; ${fed.seen} seen by a check at once`,
    `imports: ${imports.done} done, ${imports.failed} ended by a failover and begun again; the longest took ${(imports.longestMs / 1000).toFixed(0)} s`,
    await describeLookups(ports[0] ?? 0),
  );
  await judgeRecords(pair, { env, dataDir: on('import'), fed, amiss, tally, asynchronous });
  if (asynchronous) await judgeConsistency(tally, pair, heard);
  else await audit(tally, pair.primaryAddress(), heard);
}

const describe = (times: number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  const seconds = (at: number) => ((sorted[Math.floor((sorted.length - 1) * at)] ?? 0) / 1000).toFixed(1);
  return `${times.length / 2} ×, a check answered ${seconds(0.5)} s after the promotion by the median, ${seconds(1)} s at most`;
};

async function describeLookups(port: number): Promise<string> {
  const { text } = await ask(port, { method: 'GET', path: '/metrics' });
  const counts = [...text.matchAll(/^bonafide_graph_lookups_total\{host="([^"]*)"\} (\d+)/gm)];
  return `look-ups of server 1: ${counts.map(([, host, count]) => `${host} ${count}`).join(', ')}`;
}

interface Judged {
  env: Record<string, string>;
  dataDir: string;
  fed: Fed;
  amiss(seen: string): void;
  tally: Tally;
  asynchronous: boolean;
}

/** Compares every table of the graph with a new linking of its records, and searches for each acknowledged record. */
async function judgeRecords(
  pair: Pair,
  { env, dataDir, fed, amiss, tally, asynchronous }: Judged,
): Promise<void> {
  const verified = await launch(['graph', 'verify', '--data-dir', dataDir, '--json'], { env }).ended;
  if (verified.code !== 0)
    amiss(`graph verify ended with ${verified.code}: ${(verified.stdout + verified.stderr).slice(0, 300)}`);
  const { openPostgresGraph } = await import('../../../src/graph/postgres/engine.ts');
  const { queryOf } = await import('../../kit/graphs/graph.ts');
  const graph = openPostgresGraph({ url: pair.address, secret: SECRET, folder: dataDir, create: false });
  let lost = 0;
  try {
    for (const email of fed.acknowledged) {
      const { values } = await graph.resolve(queryOf({ name: 'Fedora Quill', emails: [email] }));
      if (!values[0]?.length) lost++;
    }
  } finally {
    await graph.close();
  }
  tally.notes.push(`records acknowledged and lost: ${lost}`);
  if (lost > 0 && !asynchronous) amiss('an acknowledged record is lost');
}

/** With asynchronous replication calls may be lost, but usage is the number of calls in the log. */
async function judgeConsistency(tally: Tally, pair: Pair, heard: Heard): Promise<void> {
  const store = openPostgresStore(pair.primaryAddress());
  try {
    const ids = new Set(store.raw.prepare<[], string>('SELECT request_id FROM calls').pluck().all());
    const lost = [...heard.ids].filter((id) => !ids.has(id)).length;
    const sum = store.raw.prepare<[], number>('SELECT coalesce(sum(calls), 0)::int FROM usage').pluck().get();
    tally.notes.push(`answered calls lost: ${lost} of ${heard.ids.size}`);
    if (sum !== ids.size)
      fault(tally, {
        seen: 'usage is not the number of calls in the log',
        repeat: 'npm run trials -- failover --asynchronous',
      });
  } finally {
    store.close();
  }
}
