// A pasted request, as JSON: what it holds is taken as it is.
import { MOST, NO_ADDRESS } from '../request.ts';
import type { Address } from '../request.ts';

export interface Found {
  name: string;
  emails: string[];
  phones: string[];
  addresses: Required<Address>[];
  /** What could not be placed, as it stood. */
  left: string[];
}

const PARTS = Object.keys(NO_ADDRESS) as (keyof Address)[];
const KNOWN = ['name', 'emails', 'phones', 'addresses'];

/** The request that a text is; null where it is none. */
export function requestIn(text: string): Found | null {
  const body = objectIn(text);
  if (body === null) return null;
  const emails = textsOf(body.emails);
  const phones = textsOf(body.phones);
  const addresses = listOf(body.addresses).map(addressOf);
  const others = Object.entries(body).filter(([name]) => !KNOWN.includes(name));
  return {
    name: typeof body.name === 'string' ? body.name : '',
    emails: emails.slice(0, MOST),
    phones: phones.slice(0, MOST),
    addresses: addresses.slice(0, MOST),
    left: [
      ...emails.slice(MOST),
      ...phones.slice(MOST),
      ...addresses.slice(MOST).map((address) => Object.values(address).filter(Boolean).join(', ')),
      ...others.map(
        ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ),
    ],
  };
}

function objectIn(text: string): Record<string, unknown> | null {
  if (!text.trim().startsWith('{')) return null;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

const listOf = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

const textsOf = (value: unknown): string[] => listOf(value).map(String);

function addressOf(value: unknown): Required<Address> {
  const address = { ...NO_ADDRESS };
  if (typeof value !== 'object' || value === null) return { ...address, street: String(value) };
  for (const part of PARTS) {
    const text = (value as Record<string, unknown>)[part];
    if (text !== undefined && text !== null) address[part] = String(text);
  }
  return address;
}
