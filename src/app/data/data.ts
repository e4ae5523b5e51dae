// The databases of a folder and what writes calls to them: for a whole server, and for one of several threads that serve.
import type { Config } from '../../config.ts';
import { isGraphInDataFolder } from '../../graph/engines.ts';
import type { IdentityGraph } from '../../graph/graph.ts';
import { checkClock } from '../../maintenance/doctor/folder.ts';
import { finishSwap } from '../../maintenance/swap.ts';
import type { Log } from '../../observe/log.ts';
import { deliverNotices } from '../../observe/notices.ts';
import { refuseExposedFolder } from '../../platform/files.ts';
import { refuseLost, watchHeld, type Held, type Watch } from '../../platform/held.ts';
import { removeLeft } from '../../platform/left/left.ts';
import { openWebhookSettings } from '../../store/serving/notices.ts';
import type { Recorder, ConnectWriter } from '../../store/serving/recorder.ts';
import type { StoreEngine } from '../../store/engine.ts';
import type { Opened } from '../closing.ts';
import { openGraphOf } from '../graphs/open.ts';
import { checkHeld, watchFolder } from './held.ts';
import { joinServing, openServing } from './store.ts';

export interface Data {
  graph: IdentityGraph;
  engine: StoreEngine;
  watch: Watch;
}

const DAY_MS = 86_400_000;
const REMOVE_EVERY_MS = 3_600_000;

/**
 * Opens the data of a server, which does by itself from then on what is due once a folder: it removes what is old, and sends notices.
 *
 * Errors: those of the store, the graph (wrong_secret, damaged_database …) and of a folder that lost what it held.
 */
export async function openData(config: Config, log: Log, opened: Opened): Promise<Data> {
  const { dataDir, webhook } = config;
  refuseExposedFolder(dataDir);
  finishSwap(dataDir);
  const here = heldHere(config);
  refuseLost(dataDir, ...here);
  warnOfClock(dataDir, log);
  const graph = opened(await openGraphOf(config, { log }), (graph) => graph.close());
  for (const text of await graph.warnings()) log.warn(text);
  const left = removeLeft(dataDir);
  if (left.length > 0) log.info(`removed what a killed process left: ${left.join(', ')}`);
  const engine = await openServing(config, opened);
  await checkHeld(dataDir, here, { graph, engine });
  const watch = opened(watchFolder(dataDir, here, log), (watch) => watch.close());
  if (webhook) {
    const sending = { ...openWebhookSettings(webhook), queue: engine.notices, log };
    opened(deliverNotices(sending), (sending) => sending.close());
  }
  opened(removeOld(engine.recorder, config.retentionDays), clearInterval);
  return { graph, engine, watch };
}

/** What lies in the folder: where graph or store are in a database elsewhere, files of theirs are of another time. */
const heldHere = (config: Config): Held[] => [
  ...(config.store ? [] : (['keys'] as const)),
  ...(isGraphInDataFolder(config) ? (['records'] as const) : []),
];

/** Calls count in the month of the clock: one that stands in the past bills a month that is over. */
function warnOfClock(dataDir: string, log: Log): void {
  const { state, says, todo } = checkClock(dataDir, Date.now());
  if (state !== 'ok') log.warn(`${says} ${todo}`);
}

interface Joining {
  opened: Opened;
  writer: ConnectWriter;
}

/** Opens the same data for another thread of a server that `openData` has opened it for; its calls go through that server's writer. */
export async function joinData(config: Config, log: Log, { opened, writer }: Joining): Promise<Data> {
  const graph = opened(await openGraphOf(config, { log }), (graph) => graph.close());
  // The thread that opened it first tells when a file is away.
  const watch = opened(
    watchHeld(config.dataDir, heldHere(config), () => undefined),
    (watch) => watch.close(),
  );
  return { graph, engine: await joinServing(config, opened, writer), watch };
}


/** Removes what is older than it may be, calls from the call log and Idempotency-Keys, now and every hour. */
function removeOld(recorder: Recorder, retentionDays: number) {
  const thanMs = retentionDays > 0 ? retentionDays * DAY_MS : null;
  const remove = () => recorder.removeOld({ maxAgeMs: thanMs, now: Date.now() });
  remove();
  return setInterval(remove, REMOVE_EVERY_MS).unref();
}
