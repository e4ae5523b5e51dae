import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { MultiThreadServer } from '../../app/workers/open.ts';
import { type Config, processEnvironment, getDefaultDataFolders } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { isDataFolder } from '../../platform/data-folder.ts';
import { createServiceManagerNotifier } from '../../platform/service-manager.ts';
import { defineFlag, defineOption, PLUGINS_OPTION, REGION_OPTION } from '../helpers/arguments.ts';
import { defineCommand, loadSettings } from '../helpers/command.ts';
import { allowYoungSpaceGrowth } from '../helpers/heap.ts';
import { createConsoleSignInLink, hasConsoleSession, toBrowserUrl, writeServerAddress } from './console.ts';
import { buildCurlCommand, fillDemoGraph, loadOrCreateDemoApiKey } from './demo.ts';

export const serveCommand = defineCommand('Start the server: API, documentation and console', {
  args: {
    host: defineOption('Address to listen on (BONAFIDE_HOST; default 127.0.0.1)'),
    port: defineOption('Port to listen on; 0 takes a free port (BONAFIDE_PORT; default 8787)'),
    listen: defineOption('unix:PATH to listen on a socket file, in place of host and port (BONAFIDE_LISTEN)'),
    workers: defineOption('Number of server threads, or auto (BONAFIDE_WORKERS; default 1)'),
    ...REGION_OPTION,
    log: defineOption('Format of the log: auto, json, pretty or silent (BONAFIDE_LOG; default auto)'),
    ...PLUGINS_OPTION,
    init: defineFlag('Start in an empty folder, and create the databases there'),
    demo: {
      ...defineFlag(''),
      get description() {
        return `Create a graph of invented people, a key and an example request (default folder ${getDefaultDataFolders().demo})`;
      },
    },
  },
  examples: ['serve --demo', 'serve --host 0.0.0.0 --port 80 --data-dir /var/lib/bonafide'],
  run: async (args) => {
    ignoreOutputErrors();
    const { host, port, listen, workers, region, log, plugins } = args;
    const flags = { host, port, listen, workers, region, log, plugins };
    const config = await loadSettings(args, flags, args.demo ? getDemoDefaults() : undefined);
    if (args.demo) await fillDemoGraph(config);
    else if (!args.init) refuseUnknownFolder(config.dataDir);
    const app = await openServer(config);
    const demoKey = args.demo ? loadOrCreateDemoApiKey(app) : undefined;
    const manager = createServiceManagerNotifier(processEnvironment);
    const stopped = stopOnSignal(app, manager.stopping);
    const { url } = await listenOrClose(app);
    allowYoungSpaceGrowth();
    const removeAddress = writeServerAddress(config.dataDir, url);
    manager.ready();
    if (args.json)
      process.stdout.write(`${JSON.stringify({ url, ...(demoKey && { demo_key: demoKey }) })}\n`);
    else {
      app.log.info(`listening on ${url}`);
      if (demoKey !== undefined) printExample(app, url, demoKey);
      if (process.stdout.isTTY) printConsoleLink(app, url);
    }
    await stopped;
    removeAddress();
  },
});

/** Settings of `serve --demo`: no warm-up, so that it starts at once. */
const getDemoDefaults = (): Partial<Config> => ({ dataDir: getDefaultDataFolders().demo, warmUp: '0s' });

/** Opens a server in one or several threads, as configured. With several threads, the main thread does not load the server's modules. */
async function openServer(config: Config): Promise<MultiThreadServer> {
  const workers = config.workers === 'auto' ? availableParallelism() : config.workers;
  if (workers === 1) return (await import('../../app.ts')).openApp(config);
  return (await import('../../app/workers/open.ts')).openMultiThreadServer(config, workers);
}

async function listenOrClose(app: MultiThreadServer): Promise<{ url: string }> {
  try {
    return await app.listen();
  } catch (error) {
    await app.close();
    throw error;
  }
}

function printExample({ config, log }: MultiThreadServer, url: string, key: string): void {
  log.flush();
  const command = buildCurlCommand(url, key);
  process.stdout.write(`\nThe people in ${config.dataDir} are invented. Example request:\n\n${command}\n\n`);
}

/** Prints a link to the console in a terminal. The link must never be logged: it signs in whoever opens it. */
function printConsoleLink({ config, log }: MultiThreadServer, url: string): void {
  if (url.startsWith('unix:') || hasConsoleSession(config)) return;
  log.flush();
  const link = createConsoleSignInLink(config, toBrowserUrl(url));
  process.stdout.write(`Link to the console (works once, within 30 minutes):\n\n${link}\n\n`);
}

/** Throws for a folder without Bonafide's files, because its name may be mistyped. Errors: file_not_found. */
function refuseUnknownFolder(dataDir: string): void {
  if (isDataFolder(dataDir) || dataDir === resolve(getDefaultDataFolders().own)) return;
  throw new BonafideError(
    'file_not_found',
    `${dataDir} contains no data of Bonafide. Check --data-dir. To start in a new folder, import records, create a key, or add --init.`,
  );
}

/** Maximum time (ms) for a shutdown, in which running calls finish and files are closed. */
const MAX_SHUTDOWN_MS = 20_000;

/** Keeps the server running if the reader of its output ends. Other commands end then; see src/cli.ts. */
function ignoreOutputErrors(): void {
  for (const output of [process.stdout, process.stderr])
    output.removeAllListeners('error').on('error', () => undefined);
}

/** Ends the process at once. `process.exit` would wait for every thread, and a plugin's thread may be impossible to stop. */
const killThisProcess = () => process.kill(process.pid, 'SIGKILL');

/**
 * Waits for SIGTERM or SIGINT, then stops the server: running calls finish, and everything is closed. A second signal or the time limit ends the
 * process at once.
 */
function stopOnSignal(app: MultiThreadServer, onStopping: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let isStopping = false;
    const stop = () => {
      if (isStopping) killThisProcess();
      isStopping = true;
      onStopping();
      app.log.info('stopping: calls in flight are finished first');
      setTimeout(() => {
        app.log.error('stopping took too long; the process is killed');
        app.log.flush();
        killThisProcess();
      }, MAX_SHUTDOWN_MS).unref();
      app.close().then(resolve, reject);
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
  });
}
