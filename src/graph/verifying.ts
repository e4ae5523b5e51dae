// Interfaces that let an engine check its stored data for consistency.
import { isDeepStrictEqual } from 'node:util';
import type { LinkCacheBuilder } from './linking.ts';
import type { Awaitable } from '../model.ts';
import type { GatheredIdentity } from './resolve/gather.ts';

/** Statement that must be true of a graph, with the number of checks and of failures. */
export interface GraphInvariant {
  says: string;
  of: number;
  broken: number;
  /** Command or action that repairs the graph. Default: link all records again. */
  mend?: string;
}

/** Compares data that an engine stores besides its records with the data that it should store. */
export interface GraphVerificationOperations {
  /** Runs `work` so that all its reads see one snapshot, independent of writes by other connections. */
  withSnapshot<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the changed records that are not linked yet; null if all are linked. */
  pendingRecords(): Awaitable<UnlinkedRecords | null>;
  /** Returns a verifier of the link cache; null if there is no cache that matches the graph. */
  openLinkVerifier(): LinkCacheVerifier | null;
  /** Returns a verifier of published data. For unlinked records it checks only that their published data is unchanged. */
  openFileVerifier(waiting: UnlinkedRecords | null): PublishedIdentityVerifier;
}

/** Records that changed after the last linking, so that their published data is outdated. */
export interface UnlinkedRecords {
  /** Rows of added, replaced or removed records; null if unknown, so that published data cannot be compared with records. */
  rows: ReadonlySet<number> | null;
  /** Identities that these records belonged to at the last linking. */
  identities: ReadonlySet<number>;
  /** True if the records are an import that was interrupted between two commits. The next change of the graph undoes the import. */
  isInterruptedImport?: boolean;
}

/** Receives the results of linking all records, like a cache builder, and compares them with the link cache. */
export interface LinkCacheVerifier extends LinkCacheBuilder {
  /**
   * Returns the invariants of the link cache; null if the cache was damaged and was deleted.
   *
   * @param settled false if graph-wide figures changed after the cached pairs were weighed, so that weights are not compared
   */
  listInvariants(settled: boolean): GraphInvariant[] | null;
}

export interface PublishedIdentityVerifier {
  /**
   * Compares a published identity with its records.
   *
   * @param should the identity that its records describe; null if its records are not linked yet
   */
  compareIdentity(identity: number, should: GatheredIdentity | null): Awaitable<void>;
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
