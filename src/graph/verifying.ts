// Interfaces for the verification of the data that an engine stores.
import { isDeepStrictEqual } from 'node:util';
import type { LinkCacheBuilder } from './linking.ts';
import type { Awaitable } from '../model.ts';
import type { IdentityForPublishing } from './resolve/gather.ts';

/** Condition that must be true for a graph (`says`), with the number of tests (`of`) and of failed tests (`broken`). */
export interface GraphInvariantResult {
  says: string;
  of: number;
  broken: number;
  /** Command or action that repairs the graph. Default: link all records again. */
  mend?: string;
}

/** Functions that compare the stored data of an engine with the data that it should store for its records. */
export interface GraphVerificationOperations {
  /** Runs `work` in one read snapshot, so that writes by other connections do not change the read data. */
  withSnapshot<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the changed records that are not linked yet; null if all records are linked. */
  pendingRecords(): Awaitable<UnlinkedRecords | null>;
  /** Returns a verifier of the link cache (results of linking); null if no link cache matches the graph. */
  openLinkVerifier(): LinkCacheVerifier | null;
  /**
   * Returns a verifier of the published identities (those that check calls read). Identities of unlinked records are not compared with their records.
   */
  openFileVerifier(waiting: UnlinkedRecords | null): PublishedIdentityVerifier;
}

/** Records that changed after the last linking. Check calls still use their old data. */
export interface UnlinkedRecords {
  /** Row numbers of added, replaced or removed records; null if unknown. */
  rows: ReadonlySet<number> | null;
  /** Identities that these records belonged to at the last linking. */
  identities: ReadonlySet<number>;
  /**
   * True if the records belong to an import that was interrupted between the commits of two files. The next change of the graph undoes this import.
   */
  isInterruptedImport?: boolean;
}

/** Compares the link cache with a new linking of all records. It receives the results of the linking in the same way as a builder of a link cache. */
export interface LinkCacheVerifier extends LinkCacheBuilder {
  /**
   * Returns the verified conditions of the link cache; null if the cache was damaged and therefore deleted.
   *
   * @param settled false if graph-wide statistics changed after the cached pairs were compared, so that their match weights may differ
   */
  listInvariants(settled: boolean): GraphInvariantResult[] | null;
}

export interface PublishedIdentityVerifier {
  /**
   * Compares a stored identity with its records.
   *
   * @param should identity computed from its records; null if they are not linked yet
   */
  compareIdentity(identity: number, should: IdentityForPublishing | null): Awaitable<void>;
  listInvariants(): GraphInvariantResult[] | Promise<GraphInvariantResult[]>;
}

export const PREVIOUS_IDENTITY_NUMBER_INVARIANTS = {
  there: 'every record with a previous identity number exists',
  led: 'a retired identity number leads to an identity that has a record with this previous number, if there is such a record',
};

export function createInvariantCounter(says: string, mend?: string) {
  const counted: GraphInvariantResult = { says, of: 0, broken: 0, ...(mend === undefined ? {} : { mend }) };
  return {
    counted,
    /** Counts a test result `times` times; a negative number counts as 0. */
    check(holds: boolean, times = 1): void {
      const more = Math.max(0, times);
      counted.of += more;
      if (!holds) counted.broken += more;
    },
  };
}

export const isDeepEqual = (one: unknown, two: unknown): boolean => isDeepStrictEqual(one, two);
