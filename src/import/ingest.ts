import { BonafideError } from '../errors.ts';
import { exactPartOf, type Fingerprints } from '../graph/fingerprints.ts';
import type { GraphRecords } from '../graph/parts/records.ts';
import type { StoredContact, StoredIdentifier, StoredRecord } from '../link/stored.ts';
import type { Contact } from '../model.ts';
import type { ImportRecord } from './record.ts';
import type { Identifier } from './traits.ts';

/** What records come into. */
export type Receiving = Pick<GraphRecords, 'fingerprints' | 'keepsWhole'>;

/** A record as a graph keeps it: names as written, contacts as fingerprints, and beside them as they were read where whole records are kept. */
export function toStored(
  record: ImportRecord,
  { fingerprints, keepsWhole = false }: Receiving,
): StoredRecord {
  const { contacts, identity, birthPlace, identifiers, ...rest } = record;
  return {
    ...rest,
    label: identity,
    contacts: contacts.map((contact) => toStoredContact(contact, fingerprints)),
    birthPlace: birthPlace === null ? null : fingerprints.of('place', `born|${birthPlace}`),
    identifiers: identifiers.map((identifier) => toStoredIdentifier(identifier, fingerprints)),
    ...(keepsWhole && { whole: { contacts, identifiers, birthPlace } }),
  };
}

/** A record that is kept whole, under other fingerprints. Errors: `invalid_arguments` where it is not kept whole. */
export function storedAnew(
  { whole, said, label, ...rest }: StoredRecord,
  fingerprints: Fingerprints,
): StoredRecord {
  if (!whole) throw new BonafideError('invalid_arguments', 'A record is not kept whole.');
  const record = { ...rest, ...whole, gender: rest.gender ?? null, identity: label };
  const made = toStored(record, { fingerprints, keepsWhole: true });
  return said === undefined ? made : { ...made, said };
}

/** Types that a person has one number of, and keeps it. */
const ONCE =
  /\b(ssn|social security|national (id|insurance|identity)|nin|nhs|tax|tin|itin|cpf|dni|nie|curp|rfc|aadhaar|pan|personnummer|pesel|codice fiscale|cedula|birth certificate)\b/;

function toStoredIdentifier({ type, country, value }: Identifier, { of }: Fingerprints): StoredIdentifier {
  const kind = `identifier|${type}|${country}`;
  return { type: of('label', kind), value: of('label', `${kind}|${value}`), once: ONCE.test(type) };
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

const US_ZIP = /^\d{5}/;
/** Postcodes that mean a street or less: all but the last three characters name the district. */
const FINE = /^[A-Z][A-Z\d]{1,3} ?\d[A-Z]{2}$|^[A-Z]\d[A-Z] ?\d[A-Z]\d$/;

/** Where an address is, the finest first: its street without a number, its postcode and the district that this lies in, its city. */
function placesOf(contact: Contact): string[] {
  if (contact.kind !== 'address') return [];
  const { zip, city, state } = contact.standardized;
  const code = US_ZIP.exec(zip)?.[0] ?? zip.replaceAll(' ', '');
  const district = FINE.test(zip) ? code.slice(0, -3) : '';
  const street = contact.keys[0]?.text.split('|')[1] ?? '';
  const streets = street !== '' && code !== '' ? [`${street}|${code}`] : [];
  const codes = [code, district].filter((text) => text !== '');
  return [...streets, ...codes, ...(city ? [`${city}|${state}`] : [])];
}
