import type * as v from 'valibot';
import type { Address, AddressContact, Contact, TextContact } from '../model.ts';
import { normaliseContact } from '../normalise/contact.ts';
import type { REQUEST_SCHEMA, PhoneDigits } from './schema.ts';

type Body = v.InferOutput<typeof REQUEST_SCHEMA>;

/** The contacts of a body in either shape: e-mails, phones, addresses, equal ones once, each normalised. */
export function toContacts(body: Body, region: string): Contact[] {
  const emails = sentOf(body.emails ?? body.emailAddresses);
  const phones = sentOf(body.phones ?? body.phoneNumbers);
  const addresses = sentOf(
    body.addresses ?? sentOf(body.nameAddresses).map(({ address }) => address ?? null),
  );
  return [
    ...removeDuplicates(emails, ({ input }) => input),
    ...removeDuplicates(phones, ({ digits }) => digits).map((one) => phoneContact(one, region)),
    ...removeDuplicates(addresses, addressTextKey).map((address) => addressContact(address, region)),
  ];
}

const sentOf = <T>(list: readonly (T | null)[] | null | undefined): T[] =>
  (list ?? []).filter((one) => one !== null);

const UNUSABLE = { keys: [], signature: null };

/** A value that has no key to be looked up by comes back as sent, with no matching record. */
function phoneContact({ digits: input, hasExtension }: PhoneDigits, region: string): TextContact {
  const contact = normaliseContact('phone', input, region) ?? {
    kind: 'phone',
    input,
    standardized: input,
    ...UNUSABLE,
  };
  return hasExtension ? { ...contact, hasExtension } : contact;
}

function addressContact(input: Address, region: string): AddressContact {
  const standardized = { ...input, plus4: '' };
  return normaliseContact('address', input, region) ?? { kind: 'address', input, standardized, ...UNUSABLE };
}

export function removeDuplicates<T>(values: T[], key: (value: T) => string): T[] {
  if (values.length < 2) return values;
  const seen = new Map<string, T>();
  for (const value of values) {
    const text = key(value);
    if (!seen.has(text)) seen.set(text, value);
  }
  return [...seen.values()];
}

/** Addresses that differ in nothing but case and spaces are one. */
export function addressTextKey({ street, street2, city, state, zip, country }: Address): string {
  const parts = `${street}\0${street2}\0${city}\0${state}\0${zip}\0${country}`;
  // Single spaces are left alone: an address is full of them.
  return parts.toLowerCase().replace(/\s{2,}|[^\S ]/g, ' ');
}
