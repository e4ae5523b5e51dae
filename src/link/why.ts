import { blockKeys } from './blocking.ts';
import type { PairVerdict } from './compare/evidence.ts';
import { comparePair, LINK_BITS } from './compare/pair.ts';
import type { ErrorRates } from './error-rates.ts';
import { countsOf } from './counted/facts.ts';
import { levelContext } from './counted/levels.ts';
import { linkRecord, personKey } from './record.ts';
import type { Fingerprint, RecordRow } from './stored.ts';
import { surveyor } from './counted/survey.ts';

export interface Why extends PairVerdict {
  /** Did the two records end in one identity? They may through others, though this pair alone would not join. */
  together: boolean;
  needed: number;
}

/**
 * Compares two records just as linking does, and gives the weighed evidence. How rare things are is counted: show it every record once,
 * then ask.
 */
export function explainer(
  pair: { a: RecordRow; b: RecordRow; errorRates: ErrorRates },
  fingerprint: Fingerprint,
): { see(record: RecordRow): void; why(): Why } {
  const [a, b] = [linkRecord(pair.a, fingerprint), linkRecord(pair.b, fingerprint)];
  const sharers = new Map<number, Set<number>>();
  for (const one of [a, b]) for (const key of blockKeys(one, fingerprint)) sharers.set(key, new Set());
  const counting = surveyor(fingerprint);
  return {
    see(row) {
      const record = linkRecord(row, fingerprint);
      counting.see(countsOf(record, fingerprint));
      for (const key of blockKeys(record, fingerprint)) sharers.get(key)?.add(personKey(record));
    },
    why() {
      const exact = {
        ...counting.survey(),
        errorRates: pair.errorRates,
        sharers: (key: number) => Math.max(1, sharers.get(key)?.size ?? 1),
      };
      const verdict = comparePair(a, b, levelContext(exact));
      return {
        ...verdict,
        together: pair.a.identity !== null && pair.a.identity === pair.b.identity,
        needed: LINK_BITS,
      };
    },
  };
}
