// Connection pools of the driver that survive the loss of a server, and that find the primary among several
// hosts.
import type { Duplex } from 'node:stream';
import { parsePostgresAddress, type PostgresHost } from './address.ts';
import {
  openSocketToHost,
  createFailingSocket,
  findUsableHost,
  type PostgresHostState,
  waitUntilConnected,
} from './hosts.ts';

/** Time limit for opening a connection, in seconds. */
const CONNECT_SECONDS = 5;
/** Time between a lost connection and the next attempt, in seconds. */
const RETRY_SECONDS = 0.2;

/**
 * Returns the first two arguments of the driver for an address. They contain no hosts, because the driver misreads some host lists and treats a
 * standby as writable; the option `socket` chooses the host.
 */
export function toPostgresDriverArguments(url: string, connections: number) {
  const { user, password, database, parameters } = parsePostgresAddress(url);
  return [
    `postgres://localhost/?${parameters}`,
    {
      ...(user && { username: user }),
      ...(password && { password }),
      ...(database && { database }),
      max: connections,
      connect_timeout: CONNECT_SECONDS,
      backoff: () => RETRY_SECONDS,
      max_lifetime: null,
      // Arrays are sent as text. Otherwise the driver queries the array types on every connection.
      fetch_types: false,
      onnotice: () => undefined,
    },
  ] as const;
}

/**
 * Settings of PostgreSQL for each connection: the server ends the session, and its transaction and locks, about a minute after the machine of the
 * client is lost. By default, it would take two hours.
 */
export const LOST_CLIENT_DETECTION_SETTINGS = {
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 60_000,
};

/** SQL query for the state of a server, with the columns of `PostgresHostState`. */
const STATE = `
SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on',
  CASE WHEN pg_is_in_recovery() THEN '0' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END,
  (SELECT system_identifier::text FROM pg_control_system())`;

/** Reads the state of one host over a separate connection. Rejects with the error of the driver. */
async function askHost(url: string, host: PostgresHost): Promise<PostgresHostState> {
  const { default: postgres } = await import('postgres');
  const [address, options] = toPostgresDriverArguments(url, 1);
  const sql = postgres(address, { ...options, ...({ socket: () => openSocketToHost(host) } as object) });
  const giveUp = setTimeout(() => void sql.end({ timeout: 0 }), CONNECT_SECONDS * 1000).unref();
  try {
    const [[isStandby, isReadOnly, timeline, system] = NO_STATE] = await sql.unsafe(STATE).values();
    return { isStandby, isReadOnly, timeline: Number.parseInt(timeline, 16), system };
  } finally {
    clearTimeout(giveUp);
    void sql.end({ timeout: 0 });
  }
}

const NO_STATE = [true, true, '0', ''] as const;

/** Time (ms) for which a chosen host is used again by all pools of its address. */
const CHOICE_MS = 100;

/** Chooses the host for new connections. */
export interface PostgresHostChooser {
  /** Chooses a host. Errors: those of `findUsableHost`. */
  choose(): Promise<PostgresHost>;
  /** Calls `listener` whenever another host is chosen. Returns a function that removes the listener. */
  onChange(listener: (host: PostgresHost) => void): () => void;
}

/** Host choosers of this thread, by address. */
const choosers = new Map<string, PostgresHostChooser>();

/** Returns the host chooser of an address. All pools of a thread share it, so that only one of them has to notice a failover. */
export function getPostgresHostChooser(url: string): PostgresHostChooser {
  const known = choosers.get(url);
  if (known) return known;
  const address = parsePostgresAddress(url);
  const chooser = createPostgresHostChooser(() => findUsableHost(address, (host) => askHost(url, host)));
  choosers.set(url, chooser);
  return chooser;
}

/** Creates a host chooser. `find` searches for the host. */
export function createPostgresHostChooser(find: () => Promise<PostgresHost>): PostgresHostChooser {
  const listeners = new Set<(host: PostgresHost) => void>();
  let current: Promise<PostgresHost> | null = null;
  let before: PostgresHost | null = null;
  const findAndTell = async (): Promise<PostgresHost> => {
    const host = await find();
    const isChanged = before !== null && !isSameHost(before, host);
    before = host;
    if (isChanged) for (const listener of listeners) listener(host);
    return host;
  };
  return {
    choose() {
      if (current) return current;
      const choice = findAndTell();
      current = choice;
      const forget = () => void setTimeout(() => (current = null), CHOICE_MS).unref();
      choice.then(forget, forget);
      return choice;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Creates a host chooser that always chooses the same host. */
export const createFixedHostChooser = (host: PostgresHost): PostgresHostChooser => ({
  choose: async () => host,
  onChange: () => () => undefined,
});

const isSameHost = (a: PostgresHost, b: PostgresHost): boolean => a.host === b.host && a.port === b.port;

/** Driver options by which a pool is informed about its connections. */
export interface PostgresPoolHandlers {
  /** Called after a connection was opened. */
  onparameter(): void;
  onclose(): void;
  socket(): Promise<Duplex>;
}

interface Pool {
  end(options: { timeout: number }): Promise<void>;
}

export interface RenewablePoolOptions<T extends Pool> {
  make(handlers: PostgresPoolHandlers): T;
  hosts: PostgresHostChooser;
  /** Called for each connection that is lost or cannot be opened. */
  onLost?: (() => void) | undefined;
}

/** Time that the pending queries of a pool have after it lost a connection, in seconds. */
const CLOSE_SECONDS = 2;
/** Time after which a pool without any successful connection is closed, in seconds. The driver alone would retry forever. */
const LOGIN_SECONDS = 4;
/** Time without an answer (ms) after which a pool checks if another host is the primary now. */
const SILENT_MS = 1000;
/** Interval (ms) at which a connection pool whose server does not answer looks for another primary. */
const LOOK_EVERY_MS = 500;
/** Time (ms) for which a pool continues to look for another primary after the database has answered again. */
const SUSPECT_MS = 60_000;
/** SQLSTATE of a write that a read-only server refuses. */
const READ_ONLY = '25006';

/**
 * Creates a connection pool that is replaced after it lost a connection, if its server is a standby, or if another host is chosen for its
 * address. A new pool chooses its host again. (The driver, postgres 3.4.9, would otherwise fail the first query of the next connection with the
 * last error of the lost one: see `errorResponse` in src/connection.js.) A pool that never connected is kept for four seconds, then closed, and
 * its pending queries fail.
 */
export function createRenewablePool<T extends Pool>({ make, hosts, onLost }: RenewablePoolOptions<T>) {
  let pool: T | null = null;
  let host: Promise<PostgresHost> | null = null;
  let isClosing = false;
  let isClosed = false;
  const discardPool = (timeout: number) => {
    if (isClosing) return;
    const oldPool = pool;
    pool = null;
    host = null;
    void oldPool?.end({ timeout });
  };
  const renew = (timeout = CLOSE_SECONDS) => {
    onLost?.();
    discardPool(timeout);
  };
  const openPostgresPool = (): T => {
    let wasOpen = false;
    const newPool: T = make({
      onparameter: () => (wasOpen = true),
      onclose() {
        if (pool !== newPool || isClosing) return;
        host = null;
        onLost?.();
        if (wasOpen) discardPool(CLOSE_SECONDS);
      },
      async socket() {
        try {
          const socket = openSocketToHost(await (host ??= hosts.choose()));
          await waitUntilConnected(socket, CONNECT_SECONDS * 1000);
          // The driver would keep a connection that is opened after its pool has ended.
          if (pool === newPool && !isClosed) return socket;
          socket.destroy();
          return createFailingSocket(endedError());
        } catch (error) {
          return createFailingSocket(error);
        }
      },
    });
    let seconds = 0;
    const timer = setInterval(() => {
      if (pool === newPool && !wasOpen && ++seconds < LOGIN_SECONDS) return;
      clearInterval(timer);
      if (pool === newPool && !wasOpen) discardPool(0);
    }, 1000).unref();
    return newPool;
  };
  const getPool = (): T => (pool ??= openPostgresPool());

  /** Discards the pool if it uses another host than the chosen one. Its pending queries fail at once. */
  const leaveOldHost = async (chosen: PostgresHost): Promise<void> => {
    const [oldPool, before] = [pool, host];
    if (!oldPool || !before) return;
    const old = await before.catch(() => null);
    if (pool === oldPool && old && !isSameHost(old, chosen)) renew(0);
  };
  const stopListening = hosts.onChange((chosen) => void leaveOldHost(chosen));
  // If no host can be used now, the next look may find one.
  const look = () => hosts.choose().then(leaveOldHost, () => undefined);
  const watch = createSilenceWatch(look);
  return {
    /** Returns the current pool. Call it for each query, because the pool may be replaced. */
    getPool,
    /** Tracks a query of the pool, and returns it. */
    follow<Q extends PromiseLike<unknown>>(query: Q): Q {
      const usedPool = pool;
      const stop = watch();
      query.then(stop, (error: unknown) => {
        stop();
        const code = (error as { code?: unknown } | null)?.code;
        if (code === READ_ONLY && pool === usedPool) renew();
      });
      return query;
    },
    /** Makes the next query use new connections, because the current ones do not respond. */
    renew: () => renew(),
    async close(): Promise<void> {
      isClosing = true;
      stopListening();
      await pool?.end({ timeout: CLOSE_SECONDS });
      isClosed = true;
    },
  };
}

const endedError = () =>
  Object.assign(new Error('The pool of the connection has ended.'), { code: 'CONNECTION_DESTROYED' });

/**
 * Creates a function to call at the start of a query; it returns a function to call at the end of the query. If a query is without an answer for more
 * than a second, `onSilence` is called every half second until a minute after the answer.
 */
function createSilenceWatch(onSilence: () => Promise<void>): () => () => void {
  const starts = new Set<{ at: number }>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let suspectUntil = 0;
  const look = () => {
    const [oldest] = starts;
    const now = performance.now();
    if (oldest && now - oldest.at >= SILENT_MS) suspectUntil = now + SUSPECT_MS;
    if (now < suspectUntil) {
      if (isLooking) return;
      isLooking = true;
      void onSilence().finally(() => (isLooking = false));
    } else if (!oldest) {
      clearInterval(timer);
      timer = undefined;
    }
  };
  return () => {
    const start = { at: performance.now() };
    starts.add(start);
    timer ??= setInterval(look, LOOK_EVERY_MS).unref();
    return () => void starts.delete(start);
  };
}
