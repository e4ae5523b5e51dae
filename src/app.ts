// Wires: opens store, graph, features and HTTP (src/app/data/data.ts, src/app/parts.ts), serves with them, and closes them in reverse order.
import type { H3 } from 'h3';
import { createAuthFailureLimit } from './accounts/failures.ts';
import { adminServiceOf } from './app/admin/machine.ts';
import { openOperatorService } from './app/admin/office.ts';
import { askingStore, harvestCounted } from './app/observed/harvest.ts';
import { requirePresent } from './app/data/held.ts';
import { keepingOf } from './app/keeping.ts';
import { closing } from './app/closing.ts';
import { consoleOf } from './app/console.ts';
import type { Opened } from './app/closing.ts';
import { joinData, openData } from './app/data/data.ts';
import { figuresText } from './app/observed/figures.ts';
import type { Figures } from './app/observed/figures.ts';
import { watchOutages } from './app/observed/outages.ts';
import { openParts } from './app/parts.ts';
import type { Parts } from './app/parts.ts';
import { readiness } from './app/readiness.ts';
import type { State } from './app/readiness.ts';
import type { Seat } from './app/seat.ts';
import { servedBy } from './app/served.ts';
import { watching } from './app/observed/watched.ts';
import { unasked, workOf } from './app/work.ts';
import { environment, parseDuration } from './config.ts';
import type { Config } from './config.ts';
import type { IdentityGraph } from './graph/graph.ts';
import { createClientAddressFinder } from './http/auth.ts';
import { startHttpServer } from './http/connection/listen.ts';
import type { RunningServer } from './http/connection/listen.ts';
import { openLiveMetrics } from './http/console/live.ts';
import { createHttp, warmUpServer } from './http/server.ts';
import type { ServerDeps } from './http/server.ts';
import { keepInBackground } from './maintenance/background.ts';
import type { Damage } from './maintenance/integrity.ts';
import { formatOf, openLog } from './observe/log.ts';
import type { Log } from './observe/log.ts';
import { countCalls } from './observe/metrics/calls.ts';
import { processMetrics } from './observe/metrics/process.ts';
import { openExporter } from './observe/trace/otlp.ts';
import { startTracer } from './observe/trace/tracer.ts';
import { SAMPLE_REGION, sampleGraph } from './app/sample.ts';
import type { Store } from './store/store.ts';
import { validate } from './validate.ts';
import type { ValidateDeps } from './validate.ts';

export interface App {
  config: Config;
  log: Log;
  /** For what an operator does; its work is waited for. */
  store: Store;
  graph: IdentityGraph;
  http: H3;
  /** Takes the port of the settings, then warms up; /readyz says yes from then on. */
  listen(): Promise<RunningServer>;
  /** What it has counted. */
  figures(): Figures;
  /** Lets calls in flight finish, then closes everything in reverse order. Closing twice is closing once. */
  close(): Promise<void>;
}

/**
 * Opens everything that serving needs; the port is taken by `listen`. `seat` is of one of several threads that serve.
 *
 * Errors: those of the store, the graph (wrong_secret, damaged_database …) and the features.
 */
export async function openApp(
  config: Config,
  log: Log = openLog(formatOf(config.log)),
  seat: Seat | null = null,
): Promise<App> {
  const { opened, close } = closing(log);
  try {
    const data = await (seat
      ? joinData(config, log, { opened, writer: seat.writer })
      : openData(config, log, opened));
    const parts = await openParts({ config, log, opened, data, seat });
    const state: State = seat?.state ?? { warm: false, damaged: [] };
    const work = workOf(config, parts);
    const sample = opened(sampleGraph(config.dataDir), (sample) => sample.close());
    const serving: Serving = { config, log, opened, parts, state, work, sample, seat };
    const { deps, figures } = serverDeps(serving);
    const http = createHttp(deps);
    const { graph, engine } = parts;
    const listen = async () => {
      if (!seat) opened(watchOutages({ log, data, figures }), clearInterval);
      const listening = await (seat ? warmUpAndListen : listenAndWarmUp)(http, deps, serving);
      // Before the port: it waits for what is being answered.
      opened(deps.live, (live) => live.close());
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
      figures,
      close,
    };
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
  seat: Seat | null;
}

function serverDeps(serving: Serving): { deps: ServerDeps; figures: () => Figures } {
  const { config, log, opened, parts, state, work, sample, seat } = serving;
  const { tracing } = config;
  const exporter = tracing && opened(openExporter({ ...tracing, log }), (exporter) => exporter.close());
  const calls = countCalls();
  const watch = watching(work, calls);
  const ready = () => readiness(parts, state, log.health());
  const admin = seat?.office ?? openOperatorService({ config, log, data: parts, opened });
  parts.features.whenFailed(
    (failure) => void admin.recordFeatureFailure({ ...failure, time: Date.now() }).catch(() => undefined),
  );
  const ofTests = { graph: sample, region: SAMPLE_REGION, calibration: null };
  const figures = (): Figures => ({
    counted: [...calls.families(), ...harvestCounted(parts)],
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
  const askStore = askingStore(parts.engine);
  const alone = async () =>
    figuresText(figures(), {
      ofStore: await askStore(Date.now()),
      ofProcess: await processMetrics(),
    });
  const deps: ServerDeps = {
    findKey: parts.uses.trackLookups(parts.calls.findKey),
    ...consoleOf(parts),
    live: openLiveMetrics(seat?.metrics ?? alone),
    failures: createAuthFailureLimit({ threads: seat?.of ?? 1 }),
    addressOf: createClientAddressFinder(config.trustedProxies),
    limiter: parts.calls.limiter,
    validate: (call) => {
      requirePresent(parts.watch);
      const { call: watched, work } = watch(call);
      return validate(watched, call.caller.test ? { ...work, ...ofTests } : work);
    },
    findCall: parts.calls.findCall,
    recordOutcome: parts.engine.recorder.recordOutcome,
    getUsage: parts.calls.getUsage,
    admin: adminServiceOf({ features: parts.features, dataDir: config.dataDir }, admin),
    served: servedBy({ config, parts, sample, sampleRegion: SAMPLE_REGION, office: admin }),
    ready,
    metrics: {
      readers: config.metrics,
      text: seat?.metrics ?? alone,
    },
    tracer: exporter && startTracer(exporter, tracing),
    addRefusal: parts.refusals.add,
    log: { ...log, request: (line) => (log.request(line), calls.request(line)) },
  };
  return { deps, figures };
}

/** The port answers at once, and /readyz tells when calls may come. */
async function listenAndWarmUp(http: H3, deps: ServerDeps, serving: Serving): Promise<RunningServer> {
  const { config, log, opened, state } = serving;
  const listening = await takePort(http, serving);
  await getWarm(deps, serving);
  const onChecked = (damages: Damage[]) => (state.damaged = damages.map(({ name }) => name));
  opened(keepInBackground({ ...keepingOf(config, log), onChecked }), (keeping) => keeping.close());
  return listening;
}

/** Beside other threads that answer already, one takes its share of the calls when it is warm. */
async function warmUpAndListen(http: H3, deps: ServerDeps, serving: Serving): Promise<RunningServer> {
  await getWarm(deps, serving);
  return takePort(http, serving);
}

async function takePort(http: H3, { config, log, opened, seat }: Serving): Promise<RunningServer> {
  const place = { ...config, reusePort: seat !== null, variables: environment, log };
  return opened(await startHttpServer(http, place), (listening) => listening.close());
}

async function getWarm(deps: ServerDeps, serving: Serving): Promise<void> {
  const { log, parts, state, sample } = serving;
  const { testKeys } = await parts.engine.getKeyPresence();
  if (testKeys) await prepared(sample, log);
  await warmedUp(deps, serving);
  state.warm = true;
}

async function warmedUp(deps: ServerDeps, { config, work }: Serving): Promise<void> {
  const mostMs = parseDuration(config.warmUp) ?? 0;
  if (mostMs === 0) return;
  const rehearsal = await unasked(work);
  await warmUpServer({ ...deps, tracer: undefined, validate: (call) => validate(call, rehearsal) }, mostMs);
}

/** Live calls do not wait for invented people. */
const prepared = (sample: Serving['sample'], log: Log) =>
  sample.prepare().catch((error: unknown) => log.error('test keys cannot be answered', error));
