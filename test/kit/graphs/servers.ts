// Two servers: one serves its graph, and the other queries it.
import { createRefusedRequestLimiter } from '../../../src/accounts/failures.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createGraphOperationsForOtherServers } from '../../../src/app/served-graph.ts';
import { type GraphSettings, loadConfig, DEFAULT_GRAPH_SETTINGS } from '../../../src/config.ts';
import type { IdentityGraph } from '../../../src/graph/graph.ts';
import { openUpstreamGraph } from '../../../src/graph/upstream/engine.ts';
import { startHttpServer } from '../../../src/http/connection/listen.ts';
import { createHttpApp, type ServerDeps } from '../../../src/http/server.ts';
import { openLog } from '../../../src/observe/log.ts';
import { freshApp, type TestApp } from '../app.ts';
import { freshFolder } from '../folder.ts';

export interface Office extends TestApp {
  url: string;
  /** File with a key that may query the graph. */
  keyFile: string;
}

/** Starts a server that serves its graph on a port. */
export async function office(people: object[], settings: Record<string, string> = {}): Promise<Office> {
  const test = await freshApp({ people, settings: { graph: 'serve=true', ...settings } });
  const { url } = await test.app.listen();
  const keyFile = join(freshFolder(), 'key');
  writeFileSync(keyFile, `${test.key(['graph'])}\n`);
  return { ...test, url, keyFile };
}

/** Serves any graph on a port, as a server with `graph.serve` does, to every caller. */
export async function serveGraph(graph: IdentityGraph): Promise<Office['url']> {
  const report = async () => ({
    found: { ...(await graph.stats()), warnings: await graph.warnings() },
    at: Date.now(),
  });
  const served = createGraphOperationsForOtherServers({
    config: { region: 'US', graph: { ...DEFAULT_GRAPH_SETTINGS, serve: true } },
    parts: { graph, watch: { missing: () => null, close: () => undefined } },
    sample: graph,
    sampleRegion: 'US',
    operatorService: { makeReport: report as never },
  });
  const deps = {
    served,
    findKey: () => ({ keyId: 'x', account: null, scopes: ['graph'], test: false, plan: null }),
    limiter: { enter: () => ({ policies: [], refused: null, quotaUsage: null, leave: () => undefined }) },
    failures: createRefusedRequestLimiter(),
    addressOf: () => '127.0.0.1',
    log: openLog('silent'),
  } as unknown as ServerDeps;
  const listening = await startHttpServer(createHttpApp(deps), { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listening.close(0));
  return listening.url;
}

/** Starts a server without own records in front of a graph. */
export const laptop = (graph: string, settings: Record<string, string> = {}): Promise<TestApp> =>
  freshApp({ people: [], settings: { graph, ...settings } });

/** Returns the setting `graph` of a server in front of another one. */
export const inFrontOf = ({ url, keyFile }: Pick<Office, 'url' | 'keyFile'>, more = '') =>
  `engine=upstream,url=${url},keyFile=${keyFile}${more}`;

/** Opens the engine of a setting. It is closed when the test ends. */
export async function upstreamOf(graph: string): Promise<IdentityGraph> {
  const { graph: settings } = await loadConfig({ env: {}, cwd: freshFolder(), flags: { graph } });
  const engine = openUpstreamGraph(settings as GraphSettings, {});
  onTestFinished(() => void engine.close());
  return engine;
}

/** Opens an upstream engine that queries this graph, served without a check of keys. */
export async function inFront(graph: IdentityGraph): Promise<IdentityGraph> {
  const keyFile = join(freshFolder(), 'key');
  writeFileSync(keyFile, 'bf_live_x');
  return upstreamOf(inFrontOf({ url: await serveGraph(graph), keyFile }));
}
