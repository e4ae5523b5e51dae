import type { Sql } from '../store.ts';

/** What all that serve must agree on from call to call, and what may be lost: limits of minutes, and who is signed in. */
export interface Limits {
  /** Runs `work` in one transaction that nobody else writes beside. Errors: store_unavailable, and those of opening it. */
  change<T>(work: (db: Sql) => T): T;
}
