// Opens what calls are worked on with, in order.
import { join } from 'node:path';
import { createInFlightLimit } from '../accounts/in-flight.ts';
import { collectRefusals } from '../store/serving/refusals.ts';
import { environment, parseDuration, type Config } from '../config.ts';
import { openFeatures, type Features } from '../features/open.ts';
import { deriveKey } from '../graph/encryption/fingerprints.ts';
import { loadSecret } from '../graph/encryption/secret.ts';
import type { Log } from '../observe/log.ts';
import { trackLastUse, collectProbeCounts, createProbeGuard } from '../store/serving/key-activity.ts';
import type { CallStore } from '../store/engine.ts';
import type { Opened } from './closing.ts';
import type { Data } from './data/data.ts';
import type { Seat } from './seat.ts';

export interface Parts extends Data {
  calls: CallStore;
  uses: ReturnType<typeof trackLastUse>;
  probes: ReturnType<typeof createProbeGuard>;
  refusals: ReturnType<typeof collectRefusals>;
  features: Features;
}

interface PartsOptions {
  config: Config;
  log: Log;
  opened: Opened;
  data: Data;
  seat: Seat | null;
}

const usedUp = (key: string) =>
  `key ${key}: the probes of its plan are used up, checks with a name alone or one value are refused; see: bonafide keys probes`;

/** What a thread that serves has of its own. Errors: those of the features. */
export async function openParts({ config, log, opened, data, seat }: PartsOptions): Promise<Parts> {
  const { dataDir, secret, plugins, idempotencyWindow } = config;
  const { recorder } = data.engine;
  const uses = opened(trackLastUse(recorder.saveLastUsed), (uses) => uses.flush());
  const calls = opened(
    data.engine.openCalls({
      inFlight: seat?.flights ?? createInFlightLimit(),
      alone: seat?.alone,
      secret: deriveKey(loadSecret(dataDir, secret), 'bonafide idempotency 1'),
      keepMs: parseDuration(idempotencyWindow) ?? 0,
    }),
    (calls) => calls.close(),
  );
  const features = opened(
    await openFeatures({ settingsFile: join(dataDir, 'features.json'), plugins, env: environment, log }),
    (features) => features.close(),
  );
  const refusals = opened(collectRefusals(recorder.saveRefusals), (refusals) => refusals.flush());
  const counts = opened(collectProbeCounts(recorder.addProbeCounts), (counts) => counts.flush());
  const probes = createProbeGuard({
    takeProbe: calls.takeProbe,
    counts,
    onUsedUp: (key, requestId) => log.warn(usedUp(key), requestId),
  });
  return { ...data, calls, uses, probes, refusals, features };
}
