// Components that serve calls, opened once in each serving thread.
import { join } from 'node:path';
import { createInFlightLimiter, type InFlightLimiter } from '../accounts/in-flight.ts';
import { createRefusalCollector } from '../store/serving/refusals.ts';
import { processEnvironment, parseDuration, type Config } from '../config.ts';
import { openFeatures, type AiFeatures } from '../features/open.ts';
import type { Log } from '../observe/log.ts';
import {
  createLastUseTracker,
  createSuspiciousCheckCollector,
  createRecordHarvestingLimiter,
} from '../store/serving/key-activity.ts';
import type { StoreForCalls } from '../store/engine.ts';
import { deriveIdempotencySecret } from './admin/jobs.ts';
import type { RegisterForClosing } from './closer.ts';
import type { ServerDatabases } from './data/databases.ts';
import type { OperatorService } from '../admin/operator-service.ts';
import type { RunExclusively } from '../platform/threads/lock.ts';
import type { ConnectToStoreWriterFunction } from '../store/serving/recorder.ts';
import type { ServerHealth } from './readiness.ts';

export interface AppComponents extends ServerDatabases {
  calls: StoreForCalls;
  uses: ReturnType<typeof createLastUseTracker>;
  probes: ReturnType<typeof createRecordHarvestingLimiter>;
  refusals: ReturnType<typeof createRefusalCollector>;
  features: AiFeatures;
}

interface AppPartsOptions {
  config: Config;
  log: Log;
  closeLater: RegisterForClosing;
  data: ServerDatabases;
  context: SharedThreadResources | null;
}

const formatProbesUsedUpWarning = (key: string) =>
  `key ${key}: the probes of its plan are used up, checks with a name alone or one value are refused; see: bonafide keys probes`;

/** Opens the components that every serving thread has for itself. Errors: those of the features. */
export async function openAppComponents({
  config,
  log,
  closeLater,
  data,
  context,
}: AppPartsOptions): Promise<AppComponents> {
  const { dataDir, plugins, idempotencyWindow } = config;
  const { recorder } = data.engine;
  const uses = closeLater(createLastUseTracker(recorder.saveLastUsed), (uses) => uses.flush());
  const calls = closeLater(
    data.engine.openCalls({
      inFlight: context?.inFlight ?? createInFlightLimiter(),
      alone: context?.runExclusively,
      secret: deriveIdempotencySecret(config),
      keepMs: parseDuration(idempotencyWindow) ?? 0,
    }),
  );
  const features = closeLater(
    await openFeatures({
      settingsFile: join(dataDir, 'features.json'),
      plugins,
      env: processEnvironment,
      log,
    }),
  );
  const refusals = closeLater(createRefusalCollector(recorder.saveRefusals), (refusals) => refusals.flush());
  const counts = closeLater(createSuspiciousCheckCollector(recorder.addProbeCounts), (counts) =>
    counts.flush(),
  );
  const probes = createRecordHarvestingLimiter({
    takeProbe: calls.takeProbe,
    counts,
    onUsedUp: (key, requestId) => log.warn(formatProbesUsedUpWarning(key), requestId),
  });
  return { ...data, calls, uses, probes, refusals, features };
}

/** Resources that the serving threads share. A single-threaded server has none. */
export interface SharedThreadResources {
  threadCount: number;
  /** Connects this thread to the single writer thread of the store. */
  writer: ConnectToStoreWriterFunction;
  inFlight: InFlightLimiter;
  /** Runs work under a lock that all serving threads share. */
  runExclusively: RunExclusively;
  operatorService: OperatorService;
  state: ServerHealth;
  metrics(): Promise<string>;
}
