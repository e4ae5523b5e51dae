// A server of several threads: this one keeps it (the writer, what is due once a folder, the threads), and takes no calls itself; so it
// loads nothing of what works on them.
import { createServer, type AddressInfo } from 'node:net';
import { openOperatorService } from '../admin/operator-service.ts';
import { createCloser, type CloseLater } from '../closer.ts';
import { openServerData, toBackgroundOptions } from '../data/databases.ts';
import { type Config, environment } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { isSystemdActivated, startListening } from '../../http/connection/address.ts';
import { keepInBackground } from '../../maintenance/background.ts';
import { formatOf, openLog, type Log } from '../../observe/log.ts';
import { outputSink } from '../../observe/sink.ts';
import type { Store } from '../../store/store.ts';
import type { MainThreadHealth } from './messages.ts';
import { startServingThreads } from './pool.ts';

export interface MultiThreadServer {
  config: Config;
  log: Log;
  store: Store;
  /** Starts the threads; each takes calls when it is warm. */
  listen(): Promise<{ url: string }>;
  /** Lets calls in flight finish, then closes everything in reverse order. Closing twice is closing once. */
  close(): Promise<void>;
}

/**
 * Opens what several threads serve from; they are started by `listen`.
 *
 * Errors: those of `openApp`; invalid_config where the server would listen at what threads cannot share.
 */
export async function openMultiThreadServer(
  config: Config,
  threadCount: number,
  sink = outputSink(),
): Promise<MultiThreadServer> {
  requireSharedPort(config);
  const format = formatOf(config.log);
  const log = openLog(format, sink);
  const { closeLater, close } = createCloser(log);
  try {
    const data = await openServerData(config, log, closeLater);
    const operatorService = openOperatorService({ config, log, data, closeLater });
    const listen = async () => {
      const health: MainThreadHealth = { damaged: [], log: log.health() };
      const pool = closeLater(
        await startServingThreads({
          config: { ...config, port: await findFreePort(config), log: format },
          threadCount,
          data,
          operatorService,
          log,
          write: sink.write,
          health: () => ({ ...health, log: log.health() }),
        }),
        (pool) => pool.close(),
      );
      startBackgroundTasks(config, log, { closeLater, health });
      return { url: pool.url };
    };
    return {
      config,
      log,
      get store() {
        return data.engine.store;
      },
      listen,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function startBackgroundTasks(
  config: Config,
  log: Log,
  { closeLater, health }: { closeLater: CloseLater; health: MainThreadHealth },
): void {
  const keeping = keepInBackground({
    ...toBackgroundOptions(config, log),
    onChecked: (damages) => (health.damaged = damages.map(({ name }) => name)),
  });
  closeLater(keeping, (keeping) => keeping.close());
}

/** A port can be opened by each thread; a socket that is one file, or one descriptor, by one. */
function requireSharedPort({ listen }: Config): void {
  if (listen === undefined && !isSystemdActivated(environment)) return;
  throw new BonafideError(
    'invalid_config',
    'workers share a port, and cannot share a socket file or a socket of systemd: leave those out, or set workers to 1.',
  );
}

/** The port of the settings, or a free one. Nobody else may have it: who shares a port gets a part of its connections. */
async function findFreePort({ host, port }: Config): Promise<number> {
  const server = createServer();
  await startListening(server, { host, port }, {});
  const { port: taken } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return taken;
}
