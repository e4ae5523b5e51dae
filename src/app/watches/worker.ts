// Thread that re-checks watches, at low priority, with a graph and a store of its own; see recheck.ts.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { BonafideError } from '../../errors.ts';
import { loadOrCreateSecret } from '../../graph/encryption/secret.ts';
import {
  getWatchRecheckIntervalHours,
  hasRecordStoringEngine,
  openRecordStoringGraph,
} from '../../graph/engines.ts';
import { loadOperatorNameTable } from '../../names/index.ts';
import { lowerThreadPriority } from '../../platform/threads/priority.ts';
import { getStoreLocation, openStoreAtLocation } from '../../store/open.ts';
import { createWatchRechecker } from '../../watches/recheck.ts';
import { createWatchCodec } from '../../watches/watch.ts';
import { getConfiguredCalibration } from '../calibrations.ts';
import { openConfiguredGraph } from '../graph/open.ts';
import type { WatchThreadData, WatchThreadMessage } from './thread.ts';

if (parentPort === null) throw new Error('This module must run in a worker thread.');
const port = parentPort;
const { config, lookEveryMs }: WatchThreadData = workerData;
const send = (message: WatchThreadMessage) => port.postMessage(message);
/** Name of this thread in leases. After a failure, the thread continues under the same lease. */
const name = randomUUID();
const FAILED_MS = 2000;
const HOUR_MS = 3_600_000;

const stopping = new AbortController();
/** Aborted to end the pause before the next step of re-checking watches. */
let wake = new AbortController();
port.on('message', (message: 'stop' | 'wake') => {
  wake.abort();
  if (message === 'wake') return;
  stopping.abort();
  port.close();
});

/** Waits until the time has passed or the thread is woken; not at all if it was woken during the last step. */
async function pauseUntilWoken(ms: number): Promise<void> {
  await pause(ms, undefined, { signal: wake.signal }).catch(() => undefined);
  wake = new AbortController();
}

lowerThreadPriority();
for (const file of config.nameTables) loadOperatorNameTable(file);
const silent = { info: () => undefined, warn: () => undefined };
let failed: string | null = null;
while (!stopping.signal.aborted)
  try {
    await work();
  } catch (error) {
    // Only our own messages are sent: the text of any other error may contain submitted values.
    failed = error instanceof BonafideError ? error.message : 'a part of the server failed.';
    send({ failed });
    await pause(FAILED_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
  }

/** Re-checks watches until the thread stops or an error occurs. */
async function work(): Promise<void> {
  const { dataDir, secret, graph: setting } = config;
  const hours = getWatchRecheckIntervalHours(config);
  const opened: { close(): unknown }[] = [];
  const closeLater = <T extends { close(): unknown }>(part: T): T => (opened.unshift(part), part);
  try {
    const store = closeLater(openStoreAtLocation(getStoreLocation(config)));
    const graph = closeLater(await openConfiguredGraph(config, { log: silent }));
    const records = hasRecordStoringEngine(setting)
      ? closeLater(openRecordStoringGraph({ dataDir, secret, graph: setting, create: false }))
      : null;
    const rechecker = createWatchRechecker({
      store,
      graph,
      changes: records?.changes ?? null,
      codec: createWatchCodec(loadOrCreateSecret(dataDir, secret)),
      calibration: getConfiguredCalibration(config),
      everyMs: hours === null ? null : hours * HOUR_MS,
      worker: name,
    });
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const step = await rechecker.step(Date.now());
      if (failed !== null) send({ failed: (failed = null) });
      if (step.rechecked + step.marked + step.expired > 0) send({ step });
      // The pause is as long as the work took, so that half of a core stays free for other work.
      await pauseUntilWoken(
        step.hasMore ? Math.min(lookEveryMs, performance.now() - startedAt) : lookEveryMs,
      );
    }
    rechecker.close();
  } finally {
    for (const part of opened) await part.close();
  }
}
