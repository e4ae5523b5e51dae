// Opens the graph and the store of a server, for the main thread and for further serving threads.
import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { isWebhookAddressAllowed } from '../../accounts/addresses.ts';
import { getNextWebhookAttemptTime, parseWebhookSecret, signWebhookMessage } from '../../accounts/billing/webhook.ts';
import { type Config, parseDuration } from '../../config.ts';
import { loadOrCreateSecret, requireNoInterruptedRekey } from '../../graph/encryption/secret.ts';
import { isGraphInDataFolder, listUnconfiguredDatabaseFiles } from '../../graph/engines.ts';
import type { IdentityGraph } from '../../graph/graph.ts';
import type { BackgroundMaintenanceOptions } from '../../maintenance/background.ts';
import { checkSystemClock } from '../../maintenance/doctor/folder.ts';
import { requireEntryTypes } from '../../maintenance/data-files.ts';
import { completeInterruptedFileReplacement } from '../../maintenance/swap.ts';
import type { Log } from '../../observe/log.ts';
import { startNoticeDelivery, type DeliveryOptions, type DeliveryTarget } from '../../observe/notices.ts';
import { requireDataFilesNotMissing, monitorDataFiles, type DataFolderDatabase, type DataFileMonitor } from '../../platform/data-folder.ts';
import { requirePrivateFolder } from '../../platform/files.ts';
import { removeAbandonedTemporaryFiles } from '../../platform/temporary-files.ts';
import type { StoreEngine } from '../../store/engine.ts';
import type { StoredWebhookEndpoint } from '../../store/events/endpoints.ts';
import { loadOperatorWebhookTarget, type PendingWebhookMessage } from '../../store/serving/notices.ts';
import { type CallRecorder, type ConnectToStoreWriterFunction, createCallRecorder } from '../../store/serving/recorder.ts';
import { createWatchCodec, type WatchCodec } from '../../watches/watch.ts';
import type { RegisterForClosing } from '../closer.ts';
import { openConfiguredGraph } from '../graph/open.ts';
import { queueFailedBackupMessage, startOperatorMessageTimer } from '../metrics/events.ts';
import { startWatchThread, type WatchThread } from '../watches/thread.ts';
import { requireDatabasesNotEmptied, monitorAndLogMissingDataFiles } from './folder-checks.ts';
import { computeStoreSecretCheckValue } from '../../graph/encryption/fingerprints.ts';
import { openStoreAtLocation, getStoreLocation } from '../../store/open.ts';
import { openSqliteStore, getStoreFile } from '../../store/sqlite/open.ts';
import { createSqliteEngine, startCallRecorder } from '../../store/sqlite/engine.ts';

export interface ServerDatabases {
  graph: IdentityGraph;
  engine: StoreEngine;
  watch: DataFileMonitor;
  /** Thread that re-checks watches; null in further serving threads, and without the setting `watches`. */
  watchThread: WatchThread | null;
}

const DAY_MS = 86_400_000;
const REMOVE_EVERY_MS = 3_600_000;

/**
 * Opens the graph and the store of a server, and starts periodic tasks: removal of old rows, delivery of notices. Errors: data_missing for a
 * folder that has lost its data; those of the store and the graph, such as wrong_secret.
 */
export async function openServerDatabases(config: Config, log: Log, closeLater: RegisterForClosing): Promise<ServerDatabases> {
  const { dataDir, webhook } = config;
  requirePrivateFolder(dataDir);
  requireEntryTypes(dataDir);
  completeInterruptedFileReplacement(dataDir);
  const folderDatabases = listFolderDatabases(config);
  requireDataFilesNotMissing(dataDir, ...folderDatabases);
  warnOfWrongClock(dataDir, log);
  // Content under the old secret cannot be decrypted: the server would delete such watches and fail such jobs.
  requireNoInterruptedRekey(dataDir, config.secret);
  const graph = closeLater(await openConfiguredGraph(config, { log }));
  for (const text of await graph.warnings()) log.warn(text);
  const leftovers = removeAbandonedTemporaryFiles(dataDir);
  if (leftovers.length > 0) log.info(`removed leftover files of a killed process: ${leftovers.join(', ')}`);
  const engine = await openServerStore(config, closeLater);
  await requireDatabasesNotEmptied(dataDir, folderDatabases, { graph, engine });
  const watch = closeLater(monitorAndLogMissingDataFiles(dataDir, folderDatabases, log));
  const delivery = closeLater(startNoticeDelivery(createDelivery(config, log, engine)));
  if (webhook) closeLater(startOperatorMessageTimer(engine, log), clearInterval);
  closeLater(startRemovingOldRows(engine.recorder, getCallRetentionMs(config)), clearInterval);
  const watchThread = config.watches
    ? closeLater(startWatchThread(config, log, engine, { onEvents: delivery.look }))
    : null;
  return { graph, engine, watch, watchThread };
}

/** Lists the databases (graph, store) that are stored in files of the data folder. */
const listFolderDatabases = (config: Config): DataFolderDatabase[] => [
  ...(config.store ? [] : (['keys'] as const)),
  ...(isGraphInDataFolder(config) ? (['records'] as const) : []),
];

/** Logs a warning if the system clock is wrong, because calls are billed by its month. */
function warnOfWrongClock(dataDir: string, log: Log): void {
  const { state, says, todo } = checkSystemClock(dataDir, Date.now());
  if (state !== 'ok') log.warn(`${says} ${todo}`);
}

interface JoinOptions {
  closeLater: RegisterForClosing;
  writer: ConnectToStoreWriterFunction;
}

/** Opens the graph and the store for a further serving thread, whose calls go through the existing writer thread. */
export async function openServerDatabasesForThread(config: Config, log: Log, { closeLater, writer }: JoinOptions): Promise<ServerDatabases> {
  const graph = closeLater(await openConfiguredGraph(config, { log }));
  // Only the main thread logs missing files.
  const watch = closeLater(
    monitorDataFiles(config.dataDir, listFolderDatabases(config), () => undefined),
  );
  return { graph, engine: await openServerStoreOfThread(config, closeLater, writer), watch, watchThread: null };
}


/** Returns the age (ms) from which logged calls are removed; null to keep all. */
export const getCallRetentionMs = ({ retentionDays }: Pick<Config, 'retentionDays'>): number | null =>
  retentionDays > 0 ? retentionDays * DAY_MS : null;

/** Removes old rows from the store at once, and then every hour. */
function startRemovingOldRows(recorder: CallRecorder, maxAgeMs: number | null) {
  const remove = () => recorder.removeOld({ maxAgeMs, now: Date.now() });
  remove();
  return setInterval(remove, REMOVE_EVERY_MS).unref();
}

/** Returns the options for periodic backups and integrity checks, from the settings. */
export function toBackgroundMaintenanceOptions(
  config: Config,
  log: Log,
  engine: Pick<StoreEngine, 'notices'>,
): BackgroundMaintenanceOptions {
  const { dataDir, secret, backup, webhook } = config;
  if (!backup) return { dataDir, log };
  const { every, to, ...rest } = backup;
  const onBackupFailed = (reason: string) =>
    void queueFailedBackupMessage(engine, reason, Date.now()).catch(() => undefined);
  return { dataDir, secret, elsewhere: listUnconfiguredDatabaseFiles(config), log, ...(webhook ? { onBackupFailed } : {}), backups: { ...rest, to: resolve(to), everyMs: parseDuration(every) ?? 0 } };
}

// Receivers of webhook messages: the operator's webhook, and the endpoints of accounts.
/** Interval (ms) at which the queue of webhook messages is read: `watches` if this server has watches, otherwise `plain`. */
const LOOK_EVERY_MS = { watches: 250, plain: 5000 };

/**
 * Creates the function that tells whether webhooks of accounts may reach an IP address. If the system does not list the addresses of this machine,
 * such as in a systemd unit without AF_NETLINK, the function logs that once, and does not refuse them.
 */
export function createWebhookAddressCheck(
  networks: readonly string[],
  log: Pick<Log, 'warn'>,
  listInterfaces = networkInterfaces,
): (address: string) => boolean {
  let isLogged = false;
  const listOwnAddresses = (): string[] => {
    try {
      return Object.values(listInterfaces()).flatMap((list = []) => list.map(({ address }) => address));
    } catch (error) {
      if (!isLogged)
        log.warn(
          `the addresses of this machine are unknown (${(error as Error).message}), so webhooks of accounts may reach its public ones. In a systemd unit, add AF_NETLINK to RestrictAddressFamilies`,
        );
      isLogged = true;
      return [];
    }
  };
  return (address) => isWebhookAddressAllowed(address, networks, listOwnAddresses);
}

/** Returns the options for the delivery of messages. Errors: those of the setting `webhook`. */
function createDelivery(
  { dataDir, secret, webhook, watches, webhookNetworks }: Config,
  log: Log,
  { notices }: Pick<StoreEngine, 'notices'>,
): DeliveryOptions<PendingWebhookMessage> {
  const operator = webhook ? loadOperatorWebhookTarget(webhook) : null;
  let codec: WatchCodec | undefined;
  const openSecret = (sealed: Buffer) =>
    parseWebhookSecret((codec ??= createWatchCodec(loadOrCreateSecret(dataDir, secret))).openText(Buffer.from(sealed)));
  const isAllowed = createWebhookAddressCheck(webhookNetworks, log);
  const toTarget = ({ url, secret: current, previous, previousUntil }: StoredWebhookEndpoint): DeliveryTarget => ({
    url,
    isAllowed,
    sign(message) {
      const secrets = [current, ...(previous && (previousUntil ?? 0) > Date.now() ? [previous] : [])];
      return secrets.map((sealed) => signWebhookMessage(openSecret(sealed), message)).join(' ');
    },
  });
  return {
    queue: {
      lease: notices.lease,
      markDelivered: notices.markDelivered,
      markFailed: notices.markFailed,
      async listReceivers(now) {
        const receivers = await notices.listReceivers(now);
        return operator === null ? receivers.filter((receiver) => receiver !== null) : receivers;
      },
    },
    findTarget: ({ endpoint, endpointId }) =>
      endpoint ? toTarget(endpoint) : endpointId === null ? operator : null,
    nextAttempt: getNextWebhookAttemptTime,
    log,
    everyMs: watches ? LOOK_EVERY_MS.watches : LOOK_EVERY_MS.plain,
  };
}

/** Maximum wait (ms) for the lock of the store file. The wait blocks all other calls. */
const STORE_WAIT_MS = 100;

/**
 * Opens the store of a server, and its writer. Errors: wrong_secret if other servers use the same database with another secret; those of the
 * store.
 */
async function openServerStore(config: Config, closeLater: RegisterForClosing): Promise<StoreEngine> {
  const { dataDir, secret, webhook } = config;
  const notify = webhook !== undefined;
  const place = getStoreLocation(config);
  if ('url' in place) {
    // Creates or migrates the tables first.
    openStoreAtLocation(place, { check: computeStoreSecretCheckValue(loadOrCreateSecret(dataDir, secret)), claims: true }).close();
    return openInPostgres(place.url, notify, closeLater);
  }
  const file = openStoreFile(dataDir, closeLater);
  const recorder = closeLater(startCallRecorder({ file: file.file, notify }));
  return createSqliteEngine(file, recorder, dataDir);
}

/** Opens the store for a further serving thread. Its calls to a store file go through the existing writer thread. */
async function openServerStoreOfThread(config: Config, closeLater: RegisterForClosing, writer: ConnectToStoreWriterFunction): Promise<StoreEngine> {
  const { dataDir, webhook } = config;
  const place = getStoreLocation(config);
  if ('url' in place) return openInPostgres(place.url, webhook !== undefined, closeLater);
  const file = openStoreFile(dataDir, closeLater);
  const recorder = closeLater(createCallRecorder(writer));
  return createSqliteEngine(file, recorder, dataDir);
}

const openStoreFile = (dataDir: string, closeLater: RegisterForClosing) =>
  closeLater(openSqliteStore({ file: getStoreFile(dataDir), waitMs: STORE_WAIT_MS }));

/** Opens the store in PostgreSQL. Loads the driver only here. */
async function openInPostgres(url: string, notify: boolean, closeLater: RegisterForClosing): Promise<StoreEngine> {
  const { openPostgresEngine } = await import('../../store/postgres/engine.ts');
  return closeLater(await openPostgresEngine({ url, notify }));
}
