// Addresses with names inside objects. An address book of a customer may have entries for other people, each with a name, a phone and an address.
import { hasOnlyKnownHeaderWords } from '../../columns/by-words.ts';
import { guessColumn } from '../../columns/guess.ts';
import { isColumnGroupOfOtherPerson } from '../../columns/parties.ts';
import { INPUT_LIMITS } from '../../formats/limits.ts';
import { areSameNames, isCompanyOrHouseholdName, prepareName } from '../../../names/index.ts';

interface PathCell {
  header: string;
  cell: string;
}

interface NameHeader {
  part: 'name' | 'given' | 'family';
  /** Path of the object with the name: `customer.addresses.1`. */
  path: string;
  /** True if this object is an address. Addresses for billing and shipping are false: a table reads them as those of another person. */
  isInAddress: boolean;
}

/** Returns a function that removes the entries of other people from the values of one object. */
export function createRemoverOfAddressesOfOthers() {
  const known = new Map<string, NameHeader | null>();
  const parse = (header: string): NameHeader | null => {
    let parsed = known.get(header);
    if (parsed === undefined) {
      parsed = parseNameHeader(header);
      if (known.size < INPUT_LIMITS.columns) known.set(header, parsed);
    }
    return parsed;
  };
  /**
   * Removes the values of each address with the name of another person than the object's own. Also removes the names from the other addresses. `others`
   * is true if an address was removed. An object without a name of its own stays unchanged.
   */
  return function removeAddressesOfOthers<T extends PathCell>(values: T[]): { values: T[]; others: boolean } {
    const [own, entries] = [new Map<string, Parts>(), new Map<string, Parts>()];
    for (const { header, cell } of values) {
      const { part, path, isInAddress } = parse(header) ?? {};
      if (part === undefined || path === undefined || cell.trim() === '') continue;
      const names = isInAddress ? entries : own;
      names.set(path, { ...names.get(path), [part]: cell });
    }
    const ownNames = [...own.values()].map(joinParts);
    if (ownNames.length === 0 || entries.size === 0) return { values, others: false };
    const isOther = (parts: Parts) => {
      const name = joinParts(parts);
      if (ownNames.includes(name) || !isPersonName(name)) return false;
      return !ownNames.some((ownName) => areSameNames(prepareName(ownName), prepareName(name)));
    };
    const removed = [...entries].flatMap(([path, parts]) => (isOther(parts) ? [`${path}.`] : []));
    const kept = values.filter(
      ({ header }) => parse(header)?.isInAddress !== true && !removed.some((path) => header.startsWith(path)),
    );
    return { values: kept, others: removed.length > 0 };
  };
}

type Parts = Partial<Record<NameHeader['part'], string>>;

const joinParts = ({ name, given = '', family = '' }: Parts): string => name ?? `${given} ${family}`.trim();

/** True for a name of two words or more. False for a company, and for a label of an address: `Home address`. */
const isPersonName = (name: string): boolean =>
  name.trim().includes(' ') && !hasOnlyKnownHeaderWords(name) && !isCompanyOrHouseholdName(name);

function parseNameHeader(header: string): NameHeader | null {
  const end = header.lastIndexOf('.');
  const path = header.slice(0, Math.max(end, 0));
  const { field: part } = guessColumn(header.slice(end + 1)) ?? {};
  if (part !== 'name' && part !== 'given' && part !== 'family') return null;
  const { field, group = '' } = guessColumn(path) ?? {};
  const isInAddress = field === 'address' && !isColumnGroupOfOtherPerson(group);
  const column = guessColumn(header);
  return isInAddress || (column?.field === part && column.group === '') ? { part, path, isInAddress } : null;
}
