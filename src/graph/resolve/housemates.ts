// Identities with the submitted name that live with the holder of a submitted contact, according to the addresses on record.
import type { ContactMatch } from '../../model.ts';
import type { GraphReader, StoredTypoSearchData } from './reader.ts';

/** If more identities have a contact, it belongs to no household. */
const MAX_HOLDERS = 3;

/**
 * Returns pairs of an identity that has the submitted name but none of the values, and one that has a value, if both have one address on record.
 * The signatures contain the street line alone, so a unit in a field of its own is not compared.
 */
export function findHousemates(
  nameMatches: readonly number[],
  values: readonly ContactMatch[][],
  { getSignatures }: Pick<GraphReader, 'getSignatures'>,
): number[][] {
  const holders = new Set<number>();
  for (const { identity, share } of values.flat()) if (share <= MAX_HOLDERS) holders.add(identity);
  const others = nameMatches.filter((id) => !holders.has(id));
  if (holders.size === 0 || others.length === 0) return [];
  const homes = [...getSignatures([...holders, ...others], null)].map(
    ([id, signatures]) => [id, signatures.filter(({ kind }) => kind === 'address').map(toHome)] as const,
  );
  return homes.flatMap(([id, own]) =>
    holders.has(id)
      ? []
      : homes
          .filter(
            ([holder, addresses]) => holders.has(holder) && addresses.some((home) => own.includes(home)),
          )
          .map(([holder]) => [id, holder]),
  );
}

const toHome = ({ exactPart, grams }: StoredTypoSearchData) =>
  `${exactPart} ${grams.toSorted((a, b) => a - b).join()}`;
