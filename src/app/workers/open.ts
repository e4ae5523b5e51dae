// Server with several serving threads. The main thread has the writer and the periodic tasks, takes no calls, and therefore does not load
// the code that serves them.
import { createServer, type AddressInfo } from 'node:net';
import { openOperatorService } from '../admin/operator-service.ts';
import { createShutdownList, type RegisterForClosing } from '../closer.ts';
import { openServerDatabases, toBackgroundMaintenanceOptions } from '../data/databases.ts';
import { type Config, processEnvironment } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { isSystemdSocketActivated, startListening } from '../../http/connection/address.ts';
import { startBackgroundMaintenance } from '../../maintenance/background.ts';
import { chooseLogFormat, openLog, type Log } from '../../observe/log.ts';
import { createOutputSink } from '../../observe/sink.ts';
import type { StoreEngine } from '../../store/engine.ts';
import type { Store } from '../../store/store.ts';
import type { MainThreadHealth } from './messages.ts';
import { startServingThreads } from './pool.ts';

export interface MultiThreadServer {
  config: Config;
  log: Log;
  store: Store;
  /** Starts the threads, and resolves to their address. Each thread accepts calls after its warm-up. */
  listen(): Promise<{ url: string }>;
  /** Lets running requests finish, then closes everything in reverse order. A repeated `close` has no effect. */
  close(): Promise<void>;
}

/**
 * Opens the main thread of a server with several serving threads, which `listen` starts. Errors: invalid_config if the settings name a socket
 * that threads cannot share; those of `openApp`.
 */
export async function openMultiThreadServer(
  config: Config,
  threadCount: number,
  sink = createOutputSink(),
): Promise<MultiThreadServer> {
  requireSharedPort(config);
  const format = chooseLogFormat(config.log);
  const log = openLog(format, sink);
  const { closeLater, close } = createShutdownList(log);
  try {
    const data = await openServerDatabases(config, log, closeLater);
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
      );
      startBackgroundTasks(config, log, { closeLater, health, engine: data.engine });
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
  {
    closeLater,
    health,
    engine,
  }: { closeLater: RegisterForClosing; health: MainThreadHealth; engine: StoreEngine },
): void {
  const keeping = startBackgroundMaintenance({
    ...toBackgroundMaintenanceOptions(config, log, engine),
    onChecked: (damages) => (health.damaged = damages.map(({ name }) => name)),
  });
  closeLater(keeping);
}

/** Throws if the settings name a socket file or a systemd socket, which several threads cannot share. Errors: invalid_config. */
function requireSharedPort({ listen }: Config): void {
  if (listen === undefined && !isSystemdSocketActivated(processEnvironment)) return;
  throw new BonafideError(
    'invalid_config',
    'Several workers can share a port, but not a socket file or a socket of systemd. Listen on a port, or set workers to 1.',
  );
}

/** Returns the configured port, or a free one. Throws if another process uses the port, because it would receive a part of the connections. */
async function findFreePort({ host, port }: Config): Promise<number> {
  const server = createServer();
  await startListening(server, { host, port }, {});
  const { port: taken } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return taken;
}
