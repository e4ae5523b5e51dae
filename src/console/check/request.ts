// State of the check form, and the request that is built from the form.
import type { CheckRequest } from '../app/types.ts';

export const EMPTY_ADDRESS = { street: '', street2: '', city: '', state: '', zip: '', country: '' };
export type AddressFields = typeof EMPTY_ADDRESS;

/** Requested amount of AI explanation: none, the narrative, or all selected features. */
type AiExplanationLevel = 'none' | 'narrative' | 'all';

export interface CheckForm {
  name: string;
  emails: string[];
  phones: string[];
  addresses: AddressFields[];
  intent: NonNullable<CheckRequest['intent']>;
  explanation: AiExplanationLevel;
  include_trust_enhancement: boolean;
  include_fraud_detection: boolean;
  include_name_matching: boolean;
}

export const EMPTY_CHECK_FORM: CheckForm = {
  name: '',
  emails: [''],
  phones: [''],
  addresses: [EMPTY_ADDRESS],
  intent: 'general',
  explanation: 'all',
  include_trust_enhancement: true,
  include_fraud_detection: true,
  include_name_matching: true,
};

export type ValueListName = 'emails' | 'phones' | 'addresses';

export const MAX_VALUES_PER_KIND = 5;

export interface PersonValues {
  name: string;
  emails?: string[];
  phones?: string[];
  addresses?: Partial<AddressFields>[];
}

/** Converts name and contacts to values for the form. An empty list gets one empty value. */
export const toFormValues = ({ name, emails, phones, addresses = [] }: PersonValues) => ({
  name,
  emails: orOneEmpty(emails, ''),
  phones: orOneEmpty(phones, ''),
  addresses: orOneEmpty(
    addresses.map((address) => ({ ...EMPTY_ADDRESS, ...address })),
    EMPTY_ADDRESS,
  ),
});

const orOneEmpty = <T>(values: T[] = [], empty: T): T[] => (values.length > 0 ? values : [empty]);

export interface CheckHttpRequest {
  path: string;
  body: CheckRequest;
}

/** Converts the form to a request. Empty values in a list become null, so that errors of the server point to the right field. */
export function toCheckHttpRequest(form: CheckForm): CheckHttpRequest {
  const body: CheckRequest = { name: form.name.trim() };
  const emails = form.emails.map(orNull);
  const phones = form.phones.map(orNull);
  const addresses = form.addresses.map(toAddress);
  if (emails.some(Boolean)) body.emails = emails;
  if (phones.some(Boolean)) body.phones = phones;
  if (addresses.some(Boolean)) body.addresses = addresses;
  if (form.intent !== 'general') body.intent = form.intent;
  if (form.explanation === 'all') {
    if (!form.include_trust_enhancement) body.include_trust_enhancement = false;
    if (!form.include_fraud_detection) body.include_fraud_detection = false;
    if (!form.include_name_matching) body.include_name_matching = false;
  }
  const paths = { none: '/v1/validate', narrative: '/v1/validate?ai=true', all: '/v1/validate/enhanced' };
  return { path: paths[form.explanation], body };
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text);

/** Returns the non-empty fields of an address; null if there are none. */
function toAddress(address: AddressFields): Partial<AddressFields> | null {
  const fields = Object.entries(address).filter(([, text]) => orNull(text) !== null);
  return fields.length === 0 ? null : Object.fromEntries(fields);
}
