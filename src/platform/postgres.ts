/**
 * The folder of the socket, where the address of a PostgreSQL names one in place of a host, `postgres://user@%2Frun%2Fpostgresql/database`:
 * an option of the driver, which takes such a host for a name.
 */
export function parseSocketFolder(url: string): { host?: string } {
  const host = decodeURIComponent(new URL(url).hostname);
  return host.startsWith('/') ? { host } : {};
}

/** A connection is made, or fails, in so many seconds. */
const CONNECT_SECONDS = 5;
/** After a lost connection, seconds until the next try. */
const RETRY_SECONDS = 0.2;

/** Options of the driver that the pools of graph and store have in common. */
export const createPoolOptions = (url: string, connections: number) => ({
  ...parseSocketFolder(url),
  max: connections,
  connect_timeout: CONNECT_SECONDS,
  backoff: () => RETRY_SECONDS,
  max_lifetime: null,
  // Arrays go over as texts: the driver would ask for their types at every connection.
  fetch_types: false,
  onnotice: () => undefined,
});

/** What the driver tells of a pool's connections, as its options name it. */
export interface PoolEvents {
  /** A server let one in. */
  onparameter(): void;
  /** One was lost, or could not be made. */
  onclose(): void;
}

interface Pool {
  end(options: { timeout: number }): Promise<void>;
}

/** What a pool that lost a connection is working on may take so long. */
const CLOSE_SECONDS = 2;
/** The driver tries for ever where what listens at an address ends each connection at once, as what is no PostgreSQL does. */
const LOGIN_SECONDS = 4;

/**
 * A pool of the driver's, and a new one in its place once one of its connections was lost.
 *
 * The driver (postgres 3.4.9, src/connection.js: `errorResponse` is cleared by an answer alone) keeps what the server said last on a connection
 * that then ended, and fails with that the first question on the next one in its place, whenever that is asked. A pool that nobody was let into
 * has no such thing to keep, and its pauses between tries are wanted: it stays.
 *
 * A pool that nobody was let into for four seconds is ended, with what was asked of it.
 *
 * @param onLost is told of each connection of the pool in use that is lost, or could not be made
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
    // Second by second: an event loop that stood still for all of them has not seen the answer that came meanwhile.
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
    /** The pool to ask now; what is asked of it goes nowhere else. */
    getPool,
    /** Has the next question asked on new connections: nothing comes over those of now. */
    renew: () => discardPool(CLOSE_SECONDS),
    /** Ends it once what it is working on is done. */
    async close(): Promise<void> {
      isClosing = true;
      await getPool().end({ timeout: CLOSE_SECONDS });
    },
  };
}
