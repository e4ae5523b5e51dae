// The only file that wires: opens store, graph, features and HTTP, and closes them in reverse order.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { check } from './check.js';
import { environment } from './config.js';
import { BonafideError } from './errors.js';
import { openFeatures } from './features/open.js';
import { graphFile, openGraph } from './graph/sqlite/open.js';
import { requestId } from './http/ids.js';
import { listen } from './http/listen.js';
import { parseClaim } from './claim/parse.js';
import { createHttp } from './http/server.js';
import { v1 } from './http/v1.js';
import { openLog } from './observe/log.js';
import { compareNames } from './names/index.js';
import { openRecorder } from './store/recorder.js';
import { keyFinder } from './store/sqlite/keys.js';
import { openStore, storeFile } from './store/sqlite/open.js';
import { callOf, window } from './store/sqlite/stream.js';
import { callsIn, monthOf } from './store/sqlite/usage.js';
import { warmUp } from './platform/warm-up.js';
const STREAM_HOURS = 24;
const STREAM_LIMIT = 1000;
/**
 * Opens everything that serving needs; the port is taken by `listen`.
 * Throws BonafideError: those of the store, the graph (wrong_secret, damaged_database …) and the features.
 */
export async function openApp(config, log = openLog(logFormat(config))) {
    const closers = [];
    const opened = (part, close) => {
        closers.push(() => close(part));
        return part;
    };
    let closed;
    const close = () => (closed ??= (async () => {
        for (const closer of closers.toReversed())
            await closer();
        log.flush();
    })());
    try {
        const { dataDir, region } = config;
        const graph = opened(openGraph({ dataDir, secret: config.secret }), (graph) => graph.close());
        for (const text of graph.warnings())
            log.warn(text);
        const store = opened(openStore({ file: storeFile(dataDir) }), (store) => store.close());
        const recorder = opened(openRecorder({ file: store.file }), (recorder) => recorder.close());
        const features = opened(await openFeatures({
            settingsFile: join(dataDir, 'features.json'),
            plugins: config.plugins,
            env: environment,
            log,
        }), (features) => features.close());
        let warm = false;
        const deps = {
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
    }
    catch (error) {
        await close();
        throw error;
    }
}
function logFormat({ log }) {
    if (log !== 'auto')
        return log;
    return process.stdout.isTTY ? 'pretty' : 'json';
}
/** The features' door to what they may know of a call: two names, and the caller's own earlier calls. */
function insightsOf(features, store) {
    return async ({ name, intent, include }, verdict, endpoint, { caller, now, signal }) => {
        if (endpoint === 'validate')
            return null;
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
function nameFacts(provided, { matchedName: matched }) {
    return { provided, matched, comparison: matched === null ? null : compareNames(provided, matched) };
}
function readiness({ recorder, graph, warm }) {
    const parts = {
        store: recorder.healthy() ? 'ok' : 'failed',
        graph: answers(graph) ? 'ok' : 'failed',
        warm_up: warm ? 'ok' : 'starting',
    };
    return { ready: Object.values(parts).every((part) => part === 'ok'), parts };
}
function answers(graph) {
    try {
        graph.ping();
        return true;
    }
    catch {
        return false;
    }
}
/** The server as it is, but for the key, the log and the record: nothing of a warm-up is kept. */
function rehearsal(deps) {
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
export async function checkOnce({ dataDir, secret, region }, body) {
    const claim = parseClaim(Buffer.from(JSON.stringify(body)));
    if (!existsSync(graphFile(dataDir)))
        throw new BonafideError('graph_unavailable', `There is no graph in ${dataDir}: import records first.`);
    const graph = openGraph({ dataDir, secret });
    try {
        const verdict = await check(claim, { graph, region });
        const now = Date.now();
        return { verdict, response: v1(verdict, { requestId: requestId(now), now, insights: null }) };
    }
    finally {
        graph.close();
    }
}
