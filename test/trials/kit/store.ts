// Reads and audits the call log of a data folder after a trial.
import Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { did, fault } from '../trial.ts';
import type { Tally } from '../trial.ts';

interface Held {
  ids: Set<string>;
  /** Number of calls in the usage of keys. */
  counted: number;
  /** Number of calls in the usage of accounts, and of those in the log that belong to an account. */
  billed: number;
  ofAccounts: number;
  integrity: string;
}

/** Returns every call in the call log of a folder. The file is opened for writing, as the server does, so that an interrupted WAL is replayed. */
export function callsHeld(folder: string): Held {
  const db = new Database(join(folder, 'store.db'));
  try {
    db.pragma('busy_timeout = 10000');
    return {
      ids: new Set(db.prepare<[], string>('SELECT request_id FROM calls').pluck().all()),
      counted: db.prepare<[], number>('SELECT coalesce(sum(calls), 0) FROM usage').pluck().get() ?? 0,
      billed: db.prepare<[], number>('SELECT coalesce(sum(calls), 0) FROM account_usage').pluck().get() ?? 0,
      ofAccounts:
        db.prepare<[], number>('SELECT count(*) FROM calls WHERE account IS NOT NULL').pluck().get() ?? 0,
      integrity: String(db.pragma('integrity_check(1)', { simple: true })),
    };
  } finally {
    db.close();
  }
}

/** Counts the acknowledged calls that are not in the log, and adds faults of the store and the graph to the tally. */
export function audit(
  tally: Tally,
  folder: string,
  of: { acknowledged: Iterable<string>; repeat: string },
): void {
  const { ids, counted, billed, ofAccounts, integrity } = callsHeld(folder);
  for (const id of of.acknowledged) {
    did(tally, 'answered calls');
    if (!ids.has(id)) tally.lost++;
  }
  const amiss = (seen: string) => fault(tally, { seen, repeat: of.repeat });
  if (counted !== ids.size) amiss('usage is not the number of calls in the log');
  if (billed !== ofAccounts) amiss('what accounts are billed is not the number of their calls in the log');
  if (integrity !== 'ok') amiss('store.db does not pass integrity_check');
  for (const name of ['graph.db', 'records.db'])
    if (!isWhole(join(folder, name))) amiss(`${name} does not pass integrity_check`);
}

function isWhole(file: string): boolean {
  if (!existsSync(file)) return true;
  const db = new Database(file);
  try {
    return db.pragma('integrity_check(1)', { simple: true }) === 'ok';
  } finally {
    db.close();
  }
}

/** Returns the ids of all keys of a folder. */
export function keysIn(folder: string): string[] {
  const db = new Database(join(folder, 'store.db'));
  try {
    return db.prepare<[], string>('SELECT id FROM keys').pluck().all();
  } finally {
    db.close();
  }
}
