import { COUNTED, type Facts } from '../../../link/counted/facts.ts';
import type { RecordRow } from '../../../link/stored.ts';
import type { Db } from '../../../platform/sqlite.ts';
import { emptyLog, type Held, rewriteAll } from '../traces.ts';

/** What erasing asks of the file that remembers linking. */
export interface LinkErasing {
  heldOf(rows: RecordRow[]): Held;
  /** Has anybody this key? */
  isUsed(key: number): boolean;
  emptyLog(): boolean;
  rewrite(): void;
}

export function linkErasing(db: Db, facts: (row: number) => Facts | null): LinkErasing {
  const sealed = db.prepare<[number], Buffer>('SELECT sealed FROM fact WHERE row = ?').pluck();
  const counted = Object.values(COUNTED).join();
  const used = ['block WHERE key IN (?, ?)', `tally WHERE what IN (${counted}) AND key IN (?, ?)`].map(
    (where) => db.prepare<[number, number]>(`SELECT 1 FROM ${where} LIMIT 1`),
  );
  return {
    heldOf: (rows) => ({
      sealed: rows.flatMap(({ row }) => sealed.get(row)?.subarray(0, 28) ?? []),
      keys: rows.flatMap(({ row }) => keysIn(facts(row))),
    }),
    isUsed: (key) => used.some((statement) => statement.get(key, -key) !== undefined),
    emptyLog: () => emptyLog(db),
    rewrite: () => rewriteAll(db),
  };
}

function keysIn(facts: Facts | null): number[] {
  if (!facts) return [];
  const { label, contacts, keys, words, counts } = facts;
  const all = [label, ...contacts, ...keys, ...words, ...counts.map(({ key }) => key)];
  return [...new Set(all.map(Math.abs))].filter((key) => key !== 0);
}
