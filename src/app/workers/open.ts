// A server of several threads: this one keeps it (the writer, what is due once a folder, the threads), and takes no calls itself; so it
// loads nothing of what works on them.
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { openOperatorService } from '../admin/office.ts';
import { closing } from '../closing.ts';
import type { Opened } from '../closing.ts';
import { openData } from '../data/data.ts';
import { keepingOf } from '../keeping.ts';
import type { Config } from '../../config.ts';
import { environment } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { isSystemdActivated, startListening } from '../../http/connection/address.ts';
import { keepInBackground } from '../../maintenance/background.ts';
import { formatOf, openLog } from '../../observe/log.ts';
import type { Log } from '../../observe/log.ts';
import { outputSink } from '../../observe/sink.ts';
import type { Store } from '../../store/store.ts';
import type { Found } from './messages.ts';
import { openPool } from './pool.ts';

export interface Server {
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
export async function openWorkers(config: Config, of: number, sink = outputSink()): Promise<Server> {
  requirePort(config);
  const format = formatOf(config.log);
  const log = openLog(format, sink);
  const { opened, close } = closing(log);
  try {
    const data = await openData(config, log, opened);
    const office = openOperatorService({ config, log, data, opened });
    const listen = async () => {
      const found: Found = { damaged: [], log: log.health() };
      const pool = opened(
        await openPool({
          config: { ...config, port: await freePort(config), log: format },
          of,
          data,
          office,
          log,
          write: sink.write,
          found: () => ({ ...found, log: log.health() }),
        }),
        (pool) => pool.close(),
      );
      keep(config, log, { opened, found });
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

function keep(config: Config, log: Log, { opened, found }: { opened: Opened; found: Found }): void {
  const keeping = keepInBackground({
    ...keepingOf(config, log),
    onChecked: (damages) => (found.damaged = damages.map(({ name }) => name)),
  });
  opened(keeping, (keeping) => keeping.close());
}

/** A port can be opened by each thread; a socket that is one file, or one descriptor, by one. */
function requirePort({ listen }: Config): void {
  if (listen === undefined && !isSystemdActivated(environment)) return;
  throw new BonafideError(
    'invalid_config',
    'workers share a port, and cannot share a socket file or a socket of systemd: leave those out, or set workers to 1.',
  );
}

/** The port of the settings, or a free one. Nobody else may have it: who shares a port gets a part of its connections. */
async function freePort({ host, port }: Config): Promise<number> {
  const server = createServer();
  await startListening(server, { host, port }, {});
  const { port: taken } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return taken;
}
