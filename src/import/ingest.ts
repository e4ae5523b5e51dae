import { addressSketch, emailSketch } from '../normalise/sketch.ts';
import { normaliseAddress } from '../normalise/address.ts';
import { normaliseEmail } from '../normalise/email.ts';
import { normalisePhone } from '../normalise/phone.ts';
import type { Form, Sketch } from '../model.ts';
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
        stored({ kind: 'email', forms: email.forms, sketch: emailSketch(email.standardized), vault }),
      );
  }
  for (const text of record.phones) {
    const phone = normalisePhone(text, region);
    if (phone) contacts.push(stored({ kind: 'phone', forms: phone.forms, sketch: null, vault }));
  }
  for (const parts of record.addresses) {
    const address = normaliseAddress(parts, region);
    if (!address) continue;
    const { zip, city, state } = address.standardized;
    const contact = stored({
      kind: 'address',
      forms: address.forms,
      sketch: addressSketch(address.standardized),
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
  forms: Form[];
  sketch: Sketch | null;
  vault: Vault;
}): StoredContact {
  const { kind, forms, sketch, vault } = from;
  return {
    kind,
    keys: forms.map(({ form, text }) => [form, vault.key(form, text)]),
    sketch: sketch && {
      anchor: vault.key('anchor', `${sketch.kind}|${sketch.anchor}`),
      grams: vault.grams(sketch.text),
    },
    places: [],
  };
}
