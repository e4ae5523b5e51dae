// SIGKILL at random times of a feed and of an import. Each acknowledged batch is complete, and checks see it; any other batch is complete or
// absent. The graph is verified as it was left, and the next server links it as a new linking of all records would.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { bonafide, launch } from '../kit/children.ts';
import { failureOf, runInside } from '../kit/inside.ts';
import { baseIn, copyOf } from '../kit/people.ts';
import type { Base } from '../kit/people.ts';
import { freePort, serve } from '../kit/server.ts';
import type { Server } from '../kit/server.ts';
import { did, fault, inLanes } from '../trial.ts';
import type { Stage, Trial } from '../trial.ts';

export const killedFeeds: Trial[] = [
  {
    name: 'kill-feeding',
    about: 'a server killed at random moments while records are sent to it',
    run: feeding,
  },
  {
    name: 'kill-importing-moments',
    about: 'an import killed at random moments, and what it leaves linked anew and compared',
    run: importing,
  },
];

/** Number of the batch that wrote each record last; 0 for a batch that removed it. */
type Written = Map<string, number>;

const PLACES = 90;
const MOST_LINES = 12;
/** More than a tenth of the graph, so that all records are linked again before checks see the batch. */
const MANY_LINES = 80;
const LANES = 2;

interface Batch {
  number: number;
  /** Numbers of the records that the batch writes, and of those that it removes. */
  put: number[];
  gone: number[];
}

interface Lane {
  stage: Stage;
  folder: string;
  key: string;
  written: Written;
  /** Last batch if it was sent and not answered. */
  open: Batch | null;
  batches: number;
  /** Called at the next answer. */
  onAnswer: () => void;
}

const answered = (lane: Lane) => new Promise<void>((resolve) => (lane.onAnswer = resolve));

async function feeding(stage: Stage): Promise<void> {
  const base = await baseIn(stage.root);
  const kills = stage.times(2, 50);
  const lanes = stage.of(1, LANES);
  await Promise.all(
    Array.from({ length: lanes }, (_, i) =>
      feedLane(stage, base, { lane: i, kills: Math.ceil(kills / lanes) }),
    ),
  );
}

async function feedLane(stage: Stage, base: Base, of: { lane: number; kills: number }): Promise<void> {
  const folder = copyOf(base.folder, join(stage.folder, `lane-${of.lane}`));
  const { key } = await runInside([
    'keys',
    'create',
    '--name',
    'feed',
    '--scopes',
    'admin',
    '--data-dir',
    folder,
  ]);
  const lane: Lane = {
    stage,
    folder,
    key: String(key),
    written: new Map(),
    open: null,
    batches: 0,
    onAnswer: () => undefined,
  };
  const port = await freePort();
  for (let kill = 0; kill < of.kills; kill++) {
    const server = await serve(folder, { port });
    const moment = 10 ** (stage.random() * 3);
    // Kills mostly after the first answer; sometimes before, while the server starts.
    const begun = kill % 6 === 5 ? Promise.resolve() : answered(lane);
    const killed = begun.then(() => pause(moment)).then(() => server.kill());
    await sendUntilKilled(lane, server);
    await killed;
    did(stage.tally, 'kills');
    const isLast = kill === of.kills - 1;
    const amiss =
      (await wrongIn(lane)) ??
      (await refusedAsLeft(stage, folder)) ??
      (isLast || kill % HEALED_EVERY === 0 ? await notHealed(folder, port) : null);
    if (amiss) fault(stage.tally, { seen: amiss, repeat: REPEAT });
  }
}
const REPEAT = 'npm run trials -- --only kill-feeding';
/** Interval of kills after which a server completes the linking. After the others, the next server, which is killed too, continues it. */
const HEALED_EVERY = 3;

/** Sends one batch after the other until no answer comes. */
async function sendUntilKilled(lane: Lane, server: Server): Promise<void> {
  for (;;) {
    const batch = nextBatch(lane);
    lane.open = batch;
    const answer = await send(lane, server, batch);
    if (!answer) return;
    if (answer.put !== batch.put.length || answer.deleted !== batch.gone.length) {
      fault(lane.stage.tally, { seen: `a batch was answered ${JSON.stringify(answer)}`, repeat: REPEAT });
      lane.onAnswer();
      return;
    }
    lane.onAnswer();
    did(lane.stage.tally, answer.linked ? 'batches seen at once' : 'batches seen later');
    for (const place of batch.put) lane.written.set(nameOf(place), batch.number);
    for (const place of batch.gone) lane.written.set(nameOf(place), 0);
    lane.open = null;
  }
}

const nameOf = (place: number) => `fed-${place}`;

function nextBatch(lane: Lane): Batch {
  const { random } = lane.stage;
  const number = ++lane.batches;
  const most = random() < 0.3 ? MANY_LINES : MOST_LINES;
  const places = new Set(
    Array.from({ length: 1 + Math.floor(random() * most) }, () => Math.floor(random() * PLACES)),
  );
  const put: number[] = [];
  const gone: number[] = [];
  for (const place of places) (random() < 0.25 ? gone : put).push(place);
  return { number, put, gone };
}

const GIVEN = ['Oda', 'Ivo', 'Runa', 'Tove', 'Eskil', 'Signe'];

/** Returns a record whose first date encodes the batch. Records of several places belong to one person. */
function recordOf(place: number, batch: number) {
  const person = place % 40;
  return {
    record_id: nameOf(place),
    source: 'fed',
    name: `${GIVEN[person % GIVEN.length]} Fedorsen${person}`,
    emails: [`person${person}@fed.example`, `batch${batch}.${place}@fed.example`],
    title: 'Mx',
    first_seen: new Date(1_600_000_000_000 + batch * 86_400_000).toISOString(),
  };
}

interface Told {
  put: number;
  deleted: number;
  linked: boolean;
}

/** Sends a batch. Returns null if no answer came. */
async function send({ key }: Lane, { url }: Server, { number, put, gone }: Batch): Promise<Told | null> {
  const lines = [
    ...put.map((place) => recordOf(place, number)),
    ...gone.map((place) => ({ record_id: nameOf(place), source: 'fed', deleted: true })),
  ];
  try {
    const response = await fetch(`${url}/admin/v1/records`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    });
    return (await response.json()) as Told;
  } catch {
    return null;
  }
}

/** Returns a fault of a folder as a sentence, or null. An unanswered batch may be complete or absent. */
async function wrongIn(lane: Lane): Promise<string | null> {
  const held = await batchesHeld(lane.folder);
  const after = new Map(lane.written);
  for (const place of lane.open?.put ?? []) after.set(nameOf(place), lane.open?.number ?? 0);
  for (const place of lane.open?.gone ?? []) after.set(nameOf(place), 0);
  lane.open = null;
  const is = (wanted: Written) => [...wanted].every(([name, batch]) => (held.get(name) ?? 0) === batch);
  if (is(lane.written)) return null;
  if (!is(after)) return 'an acknowledged batch is not whole, or another is there in part';
  lane.written = after;
  return null;
}

/** Returns the batch of each record, decoded from its first date. */
async function batchesHeld(folder: string): Promise<Written> {
  const graph = openSqliteGraph({ dataDir: folder });
  const held: Written = new Map();
  try {
    for await (const page of graph.records.pages())
      for (const { source, recordId, firstSeen } of page)
        if (source === 'fed')
          held.set(recordId, Math.round(((firstSeen ?? 0) - 1_600_000_000_000) / 86_400_000));
  } finally {
    await graph.close();
  }
  return held;
}

/** Returns the failure of `graph verify`, or null. Records that are not linked yet are no fault. */
async function refusedAsLeft({ tally }: Stage, folder: string): Promise<string | null> {
  const verified = await runInside(['graph', 'verify', '--data-dir', folder]).catch(String);
  if (typeof verified === 'string') return `what was left: ${verified}`;
  const { linked, settled } = verified;
  did(tally, settled ? 'graphs left settled' : linked ? 'graphs left unsettled' : 'graphs left unlinked');
  return null;
}

const LOOKS = 120;
const LOOK_MS = 500;

/** Checks that a server links pending records without a request. */
async function notHealed(folder: string, port: number): Promise<string | null> {
  const server = await serve(folder, { port });
  let isSettled = false;
  for (let look = 0; look < LOOKS && !isSettled; look++) {
    await pause(LOOK_MS);
    isSettled = (await runInside(['graph', 'stats', '--data-dir', folder])).settled === true;
  }
  await server.kill();
  if (!isSettled) return 'a server did not link what it found';
  return failureOf(['graph', 'verify', '--data-dir', folder]);
}

/** Checks a graph against a new linking. Postponed linking is completed first. */
async function notAsLinkedAnew({ tally, folder: spare }: Stage, folder: string): Promise<string | null> {
  const { settled } = await runInside(['graph', 'stats', '--data-dir', folder]);
  did(tally, settled ? 'graphs verified as they were left' : 'graphs verified when settled');
  if (settled !== true) {
    const nothing = join(spare, 'nothing');
    mkdirSync(nothing, { recursive: true });
    await launch(['graph', 'watch', nothing, '--once', '--data-dir', folder]).ended;
  }
  return failureOf(['graph', 'verify', '--data-dir', folder]);
}

async function importing(stage: Stage): Promise<void> {
  const base = await baseIn(stage.root);
  const begun = performance.now();
  await bonafide([
    'graph',
    'import',
    base.more,
    '--data-dir',
    copyOf(base.folder, join(stage.folder, 'whole')),
  ]);
  const took = performance.now() - begun;
  const moments = Array.from({ length: stage.times(2, 50) }, () => took * (0.2 + 0.8 * stage.random()));
  await inLanes(moments.entries(), stage.of(1, LANES), async ([i, moment]) => {
    const folder = copyOf(base.folder, join(stage.folder, `killed-${i}`));
    const child = launch(['graph', 'import', base.more, '--data-dir', folder]);
    setTimeout(() => child.process.kill('SIGKILL'), moment);
    await child.ended;
    did(stage.tally, 'kills');
    const amiss = await notAsLinkedAnew(stage, folder);
    if (amiss) fault(stage.tally, { seen: amiss, repeat: 'npm run trials -- --only kill-importing-moments' });
  });
}
