import * as v from 'valibot';
import { BonafideError, type ValidationIssue } from '../errors.ts';
import type { Claim, Address, AddressContact, Contact, TextContact } from '../model.ts';
import type { ParsedBody } from './json.ts';
import {
  findConflicts,
  truncateLists,
  MAX_ISSUES,
  findNameIssues,
  TOO_MANY_VALUES,
  findUnknownFields,
} from './rules.ts';
import { isPresent, REQUEST_SCHEMA, type PhoneDigits } from './schema.ts';
import { normaliseContact } from '../normalise/contact.ts';

const DETAILS: Record<string, string> = {
  required: 'This field is required.',
  wrong_type: 'This has the wrong type.',
  not_unicode: 'This text holds half a surrogate pair, which is no character.',
  empty: 'This must not be empty.',
  too_long: 'This has too many characters: at most 200 in a name or a part of an address, 254 in an email.',
  too_many: TOO_MANY_VALUES,
  no_letter: 'A name has at least one letter.',
  invalid_email: 'This is not an email address.',
  invalid_phone: 'A phone number has 10 to 15 digits.',
  invalid_operation: 'The operation is `validate` or `raw`.',
  invalid_region: 'A region is a country by its two ISO letters, in capitals.',
};
const TYPES: Record<string, string> = {
  string: 'This must be a string.',
  Array: 'This must be a list.',
  Object: 'This must be an object.',
  boolean: 'This must be true or false.',
};

/**
 * Reads an object of the current or the legacy shape as a claim: texts NFC and trimmed, e-mails lowercased, phones stripped to digits,
 * values that are equal then kept once, at the place of the first, and every contact normalised. `region` is the ISO country in which
 * numbers and addresses that name none are read. All broken rules are told in one answer, those that were found before among them.
 *
 * Errors: invalid_request, with `issues` in its details: one for every broken rule, the first 50 of them.
 */
export function parseClaim({ value, issues: before }: ParsedBody, region: string): Claim {
  const issues = [...before, ...findUnknownFields(value)];
  const body = truncateLists(value, issues);
  const result = v.safeParse(REQUEST_SCHEMA, body);
  for (const issue of result.issues ?? []) issues.push(toValidationIssue(issue));
  issues.push(...findConflicts(body), ...findNameIssues(body));
  if (issues.length > 0 || !result.success) throw invalidRequestError(issues);
  return toClaim(result.output, region);
}

/** Every broken rule in one error. */
export function invalidRequestError(issues: ValidationIssue[]): BonafideError {
  const detail =
    issues.length === 1 ? 'The request breaks one rule.' : `The request breaks ${issues.length} rules.`;
  return new BonafideError('invalid_request', detail, { issues: issues.slice(0, MAX_ISSUES) });
}

/** A valibot issue holds the input: only its place and the code that our schema gave it go on. */
export function toValidationIssue({ path, message: code, expected }: v.BaseIssue<unknown>): ValidationIssue {
  const pointer = (path ?? []).map(({ key }) => `/${String(key)}`).join('');
  const detail = (code === 'wrong_type' && TYPES[expected ?? '']) || (DETAILS[code] ?? code);
  return { pointer, code, detail };
}

function toClaim(body: v.InferOutput<typeof REQUEST_SCHEMA>, region: string): Claim {
  return {
    name: body.name ?? body.nameAddresses?.find((one) => isPresent(one?.fullName))?.fullName ?? '',
    contacts: toContacts(body, region),
    region,
    intent: body.intent,
    operation: body.operation,
    include: {
      trust_enhancement: body.include_trust_enhancement,
      fraud_detection: body.include_fraud_detection,
      name_matching: body.include_name_matching,
    },
  };
}

type Body = v.InferOutput<typeof REQUEST_SCHEMA>;

/** The contacts of a body in either shape: e-mails, phones, addresses, equal ones once, each normalised. */
function toContacts(body: Body, region: string): Contact[] {
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

function removeDuplicates<T>(values: T[], key: (value: T) => string): T[] {
  if (values.length < 2) return values;
  const seen = new Map<string, T>();
  for (const value of values) {
    const text = key(value);
    if (!seen.has(text)) seen.set(text, value);
  }
  return [...seen.values()];
}

/** Addresses that differ in nothing but case and spaces are one. */
function addressTextKey({ street, street2, city, state, zip, country }: Address): string {
  const parts = `${street}\0${street2}\0${city}\0${state}\0${zip}\0${country}`;
  // Single spaces are left alone: an address is full of them.
  return parts.toLowerCase().replace(/\s{2,}|[^\S ]/g, ' ');
}
