import type { Agreement, KeyType } from '../../model.ts';
import { type GraphReader, isFrequent, type Posting, primaryOf } from './reader.ts';

/** A key of a value, and who has it. */
export interface Asked {
  type: KeyType;
  posting: Posting;
}

/**
 * Who each value is linked to, by its strictest key. Of a value that very many share the first ones are read, and those are asked for
 * that the name or a value of few points to; all values are resolved against the same ones, so their order does not matter.
 *
 * @param named identities that a key of the name points to
 */
export function agreementsOf(values: Asked[][], named: number[], reader: GraphReader): Agreement[][] {
  const candidates = candidatesOf(values, named);
  return values.map((keys) => {
    const shared = keys.filter(({ posting }) => posting.share > 0);
    if (shared.length === 0) return [];
    const agreed = new Map<number, Agreement>();
    for (const asked of shared) {
      const { posting } = asked;
      for (let i = 0; i < posting.ids.length; i++)
        agree(agreed, asked, posting.ids[i] ?? 0, posting.primary[i] === true);
      if (!isFrequent(posting)) continue;
      for (const id of candidates) {
        const primary = primaryOf(reader, posting, id);
        if (primary !== undefined) agree(agreed, asked, id, primary);
      }
    }
    return [...agreed.values()];
  });
}

/** Whom a frequent key is asked after; nobody where no key is frequent. */
function candidatesOf(values: Asked[][], named: number[]): Set<number> {
  if (!values.some((keys) => keys.some(({ posting }) => isFrequent(posting)))) return new Set();
  const candidates = new Set(named);
  for (const keys of values)
    for (const { posting } of keys)
      if (!isFrequent(posting)) for (const id of posting.ids) candidates.add(id);
  return candidates;
}

function agree(
  agreed: Map<number, Agreement>,
  { type, posting }: Asked,
  identity: number,
  primary: boolean,
): void {
  const known = agreed.get(identity);
  if (!known)
    agreed.set(identity, { identity, type, primary, share: posting.share, firstSeen: null, lastSeen: null });
  else if (primary) known.primary = true;
}
