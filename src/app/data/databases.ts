// The databases of a folder and what writes calls to them: for a whole server, and for one of several threads that serve.
import { type Config, parseDuration } from '../../config.ts';
import { isGraphInDataFolder } from '../../graph/engines.ts';
import type { IdentityGraph } from '../../graph/graph.ts';
import { checkClock } from '../../maintenance/doctor/folder.ts';
import { finishSwap } from '../../maintenance/swap.ts';
import type { Log } from '../../observe/log.ts';
import { deliverNotices } from '../../observe/notices.ts';
import { requirePrivateFolder } from '../../platform/files.ts';
import { requireRememberedFiles, watchDataFiles, type DataPart, type DataFileWatch } from '../../platform/data-folder.ts';
import { removeLeftovers } from '../../platform/temporary-files.ts';
import { openWebhookSettings } from '../../store/serving/notices.ts';
import type { Recorder, ConnectWriter } from '../../store/serving/recorder.ts';
import type { StoreEngine } from '../../store/engine.ts';
import type { CloseLater } from '../closer.ts';
import { openConfiguredGraph } from '../graph/open.ts';
import { requireExpectedContents, watchDataFolder } from './folder-checks.ts';
import { joinServerStore, openServerStore } from './store.ts';
import { resolve } from 'node:path';
import type { BackgroundOptions } from '../../maintenance/background.ts';

export interface ServerData {
  graph: IdentityGraph;
  engine: StoreEngine;
  watch: DataFileWatch;
}

const DAY_MS = 86_400_000;
const REMOVE_EVERY_MS = 3_600_000;

/**
 * Opens the data of a server, which does by itself from then on what is due once a folder: it removes what is old, and sends notices.
 *
 * Errors: those of the store, the graph (wrong_secret, damaged_database …) and of a folder that lost what it held.
 */
export async function openServerData(config: Config, log: Log, closeLater: CloseLater): Promise<ServerData> {
  const { dataDir, webhook } = config;
  requirePrivateFolder(dataDir);
  finishSwap(dataDir);
  const here = listFolderParts(config);
  requireRememberedFiles(dataDir, ...here);
  warnOfWrongClock(dataDir, log);
  const graph = closeLater(await openConfiguredGraph(config, { log }), (graph) => graph.close());
  for (const text of await graph.warnings()) log.warn(text);
  const left = removeLeftovers(dataDir);
  if (left.length > 0) log.info(`removed what a killed process left: ${left.join(', ')}`);
  const engine = await openServerStore(config, closeLater);
  await requireExpectedContents(dataDir, here, { graph, engine });
  const watch = closeLater(watchDataFolder(dataDir, here, log), (watch) => watch.close());
  if (webhook) {
    const sending = { ...openWebhookSettings(webhook), queue: engine.notices, log };
    closeLater(deliverNotices(sending), (sending) => sending.close());
  }
  closeLater(startRemovingOldRows(engine.recorder, config.retentionDays), clearInterval);
  return { graph, engine, watch };
}

/** What lies in the folder: where graph or store are in a database elsewhere, files of theirs are of another time. */
const listFolderParts = (config: Config): DataPart[] => [
  ...(config.store ? [] : (['keys'] as const)),
  ...(isGraphInDataFolder(config) ? (['records'] as const) : []),
];

/** Calls count in the month of the clock: one that stands in the past bills a month that is over. */
function warnOfWrongClock(dataDir: string, log: Log): void {
  const { state, says, todo } = checkClock(dataDir, Date.now());
  if (state !== 'ok') log.warn(`${says} ${todo}`);
}

interface JoinOptions {
  closeLater: CloseLater;
  writer: ConnectWriter;
}

/** Opens the same data for another thread of a server that `openData` has opened it for; its calls go through that server's writer. */
export async function joinServerData(config: Config, log: Log, { closeLater, writer }: JoinOptions): Promise<ServerData> {
  const graph = closeLater(await openConfiguredGraph(config, { log }), (graph) => graph.close());
  // The thread that opened it first tells when a file is away.
  const watch = closeLater(
    watchDataFiles(config.dataDir, listFolderParts(config), () => undefined),
    (watch) => watch.close(),
  );
  return { graph, engine: await joinServerStore(config, closeLater, writer), watch };
}


/** Removes what is older than it may be, calls from the call log and Idempotency-Keys, now and every hour. */
function startRemovingOldRows(recorder: Recorder, retentionDays: number) {
  const thanMs = retentionDays > 0 ? retentionDays * DAY_MS : null;
  const remove = () => recorder.removeOld({ maxAgeMs: thanMs, now: Date.now() });
  remove();
  return setInterval(remove, REMOVE_EVERY_MS).unref();
}

/** What a server does by itself to keep its data. */
export function toBackgroundOptions({ dataDir, secret, backup }: Config, log: Log): BackgroundOptions {
  if (!backup) return { dataDir, log };
  const { every, to, ...rest } = backup;
  return { dataDir, secret, log, backups: { ...rest, to: resolve(to), everyMs: parseDuration(every) ?? 0 } };
}
