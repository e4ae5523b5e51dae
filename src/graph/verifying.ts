// What must hold of a graph that keeps records, whatever the engine: each in a sentence, with how often it does not.
import { isDeepStrictEqual } from 'node:util';
import type { LinkCacheBuilder } from './linking.ts';
import type { Awaitable } from '../model.ts';
import type { Gathered } from './publish/gather.ts';

export interface Invariant {
  says: string;
  /** Of how many it was asked. */
  of: number;
  /** Of how many of them it does not hold. */
  broken: number;
  /** What to do where it does not hold; linking all records anew unless told. */
  mend?: string;
}

/** Holds what an engine keeps, beyond what `GraphRecords` and `GraphLinking` tell of it, against what it should keep. */
export interface GraphVerifying {
  /** All that `work` reads is of one moment, whatever is written beside it. */
  withSnapshot<T>(work: () => Promise<T>): Promise<T>;
  /** What was put or taken out and is not linked yet; null where all is linked. */
  pendingRecords(): Awaitable<UnlinkedRecords | null>;
  /** What is remembered of linking; null where nothing is, or not of the graph as it is, so that it is never used. */
  openLinkVerifier(): LinkVerifier | null;
  /** What is published and what is kept beside the records. Of what waits only that it is as it was published. */
  openFileVerifier(waiting: UnlinkedRecords | null): FileVerifier;
}

/** Records that are not linked yet: what is published of them is of the time before. */
export interface UnlinkedRecords {
  /** Those that were put or taken out; null where it is not known which, so that nothing that is published can be held against records. */
  rows: ReadonlySet<number> | null;
  /** The identities that these had: their records are others by now. */
  identities: ReadonlySet<number>;
  /** Whether it is an import that was killed between the commits of two files: whoever changes the graph next takes it back. */
  isInterruptedImport?: boolean;
}

/** Takes in what linking finds of all records, in the place of what would remember it. */
export interface LinkVerifier extends LinkCacheBuilder {
  /**
   * Null where what is remembered turned out to be damaged, and was thrown away.
   *
   * @param settled false: what weighs in every pair was another one when the pairs were compared
   */
  end(settled: boolean): Invariant[] | null;
}

/** Is shown each identity as its records make it, or null where that waits, then asked. */
export interface FileVerifier {
  see(identity: number, should: Gathered | null): void;
  end(): Invariant[] | Promise<Invariant[]>;
}

/** What holds of what an engine remembers for `numberIdentities`. */
export const PREVIOUS_NUMBER_CLAIMS = {
  there: 'a record is there of which it is remembered that it bore a number',
  led: 'a number that leads elsewhere leads to who holds a record that bore it, where one is there',
};

/** Counts how often something holds. */
export function createInvariantCounter(says: string, mend?: string) {
  const counted: Invariant = { says, of: 0, broken: 0, ...(mend === undefined ? {} : { mend }) };
  return {
    counted,
    /** @param times how often that was asked; nothing where it is not above 0 */
    ask(holds: boolean, times = 1): void {
      const more = Math.max(0, times);
      counted.of += more;
      if (!holds) counted.broken += more;
    },
  };
}

export const isSame = (one: unknown, two: unknown): boolean => isDeepStrictEqual(one, two);
