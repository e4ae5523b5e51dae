// Import records in the form in which a graph stores them: names as written, and fingerprints of all other
// values.
import { BonafideError } from '../errors.ts';
import { fingerprintExactPart, type FingerprintFunctions } from '../graph/encryption/fingerprints.ts';
import type { GraphRecordOperations } from '../graph/records.ts';
import type { StoredContact, StoredIdentifier, StoredRecord } from '../link/stored-record.ts';
import type { Contact } from '../model.ts';
import { getFlatFromAddressKeys } from '../normalise/address.ts';
import { getPostcodeAndDistrict } from '../normalise/address/place.ts';
import { type Identifier, getOnePerPersonRule } from '../normalise/identifier.ts';
import type { ImportRecord } from './record.ts';

/** Properties of a graph that determine how a record is stored. */
export type RecordStorageOptions = Pick<GraphRecordOperations, 'fingerprints' | 'storesFullRecords'>;

/** Converts a record to the form that the graph stores. If the graph stores full records, it includes the values behind the fingerprints. */
export function toStoredRecord(
  record: ImportRecord,
  { fingerprints, storesFullRecords = false }: RecordStorageOptions,
): StoredRecord {
  const { recordId, source, names, gender, birthDate, firstSeen, lastSeen } = record;
  const { identity, contacts, birthPlace, birthPlaceWritten, identifiers } = record;
  return {
    recordId,
    source,
    names,
    gender,
    birthDate,
    firstSeen,
    lastSeen,
    label: identity,
    contacts: contacts.map((contact) => toStoredContact(contact, fingerprints)),
    birthPlace: birthPlace === null ? null : fingerprints.of('place', `born|${birthPlace}`),
    identifiers: identifiers.map((identifier) => toStoredIdentifier(identifier, fingerprints)),
    ...(storesFullRecords && { whole: { contacts, identifiers, birthPlace, birthPlaceWritten } }),
  };
}

/**
 * Computes the fingerprints of a full record again with another secret. Errors: `invalid_arguments` if the record does not contain the values.
 */
export function recomputeRecordFingerprints(
  { whole, said, label, ...rest }: StoredRecord,
  fingerprints: FingerprintFunctions,
): StoredRecord {
  if (!whole)
    throw new BonafideError(
      'invalid_arguments',
      'The secret cannot be changed, because some records are stored without the values that new fingerprints need. Set graph.keep to sealed, import these records again, then change the secret.',
    );
  const record = { ...rest, ...whole, gender: rest.gender ?? null, identity: label };
  const stored = toStoredRecord(record, { fingerprints, storesFullRecords: true });
  return said === undefined ? stored : { ...stored, said };
}

function toStoredIdentifier(
  { type, country, value }: Identifier,
  { of }: FingerprintFunctions,
): StoredIdentifier {
  const kind = `identifier|${type}|${country}`;
  return {
    type: of('label', kind),
    value: of('label', `${kind}|${value}`),
    once: getOnePerPersonRule({ type, country }),
  };
}

function toStoredContact(contact: Contact, fingerprints: FingerprintFunctions): StoredContact {
  const { kind, keys, signature } = contact;
  const place = (text: string) => fingerprints.of('place', text);
  const { places, street } = placesOf(contact);
  const unit = kind === 'address' ? getFlatFromAddressKeys(keys) : '';
  const stored: StoredContact = {
    kind,
    keys: keys.map(({ type, text }) => [type, fingerprints.of(type, text)]),
    signature: signature && {
      exactPart: fingerprintExactPart(fingerprints, signature),
      grams: fingerprints.grams(signature.text),
    },
    places: places.map(place),
  };
  if (street !== undefined) stored.postcode = place(street);
  if (unit !== '') stored.unit = place(`unit|${unit}`);
  return stored;
}

/**
 * Returns the places of an address, the smallest first: street without house number, postcode, postcode district, city. `street` is the postcode
 * if it identifies a single street.
 */
function placesOf(contact: Contact): { places: string[]; street?: string } {
  if (contact.kind !== 'address') return { places: [] };
  const { city, state } = contact.standardized;
  const { code, district, isStreetLevel: street } = getPostcodeAndDistrict(contact.standardized);
  const name = contact.keys[0]?.text.split('|')[1] ?? '';
  const streets = name !== '' && code !== '' ? [`${name}|${code}`] : [];
  const codes = [code, district].filter((text) => text !== '');
  const places = [...streets, ...codes, ...(city ? [`${city}|${state}`] : [])];
  return street ? { places, street: code } : { places };
}
