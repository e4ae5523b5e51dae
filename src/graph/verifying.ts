// What must hold of a graph that keeps records, whatever the engine: each in a sentence, with how often it does not.
import { isDeepStrictEqual } from 'node:util';
import type { IndexBuilder } from './link-index.ts';
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
  moment<T>(work: () => Promise<T>): Promise<T>;
  /** What is remembered of linking; null where nothing is, or not of the graph as it is, so that it is never used. */
  links(): LinkVerifier | null;
  /** What is published and what is kept beside the records. */
  files(): FileVerifier;
}

/** Takes in what linking finds of all records, in the place of what would remember it. */
export interface LinkVerifier extends IndexBuilder {
  /** @param settled false: what weighs in every pair was another one when the pairs were compared */
  end(settled: boolean): Invariant[];
}

/** Is shown each identity as its records make it, then asked. */
export interface FileVerifier {
  see(identity: number, should: Gathered): void;
  end(): Invariant[] | Promise<Invariant[]>;
}

/** Counts how often something holds. */
export function counter(says: string, mend?: string) {
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
