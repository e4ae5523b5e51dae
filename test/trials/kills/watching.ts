// Watches: random worlds in which every event is compared with a check of every watch after every publication; and servers killed at random
// moments while records that watches wait for are published, after which each change has exactly one event.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { openStoreAtLocation } from '../../../src/store/open.ts';
import { getStoreFile } from '../../../src/store/sqlite/open.ts';
import { importInto, strangers } from '../../kit/graphs/graph.ts';
import { playWorld } from '../../watches/worlds.ts';
import { baseIn, copyOf, createKeys } from '../kit/people.ts';
import { freePort, serve, type Server } from '../kit/server.ts';
import { did, fault, type Stage, type Trial } from '../trial.ts';

export const watching: Trial[] = [
  {
    name: 'watch-worlds',
    about: 'random imports, feeds, splits, joins, forgets and undos, and the events of watches',
    run: worlds,
  },
  {
    name: 'kill-watching',
    about: 'a server killed at random moments while watches are checked again',
    run: killed,
  },
];

async function worlds(stage: Stage): Promise<void> {
  const base = join(stage.folder, 'strangers');
  const graph = openSqliteGraph({ dataDir: base });
  await importInto(graph, [strangers(90)]);
  await graph.close();
  const count = stage.times(4, 300);
  for (let i = 0; i < count; i++) {
    const seed = Math.floor(stage.random() * 2 ** 32);
    const folder = copyOf(base, join(stage.folder, String(seed)));
    const { differences, events } = await playWorld(seed, openSqliteGraph({ dataDir: folder }), folder);
    did(stage.tally, 'worlds');
    did(stage.tally, 'events', events);
    for (const difference of differences)
      fault(stage.tally, { seen: `world ${seed}: ${difference}`, repeat: `playWorld(${seed}, …)` });
  }
}

const REPEAT = 'npm run trials -- --only kill-watching';
const env = { BONAFIDE_WATCHES: 'true' };
/** Longest time in which a watch is checked again after the last start. */
const LIMIT_MS = 60_000;

async function killed(stage: Stage): Promise<void> {
  const base = await baseIn(stage.root);
  const folder = copyOf(base.folder, join(stage.folder, 'watched'));
  const key = createKeys(folder).at(-1) ?? '';
  const port = await freePort();
  const kills = stage.times(3, 200);
  const lease = openLease(folder);
  const ids: string[] = [];
  for (let i = 0; i < kills; i++) {
    const server = await serve(folder, { port, env });
    const claim = { name: `Watcher Number${i}x`, emails: [`watched.${i}@trial.example`] };
    const { watch_id: id } = await call(server, key, '/v1/watches', claim);
    ids.push(String(id));
    const graph = openSqliteGraph({ dataDir: folder });
    const begun = performance.now();
    const published = importInto(graph, [[{ record_id: `w${i}`, ...claim }]], { threads: 0 });
    // Half of the kills hit the re-checks of this change, the others those of the changes before.
    if (i % 2 === 1) await published;
    while (!lease.isTaken() && performance.now() - begun < LIMIT_MS) await pause(1);
    await pause(10 ** (stage.random() * 4));
    await server.kill();
    await published;
    await graph.close();
    lease.end();
    did(stage.tally, 'kills');
  }
  lease.close();
  const server = await serve(folder, { port, env });
  const begun = performance.now();
  let counts = await countEvents(server, key);
  stage.tally.notes.push(`${counts.size} of ${kills} events were there soon after the last start`);
  while (ids.some((id) => !counts.has(id)) && performance.now() - begun < LIMIT_MS) {
    await pause(500);
    counts = await countEvents(server, key);
  }
  await pause(2000);
  counts = await countEvents(server, key);
  await server.kill();
  for (const id of ids)
    if (counts.get(id) !== 1)
      fault(stage.tally, { seen: `${counts.get(id) ?? 0} events of one change`, repeat: REPEAT });
}

/**
 * Opens the lease of the re-checks. A server takes it when it begins to re-check. A killed server's lease would keep the next servers from work
 * for 15 s, longer than most of them live.
 */
function openLease(folder: string) {
  const store = openStoreAtLocation({ file: getStoreFile(folder) });
  const until = store.raw.prepare<[], number>('SELECT max(until) FROM watch_progress').pluck();
  const ending = store.raw.prepare('UPDATE watch_progress SET until = 0');
  return {
    isTaken: () => (until.get() ?? 0) > 0,
    end: () => void ending.run(),
    close: () => store.close(),
  };
}

/** Returns the number of events of each watch. */
async function countEvents(server: Server, key: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let after = ''; ;) {
    const page = await call(server, key, `/v1/events?limit=500${after}`);
    const events = page.events as { watch_id: string }[];
    for (const { watch_id: id } of events) counts.set(id, (counts.get(id) ?? 0) + 1);
    if (events.length === 0) return counts;
    after = `&after=${String(page.next)}`;
  }
}

async function call(
  server: Server,
  key: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const response = await fetch(server.url + path, { ...init, headers });
  if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
}
