import type { ExportedRecord } from '../app/types.ts';
import { formatCount } from '../components/format.ts';

/**
 * Lists the names and values of a record. If the graph stores only fingerprints (setting `graph.keep`), the last line has their number by kind.
 */
export function listRecordValues({
  names,
  birth_date: birth,
  whole,
  fingerprints,
}: ExportedRecord): string[] {
  const knownValues = [...names, ...(birth === null ? [] : [`born ${birth}`])];
  if (whole) {
    const addresses = whole.addresses.map((address) =>
      [address.street, address.street2, address.city, address.state, address.zip, address.country]
        .filter((part) => part !== '')
        .join(', '),
    );
    return [...knownValues, ...whole.emails, ...whole.phones, ...addresses];
  }
  const counts = [
    [fingerprints.emails, 'e-mail'],
    [fingerprints.phones, 'phone'],
    [fingerprints.addresses, 'address', 'addresses'],
  ] as const;
  const stored = counts.flatMap(([count, noun, many]) => (count > 0 ? formatCount(count, noun, many) : []));
  return stored.length === 0 ? knownValues : [...knownValues, `${stored.join(', ')} (fingerprints only)`];
}
