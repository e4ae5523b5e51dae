import type { StoredRecord } from '../link/stored.ts';
import { nameKeys, prepareName } from '../names/index.ts';
import type { Fingerprints } from './fingerprints.ts';

/** In the place of a source: none is called so, since what is imported has no such characters. */
const PLACE = '\0forgotten';

/**
 * What a record is known by when it was erased and comes back: its source and id; and, under another id of the same source, the name
 * together with an e-mail or a phone. Keyed digests of 16 bytes; none is written anywhere else.
 */
export function marksOf({ source, recordId, names, contacts }: MarkedRecord, fingerprints: Fingerprints) {
  const mark = (...parts: (string | number)[]) => fingerprints.record(PLACE, parts.join('\0'));
  const known = names.length > 0 ? new Set(names.map(exactName)) : [''];
  const values = contacts.flatMap(({ kind, keys: [exact] }) =>
    kind !== 'address' && exact ? [exact[1]] : [],
  );
  return [
    mark('record', source, recordId),
    ...values.flatMap((value) => Array.from(known, (name) => mark('person', source, value, name))),
  ];
}

type MarkedRecord = Pick<StoredRecord, 'source' | 'recordId' | 'names' | 'contacts'>;

const exactName = (name: string) => nameKeys(prepareName(name))[0] ?? name;
