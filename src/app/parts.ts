// Opens what calls are worked on with, in order.
import { join } from 'node:path';
import { boundInFlight } from '../accounts/in-flight.ts';
import { environment, milliseconds } from '../config.ts';
import type { Config } from '../config.ts';
import { openFeatures } from '../features/open.ts';
import type { Features } from '../features/open.ts';
import { derivedKey } from '../graph/fingerprints.ts';
import { loadSecret } from '../graph/secret.ts';
import type { Log } from '../observe/log.ts';
import { openUsage } from '../store/sqlite/billing/usage.ts';
import { openRetries } from '../store/sqlite/idempotency/retries.ts';
import { noteUses } from '../store/sqlite/keys/last-used.ts';
import { openLimiter } from '../store/sqlite/limits/limiter.ts';
import type { Limiter } from '../store/sqlite/limits/limiter.ts';
import { openLimits } from '../store/sqlite/limits/open.ts';
import type { LimitsFile } from '../store/sqlite/limits/open.ts';
import { gatherProbes, probesOf } from '../store/sqlite/probes/gather.ts';
import type { ValidateDeps } from '../validate.ts';
import type { Opened } from './closing.ts';
import type { Data } from './data.ts';
import type { Seat } from './seat.ts';

export interface Parts extends Data {
  usage: ReturnType<typeof openUsage>;
  limits: LimitsFile;
  limiter: Limiter;
  uses: ReturnType<typeof noteUses>;
  retries: NonNullable<ValidateDeps['retries']>;
  probes: ReturnType<typeof probesOf>;
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
  const { store, recorder } = data;
  const uses = opened(noteUses(recorder.used), (uses) => uses.flush());
  const usage = openUsage(store);
  const limits = opened(openLimits(dataDir, seat?.alone), (limits) => limits.close());
  const flights = seat?.flights ?? boundInFlight();
  const bounds = { limits, flights, standing: usage.standing };
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
  return { ...data, usage, limits, limiter, uses, retries, probes, features };
}
