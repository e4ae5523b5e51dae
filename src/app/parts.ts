// Opens what calls are worked on with, in order.
import { join } from 'node:path';
import { createInFlightLimit, type InFlightLimit } from '../accounts/in-flight.ts';
import { collectRefusals } from '../store/serving/refusals.ts';
import { environment, parseDuration, type Config } from '../config.ts';
import { openFeatures, type Features } from '../features/open.ts';
import { deriveKey } from '../graph/encryption/fingerprints.ts';
import { loadSecret } from '../graph/encryption/secret.ts';
import type { Log } from '../observe/log.ts';
import { trackLastUse, collectProbeCounts, createProbeGuard } from '../store/serving/key-activity.ts';
import type { CallStore } from '../store/engine.ts';
import type { CloseLater } from './closer.ts';
import type { ServerData } from './data/databases.ts';
import type { OperatorService } from '../admin/operator-service.ts';
import type { RunExclusively } from '../platform/threads/lock.ts';
import type { ConnectWriter } from '../store/serving/recorder.ts';
import type { ServerHealth } from './readiness.ts';

export interface AppParts extends ServerData {
  calls: CallStore;
  uses: ReturnType<typeof trackLastUse>;
  probes: ReturnType<typeof createProbeGuard>;
  refusals: ReturnType<typeof collectRefusals>;
  features: Features;
}

interface AppPartsOptions {
  config: Config;
  log: Log;
  closeLater: CloseLater;
  data: ServerData;
  context: WorkerContext | null;
}

const formatProbesUsedUpWarning = (key: string) =>
  `key ${key}: the probes of its plan are used up, checks with a name alone or one value are refused; see: bonafide keys probes`;

/** What a thread that serves has of its own. Errors: those of the features. */
export async function openAppParts({
  config,
  log,
  closeLater,
  data,
  context,
}: AppPartsOptions): Promise<AppParts> {
  const { dataDir, secret, plugins, idempotencyWindow } = config;
  const { recorder } = data.engine;
  const uses = closeLater(trackLastUse(recorder.saveLastUsed), (uses) => uses.flush());
  const calls = closeLater(
    data.engine.openCalls({
      inFlight: context?.inFlight ?? createInFlightLimit(),
      alone: context?.runExclusively,
      secret: deriveKey(loadSecret(dataDir, secret), 'bonafide idempotency 1'),
      keepMs: parseDuration(idempotencyWindow) ?? 0,
    }),
    (calls) => calls.close(),
  );
  const features = closeLater(
    await openFeatures({ settingsFile: join(dataDir, 'features.json'), plugins, env: environment, log }),
    (features) => features.close(),
  );
  const refusals = closeLater(collectRefusals(recorder.saveRefusals), (refusals) => refusals.flush());
  const counts = closeLater(collectProbeCounts(recorder.addProbeCounts), (counts) => counts.flush());
  const probes = createProbeGuard({
    takeProbe: calls.takeProbe,
    counts,
    onUsedUp: (key, requestId) => log.warn(formatProbesUsedUpWarning(key), requestId),
  });
  return { ...data, calls, uses, probes, refusals, features };
}

/** What one of several threads that serve shares with the others; a server of one thread has all of it to itself. */
export interface WorkerContext {
  /** How many threads serve. */
  threadCount: number;
  /** The way to the one writer. */
  writer: ConnectWriter;
  /** Calls that all of them work on. */
  inFlight: InFlightLimit;
  /** For what they do one after the other. */
  runExclusively: RunExclusively;
  /** What an operator has done at one place. */
  operatorService: OperatorService;
  state: ServerHealth;
  /** The figures of all, in the text format of Prometheus. */
  metrics(): Promise<string>;
}
