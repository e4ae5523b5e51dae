// A store in a file as a server has it: everything is answered at once.
import { isTest } from '../../accounts/keys.ts';
import { openNotices } from '../billing/notices.ts';
import { openUsage } from '../billing/usage.ts';
import { openRetries } from '../idempotency/retries.ts';
import { callerFinder, keyFinder, listKeys } from '../keys/keys.ts';
import { openLimiter } from '../limits/limiter.ts';
import { takeProbe } from '../limits/probes.ts';
import { openSessions } from '../limits/sessions.ts';
import { probesSince } from '../probes/rows.ts';
import type { Recorder } from '../recorder.ts';
import type { CallStore, CallsOptions, Engine } from '../serving.ts';
import { callsWithin, countsOf, earlierCallsOf } from '../stream.ts';
import { openLimits } from './limits.ts';
import type { SqliteStore } from './open.ts';

/** `limitsDir` is the folder of the limits. */
export function engineOf(store: SqliteStore, recorder: Recorder, limitsDir: string): Engine {
  return {
    place: { file: store.file },
    store,
    recorder,
    notices: openNotices(store.raw),
    healthy: store.healthy,
    failure: () => null,
    holds() {
      const keys = listKeys(store);
      return { keys: keys.length > 0, testKeys: keys.some(({ prefix }) => isTest(prefix)) };
    },
    probesSince: (since) => probesSince(store.raw, since),
    calls: (options) => callsOf(store, limitsDir, options),
  };
}

function callsOf(
  store: SqliteStore,
  limitsDir: string,
  { flights, alone, secret, keepMs }: CallsOptions,
): ReturnType<Engine['calls']> {
  const limits = openLimits(limitsDir, alone);
  const usage = openUsage(store);
  const limiter = openLimiter({ limits, flights, standing: usage.standing });
  const calls: CallStore = {
    findKey: keyFinder(store),
    callerOf: callerFinder(store),
    limiter,
    retries: openRetries({ store, limits, secret, keepMs }),
    takeProbe: (probing, now) => takeProbe(limits, probing, now),
    sessions: openSessions(limits),
    usageOf: usage.ofCaller,
    callOf: earlierCallsOf(store).callOf,
    earlierCalls: {
      within: (keyId, window) => callsWithin(store, keyId, window),
      counts: (keyId, spans) => countsOf(store, keyId, spans),
    },
  };
  const close = () => {
    limiter.close();
    limits.close();
  };
  return { ...calls, close };
}
