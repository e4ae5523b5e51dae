import type { Agreement, KeyType } from '../../model.ts';
import { type GraphReader, isFrequent, type Posting } from './reader.ts';

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
  const frequent = values.flatMap((keys) => keys.map(({ posting }) => posting).filter(isFrequent));
  const candidates = frequent.length > 0 ? candidatesOf(values, named) : [];
  const keys = new Set(frequent.map(({ key }) => key));
  const held = candidates.length > 0 ? reader.holders([...keys], candidates) : NOBODY;
  return values.map((keys) => {
    const shared = keys.filter(({ posting }) => posting.share > 0);
    if (shared.length === 0) return [];
    const agreed = new Map<number, Agreement>();
    for (const asked of shared) {
      const { posting } = asked;
      for (let i = 0; i < posting.ids.length; i++)
        agree(agreed, asked, posting.ids[i] ?? 0, posting.primary[i] === true);
      for (const [id, primary] of held.get(posting.key) ?? NOBODY_OF_IT) agree(agreed, asked, id, primary);
    }
    return [...agreed.values()];
  });
}

const NOBODY_OF_IT = new Map<number, boolean>();
const NOBODY = new Map<number, typeof NOBODY_OF_IT>();

/** Whom frequent keys are asked after. */
function candidatesOf(values: Asked[][], named: number[]): number[] {
  const candidates = new Set(named);
  for (const keys of values)
    for (const { posting } of keys)
      if (!isFrequent(posting)) for (const id of posting.ids) candidates.add(id);
  return [...candidates];
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
