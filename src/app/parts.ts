// Opens what serving needs, in order, and remembers how each part is closed again.
import { join } from 'node:path';
import { boundInFlight } from '../accounts/in-flight.ts';
import { environment, milliseconds } from '../config.ts';
import type { Config } from '../config.ts';
import { openFeatures } from '../features/open.ts';
import type { Features } from '../features/open.ts';
import { derivedKey } from '../graph/fingerprints.ts';
import type { IdentityGraph } from '../graph/graph.ts';
import { loadSecret } from '../graph/secret.ts';
import { openGraph } from '../graph/sqlite/open.ts';
import { finishSwap } from '../keep/swap.ts';
import type { Log } from '../observe/log.ts';
import { deliverNotices } from '../observe/notices.ts';
import { refuseLost } from '../platform/held.ts';
import type { Watch } from '../platform/held.ts';
import { openSending } from '../store/sqlite/billing/sending.ts';
import { openUsage } from '../store/sqlite/billing/usage.ts';
import { openRetries } from '../store/sqlite/idempotency/retries.ts';
import { noteUses } from '../store/sqlite/last-used.ts';
import { openLimiter } from '../store/sqlite/limits/limiter.ts';
import type { Limiter } from '../store/sqlite/limits/limiter.ts';
import { openLimits } from '../store/sqlite/limits/open.ts';
import { openStore, storeFile } from '../store/sqlite/open.ts';
import type { Store } from '../store/sqlite/open.ts';
import { gatherProbes, probesOf } from '../store/sqlite/probes/gather.ts';
import { openRecorder, type Recorder } from '../store/sqlite/recorder.ts';
import type { ValidateDeps } from '../validate.ts';
import { checkHeld, watchFolder } from './held.ts';

export type Opened = <T>(part: T, close: (part: T) => void | Promise<void>) => T;

/** Remembers how what was opened is closed again. */
export function closing(log: Log): { opened: Opened; close: () => Promise<void> } {
  const closers: (() => void | Promise<void>)[] = [];
  const closeAll = async () => {
    for (const closer of closers.toReversed()) await closer();
    log.flush();
  };
  let closed: Promise<void> | undefined;
  return {
    opened: (part, close) => {
      closers.push(() => close(part));
      return part;
    },
    close: () => (closed ??= closeAll()),
  };
}

export interface Parts {
  graph: IdentityGraph;
  store: Store;
  recorder: Recorder;
  usage: ReturnType<typeof openUsage>;
  limiter: Limiter;
  uses: ReturnType<typeof noteUses>;
  retries: NonNullable<ValidateDeps['retries']>;
  probes: ReturnType<typeof probesOf>;
  features: Features;
  watch: Watch;
}

/** The event loop stands still while it waits for the file, and with it every other call. */
const STORE_WAIT_MS = 100;
const DAY_MS = 86_400_000;
const REMOVE_EVERY_MS = 3_600_000;

/** Removes what is older than it may be, calls from the call log and Idempotency-Keys, now and every hour. */
function removeOld(recorder: Recorder, retentionDays: number) {
  const thanMs = retentionDays > 0 ? retentionDays * DAY_MS : null;
  const remove = () => recorder.removeOlder({ thanMs, now: Date.now() });
  remove();
  return setInterval(remove, REMOVE_EVERY_MS).unref();
}

const usedUp = (key: string) =>
  `key ${key}: the probes of its plan are used up, checks with a name alone or one value are refused; see: bonafide keys probes`;

/** Errors: those of the store, the graph (wrong_secret, damaged_database …), of a folder that lost what it held, and of the features. */
export async function openParts(
  { dataDir, secret, plugins, retentionDays, idempotencyWindow, webhook }: Config,
  log: Log,
  opened: Opened,
): Promise<Parts> {
  finishSwap(dataDir);
  refuseLost(dataDir, 'records', 'keys');
  const graph = opened(openGraph({ dataDir, secret }), (graph) => graph.close());
  for (const text of await graph.warnings()) log.warn(text);
  const store = opened(openStore({ file: storeFile(dataDir), waitMs: STORE_WAIT_MS }), (store) =>
    store.close(),
  );
  await checkHeld(dataDir, { graph, store });
  const watch = opened(watchFolder(dataDir, log), (watch) => watch.close());
  const notify = webhook !== undefined;
  const recorder = opened(openRecorder({ file: store.file, notify }), (recorder) => recorder.close());
  if (webhook) opened(deliverNotices({ ...openSending(store, webhook), log }), (sending) => sending.close());
  const uses = opened(noteUses(recorder.used), (uses) => uses.flush());
  opened(removeOld(recorder, retentionDays), clearInterval);
  const usage = openUsage(store);
  const limits = opened(openLimits(dataDir), (limits) => limits.close());
  const bounds = { limits, flights: boundInFlight(), standing: usage.standing };
  const limiter = opened(openLimiter(bounds), (limiter) => limiter.close());
  const printKey = derivedKey(loadSecret(dataDir, secret), 'bonafide idempotency 1');
  const keepMs = milliseconds(idempotencyWindow) ?? 0;
  const retries = openRetries({ store, limits, keepMs, secret: printKey });
  const features = opened(
    await openFeatures({ settingsFile: join(dataDir, 'features.json'), plugins, env: environment, log }),
    (features) => features.close(),
  );
  const gathered = opened(gatherProbes(recorder.probes), (gathered) => gathered.flush());
  const probes = probesOf({
    limits,
    gathered,
    onUsedUp: (key, requestId) => log.warn(usedUp(key), requestId),
  });
  return { graph, store, recorder, usage, limiter, uses, retries, probes, features, watch };
}
