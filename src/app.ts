// The only file that wires: opens store, graph, features and HTTP, and closes them in reverse order.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { H3 } from 'h3';
import { OPERATOR } from './accounts/access.ts';
import { countFailures } from './accounts/failures.ts';
import { boundInFlight } from './accounts/in-flight.ts';
import { isTest } from './accounts/keys.ts';
import type { Spans, Window } from './accounts/window.ts';
import { calibrationOf } from './app/calibrations.ts';
import { environment, milliseconds } from './config.ts';
import { BonafideError } from './errors.ts';
import type { Config } from './config.ts';
import { openFeatures } from './features/open.ts';
import type { Features } from './features/open.ts';
import { derivedKey } from './graph/fingerprints.ts';
import { loadSecret } from './graph/secret.ts';
import type { GraphQuery, IdentityGraph } from './graph/graph.ts';
import { graphFile, openGraph } from './graph/sqlite/open.ts';
import { addressesBehind } from './http/address.ts';
import { listen } from './http/connection/listen.ts';
import type { Listening } from './http/connection/listen.ts';
import { rehearse } from './http/rehearsal.ts';
import { createHttp } from './http/server.ts';
import type { ServerDeps } from './http/server.ts';
import { type Check, v1 } from './http/view/v1.ts';
import { keepInBackground } from './keep/background.ts';
import type { BackgroundOptions } from './keep/background.ts';
import type { Damage } from './keep/integrity.ts';
import { finishSwap } from './keep/swap.ts';
import { refuseEmptied, refuseLost, remember, watchHeld } from './platform/held.ts';
import type { Held, Watch } from './platform/held.ts';
import { requestId } from './platform/request-id.ts';
import { countCalls } from './observe/metrics/calls.ts';
import { openExporter } from './observe/trace/otlp.ts';
import { startTracer } from './observe/trace/tracer.ts';
import { formatOf, openLog } from './observe/log.ts';
import type { Log } from './observe/log.ts';
import { deliverNotices } from './observe/notices.ts';
import type { LogHealth } from './observe/sink.ts';
import { openLimiter } from './store/sqlite/limits/limiter.ts';
import type { Limiter } from './store/sqlite/limits/limiter.ts';
import { openLimits } from './store/sqlite/limits/open.ts';
import { noteUses } from './store/sqlite/last-used.ts';
import { gatherProbes, probesOf } from './store/sqlite/probes/gather.ts';
import { openRetries } from './store/sqlite/idempotency/retries.ts';
import { openRecorder, type Recorder } from './store/sqlite/recorder.ts';
import { keyFinder, listKeys } from './store/sqlite/keys.ts';
import { openSending } from './store/sqlite/billing/sending.ts';
import { openUsage } from './store/sqlite/billing/usage.ts';
import { openStore, storeFile } from './store/sqlite/open.ts';
import type { Store } from './store/sqlite/open.ts';
import { callsWithin, countsOf, earlierCallsOf } from './store/sqlite/stream.ts';
import { SAMPLE_REGION, sampleGraph } from './sample.ts';
import { figures, watching } from './app/watched.ts';
import { validate } from './validate.ts';
import type { Call, ValidateDeps } from './validate.ts';

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
    const { store, graph } = parts;
    const state: State = { warm: false, damaged: [] };
    const { tracing } = config;
    const exporter = tracing && opened(openExporter({ ...tracing, log }), (exporter) => exporter.close());
    const calls = countCalls();
    const work = workOf(config, parts);
    const watch = watching(work, calls);
    const ready = () => readiness(parts, state, log.health());
    const sample = opened(sampleGraph(config.dataDir), (sample) => sample.close());
    const ofTests = { graph: sample, region: SAMPLE_REGION, calibration: null };
    const deps: ServerDeps = {
      findKey: parts.uses.noting(keyFinder(store)),
      failures: countFailures(),
      addressOf: addressesBehind(config.trustedProxies),
      limiter: parts.limiter,
      validate: (call) => {
        requirePresent(parts.watch);
        const { call: watched, work } = watch(call);
        return validate(watched, call.caller.test ? { ...work, ...ofTests } : work);
      },
      ...earlierCallsOf(store),
      tellOutcome: parts.recorder.tellOutcome,
      usageOf: openUsage(store).ofCaller,
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
          }),
      },
      tracer: exporter && startTracer(exporter, tracing),
      log: { ...log, request: (line) => (log.request(line), calls.request(line)) },
    };
    const http = createHttp(deps);
    const listenAndWarmUp = async () => {
      const listening = opened(await listen(http, { ...config, variables: environment, log }), (listening) =>
        listening.close(),
      );
      if (listKeys(store).some(({ prefix }) => isTest(prefix))) await prepared(sample, log);
      await rehearse({ ...deps, tracer: undefined, validate: (call) => validate(call, unasked(work)) });
      state.warm = true;
      const onChecked = (damages: Damage[]) => (state.damaged = damages.map(({ name }) => name));
      opened(keepInBackground({ ...keepingOf(config, log), onChecked }), (keeping) => keeping.close());
      return listening;
    };
    return { config, log, store, graph, http, listen: listenAndWarmUp, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What becomes of a server while it runs. */
interface State {
  warm: boolean;
  /** Databases that the last check in the background found damaged. */
  damaged: Damage['name'][];
}

/** Live calls do not wait for invented people. */
const prepared = (sample: ReturnType<typeof sampleGraph>, log: Log) =>
  sample.prepare().catch((error: unknown) => log.error('test keys cannot be answered', error));

/** What a server does by itself to keep its data. */
function keepingOf({ dataDir, secret, backup }: Config, log: Log): BackgroundOptions {
  if (!backup) return { dataDir, log };
  const { every, to, ...rest } = backup;
  return { dataDir, secret, log, backups: { ...rest, to: resolve(to), everyMs: milliseconds(every) ?? 0 } };
}

type Opened = <T>(part: T, close: (part: T) => void | Promise<void>) => T;

/** Remembers how what was opened is closed again. */
function closing(log: Log): { opened: Opened; close: () => Promise<void> } {
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

interface Parts {
  graph: IdentityGraph;
  store: Store;
  recorder: Recorder;
  limiter: Limiter;
  uses: ReturnType<typeof noteUses>;
  retries: NonNullable<ValidateDeps['retries']>;
  probes: NonNullable<ValidateDeps['probes']>;
  features: Features;
  watch: Watch;
}

const AWAY: Record<Held, string> = {
  records:
    'graph.db was removed or replaced while in use: put it back, or start again with the new one. Calls are refused until then.',
  keys: 'store.db was removed or replaced while in use: put it back, or start again with the new one. Calls are refused until then.',
};
const BACK = 'The files of the data folder are all there again.';

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

/** A call that comes while a file is away is refused; it must not be worked on with what only this process still sees. */
function requirePresent({ missing }: Watch): void {
  if (missing() === 'records') throw new BonafideError('graph_unavailable', 'The file of the graph is away.');
  if (missing() === 'keys') throw new BonafideError('store_unavailable', 'The file of the store is away.');
}

/** Refuses a folder that does not hold any more what it held; it remembers what it holds now. Errors: data_missing, unreadable_file. */
async function checkHeld(dataDir: string, { graph, store }: Pick<Parts, 'graph' | 'store'>) {
  const holds: Record<Held, boolean> = {
    records: await holdsRecords(graph),
    keys: listKeys(store).length > 0,
  };
  for (const what of ['records', 'keys'] as const) {
    if (holds[what]) remember(dataDir, what);
    else refuseEmptied(dataDir, what);
  }
}

/** A damaged graph is not an empty one: it answers what it can, and readiness says so. */
async function holdsRecords(graph: IdentityGraph): Promise<boolean> {
  try {
    return (await graph.resolve(NOTHING)).total > 0;
  } catch {
    return true;
  }
}

/** Asked for the number of identities alone. */
const NOTHING: GraphQuery = { nameKeys: [], givenKey: null, values: [] };

async function openParts(
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
  const watch = opened(
    watchHeld(dataDir, (missing) => log.warn(missing ? AWAY[missing] : BACK)),
    (watch) => watch.close(),
  );
  const notify = webhook !== undefined;
  const recorder = opened(openRecorder({ file: store.file, notify }), (recorder) => recorder.close());
  if (webhook) opened(deliverNotices({ ...openSending(store, webhook), log }), (sending) => sending.close());
  const uses = opened(noteUses(recorder.used), (uses) => uses.flush());
  opened(removeOld(recorder, retentionDays), clearInterval);
  const limits = opened(openLimits(dataDir), (limits) => limits.close());
  const bounds = { limits, flights: boundInFlight(), standing: openUsage(store).standing };
  const limiter = opened(openLimiter(bounds), (limiter) => limiter.close());
  const printKey = derivedKey(loadSecret(dataDir, secret), 'bonafide idempotency 1');
  const keepMs = milliseconds(idempotencyWindow) ?? 0;
  const retries = openRetries({ store, limits, keepMs, secret: printKey });
  const features = opened(
    await openFeatures({ settingsFile: join(dataDir, 'features.json'), plugins, env: environment, log }),
    (features) => features.close(),
  );
  const gathered = opened(gatherProbes(recorder.probes), (gathered) => gathered.flush());
  const probes = probesOf(limits, gathered);
  return { graph, store, recorder, limiter, uses, retries, probes, features, watch };
}

/** What calls are worked on with. */
function workOf(config: Config, parts: Parts): ValidateDeps {
  const { graph, store, recorder, retries, probes, features } = parts;
  const earlierCalls = {
    within: (account: string, window: Window) => callsWithin(store, account, window),
    counts: (account: string, spans: Spans) => countsOf(store, account, spans),
  };
  const { standing } = openUsage(store);
  const insights = { features, earlierCalls };
  const calibration = calibrationOf(config);
  return { graph, region: config.region, calibration, insights, recorder, retries, probes, standing };
}

/** For calls that nobody asked for: they are not counted, and no plugin or model sees them. */
const unasked = (work: ValidateDeps): ValidateDeps => ({ ...work, ...UNCOUNTED });
const UNCOUNTED = { insights: null, recorder: null, standing: null, retries: null, probes: null };

/** The log is told of and not waited for: calls are served without it. */
function readiness({ store, recorder, graph, watch }: Parts, { warm, damaged }: State, log: LogHealth) {
  const isThere = (what: Held, name: Damage['name']) => watch.missing() !== what && !damaged.includes(name);
  const needed = {
    store: store.healthy() && recorder.healthy() && isThere('keys', 'store.db') ? 'ok' : 'failed',
    graph: answers(graph) && isThere('records', 'graph.db') ? 'ok' : 'failed',
    warm_up: warm ? 'ok' : 'starting',
  };
  const parts = { ...needed, log: log.failing ? 'failed' : 'ok', log_lines_lost: log.lost };
  return { ready: Object.values(needed).every((part) => part === 'ok'), parts };
}

function answers(graph: IdentityGraph): boolean {
  try {
    graph.ping();
    return true;
  } catch {
    return false;
  }
}

export type Checks = ReturnType<typeof openChecks>;

/**
 * Checks without a server, of requests as the API takes them; nothing is counted. The graph is opened for the first claim that is in
 * order, so that what is wrong with a request is told first.
 *
 * Errors, of `check`: invalid_request, and what opening the graph raises.
 */
export function openChecks({ dataDir, region, ...rest }: Config) {
  let graph: IdentityGraph | undefined;
  const opened = () => {
    if (existsSync(graphFile(dataDir))) return (graph ??= openGraph({ dataDir, ...rest }));
    throw new BonafideError('graph_unavailable', `There is no graph in ${dataDir}: import records first.`);
  };
  const lazy = { resolve: (query: GraphQuery) => opened().resolve(query) };
  const work = { graph: lazy, region, calibration: calibrationOf({ dataDir, ...rest }), ...UNCOUNTED };
  return {
    check: (value: Record<string, unknown>) => validate(operatorsCall(value), work),
    close: () => void graph?.close(),
  };
}

/** The call that a command makes. */
function operatorsCall(value: Record<string, unknown>): Call<Check> {
  const now = Date.now();
  const id = requestId(now);
  return {
    requestId: id,
    caller: OPERATOR,
    now,
    started: performance.now(),
    endpoint: 'validate',
    responseVersion: 'v1',
    submitted: () => ({ value, issues: [] }),
    content: (verdict, insights) => JSON.parse(v1(verdict, { requestId: id, now, insights })) as Check,
    signal: AbortSignal.any([]),
  };
}

/**
 * One check without a server: opens the graph, checks a request as the API takes it, and closes again. Nothing is counted.
 *
 * Errors: invalid_request, and what `openApp` raises of the graph.
 */
export async function checkOnce(config: Config, value: Record<string, unknown>) {
  const checks = openChecks(config);
  return checks.check(value).finally(checks.close);
}
