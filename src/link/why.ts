import type { RecordRow, RecordTable } from '../graph/sqlite/records.ts';
import type { Vault } from '../graph/vault.ts';
import { surveyRecords } from './link.ts';
import { blockKeys } from './blocking.ts';
import type { Noise } from './noise.ts';
import type { PairVerdict } from './evidence.ts';
import { comparePair, LINK_BITS } from './pair.ts';
import { linkRecord, personKey } from './record.ts';

export interface Why extends PairVerdict {
  /** Did the two records end in one identity? They may through others, though this pair alone would not join. */
  together: boolean;
  needed: number;
}

/** Compares two records just as linking does, and gives the weighed evidence. Reads every record once, for the rarities. */
export function explainPair(options: {
  table: RecordTable;
  vault: Vault;
  a: RecordRow;
  b: RecordRow;
  noise: Noise;
}): Why {
  const { table, vault } = options;
  const [a, b] = [linkRecord(options.a, vault), linkRecord(options.b, vault)];
  const wanted = new Map<number, Set<number>>();
  for (const key of [...blockKeys(a, vault), ...blockKeys(b, vault)]) wanted.set(key, new Set());
  const survey = surveyRecords({ table, vault }, (record) => {
    for (const key of blockKeys(record, vault)) wanted.get(key)?.add(personKey(record));
  });
  const verdict = comparePair(a, b, {
    ...survey,
    noise: options.noise,
    sharers: (key) => Math.max(1, wanted.get(key)?.size ?? 1),
  });
  return { ...verdict, together: a.identity !== null && a.identity === b.identity, needed: LINK_BITS };
}
