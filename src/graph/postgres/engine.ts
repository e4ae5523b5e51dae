import { join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import type { PostgresHost } from '../../platform/postgres/address.ts';
import { deriveGraphCiphersAndFingerprints } from '../encryption/keys.ts';
import type { RecordStoringGraph } from '../graph.ts';
import { type PostgresConnection, openPostgresPool } from './connect.ts';
import { createDatabaseHealthMonitor } from './health.ts';
import { createStandbyQueryRouter, createPublishedVersionHistory } from './readers.ts';
import { DEFAULT_PARTITION_COUNT } from './schema.ts';
import {
  preparePostgresTables,
  readPublishedGraphVersion,
  throwIfUnfinishedCopyStamp,
  throwIfUnfinishedCopy,
  convertUnfinishedCopyError,
} from './tables.ts';
import { openPostgresWriter } from './write/writer.ts';

export interface PostgresGraphOptions {
  /** URL such as postgres://user:password@host:port/database. The folder of a socket can stand in place of the host. */
  url: string;
  /** Secret of the graph: 64 hexadecimal characters; see `loadOrCreateSecret`. */
  secret: string;
  folder: string;
  /** Path of the link cache file. Default: `link.db` in the data folder. */
  linkFile?: string | undefined;
  create?: boolean | undefined;
  /** Number of partitions of large tables; see `DEFAULT_PARTITION_COUNT`. */
  pieces?: number | undefined;
  /** True to open an unfinished copy of another engine's graph, for completing the copy. */
  allowUnfinishedCopy?: boolean | undefined;
  connections?: number;
  /** Maximum duration of one query for a check call, in milliseconds. */
  deadlineMs?: number | undefined;
  readers?: PostgresHost[] | undefined;
  /** Maximum delay of a standby behind the primary, in seconds. A standby with more delay is not used. */
  maxLagSeconds?: number | undefined;
  /** True to store complete records, encrypted, in addition to their fingerprints. */
  storesFullRecords?: boolean | undefined;
}

const CONNECTIONS = 4;
const DEADLINE_MS = 2000;
const MAX_LAG_SECONDS = 5;
/** Time (ms) after the deadline in which PostgreSQL itself can still report that a statement took too long. */
const GRACE_MS = 250;

/**
 * Number of probe intervals (half seconds) in a row without any answer, after which the connection of the writer is replaced too. That ends an
 * import, so a database that pauses for some seconds must not cause it.
 */
const PROBES_UNTIL_WRITER_RENEWAL = 60;

const SCHEMA = { search_path: 'bonafide' };

/**
 * Planner settings for the connections of check calls, so that all have the same query plan. With outdated statistics, PostgreSQL could otherwise
 * decide to read a whole table.
 */
const CHECK_PLAN = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/**
 * Opens a graph in PostgreSQL, which several servers can share. Opens connections at first use, and again after they were lost. Errors of its
 * functions: `graph_unavailable`, `graph_timeout`, `graph_bad_response`; those of `preparePostgresTables`.
 */
export function openPostgresGraph({ url, folder, ...options }: PostgresGraphOptions): RecordStoringGraph {
  const { connections = CONNECTIONS, deadlineMs = DEADLINE_MS, allowUnfinishedCopy = false } = options;
  const keys = deriveGraphCiphersAndFingerprints(options.secret);
  const admit = allowUnfinishedCopy ? requireAnswer : throwIfUnfinishedCopy;
  const checkPool = {
    url,
    connections,
    settings: { ...SCHEMA, ...CHECK_PLAN, statement_timeout: deadlineMs },
  };
  const checks = openPostgresPool(checkPool);
  const maxLagMs = (options.maxLagSeconds ?? MAX_LAG_SECONDS) * 1000;
  const history = createPublishedVersionHistory(maxLagMs);
  const readers = createStandbyQueryRouter({
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
      convertUnfinishedCopyError(async () => {
        const connection = await openChecks();
        if (allowUnfinishedCopy) return requireAnswer(connection);
        const at = performance.now();
        const version = await readPublishedGraphVersion(connection);
        throwIfUnfinishedCopyStamp(version.stamp);
        history.note(version, at);
      }),
    deadlineMs: deadlineMs + GRACE_MS,
    onSilence(silentProbes) {
      checks.renew();
      if (silentProbes >= PROBES_UNTIL_WRITER_RENEWAL) writes.renew();
    },
  });
  const { close, warnings, ...writer } = openPostgresWriter({
    async reserve() {
      await prepare();
      return writes.reserve();
    },
    renew: writes.renew,
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
        convertUnfinishedCopyError(async () => {
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

/** Creates a function that runs `work` when it is called, until `work` has succeeded once. Later calls return this result. */
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

/** Returns the warnings of `read`; while the database is unreachable, its error as a warning, so that the server can start. */
async function unavailableAsWarning(read: () => Promise<string[]>): Promise<string[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof BonafideError) || error.code !== 'graph_unavailable') throw error;
    return [error.message];
  }
}
