import type Database from 'better-sqlite3';
import type { CallRecord } from '../../model.ts';
/** The month a call counts in: `2026-11`, by UTC. `time` is milliseconds. */
export declare function monthOf(time: number): string;
/** A call as the writer thread gets it: its columns in order, which crosses threads cheaper than an object does. */
export type Row = (string | number)[];
export declare function toRow(call: CallRecord): Row;
export declare const KEY_COLUMN = 1;
export declare const TIME_COLUMN = 2;
/** Prepares the writer's statement: appends one call. Runs inside the writer's transaction. */
export declare function appender(raw: Database.Database): (row: Row) => void;
/** Prepares the writer's statement: adds `calls` to an account's month. Runs inside the writer's transaction. */
export declare function counter(raw: Database.Database): (account: string, month: string, calls: number) => void;
