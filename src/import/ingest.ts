import { addressSignature, emailSignature } from '../normalise/signature.ts';
import { normaliseAddress } from '../normalise/address.ts';
import { normaliseEmail } from '../normalise/email.ts';
import { normalisePhone } from '../normalise/phone.ts';
import type { LookupKey, Signature } from '../model.ts';
import type { StoredContact, StoredRecord } from '../graph/sqlite/records.ts';
import type { Vault } from '../graph/vault.ts';
import type { ImportRecord } from './record.ts';

/** A record as the graph keeps it: names as written (sealed later), contacts as fingerprints only. */
export function toStored(record: ImportRecord, vault: Vault, region: string): StoredRecord {
  const { recordId, source, names, birthDate, identity, firstSeen, lastSeen } = record;
  const contacts: StoredContact[] = [];
  for (const text of record.emails) {
    const email = normaliseEmail(text);
    if (email)
      contacts.push(
        stored({ kind: 'email', keys: email.keys, signature: emailSignature(email.standardized), vault }),
      );
  }
  for (const text of record.phones) {
    const phone = normalisePhone(text, region);
    if (phone) contacts.push(stored({ kind: 'phone', keys: phone.keys, signature: null, vault }));
  }
  for (const parts of record.addresses) {
    const address = normaliseAddress(parts, region);
    if (!address) continue;
    const { zip, city, state } = address.standardized;
    const contact = stored({
      kind: 'address',
      keys: address.keys,
      signature: addressSignature(address.standardized),
      vault,
    });
    if (zip) contact.places.push(vault.key('place', zip.slice(0, 5)));
    if (city) contact.places.push(vault.key('place', `${city}|${state}`));
    contacts.push(contact);
  }
  return { recordId, source, names, birthDate, label: identity, firstSeen, lastSeen, contacts };
}

function stored(from: {
  kind: StoredContact['kind'];
  keys: LookupKey[];
  signature: Signature | null;
  vault: Vault;
}): StoredContact {
  const { kind, keys, signature, vault } = from;
  return {
    kind,
    keys: keys.map(({ type, text }) => [type, vault.key(type, text)]),
    signature: signature && {
      exactPart: vault.key('anchor', `${signature.kind}|${signature.exactPart}`),
      grams: vault.grams(signature.text),
    },
    places: [],
  };
}
