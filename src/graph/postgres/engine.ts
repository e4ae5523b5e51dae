import { join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import type { RecordGraph } from '../graph.ts';
import { deriveGraphKeys } from '../encryption/keys.ts';
import { openPool, type Pool } from './connect.ts';
import { healthOf } from './health.ts';
import { resolveFrom } from './resolve.ts';
import { PIECES } from './schema.ts';
import { refuseCopy, whereWhole, prepareTables } from './tables.ts';
import { openWriter } from './write/writer.ts';

export interface PostgresGraphOptions {
  /** postgres://user:password@host:port/database, or a socket's folder in the place of the host */
  url: string;
  /** 64 hex characters; see `loadSecret`. */
  secret: string;
  /** Where an import keeps what does not fit into memory. */
  folder: string;
  /** Where this importer remembers linking; `link.db` in the folder unless said. */
  links?: string | undefined;
  /** Make the tables where there are none; they are unless this is false. */
  create?: boolean | undefined;
  /** In how many pieces the large ones are made. */
  pieces?: number | undefined;
  /** Use a copy of another graph that is not whole: for whoever fills it. */
  allowUnfinishedCopy?: boolean | undefined;
  /** Connections that checks share. */
  connections?: number;
  /** Milliseconds that a check may take. */
  deadlineMs?: number | undefined;
  /** Whether imports keep what records say of contacts, sealed. */
  storesFullRecords?: boolean | undefined;
  /** Is told of each statement that a check takes beside its first. */
  onMore?: (() => void) | undefined;
}

const CONNECTIONS = 4;
const DEADLINE_MS = 2000;
/** More than the statement itself may take: that the server tells in time. */
const GRACE_MS = 250;

/**
 * The engine on PostgreSQL: any number of servers share one graph. A check is one statement on one of a few connections, over what it brings
 * it is resolved as everywhere. Records and linking have a connection of their own. Connections are made when first asked for, and again
 * after they were lost.
 *
 * Errors of its parts: `graph_unavailable`, `graph_timeout`, `graph_bad_response`, and those of `prepareTables` with the first of them.
 */
export function openPostgresGraph(options: PostgresGraphOptions): RecordGraph {
  const {
    secret,
    folder,
    deadlineMs = DEADLINE_MS,
    storesFullRecords = false,
    allowUnfinishedCopy: unfinished = false,
    onMore,
  } = options;
  const keys = deriveGraphKeys(secret);
  const admit = unfinished ? nobodyRefused : refuseCopy;
  const [checks, writes] = [
    checksPool(options, deadlineMs),
    poolOnce({ url: options.url, connections: 1, settings: SCHEMA }),
  ];
  const making = {
    keys,
    create: options.create ?? true,
    pieces: options.pieces ?? PIECES,
    allowUnfinishedCopy: unfinished,
    writing: writes.open,
  };
  const prepared = once(async () => prepareTables(await checks.open(), making));
  const ready = async () => {
    await prepared();
    return checks.open();
  };
  const health = healthOf({
    look: () => whereWhole(async () => admit(await ready())),
    deadlineMs: deadlineMs + GRACE_MS,
  });
  const { close, warnings, ...writer } = openWriter({
    pool: writing(writes, prepared),
    onLost: writes.onClose,
    admit,
    keys,
    folder,
    linkFile: options.links ?? join(folder, 'link.db'),
    storesFullRecords: storesFullRecords,
    openChecks: ready,
  });
  return {
    engine: 'postgres',
    resolve: (query) =>
      health.ask(() => whereWhole(async () => resolveFrom({ pool: await ready(), keys, onMore }, query))),
    warnings: async () => warningsWhereThere(warnings),
    ping: health.refuse,
    async close() {
      health.close();
      close();
      await Promise.all([checks.close(), writes.close()]);
    },
    ...writer,
  };
}

const nobodyRefused: typeof refuseCopy = async (on) => void (await on.query('SELECT 1'));

const SCHEMA = { search_path: 'bonafide' };

/** A plan that fits any check, made once a connection: statistics of an hour ago must not make one read a table through. */
const CHECKING = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

const checksPool = ({ url, connections = CONNECTIONS }: PostgresGraphOptions, deadlineMs: number) =>
  poolOnce({ url, connections, settings: { ...SCHEMA, ...CHECKING, statement_timeout: deadlineMs } });

/** A pool that is opened when it is first asked for. */
function poolOnce(options: Omit<Parameters<typeof openPool>[0], 'onClose'>) {
  let pool: Promise<Pool> | undefined;
  let closed = () => {};
  return {
    open: () => (pool ??= openPool({ ...options, onClose: () => closed() })),
    onClose: (then: () => void) => void (closed = then),
    close: async () => (await pool)?.close(),
  };
}

/** The connection that writes, after the tables are there. */
function writing(writes: ReturnType<typeof poolOnce>, prepared: () => Promise<void>): Pool {
  return {
    query: async (text, values) => (await writes.open()).query(text, values),
    async reserve() {
      await prepared();
      return (await writes.open()).reserve();
    },
    close: writes.close,
  };
}

/** Does something once; again where it failed. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}

/** A server starts beside a database that is away, tells so, and is ready when that is there. */
async function warningsWhereThere(ask: () => Promise<string[]>): Promise<string[]> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof BonafideError) || error.code !== 'graph_unavailable') throw error;
    return [error.message];
  }
}
