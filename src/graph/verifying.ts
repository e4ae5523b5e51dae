// Interfaces that let an engine check its stored data for consistency.
import { isDeepStrictEqual } from 'node:util';
import type { LinkCacheBuilder } from './linking.ts';
import type { Awaitable } from '../model.ts';
import type { ComputedIdentity } from './resolve/gather.ts';

/** Condition that must be true for a graph, with the number of checks that succeeded and failed. */
export interface GraphInvariant {
  says: string;
  of: number;
  broken: number;
  /** Command or action that repairs the graph. Default: link all records again. */
  mend?: string;
}

/** Functions that compare stored data with the data that an engine should store for its records. */
export interface GraphVerificationOperations {
  /** Runs `work` on one read snapshot, which does not change with writes by other connections. */
  withSnapshot<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the changed records that are not linked yet; null if all are linked. */
  pendingRecords(): Awaitable<UnlinkedRecords | null>;
  /** Returns a verifier of the link cache; null if no cache matches the graph. */
  openLinkVerifier(): LinkCacheVerifier | null;
  /** Returns a verifier of the identities that checks read. For unlinked records it checks only that their data is unchanged. */
  openFileVerifier(waiting: UnlinkedRecords | null): PublishedIdentityVerifier;
}

/** Records that changed after the last linking, so that checks still read their old data. */
export interface UnlinkedRecords {
  /** Row numbers of added, replaced or removed records; null if unknown. */
  rows: ReadonlySet<number> | null;
  /** Identities that these records belonged to at the last linking. */
  identities: ReadonlySet<number>;
  /** True if the records belong to an import that was interrupted between two commits. The next change of the graph undoes this import. */
  isInterruptedImport?: boolean;
}

/** Compares the results of linking all records with the link cache. It receives them like a cache builder. */
export interface LinkCacheVerifier extends LinkCacheBuilder {
  /**
   * Returns the checked conditions of the link cache; null if the cache was damaged and therefore deleted.
   *
   * @param settled false if statistics changed after the cached pairs were compared, so that weights may differ
   */
  listInvariants(settled: boolean): GraphInvariant[] | null;
}

export interface PublishedIdentityVerifier {
  /**
   * Compares a stored identity with its records.
   *
   * @param should identity that the records describe; null if they are not linked yet
   */
  compareIdentity(identity: number, should: ComputedIdentity | null): Awaitable<void>;
  listInvariants(): GraphInvariant[] | Promise<GraphInvariant[]>;
}

export const PREVIOUS_NUMBER_INVARIANTS = {
  there: 'every record with a previous identity number exists',
  led: 'a retired identity number leads to an identity that has a record with this previous number, if there is such a record',
};

export function createInvariantCounter(says: string, mend?: string) {
  const counted: GraphInvariant = { says, of: 0, broken: 0, ...(mend === undefined ? {} : { mend }) };
  return {
    counted,
    /** Counts the same result `times` times; a negative number counts as 0. */
    check(holds: boolean, times = 1): void {
      const more = Math.max(0, times);
      counted.of += more;
      if (!holds) counted.broken += more;
    },
  };
}

export const isDeepEqual = (one: unknown, two: unknown): boolean => isDeepStrictEqual(one, two);
