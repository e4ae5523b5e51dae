import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { environment, getDefaultFolders, type Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { serviceManager } from '../../platform/service-manager.ts';
import { isDataFolder } from '../../platform/held.ts';
import {
  COMMON_OPTIONS,
  loadSettings,
  defineCommand,
  PLUGINS_OPTION,
  REGION_OPTION,
} from '../shared/command.ts';
import type { Server } from '../../app/workers/open.ts';
import { growYoungSpace } from '../shared/heap.ts';
import { toBrowserUrl, writeServerAddress, createConsoleLink, hasConsoleSession } from './console.ts';
import { buildCurlCommand, loadDemoKey, fillDemoGraph } from './demo.ts';

export default defineCommand({
  meta: { name: 'serve', description: 'Serve the API' },
  args: {
    ...COMMON_OPTIONS,
    host: { type: 'string', description: 'Address to listen on (BONAFIDE_HOST; default 127.0.0.1)' },
    port: {
      type: 'string',
      description: 'Port to listen on, 0 for a free one (BONAFIDE_PORT; default 8787)',
    },
    listen: {
      type: 'string',
      description: 'unix:PATH to listen on a socket file in place of host and port (BONAFIDE_LISTEN)',
    },
    workers: { type: 'string', description: 'Threads that serve, or auto (BONAFIDE_WORKERS; default 1)' },
    ...REGION_OPTION,
    log: { type: 'string', description: 'auto, json, pretty or silent (BONAFIDE_LOG; default auto)' },
    ...PLUGINS_OPTION,
    init: { type: 'boolean', description: 'Begin in a folder that holds nothing yet' },
    demo: {
      type: 'boolean',
      get description() {
        return `A graph of invented people, a key and a request to paste; in ${getDefaultFolders().demo} where no folder is named`;
      },
    },
  },
  examples: ['serve --demo', 'serve --host 0.0.0.0 --port 80 --data-dir /var/lib/bonafide'],
  async run({ args }) {
    outliveReaders();
    const { host, port, listen, workers, region, log, plugins } = args;
    const flags = { host, port, listen, workers, region, log, plugins };
    const config = await loadSettings(args, flags, args.demo ? demoDefaults() : undefined);
    if (args.demo) await fillDemoGraph(config);
    else if (!args.init) refuseStrange(config.dataDir);
    const app = await openServer(config);
    const key = args.demo ? loadDemoKey(app) : undefined;
    const manager = serviceManager(environment);
    const stopped = stopOnSignal(app, manager.stopping);
    let url: string;
    try {
      ({ url } = await app.listen());
    } catch (error) {
      await app.close();
      throw error;
    }
    growYoungSpace();
    const forget = url.startsWith('unix:') ? () => undefined : writeServerAddress(config.dataDir, url);
    manager.ready();
    if (args.json) process.stdout.write(`${JSON.stringify({ url, ...(key ? { demo_key: key } : {}) })}\n`);
    else app.log.info(`listening on ${url}`);
    if (key && !args.json) {
      app.log.flush();
      process.stdout.write(
        `\nThe people in ${config.dataDir} are invented. Ask about one:\n\n${buildCurlCommand(url, key)}\n\n`,
      );
    }
    if (process.stdout.isTTY && !args.json) sayConsole(app, url);
    await stopped;
    forget();
  },
});

/** A demo is looked at, not measured: it is there at once, and its first answers may take a little longer. */
const demoDefaults = (): Partial<Config> => ({ dataDir: getDefaultFolders().demo, warmUp: '0s' });

/** To whoever sits at a terminal, and never to a log: who has the link is the operator. */
function sayConsole({ config, log }: Server, url: string): void {
  if (url.startsWith('unix:') || hasConsoleSession(config)) return;
  log.flush();
  process.stdout.write(
    `The console, signed in, once and within 30 minutes:\n\n${createConsoleLink(config, toBrowserUrl(url))}\n\n`,
  );
}

/** The settings say in how many threads. What keeps several needs little of what serves in one. */
async function openServer(config: Config): Promise<Server> {
  const workers = config.workers === 'auto' ? availableParallelism() : config.workers;
  if (workers === 1) return (await import('../../app.ts')).openApp(config);
  return (await import('../../app/workers/open.ts')).openWorkers(config, workers);
}

/** A folder that is named and holds nothing of ours is more often a mistake than a beginning. Errors: file_not_found. */
function refuseStrange(dataDir: string): void {
  if (isDataFolder(dataDir) || dataDir === resolve(getDefaultFolders().own)) return;
  throw new BonafideError(
    'file_not_found',
    `${dataDir} holds nothing of Bonafide. Check --data-dir; to begin there, import records, make a key, or add --init.`,
  );
}

/** The time of grace of calls in flight, and some for closing files. */
const MOST_STOPPING_MS = 20_000;

/** Other commands end when nobody reads their output any more; the log of a server has its own way, see observe/sink. */
function outliveReaders(): void {
  for (const output of [process.stdout, process.stderr])
    output.removeAllListeners('error').on('error', () => undefined);
}

/**
 * The first SIGTERM or SIGINT stops accepting, lets calls in flight finish and closes everything; a second one ends
 * the process at once, and so does a part that does not end. Resolves when all is closed.
 */
function stopOnSignal(app: Server, onStopping: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false;
    const stop = () => {
      if (stopping) process.exit(1);
      stopping = true;
      onStopping();
      app.log.info('stopping: calls in flight are finished first');
      setTimeout(() => process.exit(1), MOST_STOPPING_MS).unref();
      app.close().then(resolve, reject);
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
  });
}
