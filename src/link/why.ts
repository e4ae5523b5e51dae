import { blockKeys } from './blocking.ts';
import type { LinkContext, LinkEvidence, PairVerdict } from './compare/evidence.ts';
import { comparePair, isJoining, LINK_BITS } from './compare/pair.ts';
import type { ErrorRates } from './error-rates.ts';
import { countsOf } from './counted/facts.ts';
import { levelContext } from './counted/levels.ts';
import { linkRecord, type LinkRecord, personKey } from './record.ts';
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
  const near: Known[] = [];
  return {
    see(row) {
      const record = linkRecord(row, fingerprint);
      counting.see(countsOf(record, fingerprint));
      const shared = blockKeys(record, fingerprint).flatMap((key) => sharers.get(key) ?? []);
      for (const people of shared) people.add(personKey(record));
      if (shared.length > 0 && near.length < NEAR_MOST) near.push({ record, identity: row.identity });
    },
    why() {
      const exact = {
        ...counting.survey(),
        errorRates: pair.errorRates,
        sharers: (key: number) => Math.max(1, sharers.get(key)?.size ?? 1),
      };
      const context = levelContext(exact);
      const verdict = comparePair(a, b, context);
      const together = pair.a.identity !== null && pair.a.identity === pair.b.identity;
      const [one, two] = [
        { record: a, identity: pair.a.identity },
        { record: b, identity: pair.b.identity },
      ];
      const apart = !together && isJoining(verdict) ? [whyApart([one, two], near, context)] : [];
      return { ...verdict, evidence: [...verdict.evidence, ...apart], together, needed: LINK_BITS };
    },
  };
}

interface Known {
  record: LinkRecord;
  identity: number | null;
}

/** Records that share something with one of the two; of more not all are asked whether they are whom it fits as well. */
const NEAR_MOST = 512;

/** Why two are apart though what they say themselves is enough. */
function whyApart([one, two]: [Known, Known], near: Known[], context: LinkContext): LinkEvidence {
  const fits = ({ record }: Known) =>
    near.some(
      (third) =>
        third.identity !== one.identity &&
        third.identity !== two.identity &&
        third.record.row !== record.row &&
        isJoining(comparePair(record, third.record, context)),
    );
  const fitsTwo = [one, two].some(fits);
  const what = fitsTwo
    ? 'but one of them fits two people who are not one, and may be either of them'
    : 'but other records of the two speak against it';
  return { code: 'others', what, bits: 0 };
}
