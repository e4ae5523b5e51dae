// Identities with the submitted name that live with the holder of a submitted contact, according to the addresses on record.
import type { ContactMatch } from '../../model.ts';
import {
  filterIdentitiesByLookupKey,
  type GraphReader,
  type IdentitiesOfLookupKey,
  type StoredTypoSearchData,
} from './reader.ts';

/** Types of look-up keys that find exactly the submitted e-mail or phone. */
const DIRECT_KEYS: ReadonlySet<ContactMatch['type']> = new Set(['email', 'mailbox', 'phone']);

/** Number of identities with a contact, above which the contact belongs to no household. */
const MAX_HOLDERS = 3;

/**
 * Returns pairs of identities with the same address on record. The first one has the submitted name, but lacks a submitted e-mail or phone that the
 * second one has. Returns none if an identity with exactly the submitted name has all submitted e-mails and phones. Compares only the street line,
 * house number and place, so not a unit in a separate field.
 */
export function findHousemates(
  { nameMatches, exact }: { nameMatches: readonly number[]; exact: IdentitiesOfLookupKey | undefined },
  values: readonly ContactMatch[][],
  reader: Pick<GraphReader, 'getSignatures' | 'findHolders'>,
): number[][] {
  const groups = values.flatMap((agreements) => {
    const holders = agreements.filter(({ type }) => DIRECT_KEYS.has(type)).map(({ identity }) => identity);
    return holders.length === 0
      ? []
      : [{ holders, isShared: agreements.some(({ share }) => share > MAX_HOLDERS) }];
  });
  if (groups.every(({ isShared }) => isShared)) return [];
  const hasAll = (id: number) => groups.every(({ holders }) => holders.includes(id));
  if (exact && filterIdentitiesByLookupKey(exact, nameMatches.filter(hasAll), reader).length > 0) return [];
  const pairs: [id: number, holder: number][] = [];
  for (const { holders, isShared } of groups)
    for (const id of isShared ? [] : nameMatches)
      if (!holders.includes(id)) for (const holder of holders) pairs.push([id, holder]);
  if (pairs.length === 0) return [];
  // Reads the addresses of the few holders first. With their exact parts, the engine skips most of the other identities.
  const homes = reader.getSignatures([...new Set(pairs.map(([, holder]) => holder))], null);
  const exactParts = [...homes.values()].flatMap((signatures) =>
    signatures.filter(isAddress).map((home) => home.exactPart),
  );
  const others = new Set(pairs.map(([id]) => id).filter((id) => !homes.has(id)));
  for (const [id, signatures] of reader.getSignatures([...others], exactParts)) homes.set(id, signatures);
  const housemates = new Map<string, number[]>();
  for (const [id, holder] of pairs)
    if (homes.get(holder)?.some((home) => homes.get(id)?.some((other) => isSameAddress(home, other))))
      housemates.set(`${id} ${holder}`, [id, holder]);
  return [...housemates.values()];
}

const isAddress = ({ kind }: StoredTypoSearchData) => kind === 'address';

/**
 * True if two addresses have the same exact part (house number and place), and their street lines have the same letter pairs. No list contains a pair
 * twice.
 */
const isSameAddress = (a: StoredTypoSearchData, b: StoredTypoSearchData): boolean =>
  isAddress(a) &&
  isAddress(b) &&
  a.exactPart === b.exactPart &&
  a.grams.length === b.grams.length &&
  a.grams.every((gram) => b.grams.includes(gram));
