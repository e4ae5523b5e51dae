// Opens store, graph, features and HTTP (src/app/data/databases.ts, src/app/parts.ts), serves requests, and
// closes all in reverse order.
import type { H3 } from 'h3';
import { createRefusedRequestLimiter } from './accounts/failures.ts';
import { createJobService } from './app/admin/jobs.ts';
import { createAdminService } from './app/admin/admin-service.ts';
import { openOperatorService } from './app/admin/operator-service.ts';
import { createStoreMetricsReader, toSuspiciousCheckMetrics } from './app/metrics/harvest.ts';
import { requireDataFiles } from './app/data/folder-checks.ts';
import {
  toBackgroundMaintenanceOptions,
  openServerDatabasesForThread,
  openServerDatabases,
} from './app/data/databases.ts';
import { createShutdownList, type RegisterForClosing } from './app/closer.ts';
import { createConsoleSessionDeps } from './app/console.ts';
import { formatServerMetrics, type ThreadMetricCounts } from './app/metrics/thread-metrics.ts';
import { startOutageLogging } from './app/metrics/outages.ts';
import { openAppComponents, type AppComponents, type SharedThreadResources } from './app/parts.ts';
import { getReadiness, type ServerHealth } from './app/readiness.ts';
import { createGraphOperationsForOtherServers } from './app/served-graph.ts';
import { createCallStageTimer } from './app/metrics/stages.ts';
import { createWatchService } from './app/watches/service.ts';
import { createWarmUpValidateDeps, createValidateDeps } from './app/validate-deps.ts';
import { processEnvironment, parseDuration, type Config } from './config.ts';
import type { IdentityGraph } from './graph/graph.ts';
import { createClientIpAddressFinder } from './http/auth.ts';
import { startHttpServer, type RunningServer } from './http/connection/listen.ts';
import { createLiveMetricsSender } from './http/console/live.ts';
import { createHttpApp, warmUpServer, type ServerDeps } from './http/server.ts';
import { startBackgroundMaintenance } from './maintenance/background.ts';
import type { DatabaseDamage } from './maintenance/integrity.ts';
import { chooseLogFormat, openLog, type Log } from './observe/log.ts';
import {
  createCallMetrics,
  createJobLineCounter,
  toThrottledRequestsMetric,
} from './observe/metrics/calls.ts';
import { toLookupMetricFamily } from './observe/metrics/server.ts';
import { formatProcessMetrics } from './observe/metrics/process.ts';
import { openSpanExporter } from './observe/trace/otlp.ts';
import { createTracer } from './observe/trace/tracer.ts';
import { SAMPLE_REGION, createLazySampleGraph } from './app/sample.ts';
import type { Store } from './store/store.ts';
import { validate, type ValidateDeps } from './validate.ts';

export interface App {
  config: Config;
  log: Log;
  /** Store for operations of operators. Calls of it block the event loop. */
  store: Store;
  graph: IdentityGraph;
  http: H3;
  /** Listens on the configured port and runs warm-up checks. After them, `/readyz` reports that the server is ready. */
  listen(): Promise<RunningServer>;
  /** Returns the metrics of the calling thread. */
  counts(): ThreadMetricCounts;
  /** Waits until running requests are answered, then closes all components in reverse order. A repeated `close` has no effect. */
  close(): Promise<void>;
}

/**
 * Opens all components of a server; `listen` then opens its port. `context` is only for a server with several serving threads. Errors: those of the
 * store, the graph (such as wrong_secret) and the features.
 */
export async function openApp(
  config: Config,
  log: Log = openLog(chooseLogFormat(config.log)),
  context: SharedThreadResources | null = null,
): Promise<App> {
  const { closeLater, close } = createShutdownList(log);
  try {
    const data = await (context
      ? openServerDatabasesForThread(config, log, { closeLater, writer: context.writer })
      : openServerDatabases(config, log, closeLater));
    const parts = await openAppComponents({ config, log, closeLater, data, context });
    const state: ServerHealth = context?.state ?? { warm: false, damaged: [] };
    const work = createValidateDeps(config, parts);
    const sample = closeLater(createLazySampleGraph(config.dataDir));
    const serving: Serving = { config, log, closeLater, parts, state, work, sample, context };
    const { deps, counts, jobs } = serverDeps(serving);
    const http = createHttpApp(deps);
    closeLater(jobs.start());
    const { graph, engine } = parts;
    const listen = async () => {
      if (!context) closeLater(startOutageLogging({ log, data, counts }), clearInterval);
      const listening = await (context ? warmUpAndListen : listenAndWarmUp)(http, deps, serving);
      // Closed before the port, which waits for open responses.
      closeLater(deps.live);
      return listening;
    };
    return {
      config,
      log,
      get store() {
        return engine.store;
      },
      graph,
      http,
      listen,
      counts,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opened components of one server. */
interface Serving {
  config: Config;
  log: Log;
  closeLater: RegisterForClosing;
  parts: AppComponents;
  state: ServerHealth;
  work: ValidateDeps;
  /** Graph of invented people for test keys. */
  sample: ReturnType<typeof createLazySampleGraph>;
  context: SharedThreadResources | null;
}

function serverDeps(serving: Serving): {
  deps: ServerDeps;
  counts: () => ThreadMetricCounts;
  jobs: ReturnType<typeof createJobService>;
} {
  const { config, log, closeLater, parts, state, work, sample, context } = serving;
  const { tracing } = config;
  const exporter = tracing && closeLater(openSpanExporter({ ...tracing, log }));
  const calls = createCallMetrics();
  const watch = createCallStageTimer(work, calls);
  const jobLines = createJobLineCounter();
  const ready = () => getReadiness(parts, state, log.health());
  const admin = context?.operatorService ?? openOperatorService({ config, log, data: parts, closeLater });
  parts.features.onFailure(
    (failure) => void admin.recordFeatureFailure({ ...failure, time: Date.now() }).catch(() => undefined),
  );
  const ofTests = { graph: sample, region: SAMPLE_REGION, calibration: null };
  const failures = createRefusedRequestLimiter({ threads: context?.threadCount ?? 1 });
  const counts = (): ThreadMetricCounts => ({
    families: [
      ...calls.families(),
      toThrottledRequestsMetric(failures.countSlowed()),
      ...toSuspiciousCheckMetrics(parts),
      jobLines.family(),
      toLookupMetricFamily(parts.graph.hostStates?.() ?? []),
    ],
    features: parts.features.metrics(),
    state: {
      ...ready(),
      workers: 1,
      replaced: 0,
      inFlight: parts.calls.limiter.count(),
      waiting: parts.engine.recorder.countPending(),
      logLinesLost: log.health().lost,
      spansLost: exporter?.lost() ?? 0,
    },
  });
  const askStore = createStoreMetricsReader(parts);
  const alone = async () =>
    formatServerMetrics(counts(), {
      storeFamilies: await askStore(Date.now()),
      processText: await formatProcessMetrics(),
    });
  const runCheck: ServerDeps['validate'] = (call) => {
    requireDataFiles(parts.watch);
    const { call: watched, work } = watch(call);
    return validate(watched, call.caller.test ? { ...work, ...ofTests } : work);
  };
  const jobs = createJobService({
    config,
    log,
    engine: parts.engine,
    service: admin,
    findCaller: parts.calls.findCaller,
    enter: parts.calls.limiter.enter,
    check: runCheck,
    onLine: jobLines.add,
  });
  const deps: ServerDeps = {
    findKey: parts.uses.trackLookups(parts.calls.findKey),
    ...createConsoleSessionDeps(parts),
    live: createLiveMetricsSender(context?.metrics ?? alone),
    failures,
    addressOf: createClientIpAddressFinder(config.trustedProxies),
    limiter: parts.calls.limiter,
    validate: (call) => {
      jobs.noteCall();
      return runCheck(call);
    },
    jobs,
    findCall: parts.calls.findCall,
    recordOutcome: parts.engine.recorder.recordOutcome,
    getUsage: parts.calls.getUsage,
    watches: createWatchService(config, parts.engine),
    admin: createAdminService({ ...config, features: parts.features }, admin),
    served: createGraphOperationsForOtherServers({
      config,
      parts,
      sample,
      sampleRegion: SAMPLE_REGION,
      operatorService: admin,
    }),
    ready,
    metrics: {
      readers: config.metrics,
      text: context?.metrics ?? alone,
    },
    tracer: exporter && createTracer(exporter, tracing),
    addRefusal: parts.refusals.add,
    log: { ...log, request: (line) => (log.request(line), calls.request(line)) },
  };
  return { deps, counts, jobs };
}

/** Opens the port, then runs warm-up checks. `/readyz` reports when they have ended. */
async function listenAndWarmUp(http: H3, deps: ServerDeps, serving: Serving): Promise<RunningServer> {
  const { config, log, closeLater, state } = serving;
  const listening = await takePort(http, serving);
  await getWarm(deps, serving);
  const onChecked = (damages: DatabaseDamage[]) => (state.damaged = damages.map(({ name }) => name));
  closeLater(
    startBackgroundMaintenance({
      ...toBackgroundMaintenanceOptions(config, log, serving.parts.engine),
      onChecked,
    }),
  );
  return listening;
}

/** Runs warm-up checks, then opens the port. For one of several server threads: the other threads answer calls in the meantime. */
async function warmUpAndListen(http: H3, deps: ServerDeps, serving: Serving): Promise<RunningServer> {
  await getWarm(deps, serving);
  return takePort(http, serving);
}

async function takePort(http: H3, { config, log, closeLater, context }: Serving): Promise<RunningServer> {
  const place = { ...config, reusePort: context !== null, variables: processEnvironment, log };
  return closeLater(await startHttpServer(http, place));
}

async function getWarm(deps: ServerDeps, serving: Serving): Promise<void> {
  const { log, parts, state, sample } = serving;
  const { testKeys } = await parts.engine.getKeyPresence();
  if (testKeys) await prepared(sample, log);
  await warmedUp(deps, serving);
  state.warm = true;
}

async function warmedUp(deps: ServerDeps, { config, work }: Serving): Promise<void> {
  const maxMs = parseDuration(config.warmUp) ?? 0;
  if (maxMs === 0) return;
  const rehearsal = await createWarmUpValidateDeps(work);
  await warmUpServer({ ...deps, tracer: undefined, validate: (call) => validate(call, rehearsal) }, maxMs);
}

/** Prepares the sample graph. Only logs a failure, because live calls do not need this graph. */
const prepared = (sample: Serving['sample'], log: Log) =>
  sample
    .prepare()
    .catch((error: unknown) =>
      log.error('the sample graph could not be created: calls with test keys fail', error),
    );
