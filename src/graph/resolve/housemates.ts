// Identities with the submitted name that live with the holder of a submitted contact, according to the addresses on record.
import type { ContactMatch } from '../../model.ts';
import {
  filterIdentitiesByLookupKey,
  type GraphReader,
  type IdentitiesOfLookupKey,
  type StoredTypoSearchData,
} from './reader.ts';

/** Types of look-up keys that find an e-mail or phone without a typing error. */
const DIRECT_KEYS: ReadonlySet<ContactMatch['type']> = new Set(['email', 'mailbox', 'phone']);

/** If more identities have a contact, it belongs to no household. */
const MAX_HOLDERS = 3;

/**
 * Returns pairs of identities with the same address on record. The first identity has the submitted name and lacks one of the submitted e-mails and
 * phones; the second identity has this e-mail or phone. Returns no pairs if an identity with exactly the submitted name has all e-mails and phones.
 * Signatures contain only the street line, so a unit in a separate field is not compared.
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

/** True for two addresses with the same exact part and the same letter pairs, of which a list has no duplicates. */
const isSameAddress = (a: StoredTypoSearchData, b: StoredTypoSearchData): boolean =>
  isAddress(a) &&
  isAddress(b) &&
  a.exactPart === b.exactPart &&
  a.grams.length === b.grams.length &&
  a.grams.every((gram) => b.grams.includes(gram));
