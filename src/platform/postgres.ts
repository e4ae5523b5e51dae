import { createConnection, type Socket } from 'node:net';

/**
 * Returns the driver option `host` for a PostgreSQL address that names a socket folder, such as
 * `postgres://user@%2Frun%2Fpostgresql/database`. Without the option, the driver takes the folder for a host
 * name.
 */
export function parseSocketFolder(url: string): { host?: string } {
  const host = decodeURIComponent(new URL(url).hostname);
  return host.startsWith('/') ? { host } : {};
}

/** Connection timeout, in seconds. */
const CONNECT_SECONDS = 5;
/** Seconds between a lost connection and the next attempt. */
const RETRY_SECONDS = 0.2;

/** Addresses of a pool, as the driver passes them: a socket file, or a list of hosts, each with its port. */
interface PoolAddresses {
  path: string | boolean;
  host: string[];
  port: number[];
}

/**
 * Returns the function by which the driver opens its sockets. The driver opens TCP sockets without TCP_NODELAY: each small statement then
 * waits up to 40 ms for a delayed acknowledgement. After a socket has closed, the next socket connects to the next host of the list.
 */
function createSocketOpener() {
  let current = 0;
  return ({ path, host, port }: PoolAddresses): Socket => {
    if (typeof path === 'string') return createConnection(path);
    const index = current;
    const name = host[index] ?? 'localhost';
    // The driver writes before the socket is connected; Node sends these bytes after the connection.
    const socket = createConnection({ host: name, port: port[index] ?? 5432, noDelay: true });
    socket.once('close', () => {
      if (current === index) current = (index + 1) % host.length;
    });
    // The driver reads the property for the server name of TLS.
    return Object.assign(socket, { host: name });
  };
}

/** Returns the driver options that the pools of the graph and the store have in common. */
export const createPoolOptions = (url: string, connections: number) => ({
  ...parseSocketFolder(url),
  max: connections,
  socket: createSocketOpener() as never,
  connect_timeout: CONNECT_SECONDS,
  backoff: () => RETRY_SECONDS,
  max_lifetime: null,
  // Arrays are sent as text. Otherwise the driver queries the array types on every connection.
  fetch_types: false,
  onnotice: () => undefined,
});

/** Events of a connection pool, named as the driver's options. */
export interface PoolEvents {
  /** Called when a connection was opened. */
  onparameter(): void;
  /** Called when a connection was lost or could not be opened. */
  onclose(): void;
}

interface Pool {
  end(options: { timeout: number }): Promise<void>;
}

/** Seconds for the pending queries of a pool that lost a connection. */
const CLOSE_SECONDS = 2;
/**
 * Seconds after which a pool without any successful connection is ended. The driver itself retries forever if
 * the other side closes each connection at once, as a server that is not PostgreSQL does.
 */
const LOGIN_SECONDS = 4;

/**
 * Returns a connection pool of the driver that is replaced by a new pool after one of its connections was
 * lost.
 *
 * Reason: the driver (postgres 3.4.9, src/connection.js: `errorResponse` is cleared by an answer alone)
 * remembers the server's last error on a lost connection, and fails the first query of the next connection
 * with this error. A pool that never connected has no such error, and the pauses between its attempts are
 * useful, so it is kept for four seconds. Then it is ended and its pending queries fail.
 *
 * @param onLost called for each connection of the current pool that is lost or could not be opened
 */
export function createRenewablePool<T extends Pool>(make: (told: PoolEvents) => T, onLost?: () => void) {
  let pool: T | null = null;
  let isClosing = false;
  const discardPool = (timeout: number) => {
    if (isClosing) return;
    const left = pool;
    pool = null;
    void left?.end({ timeout });
  };
  const openPool = (): T => {
    let wasOpen = false;
    const made = make({
      onparameter: () => (wasOpen = true),
      onclose() {
        if (pool !== made || isClosing) return;
        onLost?.();
        if (wasOpen) discardPool(CLOSE_SECONDS);
      },
    });
    // Counts seconds instead of using one timer: after a blocked event loop, a single timer would fire before
    // the server's answer is read.
    let seconds = 0;
    const timer = setInterval(() => {
      if (pool === made && !wasOpen && ++seconds < LOGIN_SECONDS) return;
      clearInterval(timer);
      if (pool === made && !wasOpen) discardPool(0);
    }, 1000).unref();
    return made;
  };
  const getPool = (): T => (pool ??= openPool());
  return {
    /** Returns the current pool. Get it again for each query. */
    getPool,
    /** Makes the next query use new connections, because the current ones no longer respond. */
    renew: () => discardPool(CLOSE_SECONDS),
    /** Closes the pool after its pending queries. */
    async close(): Promise<void> {
      isClosing = true;
      await getPool().end({ timeout: CLOSE_SECONDS });
    },
  };
}
