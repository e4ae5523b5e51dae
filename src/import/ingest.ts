import { exactPartOf, type Fingerprints } from '../graph/fingerprints.ts';
import type { StoredContact, StoredRecord } from '../link/stored.ts';
import type { Contact } from '../model.ts';
import type { ImportRecord } from './record.ts';

/** A record as a graph keeps it: names as written, contacts as fingerprints only. */
export function toStored(record: ImportRecord, fingerprints: Fingerprints): StoredRecord {
  const { contacts, identity, ...rest } = record;
  return {
    ...rest,
    label: identity,
    contacts: contacts.map((contact) => toStoredContact(contact, fingerprints)),
  };
}

function toStoredContact(contact: Contact, fingerprints: Fingerprints): StoredContact {
  const { kind, keys, signature } = contact;
  return {
    kind,
    keys: keys.map(({ type, text }) => [type, fingerprints.of(type, text)]),
    signature: signature && {
      exactPart: exactPartOf(fingerprints, signature),
      grams: fingerprints.grams(signature.text),
    },
    places: placesOf(contact).map((place) => fingerprints.of('place', place)),
  };
}

/** Where an address is: its zip, its city. */
function placesOf(contact: Contact): string[] {
  if (contact.kind !== 'address') return [];
  const { zip, city, state } = contact.standardized;
  return [...(zip ? [zip.slice(0, 5)] : []), ...(city ? [`${city}|${state}`] : [])];
}
