import type { GraphStats } from '../graph.ts';
import { type Db } from './database.ts';
export declare function graphStats(db: Db): GraphStats;
/** What makes checks weaker than they could be, and what to do about it: a sentence each. */
export declare function graphWarnings(db: Db): string[];
