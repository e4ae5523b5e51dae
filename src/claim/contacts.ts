import type * as v from 'valibot';
import type { Address, AddressContact, Contact, TextContact } from '../model.ts';
import { normaliseContact } from '../normalise/contact.ts';
import type { request } from './schema.ts';

type Body = v.InferOutput<typeof request>;

/** The contacts of a body in either shape: e-mails, phones, addresses, equal ones once, each normalised. */
export function contactsOf(body: Body, region: string): Contact[] {
  const emails = body.emails ?? body.emailAddresses ?? [];
  const phones = body.phones ?? body.phoneNumbers ?? [];
  const addresses = body.addresses ?? (body.nameAddresses ?? []).flatMap(({ address }) => address ?? []);
  return [
    ...distinct(emails, ({ input }) => input),
    ...distinct(phones, (digits) => digits).map((digits) => phoneContact(digits, region)),
    ...distinct(addresses, writtenAlike).map((address) => addressContact(address, region)),
  ];
}

const UNUSABLE = { keys: [], signature: null };

/** A value that has no key to be looked up by comes back as sent, with no matching record. */
function phoneContact(input: string, region: string): TextContact {
  return (
    normaliseContact('phone', input, region) ?? { kind: 'phone', input, standardized: input, ...UNUSABLE }
  );
}

function addressContact(input: Address, region: string): AddressContact {
  const standardized = { ...input, plus4: '' };
  return normaliseContact('address', input, region) ?? { kind: 'address', input, standardized, ...UNUSABLE };
}

function distinct<T>(values: T[], key: (value: T) => string): T[] {
  if (values.length < 2) return values;
  const seen = new Map<string, T>();
  for (const value of values) {
    const text = key(value);
    if (!seen.has(text)) seen.set(text, value);
  }
  return [...seen.values()];
}

/** Addresses that differ in nothing but case and spaces are one. */
function writtenAlike({ street, street2, city, state, zip, country }: Address): string {
  const parts = `${street}\0${street2}\0${city}\0${state}\0${zip}\0${country}`;
  // Single spaces are left alone: an address is full of them.
  return parts.toLowerCase().replace(/\s{2,}|[^\S ]/g, ' ');
}
