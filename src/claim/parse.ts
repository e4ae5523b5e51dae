// Parses a request body of the current or the legacy shape into a claim.
import * as v from 'valibot';
import { BonafideError, type ValidationIssue } from '../errors.ts';
import type { Address, PostalAddressContact, Claim, Contact, EmailOrPhoneContact } from '../model.ts';
import { normaliseContact } from '../normalise/contact.ts';
import type { PhoneDigitsWithExtensionFlag } from '../normalise/phone.ts';
import { trimAndNormaliseToNfc } from '../normalise/text.ts';
import type { ParsedBody } from './json.ts';
import {
  findLegacyFieldConflicts,
  findNameIssues,
  findUnknownFieldIssues,
  MAX_LISTED_ISSUES,
  TOO_MANY_VALUES_MESSAGE,
  checkListLengths,
} from './rules.ts';
import { isNotNullish, CHECK_REQUEST_SCHEMA, toDeduplicationKey } from './schema.ts';

/** Message for each broken rule, by the rule's code. */
const DETAILS: Record<string, string> = {
  required: 'This field is required.',
  wrong_type: 'This has the wrong type.',
  not_unicode: 'This text contains half of a surrogate pair, which is not a character.',
  empty: 'This must not be empty.',
  too_long: 'This has too many characters: at most 200 in a name or a part of an address, 254 in an email.',
  too_many: TOO_MANY_VALUES_MESSAGE,
  no_letter: 'A name has at least one letter.',
  invalid_email: 'This is not an email address.',
  invalid_phone: 'A phone number has 10 to 15 digits. Add the country code to a shorter one.',
  invalid_operation: 'The operation is `validate` or `raw`.',
  invalid_region: 'A region is a country by its two-letter ISO code, in capitals.',
};
/** Message for the code `wrong_type`, by the expected type. */
const TYPE_DETAILS: Record<string, string> = {
  string: 'This must be a string.',
  Array: 'This must be a list.',
  Object: 'This must be an object.',
  boolean: 'This must be true or false.',
  never: 'This must be an object.',
};

/**
 * Parses a request body in the current or legacy format. Normalises all values and removes duplicates. Errors: `invalid_request` with the first 50
 * broken rules in `issues`.
 * @param region ISO country for phones and addresses without a country
 */
export function parseClaim({ value, issues: earlierIssues }: ParsedBody, region: string): Claim {
  const issues = [...earlierIssues, ...findUnknownFieldIssues(value)];
  // More issues would not be listed, and finding them would cost more than a check.
  const throwIfFull = () => {
    if (issues.length > MAX_LISTED_ISSUES) throw invalidRequestError(issues);
  };
  throwIfFull();
  const body = checkListLengths(trimWords(value), issues);
  throwIfFull();
  const result = v.safeParse(CHECK_REQUEST_SCHEMA, body);
  for (const issue of result.issues ?? []) issues.push(toValidationIssue(issue));
  issues.push(...findLegacyFieldConflicts(body), ...findNameIssues(body));
  if (issues.length > 0 || !result.success) throw invalidRequestError(issues);
  return toClaim(result.output, region);
}

/** Trims the fields whose text is one of a list of words. */
function trimWords(value: ParsedBody['value']): ParsedBody['value'] {
  const words = ['intent', 'operation'].flatMap((field) => {
    const word = value[field];
    return typeof word === 'string' ? [[field, trimAndNormaliseToNfc(word)]] : [];
  });
  return words.length === 0 ? value : { ...value, ...Object.fromEntries(words) };
}

export function serializeClaim({ name, contacts, region }: Claim): string {
  const inputs = (wanted: Contact['kind']) =>
    contacts.flatMap((contact) => (contact.kind === wanted ? [toInput(contact)] : []));
  const lists = { emails: inputs('email'), phones: inputs('phone'), addresses: inputs('address') };
  const sent = Object.entries(lists).filter(([, list]) => list.length > 0);
  return JSON.stringify({ region, name, ...Object.fromEntries(sent) });
}

function toInput(contact: Contact): string | object {
  if (contact.kind === 'address')
    return Object.fromEntries(Object.entries(contact.input).filter(([, part]) => part !== ''));
  return contact.kind === 'phone' && contact.hasExtension ? `${contact.input} ext 1` : contact.input;
}

/** Reads a claim from the text of `serializeClaim`. Errors: `invalid_request` for any other text. */
export function deserializeClaim(text: string): Claim {
  const { region, ...value } = JSON.parse(text) as { region: string } & ParsedBody['value'];
  return parseClaim({ value, issues: [] }, region);
}

export function invalidRequestError(issues: ValidationIssue[]): BonafideError {
  const count =
    issues.length > MAX_LISTED_ISSUES ? `more than ${MAX_LISTED_ISSUES} errors` : `${issues.length} errors`;
  const message = `The request has ${issues.length === 1 ? 'one error' : count}; see \`errors\`.`;
  return new BonafideError('invalid_request', message, { issues: issues.slice(0, MAX_LISTED_ISSUES) });
}

/** Converts an issue of valibot to a JSON Pointer, the code of the broken rule and its message. Leaves out the submitted value. */
export function toValidationIssue({ path, message: code, expected }: v.BaseIssue<unknown>): ValidationIssue {
  const pointer = (path ?? []).map(({ key }) => `/${String(key)}`).join('');
  const typeDetail = code === 'wrong_type' ? TYPE_DETAILS[expected ?? ''] : undefined;
  return { pointer, code, detail: typeDetail ?? DETAILS[code] ?? code };
}

type RequestBody = v.InferOutput<typeof CHECK_REQUEST_SCHEMA>;

function toClaim(body: RequestBody, region: string): Claim {
  return {
    name: body.name ?? body.nameAddresses?.find((entry) => isNotNullish(entry?.fullName))?.fullName ?? '',
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

function toContacts(body: RequestBody, region: string): Contact[] {
  const emails = withoutNulls(body.emails ?? body.emailAddresses);
  const phones = withoutNulls(body.phones ?? body.phoneNumbers);
  const addresses = withoutNulls(
    body.addresses ?? withoutNulls(body.nameAddresses).map(({ address }) => address ?? null),
  );
  return [
    ...removeDuplicates(emails),
    ...removeDuplicates(phones).map(({ digits }) => {
      const hasExtension = phones.some((phone) => phone.hasExtension && phone.digits === digits);
      return toPhoneContact({ digits, hasExtension }, region);
    }),
    ...removeDuplicates(addresses).map((address) => toAddressContact(address, region)),
  ];
}

const withoutNulls = <T>(list: readonly (T | null)[] | null | undefined): T[] =>
  (list ?? []).filter((entry) => entry !== null);

/** Fields of a contact that cannot be normalised. The answer repeats such a contact as submitted, without a match. */
const WITHOUT_KEYS = { keys: [], signature: null };

function toPhoneContact(
  { digits: input, hasExtension }: PhoneDigitsWithExtensionFlag,
  region: string,
): EmailOrPhoneContact {
  const contact = normaliseContact('phone', input, region) ?? {
    kind: 'phone',
    input,
    standardized: input,
    ...WITHOUT_KEYS,
  };
  return hasExtension ? { ...contact, hasExtension } : contact;
}

function toAddressContact(input: Address, region: string): PostalAddressContact {
  const standardized = { ...input, plus4: '' };
  return (
    normaliseContact('address', input, region) ?? { kind: 'address', input, standardized, ...WITHOUT_KEYS }
  );
}

/** Removes values that are equal to an earlier value. */
function removeDuplicates<T extends Parameters<typeof toDeduplicationKey>[0]>(values: T[]): T[] {
  if (values.length < 2) return values;
  const valueByKey = new Map<string, T>();
  for (const value of values) {
    const key = toDeduplicationKey(value);
    if (!valueByKey.has(key)) valueByKey.set(key, value);
  }
  return [...valueByKey.values()];
}
