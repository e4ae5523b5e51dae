import { BonafideError } from '../errors.ts';
import { fingerprintExactPart, type Fingerprints } from '../graph/encryption/fingerprints.ts';
import type { GraphRecords } from '../graph/records.ts';
import { type Identifier, uniquenessOf } from '../normalise/identifier.ts';
import type { StoredContact, StoredIdentifier, StoredRecord } from '../link/stored.ts';
import type { Contact } from '../model.ts';
import { unitFromKeys } from '../normalise/address.ts';
import { classifyPostcode } from '../normalise/address/place.ts';
import type { ImportRecord } from './record.ts';

/** What records come into. */
export type RecordTarget = Pick<GraphRecords, 'fingerprints' | 'storesFullRecords'>;

/** A record as a graph keeps it: names as written, contacts as fingerprints, and beside them as they were read where whole records are kept. */
export function toStoredRecord(
  record: ImportRecord,
  { fingerprints, storesFullRecords: keepsWhole = false }: RecordTarget,
): StoredRecord {
  const { contacts, identity, birthPlace, birthPlaceWritten, identifiers, ...rest } = record;
  return {
    ...rest,
    label: identity,
    contacts: contacts.map((contact) => toStoredContact(contact, fingerprints)),
    birthPlace: birthPlace === null ? null : fingerprints.of('place', `born|${birthPlace}`),
    identifiers: identifiers.map((identifier) => toStoredIdentifier(identifier, fingerprints)),
    ...(keepsWhole && { whole: { contacts, identifiers, birthPlace, birthPlaceWritten } }),
  };
}

/** A record that is kept whole, under other fingerprints. Errors: `invalid_arguments` where it is not kept whole. */
export function fingerprintAgain(
  { whole, said, label, ...rest }: StoredRecord,
  fingerprints: Fingerprints,
): StoredRecord {
  if (!whole) throw new BonafideError('invalid_arguments', 'A record is not kept whole.');
  const record = { ...rest, ...whole, gender: rest.gender ?? null, identity: label };
  const made = toStoredRecord(record, { fingerprints, storesFullRecords: true });
  return said === undefined ? made : { ...made, said };
}

function toStoredIdentifier({ type, country, value }: Identifier, { of }: Fingerprints): StoredIdentifier {
  const kind = `identifier|${type}|${country}`;
  return {
    type: of('label', kind),
    value: of('label', `${kind}|${value}`),
    once: uniquenessOf({ type, country }),
  };
}

function toStoredContact(contact: Contact, fingerprints: Fingerprints): StoredContact {
  const { kind, keys, signature } = contact;
  const place = (text: string) => fingerprints.of('place', text);
  const { places, street } = placesOf(contact);
  const unit = kind === 'address' ? unitFromKeys(keys) : '';
  return {
    kind,
    keys: keys.map(({ type, text }) => [type, fingerprints.of(type, text)]),
    signature: signature && {
      exactPart: fingerprintExactPart(fingerprints, signature),
      grams: fingerprints.grams(signature.text),
    },
    places: places.map(place),
    ...(street !== undefined && { postcode: place(street) }),
    ...(unit !== '' && { unit: place(`unit|${unit}`) }),
  };
}

/**
 * Where an address is, the finest first: its street without a number, its postcode and the district that this lies in, its city. `street`
 * is the postcode where it means a street.
 */
function placesOf(contact: Contact): { places: string[]; street?: string } {
  if (contact.kind !== 'address') return { places: [] };
  const { city, state } = contact.standardized;
  const { code, district, street } = classifyPostcode(contact.standardized);
  const name = contact.keys[0]?.text.split('|')[1] ?? '';
  const streets = name !== '' && code !== '' ? [`${name}|${code}`] : [];
  const codes = [code, district].filter((text) => text !== '');
  const places = [...streets, ...codes, ...(city ? [`${city}|${state}`] : [])];
  return street ? { places, street: code } : { places };
}
