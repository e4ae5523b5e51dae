import { join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import type { PostgresHost } from '../../platform/postgres/address.ts';
import { deriveGraphKeys } from '../encryption/keys.ts';
import type { RecordGraph } from '../graph.ts';
import { type PostgresConnection, openPostgresPool } from './connect.ts';
import { createDatabaseHealthMonitor } from './health.ts';
import { createPostgresReaders, createPublishedVersionHistory } from './readers.ts';
import { DEFAULT_PARTITION_COUNT } from './schema.ts';
import {
  preparePostgresTables,
  readPublishedGraphVersion,
  refuseUnfinishedCopyStamp,
  refuseUnfinishedCopy,
  reportUnfinishedCopyAsUnavailable,
} from './tables.ts';
import { openPostgresWriter } from './write/writer.ts';

export interface PostgresGraphOptions {
  /** postgres://user:password@host:port/database; the folder of a socket can take the place of the host. */
  url: string;
  /** 64 hex characters; see `loadSecret`. */
  secret: string;
  folder: string;
  /** The link cache of this importer; by default `link.db` in the folder. */
  linkFile?: string | undefined;
  create?: boolean | undefined;
  /** Number of partitions of large tables; see `DEFAULT_PARTITION_COUNT`. */
  pieces?: number | undefined;
  /** True to open an incomplete copy of another engine's graph, in order to complete it. */
  allowUnfinishedCopy?: boolean | undefined;
  connections?: number;
  /** Milliseconds that a check may take. */
  deadlineMs?: number | undefined;
  readers?: PostgresHost[] | undefined;
  /** Maximum age of a standby's answer, in seconds. */
  maxLagSeconds?: number | undefined;
  /** True to store complete records, encrypted, in addition to their fingerprints. */
  storesFullRecords?: boolean | undefined;
}

const CONNECTIONS = 4;
const DEADLINE_MS = 2000;
const MAX_LAG_SECONDS = 5;
/** Time beyond the deadline in which the server itself can report a statement that takes too long. */
const GRACE_MS = 250;

const SCHEMA = { search_path: 'bonafide' };

/**
 * Planner settings of check connections, so that every check uses the same plan. With outdated statistics the planner might read a whole table
 * for a check.
 */
const CHECK_PLAN = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/**
 * Opens the engine on PostgreSQL. Any number of servers share one graph. A check is one statement on one of a few connections; records are
 * changed on a separate connection. Connections are opened on first use, and reopened after they were lost.
 *
 * Errors of its parts: `graph_unavailable`, `graph_timeout`, `graph_bad_response`; those of `preparePostgresTables`.
 */
export function openPostgresGraph({ url, folder, ...options }: PostgresGraphOptions): RecordGraph {
  const { connections = CONNECTIONS, deadlineMs = DEADLINE_MS, allowUnfinishedCopy = false } = options;
  const keys = deriveGraphKeys(options.secret);
  const admit = allowUnfinishedCopy ? requireAnswer : refuseUnfinishedCopy;
  const checkPool = {
    url,
    connections,
    settings: { ...SCHEMA, ...CHECK_PLAN, statement_timeout: deadlineMs },
  };
  const checks = openPostgresPool(checkPool);
  const maxLagMs = (options.maxLagSeconds ?? MAX_LAG_SECONDS) * 1000;
  const history = createPublishedVersionHistory(maxLagMs);
  const readers = createPostgresReaders({
    readers: (options.readers ?? []).map((host) => openPostgresPool({ ...checkPool, host })),
    primary: checks,
    keys,
    history,
    maxLagMs,
  });
  let onWriterLost = () => {};
  const writes = openPostgresPool({ url, connections: 1, settings: SCHEMA, onClose: () => onWriterLost() });
  const prepare = onceSuccessful(() =>
    preparePostgresTables(checks, {
      writes,
      keys,
      create: options.create ?? true,
      pieces: options.pieces ?? DEFAULT_PARTITION_COUNT,
      allowUnfinishedCopy,
    }),
  );
  const openChecks = async () => {
    await prepare();
    return checks;
  };
  const health = createDatabaseHealthMonitor({
    probe: () =>
      reportUnfinishedCopyAsUnavailable(async () => {
        const connection = await openChecks();
        if (allowUnfinishedCopy) return requireAnswer(connection);
        const at = performance.now();
        const version = await readPublishedGraphVersion(connection);
        refuseUnfinishedCopyStamp(version.stamp);
        history.note(version, at);
      }),
    deadlineMs: deadlineMs + GRACE_MS,
  });
  const { close, warnings, ...writer } = openPostgresWriter({
    async reserve() {
      await prepare();
      return writes.reserve();
    },
    onLost: (handle) => void (onWriterLost = handle),
    admit,
    keys,
    folder,
    linkFile: options.linkFile ?? join(folder, 'link.db'),
    storesFullRecords: options.storesFullRecords ?? false,
    openChecks,
  });
  return {
    engine: 'postgres',
    resolve: (query) =>
      health.run(() =>
        reportUnfinishedCopyAsUnavailable(async () => {
          await openChecks();
          return readers.resolve(query);
        }),
      ),
    warnings: () => unavailableAsWarning(warnings),
    ping: health.refuse,
    ...(options.readers && {
      hostStates: readers.states,
      async probeHosts() {
        const at = performance.now();
        history.note(await readPublishedGraphVersion(await openChecks()), at);
        await readers.probe();
      },
    }),
    async close() {
      health.close();
      close();
      await Promise.all([checks.close(), writes.close(), readers.close()]);
    },
    ...writer,
  };
}

const requireAnswer = async (connection: PostgresConnection): Promise<void> =>
  void (await connection.query('SELECT 1'));

/** Runs work until it has succeeded once. */
function onceSuccessful<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work().catch((error: unknown) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}

/**
 * Returns a warning in place of an error while the database is not reachable: the server starts, and becomes ready when the database is
 * reachable.
 */
async function unavailableAsWarning(read: () => Promise<string[]>): Promise<string[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof BonafideError) || error.code !== 'graph_unavailable') throw error;
    return [error.message];
  }
}
