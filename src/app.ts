// The only file that wires: opens store, graph, features and HTTP, and closes them in reverse order.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { H3 } from 'h3';
import { check } from './check.ts';
import { environment } from './config.ts';
import { BonafideError } from './errors.ts';
import type { Config } from './config.ts';
import { openFeatures } from './features/open.ts';
import type { Features, NameFacts } from './features/open.ts';
import type { IdentityGraph } from './graph/graph.ts';
import { graphFile, openGraph } from './graph/sqlite/open.ts';
import type { Insights } from './http/insights.ts';
import { requestId } from './http/ids.ts';
import { listen } from './http/listen.ts';
import type { Listening } from './http/listen.ts';
import { parseClaim } from './claim/parse.ts';
import { createHttp } from './http/server.ts';
import type { ServerDeps } from './http/server.ts';
import { v1 } from './http/v1.ts';
import { openLog } from './observe/log.ts';
import type { Log } from './observe/log.ts';
import { compareNames } from './names/index.ts';
import type { Verdict } from './model.ts';
import { openRecorder } from './store/recorder.ts';
import type { Recorder } from './store/recorder.ts';
import { keyFinder } from './store/sqlite/keys.ts';
import { openStore, storeFile } from './store/sqlite/open.ts';
import type { Store } from './store/sqlite/open.ts';
import { callOf, window } from './store/sqlite/stream.ts';
import { callsIn, monthOf } from './store/sqlite/usage.ts';
import { warmUp } from './platform/warm-up.ts';

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

const STREAM_HOURS = 24;
const STREAM_LIMIT = 1000;
/**
 * Opens everything that serving needs; the port is taken by `listen`.
 * Throws BonafideError: those of the store, the graph (wrong_secret, damaged_database …) and the features.
 */
export async function openApp(config: Config, log: Log = openLog(logFormat(config))): Promise<App> {
  const closers: (() => void | Promise<void>)[] = [];
  const opened = <T>(part: T, close: (part: T) => void | Promise<void>): T => {
    closers.push(() => close(part));
    return part;
  };
  let closed: Promise<void> | undefined;
  const close = () =>
    (closed ??= (async () => {
      for (const closer of closers.toReversed()) await closer();
      log.flush();
    })());
  try {
    const { dataDir, region } = config;
    const graph = opened(openGraph({ dataDir, secret: config.secret }), (graph) => graph.close());
    for (const text of graph.warnings()) log.warn(text);
    const store = opened(openStore({ file: storeFile(dataDir) }), (store) => store.close());
    const recorder = opened(openRecorder({ file: store.file }), (recorder) => recorder.close());
    const features = opened(
      await openFeatures({
        settingsFile: join(dataDir, 'features.json'),
        plugins: config.plugins,
        env: environment,
        log,
      }),
      (features) => features.close(),
    );
    let warm = false;
    const deps: ServerDeps = {
      findKey: keyFinder(store),
      check: (claim) => check(claim, { graph, region }),
      insights: insightsOf(features, store),
      record: recorder.record,
      callOf: (account, id) => callOf(store, account, id),
      usageOf: (account, now) => ({ month: monthOf(now), calls: callsIn(store, account, monthOf(now)) }),
      ready: () => readiness({ recorder, graph, warm }),
      log,
    };
    const http = createHttp(deps);
    return {
      config,
      log,
      store,
      graph,
      http,
      listen: async () => {
        const listening = opened(await listen(http, config), (listening) => listening.close());
        await warmUp(rehearsal(deps), 'warm-up');
        warm = true;
        return listening;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function logFormat({ log }: Config) {
  if (log !== 'auto') return log;
  return process.stdout.isTTY ? 'pretty' : 'json';
}

/** The features' door to what they may know of a call: two names, and the caller's own earlier calls. */
function insightsOf(features: Features, store: Store): Insights {
  return async ({ name, intent, include }, verdict, endpoint, { caller, now, signal }) => {
    if (endpoint === 'validate') return null;
    const since = now - STREAM_HOURS * 3_600_000;
    return features.insights({
      endpoint,
      intent,
      include,
      verdict,
      names: () => nameFacts(name, verdict),
      stream: () => ({ records: window(store, caller.keyId, { since, before: now, limit: STREAM_LIMIT }) }),
      signal,
    });
  };
}

function nameFacts(provided: string, { matchedName: matched }: Verdict): NameFacts {
  return { provided, matched, comparison: matched === null ? null : compareNames(provided, matched) };
}

function readiness({ recorder, graph, warm }: { recorder: Recorder; graph: IdentityGraph; warm: boolean }) {
  const parts = {
    store: recorder.healthy() ? ('ok' as const) : ('failed' as const),
    graph: answers(graph) ? ('ok' as const) : ('failed' as const),
    warm_up: warm ? ('ok' as const) : ('starting' as const),
  };
  return { ready: Object.values(parts).every((part) => part === 'ok'), parts };
}

function answers(graph: IdentityGraph): boolean {
  try {
    graph.ping();
    return true;
  } catch {
    return false;
  }
}

/** The server as it is, but for the key, the log and the record: nothing of a warm-up is kept. */
function rehearsal(deps: ServerDeps): H3 {
  return createHttp({
    ...deps,
    findKey: () => ({ keyId: 'warm-up', scopes: ['validate'] }),
    record: async () => undefined,
    log: openLog('silent'),
  });
}

/**
 * One check without a server: opens the graph, checks a request body as the API takes it, and closes again.
 * Nothing is recorded. Throws invalid_request (a ProblemError) and what `openApp` throws of the graph.
 */
export async function checkOnce({ dataDir, secret, region }: Config, body: object) {
  const claim = parseClaim(Buffer.from(JSON.stringify(body)));
  if (!existsSync(graphFile(dataDir)))
    throw new BonafideError('graph_unavailable', `There is no graph in ${dataDir}: import records first.`);
  const graph = openGraph({ dataDir, secret });
  try {
    const verdict = await check(claim, { graph, region });
    const now = Date.now();
    return { verdict, response: v1(verdict, { requestId: requestId(now), now, insights: null }) };
  } finally {
    graph.close();
  }
}
