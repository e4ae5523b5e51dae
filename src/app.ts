// Wires: opens store, graph, features and HTTP (src/app/parts.ts), serves with them, and closes them in reverse order.
import { resolve } from 'node:path';
import type { H3 } from 'h3';
import { countFailures } from './accounts/failures.ts';
import { isTest } from './accounts/keys.ts';
import { harvestOf } from './app/harvest.ts';
import { requirePresent } from './app/held.ts';
import { closing, openParts } from './app/parts.ts';
import type { Opened, Parts } from './app/parts.ts';
import { readiness } from './app/readiness.ts';
import type { State } from './app/readiness.ts';
import { figures, watching } from './app/watched.ts';
import { unasked, workOf } from './app/work.ts';
import { administration } from './app/administration.ts';
import { environment, milliseconds } from './config.ts';
import type { Config } from './config.ts';
import type { IdentityGraph } from './graph/graph.ts';
import { addressesBehind } from './http/address.ts';
import { listen } from './http/connection/listen.ts';
import type { Listening } from './http/connection/listen.ts';
import { rehearse } from './http/rehearsal.ts';
import { createHttp } from './http/server.ts';
import type { ServerDeps } from './http/server.ts';
import { keepInBackground } from './keep/background.ts';
import type { BackgroundOptions } from './keep/background.ts';
import type { Damage } from './keep/integrity.ts';
import { formatOf, openLog } from './observe/log.ts';
import type { Log } from './observe/log.ts';
import { countCalls } from './observe/metrics/calls.ts';
import { openExporter } from './observe/trace/otlp.ts';
import { startTracer } from './observe/trace/tracer.ts';
import { SAMPLE_REGION, sampleGraph } from './sample.ts';
import { keyFinder, listKeys } from './store/sqlite/keys.ts';
import type { Store } from './store/sqlite/open.ts';
import { earlierCallsOf } from './store/sqlite/stream.ts';
import { validate } from './validate.ts';
import type { ValidateDeps } from './validate.ts';

export interface App {
  config: Config;
  log: Log;
  store: Store;
  graph: IdentityGraph;
  http: H3;
  /** Takes the port of the settings, then warms up; /readyz says yes from then on. */
  listen(): Promise<Listening>;
  /** Lets calls in flight finish, then closes everything in reverse order. Closing twice is closing once. */
  close(): Promise<void>;
}

/**
 * Opens everything that serving needs; the port is taken by `listen`.
 *
 * Errors: those of the store, the graph (wrong_secret, damaged_database …) and the features.
 */
export async function openApp(config: Config, log: Log = openLog(formatOf(config.log))): Promise<App> {
  const { opened, close } = closing(log);
  try {
    const parts = await openParts(config, log, opened);
    const state: State = { warm: false, damaged: [] };
    const work = workOf(config, parts);
    const sample = opened(sampleGraph(config.dataDir), (sample) => sample.close());
    const serving: Serving = { config, log, opened, parts, state, work, sample };
    const deps = serverDeps(serving);
    const http = createHttp(deps);
    const { store, graph } = parts;
    return { config, log, store, graph, http, listen: () => listenAndWarmUp(http, deps, serving), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One server, as the functions below share it. */
interface Serving {
  config: Config;
  log: Log;
  opened: Opened;
  parts: Parts;
  state: State;
  work: ValidateDeps;
  /** What test keys are answered from. */
  sample: ReturnType<typeof sampleGraph>;
}

function serverDeps({ config, log, opened, parts, state, work, sample }: Serving): ServerDeps {
  const { tracing } = config;
  const exporter = tracing && opened(openExporter({ ...tracing, log }), (exporter) => exporter.close());
  const calls = countCalls();
  const watch = watching(work, calls);
  const ready = () => readiness(parts, state, log.health());
  const admin = administration(parts, opened);
  const ofTests = { graph: sample, region: SAMPLE_REGION, calibration: null };
  return {
    findKey: parts.uses.noting(keyFinder(parts.store)),
    failures: countFailures(),
    addressOf: addressesBehind(config.trustedProxies),
    limiter: parts.limiter,
    validate: (call) => {
      requirePresent(parts.watch);
      const { call: watched, work } = watch(call);
      return validate(watched, call.caller.test ? { ...work, ...ofTests } : work);
    },
    ...earlierCallsOf(parts.store),
    tellOutcome: parts.recorder.tellOutcome,
    usageOf: parts.usage.ofCaller,
    admin,
    ready,
    metrics: {
      readers: config.metrics,
      text: () =>
        figures(calls, parts.features, {
          ...ready(),
          inFlight: parts.limiter.count(),
          waiting: parts.recorder.waiting(),
          logLinesLost: log.health().lost,
          spansLost: exporter?.lost() ?? 0,
          harvest: harvestOf(parts, Date.now()),
        }),
    },
    tracer: exporter && startTracer(exporter, tracing),
    log: { ...log, request: (line) => (log.request(line), calls.request(line)) },
  };
}

async function listenAndWarmUp(http: H3, deps: ServerDeps, serving: Serving): Promise<Listening> {
  const { config, log, opened, parts, state, work, sample } = serving;
  const listening = opened(await listen(http, { ...config, variables: environment, log }), (listening) =>
    listening.close(),
  );
  if (listKeys(parts.store).some(({ prefix }) => isTest(prefix))) await prepared(sample, log);
  const rehearsed: ServerDeps = {
    ...deps,
    tracer: undefined,
    validate: (call) => validate(call, unasked(work)),
  };
  await rehearse(rehearsed, milliseconds(config.warmUp) ?? 0);
  state.warm = true;
  const onChecked = (damages: Damage[]) => (state.damaged = damages.map(({ name }) => name));
  opened(keepInBackground({ ...keepingOf(config, log), onChecked }), (keeping) => keeping.close());
  return listening;
}

/** Live calls do not wait for invented people. */
const prepared = (sample: Serving['sample'], log: Log) =>
  sample.prepare().catch((error: unknown) => log.error('test keys cannot be answered', error));

/** What a server does by itself to keep its data. */
function keepingOf({ dataDir, secret, backup }: Config, log: Log): BackgroundOptions {
  if (!backup) return { dataDir, log };
  const { every, to, ...rest } = backup;
  return { dataDir, secret, log, backups: { ...rest, to: resolve(to), everyMs: milliseconds(every) ?? 0 } };
}
