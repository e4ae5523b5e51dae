// Interfaces for the verification of the data that an engine stores.
import { isDeepStrictEqual } from 'node:util';
import type { LinkCacheBuilder } from './linking.ts';
import type { Awaitable } from '../model.ts';
import type { IdentityForPublishing } from './resolve/gather.ts';

/** Result of verifying one condition on a graph (`says`): how often it was tested (`of`), and how often it failed (`broken`). */
export interface GraphInvariantResult {
  says: string;
  of: number;
  broken: number;
  /** Advice to the operator on how to repair the graph, such as a command. Default: link all records again. */
  mend?: string;
}

/** Functions that compare what an engine has stored with what it should store for its records. */
export interface GraphVerificationOperations {
  /** Runs `work` in one read snapshot, so that writes of other connections do not change what it reads. */
  withSnapshot<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the records that changed and are not linked yet; null if all records are linked. */
  pendingRecords(): Awaitable<UnlinkedRecords | null>;
  /** Returns a verifier of the link cache (results of linking); null if there is none for the graph's present state. */
  openLinkVerifier(): LinkCacheVerifier | null;
  /**
   * Returns a verifier of the published identities (the data that checks read). Identities of records that are not linked yet are not compared with
   * their records.
   */
  openFileVerifier(waiting: UnlinkedRecords | null): PublishedIdentityVerifier;
}

/** Records that changed since the last linking. Checks still use their old data. */
export interface UnlinkedRecords {
  /** Row numbers of added, replaced or removed records; null if unknown. */
  rows: ReadonlySet<number> | null;
  /** Identities to which these records belonged at the last linking. */
  identities: ReadonlySet<number>;
  /**
   * True if the records come from an import that was interrupted between the commits of two files. The next change of the graph undoes this import.
   */
  isInterruptedImport?: boolean;
}

/** Compares the link cache with the results of linking all records again, which it receives like a builder of a link cache. */
export interface LinkCacheVerifier extends LinkCacheBuilder {
  /**
   * Returns the results for the link cache; null if it was damaged and therefore deleted.
   * @param settled false if statistics of all records changed since the cached pairs were compared, so that their match weights may differ
   */
  listInvariants(settled: boolean): GraphInvariantResult[] | null;
}

export interface PublishedIdentityVerifier {
  /**
   * Compares a stored identity with its records.
   * @param should identity as computed from its records; null if they are not linked yet
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
    /** Counts a test `times` times, as passed if `holds`. A negative number counts as 0. */
    check(holds: boolean, times = 1): void {
      const more = Math.max(0, times);
      counted.of += more;
      if (!holds) counted.broken += more;
    },
  };
}

export const isDeepEqual = (one: unknown, two: unknown): boolean => isDeepStrictEqual(one, two);
