// Answers the queries of check calls on standby databases that are fresh enough; otherwise on the primary.
import { BonafideError } from '../../errors.ts';
import type { GraphCiphersAndFingerprints } from '../encryption/keys.ts';
import type { GraphAnswer, DatabaseHostState, GraphQuery } from '../graph.ts';
import type { PostgresPool } from './connect.ts';
import { withDatabaseDeadline } from './health.ts';
import { resolveGraphQueryWithDataVersion } from './resolve.ts';
import { type PublishedGraphVersion, readPublishedGraphVersion } from './tables.ts';

/**
 * Time (ms) in which a standby must answer a query. If it does not, the primary is queried, and the standby is not used until it answers a probe
 * (test query).
 */
const ANSWER_MS = 500;
const PROBE_EVERY_MS = 500;
/** Number of probes in a row without an answer, after which the connections to a standby are replaced. */
const MOST_SILENT_PROBES = 10;

/**
 * Creates a history of the data versions that the primary recently had, each with the last time at which it was read there. Times are those of this
 * process, because the clocks of the hosts may differ.
 */
export function createPublishedVersionHistory(maxAgeMs: number, now = () => performance.now()) {
  let versions: (PublishedGraphVersion & { seenAt: number })[] = [];
  return {
    /** Notes a version that was read on the primary. `at` is the time before the statement was sent (`performance.now()`). */
    note(version: PublishedGraphVersion, at: number): void {
      const known = versions.findLast(
        ({ revision, stamp }) => revision === version.revision && stamp === version.stamp,
      );
      if (known) known.seenAt = Math.max(known.seenAt, at);
      else versions.push({ ...version, seenAt: at });
      versions = versions.filter(({ seenAt }) => seenAt >= now() - maxAgeMs);
    },
    /**
     * Returns the maximum age of a version in milliseconds: the time since the primary was last seen with this or an older version. Infinity if
     * unknown.
     */
    ageOf({ revision, stamp }: PublishedGraphVersion): number {
      const covered = versions.filter(
        (known) => known.revision < revision || (known.revision === revision && known.stamp === stamp),
      );
      return now() - Math.max(...covered.map(({ seenAt }) => seenAt));
    },
  };
}

export interface PostgresStandbyReaderOptions {
  readers: PostgresPool[];
  primary: PostgresPool;
  keys: GraphCiphersAndFingerprints;
  history: ReturnType<typeof createPublishedVersionHistory>;
  /** Maximum delay of a standby behind the primary, in milliseconds. */
  maxLagMs: number;
}

export interface StandbyQueryRouter {
  /** Answers a query on a standby that may be used, or else on the primary. Errors: those of `resolveGraphQueryWithDataVersion` on the primary. */
  resolve(query: GraphQuery): Promise<GraphAnswer>;
  /** Reads the data version and the role (primary or standby) of every standby. */
  probe(): Promise<void>;
  states(): DatabaseHostState[];
  close(): Promise<void>;
}

/** Creates the functions that answer queries on standbys, or on the primary if no standby may be used. */
export function createStandbyQueryRouter({
  readers,
  primary,
  keys,
  history,
  maxLagMs,
}: PostgresStandbyReaderOptions): StandbyQueryRouter {
  const standbys = readers.map((pool) => ({
    pool,
    name: pool.getHost(),
    role: 'unreachable' as DatabaseHostState['role'],
    version: null as PublishedGraphVersion | null,
    lookups: 0,
    silentProbes: 0,
    isProbing: false,
  }));
  type Standby = (typeof standbys)[number];
  let primaryLookups = 0;
  let turn = 0;

  const isFresh = (version: PublishedGraphVersion | null): version is PublishedGraphVersion =>
    version !== null && history.ageOf(version) <= maxLagMs;
  const canAnswer = ({ role, version }: Standby, { minRevision = 0 }: GraphQuery) =>
    role === 'standby' && isFresh(version) && version.revision >= minRevision;

  /** Returns the next standby in turn that may answer the query; undefined if none may. */
  function chooseStandby(query: GraphQuery): Standby | undefined {
    const usable = standbys.filter((standby) => canAnswer(standby, query));
    return usable[turn++ % Math.max(1, usable.length)];
  }

  /** Returns the answer of a standby; null if the standby fails, takes too long, or has data that is too old. */
  async function askStandby(standby: Standby, query: GraphQuery): Promise<GraphAnswer | null> {
    try {
      const { answer, version } = await withDatabaseDeadline(
        ANSWER_MS,
        resolveGraphQueryWithDataVersion(standby.pool, keys, query),
      );
      standby.version = version;
      if (!canAnswer(standby, query)) return null;
      standby.lookups++;
      return answer;
    } catch {
      standby.role = 'unreachable';
      return null;
    }
  }

  async function probe(standby: Standby): Promise<void> {
    if (standby.isProbing) return;
    standby.isProbing = true;
    try {
      const { isStandby, ...version } = await withDatabaseDeadline(
        ANSWER_MS,
        readPublishedGraphVersion(standby.pool),
      );
      standby.version = version;
      standby.role = isStandby ? 'standby' : 'primary';
      standby.silentProbes = 0;
    } catch (error) {
      standby.role = 'unreachable';
      // Opens new connections, because a host that disappeared from the network never closes its connections.
      const isSilent = error instanceof BonafideError && error.code === 'graph_timeout';
      if (isSilent && ++standby.silentProbes % MOST_SILENT_PROBES === 0) standby.pool.renew();
    } finally {
      standby.isProbing = false;
    }
  }

  const probeAll = async () => void (await Promise.all(standbys.map(probe)));
  const timer = standbys.length > 0 ? setInterval(() => void probeAll(), PROBE_EVERY_MS).unref() : undefined;
  return {
    async resolve(query) {
      const standby = chooseStandby(query);
      const answered = standby && (await askStandby(standby, query));
      if (answered) return answered;
      primaryLookups++;
      const at = performance.now();
      const { answer, version } = await resolveGraphQueryWithDataVersion(primary, keys, query);
      history.note(version, at);
      return answer;
    },
    probe: probeAll,
    states() {
      const host = primary.getHost();
      const others = standbys.filter(({ name }) => name !== host);
      const promoted = standbys.find(({ name }) => name === host);
      return [
        { host, role: 'primary', lagSeconds: 0, lookups: primaryLookups + (promoted?.lookups ?? 0) },
        ...others.map(({ name, role, version, lookups }) => {
          const lag = version === null || role === 'unreachable' ? Infinity : history.ageOf(version);
          const lagSeconds = Number.isFinite(lag) ? Math.max(0, lag / 1000) : null;
          return { host: name, role, lagSeconds, lookups };
        }),
      ];
    },
    async close() {
      clearInterval(timer);
      await Promise.all(readers.map((pool) => pool.close()));
    },
  };
}
